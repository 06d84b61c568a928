"""Verdicts: what is proved, refuted or not decided, by which bound, with which game, and which choice to blame."""

import json
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from teamplay.cli import main
from teamplay.engine.layers import SMALL_CHUNK, Layers
from teamplay.errors import BadSpec
from teamplay.game import Game, Move, Position
from teamplay.game_file import load_game
from teamplay.language import Source, load_rulebook, read_rulebook
from teamplay.language.rulebook import Rulebook
from teamplay.luck import Luck
from teamplay.players import OpenPlayer, load_player
from teamplay.players.helpfulness import Helpfulness
from teamplay.proof.blame import blame, positions_of
from teamplay.proof.oracle import Recursion, SolverOracle, TooLarge
from teamplay.proof.verify import Bounds, Verdict, verify
from teamplay.team import Team
from tests import verdicts

Capture = pytest.CaptureFixture[str]
FIGURE = "tic-tac-toe/figure-15"


def book_of(text: str, spec: str = "tic-tac-toe") -> Rulebook:
    return read_rulebook(Source("a table", text), load_game(spec))


# Goals.


def verdict(player: str, spec: str, seat: int, goal: str = "never-loses", **how: object) -> Verdict:
    game = load_game(spec)
    return verify(load_player(player, game), game, seat, goal, **how)  # type: ignore[arg-type]


def test_the_figure_that_should_be_complete_loses_from_both_seats() -> None:
    first, second = verdict(FIGURE, "tic-tac-toe", 0), verdict(FIGURE, "tic-tac-toe", 1)
    assert (first.positions, first.wins, first.draws, first.losses) == (724, 373, 8, 16)
    assert (second.positions, second.wins, second.draws, second.losses) == (709, 232, 8, 79)
    assert (len(first.game or ()), len(second.game or ())) == (6, 5)


def test_always_wins() -> None:
    assert verdict("tic-tac-toe-3d/basic", "tic-tac-toe-3d(n=2)", 0, "always-wins").verdict == "proved"
    drawn = verdict("mnk/generic", "tic-tac-toe", 0, "always-wins")
    assert drawn.verdict == "refuted" and len(drawn.game or ()) == 9


@pytest.mark.parametrize("table", ["mnk/generic", FIGURE, "tic-tac-toe/figure-9"])
@pytest.mark.parametrize("seat", [0, 1])
def test_wins_if_possible_is_what_looking_at_every_choice_says(table: str, seat: int) -> None:
    game = load_game("tic-tac-toe")
    found = verdict(table, "tic-tac-toe", seat, "wins-if-possible")
    slips = list(every_slip(game, load_rulebook(table, game), seat))
    assert (found.verdict == "refuted") == bool(slips)
    if found.game:
        assert len(found.game) == min(slips)
        before, after = positions_of(game, found.game)[-2:]
        assert before.seat == seat and Recursion(game).value(before) == 1 and Recursion(game).value(after) > -1


def every_slip(game: Game, book: Rulebook, seat: int) -> Iterator[int]:
    """How many moves a game has after each choice that lets a win go."""
    team, oracle = Team(book), Recursion(game)
    layer, plies = {game.start}, 0
    while layer:
        plies += 1
        following = set()
        for position in layer:
            for move in team.moves(position) if position.seat == seat else game.moves(position):
                after = game.after(position, move)
                if position.seat == seat and oracle.value(position) == 1 and oracle.value(after) > -1:
                    yield plies
                if not game.outcome(after):
                    following.add(after)
        layer = following


def test_points_count_in_a_game_of_points() -> None:
    game = load_game("sos(rows=2,columns=3)")
    solved, plain = SolverOracle(game, 10**6), Recursion(game)
    position, luck = game.start, Luck(3)
    while moves := game.moves(position):
        assert solved.value(position) == plain.value(position)
        position = game.after(position, luck.choice(moves))


def test_a_goal_that_needs_perfect_play_says_where_that_is_out_of_reach() -> None:
    game = load_game("gomoku")
    with pytest.raises(TooLarge, match="gomoku"):
        verify(load_player("mnk/generic", game), game, 0, "wins-if-possible", oracle=Recursion(game, most=10))


# Players.


def test_other_players_are_proved_as_well() -> None:
    found = verdict("random", "tic-tac-toe", 0)
    assert (found.verdict, found.method) == ("refuted", "arrays")
    assert found.positions + verdict("random", "tic-tac-toe", 1).positions == 4520


def test_helpfulness_is_not_asked_position_by_position(monkeypatch: pytest.MonkeyPatch) -> None:
    """On 4x4x4 that would take many minutes; for many positions at once it answers in seconds."""
    plain, asked = Helpfulness.moves, list[Position]()

    def noted(self: Helpfulness, position: Position) -> list[Move]:
        asked.append(position)
        assert len(asked) < 10
        return plain(self, position)

    monkeypatch.setattr(Helpfulness, "moves", noted)
    found = verdict("helpfulness", "mnk(m=4,n=4,k=4)", 0)
    assert (found.verdict, found.method) == ("proved", "arrays") and found.positions > 100_000


def test_the_perfect_player_is_proved_to_be() -> None:
    for goal in ("never-loses", "wins-if-possible"):
        assert verdict("perfect", "misere", 1, goal).verdict == "proved"


def test_every_fall_of_the_coins_counts() -> None:
    text = "if n(xx) >= 1 then return 1\nif n(oo) >= 1 then return 2 with chance 99%\nreturn 3"
    sure = text.replace(" with chance 99%", "")
    game = load_game("tic-tac-toe")
    losses = [verify(Team(book_of(rules)), game, 1).losses for rules in (text, sure)]
    assert losses[0] > losses[1] > 0


def test_the_first_of_equals_is_one_of_them() -> None:
    game = load_game("tic-tac-toe")
    for seat in (0, 1):
        every, first = (verify(load_player(f"{FIGURE}(tie={tie})", game), game, seat) for tie in ("random", "first"))
        assert first.positions < every.positions and first.method == "compiled"


def test_a_player_without_a_set_is_refused() -> None:
    game = load_game("tic-tac-toe")
    assert not isinstance(load_player("mcts(playouts=1)", game), OpenPlayer)
    with pytest.raises(BadSpec, match="can't name the set of moves"):
        verify(load_player("mcts(playouts=1)", game), game, 0)


# Bounds.


@pytest.mark.parametrize(
    ("bounds", "bound"),
    [
        (Bounds(positions=10), "10 positions"),
        (Bounds(positions=1), "1 position"),
        (Bounds(seconds=1e-9), "1e-09 seconds"),
        (Bounds(memory=1 << 10), "0 MB of memory"),
    ],
)
@pytest.mark.parametrize("player", ["random", "posswin", "mnk/generic"])
def test_a_bound_is_named_and_what_is_known_up_to_there(player: str, bounds: Bounds, bound: str) -> None:
    found = verdict(player, "tic-tac-toe", 0, bounds=bounds)
    assert (found.verdict, found.bound, found.game) == ("undecided", bound, None)
    assert found.plies < 9 and not found.whole


def test_ctrl_c_is_a_bound_like_the_others() -> None:
    def impatient(plies: int, positions: int, seconds: float) -> None:
        if plies == 3:
            raise KeyboardInterrupt

    for player in ("random", "posswin", "mnk/generic"):
        found = verdict(player, "tic-tac-toe", 0, progress=impatient)
        assert (found.verdict, found.bound, found.plies) == ("undecided", "Ctrl-C", 3)


RESTLESS = """game mnk
if n(x{k-1}) >= 1 then return 1
if n(o{k-1}) >= 1 then return 2
return 5 - n(x{k-2} b) with chance 50%
return 9
"""
MEASURED = RESTLESS.replace("n(x{k-2} b)", "count(x)")  # what is counted in all sight is not looked up


@pytest.mark.parametrize("text", [RESTLESS, MEASURED])
@pytest.mark.parametrize("bounds", [Bounds(positions=20_000), Bounds(positions=1), Bounds(memory=1 << 10)])
def test_coins_on_a_large_board_have_bounds(text: str, bounds: Bounds) -> None:
    book = book_of(text, "mnk(m=5,n=5,k=4)")
    found = verify(Team(book), book.game, 0, bounds=bounds)
    assert (found.verdict, found.whole) == ("undecided", False) and found.bound
    assert found.positions < 100_000


@pytest.mark.parametrize("text", [RESTLESS, MEASURED])
def test_coins_on_a_large_board_report_often_and_stop_at_ctrl_c(text: str) -> None:
    book = book_of(text, "mnk(m=5,n=5,k=4)")
    seen = [0]

    def impatient(plies: int, positions: int, seconds: float) -> None:
        seen.append(positions)
        if positions > 50_000:
            raise KeyboardInterrupt

    found = verify(Team(book), book.game, 0, progress=impatient)
    assert (found.verdict, found.bound, found.positions) == ("undecided", "Ctrl-C", seen[-1])
    assert found.plies >= 4
    images = 8
    assert max(after - before for before, after in pairwise(seen)) <= images * SMALL_CHUNK


def test_what_was_lost_before_ctrl_c_stays_lost() -> None:
    def impatient(plies: int, positions: int, seconds: float) -> None:
        if plies == 7:
            raise KeyboardInterrupt

    assert verdict("tic-tac-toe/figure-6", "tic-tac-toe", 1, progress=impatient).verdict == "refuted"


def interrupted(*_: object) -> None:
    raise KeyboardInterrupt


def test_ctrl_c_while_getting_ready_is_a_bound_too(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setattr("teamplay.proof.verify.explorer_for", interrupted)
    code, text = shown(capsys, "mnk/generic", "--game", "tic-tac-toe")
    text = " ".join(text.split())
    assert code == 1
    for seat in ("first", "second"):
        said = f"Not decided whether, moving {seat} at tic-tac-toe, mnk/generic never loses: stopped by Ctrl-C. Nothing"
        assert said in text


def test_after_ctrl_c_no_other_seat_is_begun(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    grow = Layers.grow

    def impatient(self: Layers, watch: Callable[[], bool]) -> bool:
        if self.outcomes[1]:  # a loss was found, and the rest is only counted
            raise KeyboardInterrupt
        return grow(self, watch)

    monkeypatch.setattr(Layers, "grow", impatient)
    code, text = shown(capsys, FIGURE, "--json")
    seats = json.loads(text)["seats"]
    assert code == 1
    assert (seats["first"]["verdict"], seats["first"]["bound"], seats["first"]["whole"]) == ("refuted", "Ctrl-C", False)
    assert [seats["second"][key] for key in ("verdict", "bound", "positions")] == ["undecided", "Ctrl-C", 0]


def test_ctrl_c_during_the_blame_keeps_the_verdict(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setattr(Recursion, "value", interrupted)
    code, text = shown(capsys, FIGURE, "--seat", "second")
    text = " ".join(text.split())
    assert code == 1 and text.startswith("Refuted") and "Where the game was lost could not be worked out" in text


# Blame.


def test_the_last_choice_that_mattered_is_to_blame() -> None:
    game = load_game("tic-tac-toe")
    lost = verdict(FIGURE, "tic-tac-toe", 1).game or ()
    found = blame(game, lost, 1, "never-loses", Recursion(game))
    assert found.certain and found.ply is not None
    before, after = positions_of(game, lost)[found.ply : found.ply + 2]
    assert Recursion(game).value(before) == 0 and Recursion(game).value(after) == 1
    assert all(Recursion(game).value(game.after(before, move)) == 0 for move in found.better)


def test_nothing_is_to_blame_where_the_start_is_lost() -> None:
    game = load_game("mnk(m=3,n=2,k=2)")
    found = verdict("mnk/generic", "mnk(m=3,n=2,k=2)", 1)
    assert found.verdict == "refuted"
    assert blame(game, found.game or (), 1, "never-loses", SolverOracle(game, 10**6)).ply is None


def test_without_perfect_play_the_last_move_is_named_and_that_it_is_merely_that() -> None:
    game = load_game("tic-tac-toe")
    lost = verdict(FIGURE, "tic-tac-toe", 0).game or ()
    found = blame(game, lost, 0, "never-loses", Recursion(game, most=1))
    assert (found.ply, found.certain, found.better) == (4, False, ())


# The command.


def shown(capsys: Capture, *arguments: str) -> tuple[int, str]:
    code = main(["verify", *arguments])
    return code, capsys.readouterr().out


def test_json(capsys: Capture) -> None:
    code, text = shown(capsys, FIGURE, "--json")
    said = json.loads(text)
    assert code == 1 and list(said["seats"]) == ["first", "second"]
    first = said["seats"]["first"]
    assert [first[key] for key in ("seat", "verdict", "positions", "wins", "draws", "losses")] == [
        "first",
        "refuted",
        724,
        373,
        8,
        16,
    ]
    assert len(first["game"]) == 6 and all(isinstance(move, int) for move in first["game"])
    assert first["blame"]["rule"] == "win" and first["blame"]["certain"]


def test_json_of_a_proof_and_of_letters(capsys: Capture) -> None:
    code, text = shown(capsys, "mnk/generic", "--game", "tic-tac-toe", "--seat", "first", "--json")
    said = json.loads(text)["seats"]
    assert code == 0 and list(said) == ["first"]
    assert (said["first"]["verdict"], said["first"]["losses"], said["first"]["game"]) == ("proved", 0, None)
    code, text = shown(capsys, "sos/safe", "--game", "sos(rows=2,columns=5)", "--seat", "first", "--json")
    said = json.loads(text)["seats"]["first"]
    assert code == 1 and all(move[0] in "SO" and move[1:].isdigit() for move in said["game"])


def test_a_losing_game_is_replayed_with_priorities_and_blame(capsys: Capture) -> None:
    _, text = shown(capsys, FIGURE, "--seat", "first")
    text = " ".join(text.split())
    assert text.startswith("Refuted: moving first at tic-tac-toe, tic-tac-toe/figure-15 can lose; a shortest game")
    assert "724 positions with its turn to move, and 373 won, 8 drawn and 16 lost ends" in text
    assert "1. The team plays" in text and "priority 1, one of 5 moves that tie" in text and "[1]" in text
    assert "6. The opponent plays" in text and "To blame is move" in text and "by `win`" in text


def test_what_is_not_decided_is_said_so(capsys: Capture) -> None:
    code, text = shown(capsys, "mnk/generic", "--seat", "first", "--max-positions", "5", "--game", "tic-tac-toe")
    text = " ".join(text.split())
    assert code == 1 and text.startswith("Not decided whether, moving first at tic-tac-toe, mnk/generic never loses")
    assert "the bound was 5 positions. Every game of up to" in text


def test_other_goals_in_words(capsys: Capture) -> None:
    code, text = shown(capsys, "mnk/generic", "--game", "tic-tac-toe", "--goal", "wins-if-possible", "--seat", "second")
    assert code == 0 and "never lets a win go" in text
    code, text = shown(capsys, "mnk/generic", "--game", "tic-tac-toe", "--goal", "always-wins", "--seat", "first")
    text = " ".join(text.split())
    assert code == 1 and "can fail to win" in text
    assert "No choice is to blame: against perfect play the first seat can't win from the start." in text


def test_players_without_agents_are_replayed_without_priorities(capsys: Capture) -> None:
    code, text = shown(capsys, "random", "--seat", "second")
    assert code == 1 and "Random plays" in text and "priority" not in text


def test_ties_are_for_tables(capsys: Capture) -> None:
    assert main(["verify", "random", "--tie", "first"]) == 2
    assert "--tie is for tables" in capsys.readouterr().err
    code, text = shown(capsys, FIGURE, "--tie", "first", "--json")
    assert json.loads(text)["tie"] == "first" and code in (0, 1)
    _, same = shown(capsys, f"{FIGURE}(tie=first)", "--json")
    assert json.loads(same)["tie"] == "first"
    _, text = shown(capsys, FIGURE, "--tie", "first")
    assert "figure-15 (always the first among ties) can lose" in " ".join(text.split())


@pytest.mark.parametrize("option", ["--max-positions=0", "--max-seconds=-1", "--memory=x", "--max-seconds=nan"])
def test_a_bound_is_a_positive_number(option: str, capsys: Capture) -> None:
    assert main(["verify", FIGURE, option]) == 2
    assert option.partition("=")[0] in capsys.readouterr().err


def test_a_table_of_ones_own_with_coins_is_replayed(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "coins.team"
    path.write_text("game tic-tac-toe\nif n(oo) >= 1 then return 1 with chance 50%\nreturn 2\n")
    code, text = shown(capsys, str(path), "--seat", "second")
    assert code == 1 and "The team plays" in text


# The page.


def test_the_verdicts_on_the_page_are_those_of_the_program() -> None:
    assert verdicts.parts("tic-tac-toe")[1] == verdicts.tic_tac_toe()


@pytest.mark.slow
def test_the_verdicts_on_other_tables_are_those_of_the_program() -> None:
    assert verdicts.parts("beyond")[1] == verdicts.beyond()


def test_what_the_page_says_of_the_figures() -> None:
    page = verdicts.PAGE.read_text(encoding="utf-8")
    game = load_game("tic-tac-toe")
    figure = load_player(FIGURE, game)
    assert isinstance(figure, Team)
    assert len(figure.moves(game.start)) == 5  # the center and the corners
    threatened = Position("xox.o....", 0)  # the opponent holds the center, and cell 8 would block
    assert {move.cell for move in figure.moves(threatened)} == {6, 8}
    assert all(verdict(f"{FIGURE}(tie=first)", "tic-tac-toe", seat).verdict == "refuted" for seat in (0, 1))
    same = [verdict(f"tic-tac-toe/{name}", "tic-tac-toe", 0) for name in ("figure-15", "figure-16c")]
    assert (same[0].positions, same[0].losses) == (same[1].positions, same[1].losses)

    assert "in `1 2 3 7 9 5 6` the opponent, who begins" in page
    lost = [game.parse_move(move, ply % 2) for ply, move in enumerate("1237956")]
    played = positions_of(game, lost)
    nine = load_player("tic-tac-toe/figure-9", game)
    assert isinstance(nine, Team)
    for position, move in zip(played, lost, strict=False):
        assert position.seat == 0 or move in nine.moves(position)
    wins = [cell for cell in (4, 5) if game.outcome(game.after(Position(played[5].marks, 0), Move(cell, "x")))]
    assert wins == [4, 5] and (over := game.outcome(played[-1])) and over.winner == 0
