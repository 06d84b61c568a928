"""The shipped tables: they load where they say, play by the rules, beat chance, and do what their comments claim."""

import re
from collections import Counter
from itertools import islice

import pytest

from teamplay import library
from teamplay.cli import main
from teamplay.engine.contest import Contest
from teamplay.engine.program import program
from teamplay.game import Game
from teamplay.game_file import load_game, parse_spec
from teamplay.language import Source, load_rulebook, load_source, load_table, read_rulebook
from teamplay.library import FOLDERS
from teamplay.luck import Luck
from teamplay.players import Player, load_player
from teamplay.proof.verify import verify
from teamplay.team import Team
from tests import measured
from tests.everywhere import game_of, winner
from tests.exhaust import exhausted
from tests.results import Run, matching

TABLES = library.names(".team")
BY_GAME = [(table, spec) for table in TABLES for spec in load_table(table)[0].games]

# Other sizes at which a table must make sense too.
SIZES = {
    "mnk": ["mnk(m=2,n=2,k=2)", "mnk(m=3,n=5,k=3)", "mnk(m=9,n=7,k=6)", "mnk(m=1,n=6,k=3)", "mnk(m=3,n=3,k=4)"],
    "gomoku": ["gomoku(n=9)", "gomoku(n=19)"],
    "connect-four": ["connect-four(columns=9,rows=7)", "connect-four(columns=8,rows=6,k=5)"],
    "sos": ["sos(n=2)", "sos(rows=1,columns=6)", "sos(n=12)"],
    "sos-corners": ["sos-corners(n=3)", "sos-corners(n=8)"],
    "sos-line": ["sos-line(n=1)", "sos-line(n=4)", "sos-line(n=200)"],
    "reversi": ["reversi(n=4)", "reversi(n=10)"],
    "tic-tac-toe-3d": ["tic-tac-toe-3d(n=2)", "tic-tac-toe-3d(n=4)"],
}


def score(spec: str, table: str, seat: int, games: int, opponent: str = "random") -> Counter[str]:
    """Wins, draws and losses of a table in one seat."""
    game = load_game(spec)
    players: tuple[Player, Player] = (load_player(table, game), load_player(opponent, game))
    found: Counter[str] = Counter()
    for seed in range(games):
        won = winner(game, players if seat == 0 else players[::-1], seed=1000 * seat + seed)
        found["draws" if won is None else "wins" if won == seat else "losses"] += 1
    return found


def test_every_game_has_a_table() -> None:
    assert {parse_spec(spec)[0] for _, spec in BY_GAME} == set(library.names(".toml"))


@pytest.mark.parametrize("table", TABLES)
def test_every_table_says_what_it_is_for_and_has_names_for_its_rules(table: str) -> None:
    text = (FOLDERS[".team"] / f"{table}.team").read_text(encoding="utf-8")
    assert text.startswith("# ") and "\ngame " in text
    assert all(len(line) <= 120 for line in text.split("\n"))
    book = load_rulebook(table)
    for _, rules in book.sections:
        assert all(rule.label or rule.condition is None for rule in rules)


@pytest.mark.parametrize(("table", "spec"), BY_GAME)
def test_a_table_loads_for_every_game_on_its_game_line(table: str, spec: str) -> None:
    for size in (spec, *SIZES.get(parse_spec(spec)[0], [])):
        assert load_rulebook(table, load_game(size)).game == load_game(size)


@pytest.mark.parametrize("spec", [size for sizes in SIZES.values() for size in sizes])
def test_tables_play_boards_of_other_sizes_by_the_rules(spec: str) -> None:
    game = load_game(spec)
    for table, listed in BY_GAME:
        if parse_spec(listed)[0] == game.name:
            players = load_player(f"{table}(wake=affected)", game), load_player("random", game)
            opening = list(islice(game_of(game, players, Luck(1)), 12))  # an illegal choice would be an error
            assert opening[0] == game.start


# How they do against chance. The bounds are generous: they are claims, not records.


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(
    ("table", "spec", "games", "least"),
    [
        ("mnk/generic", "mnk(m=5,n=5,k=4)", 20, 0.9),
        ("mnk/generic", "mnk(m=7,n=6,k=5)", 8, 0.9),
        ("mnk/generic", "gomoku(n=9)", 6, 0.9),
        ("mnk/generic", "tic-tac-toe-3d", 20, 0.9),
        ("mnk/generic", "tic-tac-toe", 100, 0.6),
        ("connect-four/basic", "connect-four", 40, 0.9),
        ("connect-four/careful", "connect-four", 20, 0.9),
        ("sos/safe", "sos(n=5)", 20, 0.9),
        ("sos/safe", "sos-corners", 20, 0.9),
        ("sos-line/basic", "sos-line(n=16)", 60, 0.8),
        ("reversi/corners", "reversi", 16, 0.75),
        ("reversi/corners", "reversi(n=6)", 30, 0.75),
        ("tic-tac-toe-3d/basic", "tic-tac-toe-3d", 20, 0.9),
        ("tic-tac-toe-3d/basic", "tic-tac-toe-3d(n=4)", 6, 0.8),
        ("misere/basic", "misere", 100, 0.35),
    ],
)
def test_a_table_wins_clearly_more_than_chance(table: str, spec: str, games: int, least: float, seat: int) -> None:
    found = score(spec, table, seat, games)
    assert found["wins"] >= least * games, found
    assert found["wins"] >= 4 * found["losses"], found


def test_more_sight_beats_less_in_connect_four() -> None:
    for seat in (0, 1):
        found = score("connect-four", "connect-four/careful", seat, 8, "connect-four/basic")
        assert found["wins"] >= 7, found


def test_least_damage_wins_most_decided_games_against_feasible_greedy() -> None:
    for side in (5, 6, 7, 8):
        game = load_game(f"sos(n={side})")
        safe, feasible = (load_rulebook(f"sos/{name}", game) for name in ("safe", "feasible-greedy"))
        one = Contest(safe, feasible, large=True).play(500, seed=side)
        two = Contest(feasible, safe, large=True).play(500, seed=side + 1)
        won, lost = one.first + two.second, one.second + two.first
        assert won >= 0.6 * (won + lost), (side, won, lost)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("better", "table", "spec", "least"),
    [
        ("mnk/five", "mnk/generic", "gomoku", 0.55),
        ("connect-four/two-above", "connect-four/careful", "connect-four", 0.55),
        ("reversi/quiet", "reversi/corners", "reversi", 0.6),
        ("sos/tempo", "sos/safe", "sos(n=8)", 0.7),
    ],
)
def test_a_table_with_a_better_idea_beats_the_older_one(better: str, table: str, spec: str, least: float) -> None:
    new, old = (load_rulebook(name, load_game(spec)) for name in (better, table))
    one, two = Contest(new, old, large=True).play(200, seed=1), Contest(old, new, large=True).play(200, seed=2)
    won, lost = one.first + two.second, one.second + two.first
    assert won >= least * (won + lost), (won, lost)


@pytest.mark.slow
@pytest.mark.parametrize("side", [5, 6, 7, 8])
def test_safe_play_loses_at_most_two_of_a_thousand_games_to_chance_and_to_greed(side: int) -> None:
    for opponent in ("random", "greedy"):
        assert matched("sos/safe", opponent, f"sos(n={side})", 1000)["losses"] <= 2, opponent


@pytest.mark.slow
@pytest.mark.parametrize("side", [5, 6, 7, 8])
def test_safe_play_wins_most_decided_games_against_feasible_greedy_itself(side: int) -> None:
    found = matched("sos/safe", "feasible-greedy", f"sos(n={side})", 200)
    assert found["wins"] >= 0.6 * (found["wins"] + found["losses"]), found


@pytest.mark.slow
@pytest.mark.parametrize(("opponent", "games"), [("minimax(depth=2)", 100), ("helpfulness", 20)])
def test_the_generic_table_wins_most_games_with_five_in_a_row(opponent: str, games: int) -> None:
    assert matched("mnk/generic", opponent, measured.FIVE, games)["wins"] > games / 2


@pytest.mark.slow
def test_the_reversi_table_beats_chance_nearly_always_and_greedy_flipping_mostly() -> None:
    assert matched("reversi/corners", "random", "reversi", 400)["wins"] > 0.9 * 400
    assert matched("reversi/corners", "minimax(depth=1)", "reversi", 100)["wins"] > 50


def matched(table: str, opponent: str, game: str, games: int) -> dict[str, int]:
    """What `teamplay match` says."""
    return matching(table, opponent, game, games, measured.SEED).ask()


# What their comments say holds: every reply and every tie.


@pytest.mark.parametrize("seat", [0, 1])
def test_the_competent_table_never_loses(seat: int) -> None:
    game = load_game("tic-tac-toe")
    found = exhausted(game, _team("tic-tac-toe/competent", game), seat)
    assert found.never_loses and found.wins > 0


@pytest.mark.slow
def test_moving_second_wins_every_row_of_sixteen() -> None:
    game = load_game("sos-line(n=16)")
    assert verify(_team("sos-line/basic", game), game, 1, "always-wins").verdict == "proved"


@pytest.mark.slow
@pytest.mark.parametrize(
    "opponent",
    ["random", "greedy", "feasible-greedy", "considerate-greedy", "minimax(depth=1)", "sos-line/basic"],
)
def test_moving_second_wins_the_row_of_usamo(opponent: str) -> None:
    game = load_game("sos-line(n=2000)")
    players = load_player(opponent, game), load_player("sos-line/basic(wake=affected)", game)
    assert winner(game, players, seed=5) == 1


# The others take seconds each.
QUICKLY_CHECKED = [table for table in TABLES if table.startswith(("misere/", "tic-tac-toe/", "tic-tac-toe-3d/"))]


@pytest.mark.parametrize(
    "table", [pytest.param(table, marks=[pytest.mark.slow] * (table not in QUICKLY_CHECKED)) for table in TABLES]
)
def test_nothing_is_found_in_a_table_that_it_does_not_own_up_to(table: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(FOLDERS[".team"] / f"{table}.team")]) == 0, capsys.readouterr().out


SLOWLY_TRIED = (
    *("mnk/five", "mnk/generic", "reversi/corners", "reversi/quiet", "sos-line/basic", "sos/safe", "sos/tempo"),
    "tic-tac-toe-3d/basic",
)
AS_PRINTED = {"tic-tac-toe/figure-15": "15 of 16", "tic-tac-toe/figure-16c": "16 of 17"}  # one rule can't answer: T102


@pytest.mark.parametrize(
    "table", [pytest.param(table, marks=[pytest.mark.slow] * (table in SLOWLY_TRIED)) for table in TABLES]
)
def test_the_scenes_of_a_table_try_all_its_rules(table: str) -> None:
    said = measured.coverage_sentence(Run(("test", table, "--cov")).ask()["coverage"][0])
    assert AS_PRINTED[table] in said if table in AS_PRINTED else said.endswith(", 100%.")


@pytest.mark.parametrize("seat", [0, 1])
def test_the_misere_table_never_loses(seat: int) -> None:
    game = load_game("misere")
    found = exhausted(game, _team("misere/basic", game), seat)
    assert found.never_loses and found.wins > 0


@pytest.mark.parametrize("cells", range(3, 9))
def test_whoever_fills_the_last_cell_of_the_row_never_loses(cells: int) -> None:
    game = load_game(f"sos-line(n={cells})")
    players = _team("sos-line/basic", game)
    last, other = (0, 1) if cells % 2 else (1, 0)
    assert exhausted(game, players, last).never_loses
    if cells in (4, 5, 6):
        assert not exhausted(game, players, other).never_loses, "the other player may set a trap for itself"


@pytest.mark.parametrize("table", ["tic-tac-toe-3d/basic", "mnk/generic"])
def test_in_the_cube_the_first_player_always_wins(table: str) -> None:
    """Boards that are turned or reflected are looked at once: to the table they are the same (`test_symmetry`)."""
    game = load_game("tic-tac-toe-3d")
    orders = game.grid.symmetries
    form = {}

    def same(marks: str) -> str:
        if marks not in form:
            form[marks] = min("".join([marks[cell] for cell in order]) for order in orders)
        return form[marks]

    found = exhausted(game, _team(table, game), 0, same)
    assert found.wins > 0 and found.draws == found.losses == 0
    assert [move.cell for move in _team(table, game).moves(game.start)] == [game.grid.center]


@pytest.mark.parametrize("seat", [0, 1])
def test_the_generic_table_can_lose_in_tic_tac_toe_only_as_second_player(seat: int) -> None:
    game = load_game("tic-tac-toe")
    assert exhausted(game, _team("mnk/generic", game), seat).never_loses == (seat == 0)


def test_the_generic_table_measures_only_what_its_k_asks_for_and_is_looked_up() -> None:
    short, long = (program(load_rulebook("mnk/generic", load_game(f"mnk(m=6,n=6,k={k})"))) for k in (4, 5))
    assert (len(short.features), len(long.features)) == (8, 13)
    assert short.can_be_looked_up and long.can_be_looked_up


def test_the_reversi_table_takes_corners_first_and_the_cells_beside_them_last() -> None:
    game = load_game("reversi")
    players = _team("reversi/corners", game)
    taken = 0
    corners = {0, 7, 56, 63}
    for seed in range(10):
        for position in game_of(game, (players, load_player("random", game)), Luck(seed)):
            open_corners = corners & {move.cell for move in game.moves(position)}
            if position.seat == 0 and open_corners:
                taken += 1
                assert {move.cell for move in players.moves(position)} == open_corners
    assert taken > 10


@pytest.mark.parametrize("spec", ["sos", "sos-corners"])
def test_the_sos_table_takes_the_most_points_and_gives_none_where_it_can(spec: str) -> None:
    game = load_game(spec)
    players, luck = _team("sos/safe", game), Luck(4)

    def points(before: object, after: object) -> int:
        return sum(after.scores) - sum(before.scores)  # type: ignore[attr-defined]

    for position in list(game_of(game, (load_player("random", game),) * 2, luck))[:-1]:
        results = {move: game.after(position, move) for move in game.moves(position)}
        most = max(points(position, after) for after in results.values())
        chosen = players.moves(position)
        assert all(points(position, results[move]) == most for move in chosen)
        if most == 0:
            given = {
                move: max((points(after, following) for _, following in game.successors(after)), default=0)
                for move, after in results.items()
            }
            assert all(given[move] == 0 for move in chosen) or min(given.values()) > 0


def _team(table: str, game: Game) -> Team:
    return Team(load_rulebook(table, game))


# Tables written with names and counts from another cell, against the same rules spelled out


def _spelled_out(word: str, mark: str, answer: int) -> list[str]:
    """A rule for each place of four cells in a row and two diagonals through the cell above, three of them taken."""
    rules = []
    for down in (0, 1, -1):
        for first in range(-3, 1):
            others = [(i * down - 1, i) for i in range(first, first + 4) if i]
            tests = " and ".join(f"at({row},{column}) = {mark}" for row, column in others)
            rules.append(f"{word}-{down + 2}-{first + 4}: if {tests} then return {answer}")
    return rules


def careful_by_hand() -> str:
    """`connect-four/careful` without counts from another cell: 27 rules."""
    text = load_source("connect-four/careful").text
    lines = [line for line in text.split("\n") if not line.startswith(("let ", "#"))]
    at = next(place for place, line in enumerate(lines) if "lift:" in line)
    by_hand = [*_spelled_out("lift", "o", 5000), *_spelled_out("spoil", "x", 4000)]
    return "\n".join([*lines[:at], *by_hand, *lines[at + 2 :]])


@pytest.mark.parametrize(
    "spec", ["connect-four", "connect-four(columns=5,rows=5)", "connect-four(columns=8,rows=6,k=5)"]
)
def test_careful_answers_as_27_rules_by_hand_wherever_there_is_a_cell_above(spec: str) -> None:
    """In the top row there is none, and so nothing to be careful of; the rules by hand forgot that."""
    game = load_game(spec)
    by_hand = read_rulebook(Source("by-hand.team", careful_by_hand()), game)
    assert len(by_hand.rules(0)) == 27 and len(load_rulebook("connect-four/careful", game).rules(0)) <= 9
    teams, luck, width = (
        (Team(load_rulebook("connect-four/careful", game)), Team(by_hand)),
        Luck(3),
        game.grid.shape[-1],
    )
    fired = 0
    for _ in range(6):
        position = game.start
        while not game.outcome(position):
            one, other = ({said.sender: said.priority for said in team.answers(position, luck)} for team in teams)
            assert {cell: one[cell] for cell in one if cell >= width} == {c: other[c] for c in other if c >= width}
            fired += any(one[cell] in (4000, 5000) for cell in one)
            position = game.after(position, luck.choice(game.moves(position)))
    assert fired > 0


GENERIC_BY_HAND = """\
let me = x ?{k-2}
let you = o ?{k-2}
let met = x ?{k-2} | o ?{k-2}
let one = x b{k-2} | o b{k-2}
let near = x{k-2} b
let risk = o{k-2} b
let open = b*x{k-3} b | bx*x{k-4} b | b*b x{k-3} b | b*xb x{k-4} b | bx*b x{k-4} b
let trap = b*o{k-3} b | bo*o{k-4} b | b*b o{k-3} b | b*ob o{k-4} b | bo*b o{k-4} b
if n(x{k-1}) >= 1 then return 1
if n(o{k-1}) >= 1 then return 2
if n(near) >= 2 then return 3
if n(risk) >= 2 and k <= 4 then return 4
if k <= 4 then return 10000 - 12 * n(near) - 10 * n(risk) - 4 * n(x b{k-2}) - 3 * n(o b{k-2}) - n(b{k-1})
if n(near) >= 1 and n(open) >= 1 then return 4
if n(risk) >= 2 then return 5000 - 28 * n(met) + 16 * n(you) + 12 * n(me) + 10 * n(one) - 36 * n(risk)
if n(open) >= 2 then return 7000 - 28 * n(met) + 16 * n(you) + 12 * n(me) + 10 * n(one) - 36 * n(risk)
if n(open) >= 1 then return 9003 - 28 * n(met) + 16 * n(you) + 12 * n(me) + 10 * n(one) - 36 * n(risk)
return 9000 - 28 * n(met) + 16 * n(you) + 12 * n(me) + 10 * n(one) - 36 * n(risk) - 12 * n(trap) - n(b{k-1})
"""


@pytest.mark.parametrize(
    "spec", ["tic-tac-toe", "mnk(m=5,n=5,k=4)", "gomoku(n=9)", "mnk(m=7,n=6,k=6)", "tic-tac-toe-3d"]
)
def test_generic_answers_as_it_does_spelled_out(spec: str) -> None:
    game = load_game(spec)
    books = [load_rulebook("mnk/generic", game), read_rulebook(Source("by-hand.team", GENERIC_BY_HAND), game)]
    assert set(books[0].asked_features) == set(books[1].asked_features)  # nothing more is measured
    one, other = map(Team, books)
    luck = Luck(2)
    for _ in range(3):
        position = game.start
        while not game.outcome(position):
            said = ([(a.sender, a.priority) for a in team.answers(position, Luck(0))] for team in (one, other))
            assert next(said) == next(said)
            position = game.after(position, luck.choice(game.moves(position)))


def test_no_count_stands_twice_in_generic() -> None:
    text = "\n".join(line.partition("#")[0] for line in load_source("mnk/generic").text.split("\n"))
    counts = Counter(re.findall(r"n\([^()]*\)", text))
    assert counts and set(counts.values()) == {1}
