"""The decentralized paper: how large the game is, what each figure's team does, whether it is competent and simple."""

import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from teamplay.arena.playing import turns
from teamplay.engine.solver import Solver
from teamplay.game import BLANK, SEATS, Move, Position
from teamplay.game_file import load_game
from teamplay.language import load_rulebook
from teamplay.luck import Luck
from teamplay.players import team
from teamplay.players.posswin import PossWin
from teamplay.reproduce import categories, complexity
from teamplay.reproduce.categories import board
from teamplay.reproduce.lab import Lab, examined
from teamplay.reproduce.replication import Plot, Replication, held, proved
from teamplay.team import Team

TITLE = "Decentralized Decision Making in the Game of Tic-tac-toe"
FIGURES = Path(__file__).parents[1] / "figures.toml"
REBUILT = "the drawing is lost; the board is rebuilt from what the text says of it"


@cache
def figure(number: str) -> Team:
    """The team of a figure, as printed."""
    return team(f"tic-tac-toe/figure-{number}", board())


def results(lab: Lab) -> Iterator[Replication | Plot]:
    """Section by section."""
    lab.say("counting games")
    yield from _size()
    yield from _openings()
    yield from _figures_2_to_4()
    for number in ("6", "9", "11", "13", "15"):
        lab.say(f"the categories of figure {number}")
        yield from _categories(number)
    yield from _drawings()
    for number in ("15", "16c"):
        lab.say(f"every game of figure {number}")
        yield from _competent(number)
    lab.say("counting tests")
    yield _reduced(lab)
    yield from _affected(lab)


def _size() -> Iterator[Replication]:
    def form(marks: str) -> str:
        return min("".join([marks[cell] for cell in turned]) for turned in board().grid.symmetries)

    @cache
    def games(position: Position) -> int:
        return sum(games(after) for _, after in board().successors(position)) or 1

    merged: dict[str, int] = {}

    def merge(position: Position) -> int:
        here = form(position.marks)
        if here not in merged:
            following = {form(after.marks): after for _, after in board().successors(position)}
            merged[here] = sum(map(merge, following.values())) or 1
        return merged[here]

    all_games, some = games(board().start), merge(board().start)
    where = "I. Introduction"
    yield Replication(where, "games in all", "255,168", f"{all_games:,}", proved(all_games == 255_168))
    yield Replication(where, "boards up to symmetry", "765", f"{len(merged):,}", proved(len(merged) == 765))
    reading = "two moves of a position count once where a turn or reflection of the board at hand makes them the same"
    yield Replication(where, "games up to symmetry", "26,830", f"{some:,}", proved(some == 26_830), reading)


def _openings() -> Iterator[Replication]:
    solver = Solver(board())
    corner = board().after(board().start, Move(0, "x"))
    lost = sum(solver.value(after) == 1 for _, after in board().successors(corner))
    claim = "replies to a corner opening after which perfect play wins"
    reading = "7 out of 8 is the share of first replies that lose by force; a random opponent errs later, too"
    yield Replication("II. B, advanced", claim, "7 of 8", f"{lost} of 8", proved(lost == 7), reading)
    lines = len(board().lines_through(4))
    yield Replication("II. B, advanced", "completions that the center denies", "4", str(lines), proved(lines == 4))


def _values(drawing: str) -> dict[int, int | None]:
    """Every move with its value for the seat to move; cells from 1."""
    solver, position = Solver(board()), board().position(drawing)
    following = {move.cell + 1: after for move, after in board().successors(position)}
    return {cell: _turned(solver.value(after)) for cell, after in following.items()}


def _turned(value: int | None) -> int | None:
    return None if value is None else -value


def _figures_2_to_4() -> Iterator[Replication]:
    values = _values(".o./..x/o..")
    holding = [cell for cell, value in values.items() if value == 0]
    yield Replication(
        "Figure 2",
        "the intermediate defender's right move",
        "8, and 5 forces a draw",
        f"{_cells(frozenset(cell - 1 for cell in holding))} draws, every other move loses",
        proved(values[8] == 0 and values[5] == 0),
        REBUILT,
        "cell 8 stops one double attack and loses to the other, as the text goes on to say; only 5 holds",
    )
    threatening = categories.threats(board().position("..x/x.o/o.."), 0, 0)
    yield Replication(
        "Figure 3", "a piece in 1 forces the reply", "2", _cells(threatening), proved(threatening == {1}), REBUILT
    )
    position = board().position("..x/..o/ox.")
    double = categories.threats(position, 1, position.seat)
    win = _values("..x/..o/ox.")[2] == 1
    yield Replication(
        "Figure 4",
        "a piece in 2 threatens",
        "1 and 5, and wins",
        _cells(double),
        proved(win and double == {0, 4}),
        REBUILT,
    )


def _cells(cells: frozenset[int]) -> str:
    return " and ".join(str(cell + 1) for cell in sorted(cells))


# What the paper says each figure's team can do.
ABLE = {
    "6": {"novice defensive": categories.NOVICE_DEFENSIVE},
    "9": {
        "novice defensive": categories.NOVICE_DEFENSIVE,
        "intermediate defensive": categories.INTERMEDIATE_DEFENSIVE,
    },
    "11": {"novice defensive": categories.NOVICE_DEFENSIVE, "novice offensive": categories.NOVICE_OFFENSIVE},
    "13": {
        "novice defensive": categories.NOVICE_DEFENSIVE,
        "novice offensive": categories.NOVICE_OFFENSIVE,
        "intermediate offensive": categories.INTERMEDIATE_OFFENSIVE,
        "experienced offensive": categories.EXPERIENCED_OFFENSIVE,
    },
}
ABLE["15"] = {
    **ABLE["13"],
    "intermediate defensive": categories.INTERMEDIATE_DEFENSIVE,
    "advanced defensive": categories.ADVANCED_DEFENSIVE,
}


def _categories(number: str) -> Iterator[Replication]:
    """In how many of all positions that a category speaks of every choice of the team is right."""
    chosen = categories.choices(figure(number))
    for name, category in ABLE[number].items():
        score = categories.score(chosen, category)
        claim = f"{name}: {category.name}"
        yield Replication(f"Figure {number}", claim, "always", str(score), proved(score.passed == score.tested))


def _drawings() -> Iterator[Replication]:
    """The boards of figures 7 to 16 and what their teams choose there."""
    for entry in tomllib.loads(FIGURES.read_text("utf-8"))["figure"]:
        playing = team(entry["table"], board())
        position = board().position(entry["board"])
        said = {answer.sender: answer.priority for answer in playing.answers(position, Luck(0))}
        spelt = "".join(str(said.get(cell, BLANK)) for cell in board().grid.cells)
        best = sorted(move.cell + 1 for move in playing.moves(position))
        where = entry["name"].replace("figure-", "Figure ")
        right = spelt == entry["answers"].replace("/", "") and best == entry["best"]
        published, measured = f"the team takes {entry['best']}", f"{best}, answers {spelt}"
        yield Replication(where, entry["says"], published, measured, proved(right), REBUILT)


def _competent(number: str) -> Iterator[Replication]:
    """Never loses, from either seat, whatever the ties."""
    for seat in (0, 1):
        found = examined(figure(number), board(), seat)
        moves = " ".join(map(board().format_move, found.game or ()))
        measured = f"{found.losses} lost ends among {found.positions} positions; shortest {moves}"
        if found.verdict == "proved":
            measured = f"never loses: {found.positions} positions"
        note = "the center test holds while the center is blank or theirs, so corners tie with wins and blocks"
        claim = f"competent moving {SEATS[seat]}"
        yield Replication(
            f"Figure {number}", claim, "never loses", measured, proved(found.verdict == "proved"), "", note
        )


def _reduced(lab: Lab) -> Replication:
    """Is a team simpler than its centralized equals?"""
    positions = categories.positions()[:: 1 if lab.whole else 8]
    size, work = complexity.size(figure("15")), complexity.team_work(figure("15"), positions)
    lecture = complexity.lecture_work(PossWin(board(), "any", "any"), positions)
    tree = complexity.minimax_work(positions)
    return Replication(
        "I, VI. Complexity",
        "a team needs fewer and simpler instructions than an equal centralized player",
        "much lower",
        f"figure 15: {size.rules} rules, {size.conditions} conditions, {work.total:.1f} tests a move in all and "
        f"{work.most:.1f} by the busiest agent; products (posswin): {lecture:.1f} lines a move; "
        f"plain search: {tree:,.0f} positions a move",
        held(work.total < lecture),
        "a test is one condition of one agent, each of which looks at two to four lines; averages over positions",
        "much simpler than a search, and each agent has little to do; but the team as a whole tests more than a "
        "centralized player by rules, and a manager that ran the same table alone would test just as much",
    )


def _affected(lab: Lab) -> Iterator[Replication]:
    """How many agents think if only those are asked who saw a change."""
    cases = [
        ("tic-tac-toe/figure-13", "tic-tac-toe", "quite small"),
        ("mnk/generic", "mnk(m=15,n=15,k=5)", "substantial"),
    ]
    for table, spec, published in cases:
        lab.say(f"who is asked at {spec}")
        everybody, affected = (_asked(table, spec, wake, lab) for wake in (False, True))
        saving = 1 - affected / everybody
        small = published == "quite small"
        measured = f"{affected:.1f} instead of {everybody:.1f} agents a move, {100 * saving:.0f}% saved"
        right = saving < 0.25 if small else saving > 0.5
        yield Replication(f"V. {spec}", "saved by asking the affected only", published, measured, held(right))


def _asked(table: str, spec: str, only_affected: bool, lab: Lab) -> float:
    """Agents asked a move, in some games of a team against itself; the second seat has a team of its own."""
    game = load_game(spec)
    book = load_rulebook(table, game)
    asked = moves = 0
    for number in range(lab.games(1, 5) if game.grid.size > 100 else 20):
        teams = [Team(book, "random", only_affected) for _ in SEATS]
        for position, _ in turns(game, game.start, [each.choose for each in teams], Luck(lab.seed + number)):
            asked, moves = asked + teams[position.seat].asked, moves + 1
    return asked / moves
