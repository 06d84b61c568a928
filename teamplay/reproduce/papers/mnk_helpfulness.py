"""The helpfulness paper: what a cell is worth, what a plain search costs, and games against perfect play."""

from collections.abc import Iterator
from functools import cache
from math import inf, log10

from teamplay.engine.solver import Solver
from teamplay.game import SEATS, Game, Move, Position
from teamplay.language import Source, read_rulebook
from teamplay.players import OpenPlayer, Player, load_player
from teamplay.reproduce.chances import Chances, average, chances, first_of, openings
from teamplay.reproduce.lab import Lab, agree, examined, shares
from teamplay.reproduce.replication import IMPOSSIBLE, Plot, Replication, held, proved
from teamplay.reproduce.search_costs import FOUR, THREE, board, figure_10, helpfulness, table_1
from teamplay.team import Team

TITLE = "Developing a Memory Efficient Algorithm for Playing m, n, k Games"
REBUILT = "the drawing is lost; the board is rebuilt from what the text says of it"
FIGURE_2 = "..o/..x/..."  # x is the algorithm, o blocks the rising diagonal
FIGURE_5 = ".xxo/ooxx/oxox/.o.."
BLUE, GREEN = 1, 5
CORNER = 0
GAMES = 1000
LARGE = (11, 989, 0)  # table 2 on 4x4

# Helpfulness with k = 4 as tables, which the compiled proof takes; {theirs} is what version 2 adds.
TABLE = """
everyone:
    if n(xxx) >= 1 then return 1
    if n(ooo) >= 1 then return 2
    return 1000 - n(bbb) - 2 * n(bbx) - 3 * n(bxx){theirs}
"""
THEIRS = {1: "", 2: " - n(bbb) - 2 * n(bbo) - 3 * n(boo)"}


def results(lab: Lab) -> Iterator[Replication | Plot]:
    """Figure by figure, then the tables."""
    lab.say("the figures")
    yield from _figures_2_to_4()
    yield from _figures_5_to_8()
    lab.say("the trees of table 1")
    yield from table_1(lab)
    lab.say("the memory of large boards")
    yield from figure_10(lab)
    lab.say("every opening on 3x3")
    yield from _table_2_small()
    yield from _table_2_large(lab)
    lab.say("every game of helpfulness")
    yield from _never_loses()


def _values(options: str, spec: str, drawing: str) -> dict[int, int]:
    """What the algorithm gives the open cells, numbered from 1."""
    values = helpfulness(options, board(spec)).values(board(spec).position(drawing, 0))
    return {cell: value for cell, value in enumerate(values, 1) if value is not None}


def _figures_2_to_4() -> Iterator[Replication]:
    found = {options: _values(options, THREE, FIGURE_2) for options in ("version=1", "version=1,blanks=blocking")}
    blue, green = found["version=1"][BLUE], found["version=1"][GREEN]
    worded = found["version=1,blanks=blocking"]
    yield Replication(
        "Figures 2 to 4",
        "helpfulness of the blue and the green space",
        "2 and 4",
        f"{blue} and {green}",
        proved((blue, green) == (2, 4)),
        f"{REBUILT} (green in the center, blue in the corner, one mark each)",
        f"the pseudocode as worded lets a blank spoil a line as the opponent's mark does, and gives {worded[BLUE]} and "
        f"{worded[GREEN]}: it can't be meant",
    )


def _figures_5_to_8() -> Iterator[Replication]:
    game = board(FOUR)
    first = _values("version=1", FOUR, FIGURE_5)
    yield Replication("Figure 5", "no open space helps", "0, 0, 0, 0", _listed(first), proved(not any(first.values())))
    start = game.position(FIGURE_5, 0)
    after = game.after(start, Move(14, game.marks[0]))
    reply = game.after(after, Move(CORNER, game.marks[1]))
    ways = [move.cell + 1 for move, end in game.successors(Position(reply.marks, 1)) if game.outcome(end)]
    lost = Solver(game).value(reply) == -1
    yield Replication(
        "Figures 6 and 7",
        "the opponent's reply in the top left corner wins in two ways",
        "2 ways",
        f"{len(ways)} ways, {' and '.join(map(str, ways))}",
        proved(lost and len(ways) == 2),
        note=_losing_share(game, start),
    )
    second = _values("version=2", FOUR, FIGURE_5)
    nested = _values("version=2,diagonals=nested", FOUR, FIGURE_5)
    yield Replication(
        "Figure 8",
        "values of the revised algorithm",
        "6, 5, 2, 5",
        _listed(second),
        proved(list(second.values()) == [6, 5, 2, 5]),
        "a line counts the marks of the side that alone stands in it, the one to be placed included",
        f"with the pseudocode's indentation, the negative diagonal within the positive one, it would be "
        f"{_listed(nested)}",
    )


def _listed(values: dict[int, int]) -> str:
    return ", ".join(map(str, values.values()))


def _losing_share(game: Game, start: Position) -> str:
    """Of the moves that look equal to version 1, those that lose; and what version 2 does."""
    solver = Solver(game)
    losing = [move.cell + 1 for move, after in game.successors(start) if solver.value(after) == 1]
    open_cells = len(game.moves(start))
    chosen = [move.cell + 1 for move in helpfulness("version=2", game).moves(start)]
    return f"{len(losing)} of the {open_cells} moves that look equal to version 1 lose; version 2 takes {chosen}"


# How the text may be read: random moves at the start, the algorithm, whether minimax takes the first of equal moves.
READINGS = {
    "the first move of both at random, equal moves too": (2, "version=2", False),
    "the same, but minimax takes the first best move": (2, "version=2", True),
    "the same, but both take the first best move": (2, "version=2,tie=first", True),
    "the same, but by version 1": (2, "version=1", False),
    "only the very first move at random": (1, "version=2", False),
    "no random opening": (0, "version=2", False),
}
UNLIKELY = -3  # a power of ten: as everywhere, chance is not news below 99.9%


def _table_2_small() -> Iterator[Replication]:
    """Exact: every opening, every tie."""
    solver = Solver(board(THREE))
    values = [solver.value(opening) for opening in openings(board(THREE), 2)]
    note = f"{values.count(1)} of the {len(values)} openings are won for the first player, {values.count(-1)} lost"
    for reading, (plies, options, first) in READINGS.items():
        found = _exact(options, first, plies)
        power = GAMES * log10(found.drawn) if found.drawn else -inf
        yield Replication(
            "Table 2, 3x3",
            f"wins, draws and losses of {GAMES} games against perfect minimax",
            "0, 1000, 0",
            f"{found}; so {GAMES} draws have the chance {f'1e{power:.0f}' if power else '1'}",
            held(power > UNLIKELY),
            f"{reading}; exact, over all openings and ties",
            note,
        )
        note = ""


@cache
def _exact(options: str, first: bool, plies: int) -> Chances:
    """Helpfulness moving first against perfect play."""
    game = board(THREE)
    perfect = load_player("perfect", game)
    assert isinstance(perfect, OpenPlayer)
    replies = first_of(perfect.moves) if first else perfect.moves
    of = chances(game, helpfulness(options, game).moves, replies)
    return average(of(opening) for opening in openings(game, plies))


def _table_2_large(lab: Lab) -> Iterator[Replication]:
    """Every opening solved, and games played."""
    lab.say("every opening on 4x4")
    values = _opening_values()
    won, lost = values.count(1), values.count(-1)
    tally = lab.match("helpfulness", "perfect", FOUR, 2 * lab.games(50, GAMES), opening=4)
    counts = (tally.first_wins, tally.first_draws, tally.first_losses)
    yield Replication(
        "Table 2, 4x4",
        f"wins, draws and losses of {GAMES} games against perfect minimax",
        ", ".join(map(str, LARGE)),
        f"{shares(counts)} of {sum(counts):,} games; {won} of the {len(values):,} openings are won for the first "
        f"player, {lost} lost",
        IMPOSSIBLE if {None, 1}.isdisjoint(values) else held(agree(LARGE, counts)),
        "the first two moves of both at random, equal moves too; k = 4",
        "after any two moves of both the game is still drawn, so perfect play can't lose one: the paper's minimax was "
        "not perfect",
    )
    yield from _shallow(lab)
    share = float(_exact("version=2", False, 2).won)
    yield Replication(
        "5 Conclusion",
        "almost always wins against minimax",
        "almost always",
        f"3x3: {100 * share:.1f}% of games, 4x4: {100 * counts[0] / sum(counts):.1f}%",
        held(share > 0.9 and counts[0] > 0.9 * sum(counts)),
        note=f"the paper's own table 2 says 0% and {100 * LARGE[0] / GAMES:.1f}%",
    )


def _opening_values() -> list[int | None]:
    """What every position after four random moves is worth, each once; images of one another are solved once."""
    game, solver = board(FOUR), Solver(board(FOUR))
    known: dict[str, int | None] = {}

    def value(position: Position) -> int | None:
        form = min("".join([position.marks[cell] for cell in turned]) for turned in game.grid.symmetries)
        if form not in known:
            known[form] = solver.value(Position(form, position.seat))
        return known[form]

    return [value(position) for position in dict.fromkeys(openings(game, 4))]


def _shallow(lab: Lab) -> Iterator[Replication]:
    """Which depth of minimax would lose that many games."""
    for depth in (1, 2) if lab.whole else (1,):
        tally = lab.match("helpfulness", f"minimax(depth={depth})", FOUR, 2 * lab.games(300, 3000), opening=4)
        counts = (tally.first_wins, tally.first_draws, tally.first_losses)
        yield Replication(
            "Table 2, 4x4",
            f"the same against a minimax that looks {depth} ahead",
            ", ".join(map(str, LARGE)),
            f"{shares(counts)} of {sum(counts):,} games",
            held(agree(LARGE, counts)),
            f"as if the paper's minimax ended {depth} deep and counted open lines there",
        )


def _never_loses() -> Iterator[Replication]:
    """Every reply and every tie, on 3x3 and, by a table of the same choices, on 4x4."""
    for version in (1, 2):
        players = {THREE: load_player(f"helpfulness(version={version})", board(THREE)), FOUR: as_team(version)}
        for spec, player in players.items():
            yield from (_competent(f"version {version}", player, board(spec), seat) for seat in (0, 1))


def as_team(version: int) -> Team:
    """Helpfulness on 4x4 as a table, whose every game can be looked at."""
    source = Source(f"helpfulness, version {version}", f"game mnk{TABLE.format(theirs=THEIRS[version])}")
    return Team(read_rulebook(source, board(FOUR)))


def _competent(name: str, player: Player, game: Game, seat: int) -> Replication:
    found = examined(player, game, seat)
    measured = f"never loses: {found.positions:,} positions"
    if found.game is not None:
        moves = " ".join(map(game.format_move, found.game))
        measured = f"{found.losses:,} lost ends among {found.positions:,} positions; shortest {moves}"
    claim = f"{name} moving {SEATS[seat]} at {game} never loses"
    return Replication("2 A Heuristic", claim, "never loses", measured, proved(found.verdict == "proved"))
