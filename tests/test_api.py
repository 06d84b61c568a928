"""`import teamplay`: a dozen names that cost nothing to import, and results that are what the commands print."""

import json
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import teamplay as tp
from teamplay.api.progress import Advance
from teamplay.api.verifying import Seat
from teamplay.cli import main
from teamplay.errors import BadSpec, IllegalMove
from teamplay.game import Position
from teamplay.show.picture import Picture

FIGURE = "tic-tac-toe/figure-15"
Capture = pytest.CaptureFixture[str]


def command(capsys: Capture, *argv: str) -> dict[str, Any]:
    """What a command prints for scripts, without the seconds, which no two runs share."""
    main([*argv, "--json"])
    shown: dict[str, Any] = json.loads(capsys.readouterr().out)
    return timeless(shown)


def timeless(shown: dict[str, Any]) -> dict[str, Any]:
    """JSON without its seconds, after a trip through text."""
    kept = {key: value for key, value in json.loads(json.dumps(shown)).items() if key != "seconds"}
    for seat in kept.get("seats", {}).values():
        seat.pop("seconds")
    return kept


# The import


def test_the_import_alone_opens_nothing_heavy() -> None:
    program = """
import sys
import teamplay as tp
opened = {name.partition(".")[0] for name in sys.modules}
assert not opened & {"numpy", "numba", "rich", "lark", "networkx", "argparse", "typing"}, opened
assert {name for name in sys.modules if name.startswith("teamplay")} == {"teamplay"}
assert set(tp.__all__) <= set(dir(tp))
game = tp.load_game("tic-tac-toe")
assert "numpy" not in sys.modules, "a game is read without arrays"
"""
    subprocess.run([sys.executable, "-S", "-c", _with_path(program)], check=True)


def _with_path(program: str) -> str:
    """A program that finds the package though no site-packages were read at the start."""
    return f"import sys\nsys.path[:0] = {[str(Path(tp.__file__).parents[1]), *sys.path]!r}\n{program}"


def test_every_name_is_there_and_every_other_is_a_sentence() -> None:
    for name in tp.__all__:
        assert getattr(tp, name).__name__ == name
    with pytest.raises(AttributeError, match="teamplay has no `vrify`; it has Game,"):
        _ = tp.vrify  # type: ignore[attr-defined]


def test_a_type_checker_sees_the_names(tmp_path: Path) -> None:
    program = tmp_path / "mine.py"
    program.write_text('import teamplay as tp\nreveal_type(tp.solve)\ntp.solve("x")\ntp.slove\n')
    run = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", str(program)], capture_output=True, text=True, cwd=tmp_path
    )
    assert "-> teamplay.api.solving.Solved" in run.stdout
    assert 'incompatible type "str"; expected "Position"' in run.stdout
    assert 'Module has no attribute "slove"' in run.stdout


def test_the_example_of_the_page_works_as_it_stands() -> None:
    game = tp.load_game("mnk(m=5,n=5,k=4)")
    team = tp.load_player("mnk/generic", game)
    position = game.position("x..../.o.../...../...../.....")
    seen = tp.think(team, position)
    assert seen.priorities.shape == (5, 5)
    small = tp.load_game("tic-tac-toe")
    one, other = (
        tp.load_player("tic-tac-toe/competent", small),
        tp.table("if n(xx) >= 1 then return 1\nreturn 2", small),
    )
    assert tp.verify(one, seat="first").proved
    assert tp.solve(small.position("xx./oo./...")).value == 1
    assert tp.match(one, "random", games=20).games == 20
    assert "differ" in repr(tp.compare(one, other))


# Results are what the commands print


def test_thoughts_are_those_of_show(capsys: Capture) -> None:
    board = "o.x/o.x/.o."
    seen = tp.think(tp.table(Path(f"rules/{FIGURE}.team").read_text(), name=FIGURE), _tic(board))
    assert seen.to_dict() == command(capsys, "show", FIGURE, "--board", board)
    letters = tp.think(_team("sos/safe", "sos(n=4)"), tp.load_game("sos(n=4)").position("S.../..../..../...."))
    assert letters.to_dict() == command(
        capsys, "show", "sos/safe", "--game", "sos(n=4)", "--board", "S.../..../..../...."
    )


def test_thoughts_are_arrays_and_tuples_of_one_entry_per_cell() -> None:
    game = tp.load_game("connect-four(columns=4,rows=4)")
    team = tp.table("everyone:\n    near: if n(xbb) >= 1 then return 3\n", game)
    seen = tp.think(team, game.position("..../..../..../x..."))
    assert seen.states == (*["closed"] * 8, "answers", *["closed"] * 3, "taken", *["answers"] * 3)
    assert seen.rules == (*[None] * 8, "near", *[None] * 3, None, *["near"] * 3)
    wanted = np.full((4, 4), np.nan)
    wanted[2, 0] = wanted[3, 1] = wanted[3, 2] = wanted[3, 3] = 3
    np.testing.assert_array_equal(seen.priorities, wanted)
    assert seen.letters == (None,) * 16
    silent = tp.think(team, game.start)
    assert silent.states == (*["closed"] * 12, *["silent"] * 4)
    assert np.isnan(silent.priorities).all()


@pytest.mark.parametrize("seat", ["first", "second", "both"])
def test_a_verification_is_that_of_verify(capsys: Capture, seat: Seat) -> None:
    found = tp.verify(FIGURE, seat=seat)
    assert timeless(found.to_dict()) == command(capsys, "verify", FIGURE, "--seat", seat)


def test_a_refutation_is_that_of_verify(capsys: Capture) -> None:
    found = tp.verify("tic-tac-toe/figure-9", "tic-tac-toe", goal="always-wins")
    assert not found.proved
    assert timeless(found.to_dict()) == command(capsys, "verify", "tic-tac-toe/figure-9", "--goal", "always-wins")
    assert repr(found).count("\n") == 1 and repr(found).startswith("Refuted: moving first at tic-tac-toe")
    undecided = tp.verify("mnk/generic", "mnk(m=4,n=4,k=4)", max_positions=5)
    assert {verdict.verdict for verdict in undecided.seats.values()} == {"undecided"}


@pytest.mark.parametrize(("spec", "board"), [("tic-tac-toe", "xx./oo./..."), ("sos(n=3)", "SO./.../...")])
def test_a_solution_is_that_of_solve(capsys: Capture, spec: str, board: str) -> None:
    found = tp.solve(tp.load_game(spec).position(board))
    assert timeless(found.to_dict()) == command(capsys, "solve", spec, "--board", board)
    assert found.decided and found.best and found.value is not None
    assert "Best: " in repr(found)


def test_a_match_is_that_of_match(capsys: Capture) -> None:
    found = tp.match(FIGURE, "random", games=40, seed=3)
    assert found.to_dict() == command(capsys, "match", FIGURE, "random", "--games", "40", "--seed", "3")
    assert found.wins + found.draws + found.losses == found.games == 40
    assert repr(found).startswith(f"{FIGURE} against random at tic-tac-toe: {found.wins} won")


@pytest.mark.parametrize("games", [30, 3000])  # move by move, and by the compiled engine
def test_players_that_are_objects_play_the_same_match(games: int) -> None:
    game = tp.load_game("tic-tac-toe")
    named = tp.match(FIGURE, "random", game, games=games, seed=3)
    made = tp.match(tp.load_player(FIGURE, game), "random", games=games, seed=3)
    assert made.to_dict() == named.to_dict()


@pytest.mark.parametrize(
    ("one", "other", "game"), [(FIGURE, "tic-tac-toe/figure-13", None), ("mcts(playouts=2)", "random", "tic-tac-toe")]
)
def test_a_comparison_is_that_of_compare(capsys: Capture, one: str, other: str, game: str | None) -> None:
    found = tp.compare(one, other, game, games=20)
    assert found.to_dict() == command(capsys, "compare", one, other, "--games", "20")


# Positions


def test_a_position_knows_its_game_whoever_made_it() -> None:
    game = tp.load_game("tic-tac-toe")
    after = game.after(game.start, tp.Move(4, "x"))
    assert game.start.game is after.game is game.position("x../.../...").game is game
    assert [position.game for _, position in game.successors(after)] == [game] * 8
    assert after == Position(after.marks, 1), "the game is no part of what a position says"
    assert hash(after) == hash(Position(after.marks, 1))
    with pytest.raises(BadSpec, match="does not know its game"):
        tp.solve(Position("." * 9))


def test_a_position_draws_itself() -> None:
    game = tp.load_game("tic-tac-toe")
    shown = game.position("xo./.x./...")._repr_mimebundle_()
    assert set(shown) == {"image/svg+xml", "text/plain"}
    assert shown["image/svg+xml"].startswith("<svg") and "│  x  │  o  │" in shown["text/plain"]
    assert Position("." * 9)._repr_mimebundle_() == {"text/plain": repr(Position("." * 9))}


# Progress and Ctrl-C


Told = Callable[[Advance], None]
LARGE = tp.load_game("mnk(m=5,n=5,k=4)")


def long_verify(told: Told) -> tuple[bool, dict[str, Any]]:
    found = tp.verify("random", LARGE, progress=told)
    return found.seats["first"].bound == "Ctrl-C" and found.seats["second"].positions == 0, found.to_dict()


def long_solve(told: Told) -> tuple[bool, dict[str, Any]]:
    found = tp.solve(tp.load_game("mnk(m=6,n=6,k=5)").start, progress=told)
    return not found.decided, found.to_dict()


def long_match(told: Told) -> tuple[bool, dict[str, Any]]:
    found = tp.match("mcts(playouts=50)", "random", LARGE, games=10_000, progress=told)
    return 0 < found.games < 10_000 and not found.complete, found.to_dict()


def long_comparison(told: Told) -> tuple[bool, dict[str, Any]]:
    shown = tp.compare("mcts(playouts=100)", "mcts(playouts=101)", LARGE, games=10_000, progress=told).to_dict()
    return shown["stopped"] == "Ctrl-C", shown


@pytest.mark.parametrize("call", [long_verify, long_solve, long_match, long_comparison])
def test_a_long_call_reports_and_keeps_what_it_knows_when_interrupted(
    call: Callable[[Told], tuple[bool, dict[str, Any]]],
) -> None:
    steps: list[Advance] = []

    def told(step: Advance) -> None:
        steps.append(step)
        if len(steps) == 2:
            signal.raise_signal(signal.SIGINT)

    partial, shown = call(told)
    assert partial
    assert len(steps) >= 2 and steps[1].done > 0 and steps[1].seconds > steps[0].seconds
    assert steps[0].unit in str(steps[0]), "printed, a step says what is counted"
    json.dumps(shown)
    assert threading.active_count() < 10


def test_the_last_game_of_a_match_is_always_reported() -> None:
    steps: list[Advance] = []
    tp.match("random", "random", "tic-tac-toe", games=4, progress=steps.append)
    assert [(step.done, step.total) for step in steps] == [(4, 4)]


# Errors


def test_errors_are_sentences() -> None:
    tic, four = tp.load_game("tic-tac-toe"), tp.load_game("connect-four")
    with pytest.raises(BadSpec, match="was made for tic-tac-toe, not for connect-four"):
        tp.verify(tp.load_player("random", tic), four)
    with pytest.raises(BadSpec, match="name both by specs"):
        tp.match(tp.load_player("random", tic), "random", workers=2)
    with pytest.raises(BadSpec, match="at least 2 games"):
        tp.compare("random", "random", games=1)
    with pytest.raises(BadSpec, match="A match has 1 to"):
        tp.match(tp.load_player("random", tic), "random", games=0)
    with pytest.raises(tp.TeamplayError, match="retrun"):
        tp.table("retrun 1", tic)
    with pytest.raises(BadSpec, match="`third` is not a seat; choose first, second or both"):
        tp.verify("random", tic, seat="third")  # type: ignore[arg-type]
    with pytest.raises(BadSpec, match="`max_positions` is -1"):
        tp.verify("random", tic, max_positions=-1)
    with pytest.raises(BadSpec, match="`max_seconds` is 0"):
        tp.solve(tic.start, max_seconds=0)
    with pytest.raises(BadSpec, match=r"`games` is a whole number, not 2\.5"):
        tp.match("random", "random", tic, games=2.5)  # type: ignore[arg-type]
    with pytest.raises(BadSpec, match="`seed` is a whole number, not None"):
        tp.match("random", "random", tic, seed=None)  # type: ignore[arg-type]
    with pytest.raises(BadSpec, match="`opening` is a whole number, not 'x'"):
        tp.match("random", "random", tic, opening="x")  # type: ignore[arg-type]
    for nothing in (None, 3, b"tic-tac-toe"):
        with pytest.raises(BadSpec, match=f"{nothing!r} is not a spec, which is a text such as `tic-tac-toe`"):
            tp.load_game(nothing)  # type: ignore[arg-type]
        with pytest.raises(BadSpec, match=f"{nothing!r} is not a spec, which is a text such as `random`"):
            tp.load_player(nothing)  # type: ignore[arg-type]
        with pytest.raises(BadSpec, match=f"{nothing!r} is not the text of a table"):
            tp.table(nothing)  # type: ignore[arg-type]
    with pytest.raises(BadSpec, match="3 is not a spec"):
        tp.match("random", "random", 3)  # type: ignore[arg-type]
    with pytest.raises(BadSpec, match="None is not a player; name one by its spec"):
        tp.compare("random", None, tic)  # type: ignore[arg-type]
    for call in (tp.solve, tp.draw, lambda position: tp.think("random", position)):
        with pytest.raises(BadSpec, match="is not a position; make one with"):
            call("x../.../...")  # type: ignore[operator]
    assert repr(tp.table("return 1", tic)) == "Team('table', 'tic-tac-toe')"
    assert issubclass(IllegalMove, tp.TeamplayError)


def _tic(board: str) -> Position:
    return tp.load_game("tic-tac-toe").position(board)


def _team(name: str, spec: str) -> Any:
    made = tp.load_player(name, spec)
    assert isinstance(tp.think(made, tp.load_game(spec).start), Picture)
    return made
