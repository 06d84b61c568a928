"""What it costs to play m,n,k games: a plain search, whose tree is counted, beside helpfulness, which is measured."""

import time
import tracemalloc
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from math import hypot, sqrt
from statistics import fmean, stdev

from teamplay.engine.solver import Solver
from teamplay.game import Game
from teamplay.game_file import load_game
from teamplay.luck import Luck
from teamplay.players import load_player
from teamplay.players.helpfulness import Helpfulness
from teamplay.reproduce.game_tree import Tree, lines_of, plain_minimax, scattered, sides, tree
from teamplay.reproduce.lab import Lab
from teamplay.reproduce.replication import EXCLUDED, Curve, Plot, Replication, held
from teamplay.statistics import SURE

THREE, FOUR = "tic-tac-toe", "mnk(m=4,n=4,k=4)"
GIGA = 1e9
HOUR = 3600

# Table 1, by open cells: hours and gigabytes of the paper's minimax.
HOURS = {8: 0.0, 9: 0.0, 10: 0.0, 11: 0.0, 12: 0.04, 13: 0.55, 14: 5.16, 15: 55.97, 16: 607.25}
MEMORY = {8: 0.0, 9: 0.0, 10: 0.0, 11: 0.0, 12: 0.03, 13: 0.04, 14: 0.10, 15: 0.27, 16: 0.70}
MEASURED_ROW = 13  # the last row whose growth is that of the tree; what comes after looks predicted
ROUNDING = 0.005


@cache
def board(spec: str) -> Game:
    """A game of the paper."""
    return load_game(spec)


def helpfulness(options: str, game: Game) -> Helpfulness:
    """The algorithm under a reading."""
    player = load_player(f"helpfulness({options})", game)
    assert isinstance(player, Helpfulness)
    return player


@dataclass(frozen=True)
class CostRow:
    """The size of the trees of random positions with N open cells."""

    trees: list[Tree]

    @property
    def nodes(self) -> float:
        return fmean(each.nodes for each in self.trees)

    @property
    def error(self) -> float:
        """Half of the 95% interval of the mean."""
        nodes = [each.nodes for each in self.trees]
        return SURE * stdev(nodes) / sqrt(len(nodes)) if len(nodes) > 1 else 0.0

    @property
    def undecided(self) -> float:
        return fmean(each.undecided for each in self.trees)


def table_1(lab: Lab) -> Iterator[Replication | Plot]:
    """Time and memory by open cells on 4x4, and figure 9, which draws them."""
    game, luck = board(FOUR), Luck(lab.seed)
    rows = {}
    for open_cells in HOURS:
        lab.say(f"the trees with {open_cells} open cells")
        times = lab.games(10 if open_cells > MEASURED_ROW else 50, 100) if open_cells < game.grid.size else 1
        rows[open_cells] = CostRow([tree(game, scattered(game, open_cells, luck)) for _ in range(times)])
    measure = rows[MEASURED_ROW]
    hours = {open_cells: row.nodes / measure.nodes * HOURS[MEASURED_ROW] for open_cells, row in rows.items()}
    yield from (_time_row(open_cells, row, measure) for open_cells, row in rows.items())
    yield _growth(rows)
    speed, deep = _plain_search(lab, game)
    yield _out_of_reach(rows[game.grid.size], speed)
    yield _minimax_memory(rows, deep)
    yield from _helpfulness_cost(lab, game)
    yield from _figure_9(rows, hours)


def _time_row(open_cells: int, row: CostRow, measure: CostRow) -> Replication:
    """The time of a row if a node takes as long as in the reference row."""
    hours = row.nodes / measure.nodes * HOURS[MEASURED_ROW]
    error = hours * hypot(row.error / row.nodes, measure.error / measure.nodes)
    published = HOURS[open_cells]
    itself = row is measure
    positions = "the one position" if len(row.trees) == 1 else f"{len(row.trees)} random positions"
    return Replication(
        "Table 1, time",
        f"hours of plain minimax with {open_cells} open spaces",
        f"{published:.2f}",
        f"{'' if itself else f'{hours:.3f} ± {error:.3f}: '}{row.nodes:,.0f} nodes ({positions})",
        EXCLUDED if itself else held(abs(hours - published) <= ROUNDING + error),
        f"trees are counted exactly; a node takes as long as with {MEASURED_ROW} open spaces, the last row that looks "
        "measured and not predicted, and therefore not tried itself",
    )


def _growth(rows: dict[int, CostRow]) -> Replication:
    """By how much a row is larger than the one before, where the paper's figures say so."""
    told = [open_cells for open_cells in HOURS if HOURS.get(open_cells - 1, 0.0) > 0]
    published = [HOURS[each] / HOURS[each - 1] for each in told]
    measured = [rows[each].nodes / rows[each - 1].nodes for each in told]
    return Replication(
        "Table 1, time",
        f"growth of the time to {', '.join(map(str, told))} open spaces",
        _times(published),
        _times(measured),
        held(all(_could_be(*each) for each in zip(told, measured, strict=True))),
        note="a tree with one more open cell is nearly as many times larger as cells are open; the paper's last rows "
        "grow by a constant factor instead, so the predicted times are too short",
    )


def _times(factors: Iterable[float]) -> str:
    return ", ".join(f"x{each:.1f}" for each in factors)


def _could_be(open_cells: int, growth: float) -> bool:
    """Whether the published figures, rounded as they are, may have grown so, give or take a tenth."""
    now, before = HOURS[open_cells], HOURS[open_cells - 1]
    return 0.9 * (now - ROUNDING) / (before + ROUNDING) <= growth <= 1.1 * (now + ROUNDING) / (before - ROUNDING)


def _plain_search(lab: Lab, game: Game) -> tuple[float, int]:
    """Nodes a second, and bytes at the most, of a plain search here."""
    lines, start = lines_of(game), sides(game, scattered(game, 8, Luck(lab.seed)))
    begun = time.process_time()
    _, nodes = plain_minimax(lines, *start)
    speed = nodes / (time.process_time() - begun)
    return speed, _peak(partial(plain_minimax, lines, *start))


def _peak(work: Callable[[], object]) -> int:
    """The bytes that some work takes at most."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def _out_of_reach(empty: CostRow, speed: float) -> Replication:
    hours = empty.nodes / speed / HOUR
    solved = Solver(board(FOUR)).solve(board(FOUR).start, distances=False)
    if not solved.complete:  # without a bound, it is Ctrl-C that stopped it
        raise KeyboardInterrupt
    return Replication(
        "1 Problem Description",
        "a plain minimax can't play 4x4 in real time",
        f"{HOURS[16]} hours for the first move",
        f"{hours:,.0f} hours at the {speed:,.0f} nodes a second of a plain search in Python here",
        held(hours > 1),
        "the whole tree, no cut-off, no memory of positions",
        f"a search with a memory, symmetry and cut-offs finds the empty board drawn after {solved.positions:,} "
        "positions: what is out of reach is the plain search, not minimax",
    )


def _minimax_memory(rows: dict[int, CostRow], deep: int) -> Replication:
    told = [open_cells for open_cells in MEMORY if MEMORY[open_cells]]
    growth = [MEMORY[each] / MEMORY[each - 1] for each in told[1:]]
    positions = [rows[each].undecided / rows[each - 1].undecided for each in told[1:]]
    whole = rows[16].nodes / GIGA
    return Replication(
        "Table 1, memory",
        f"gigabytes of minimax with {told[0]} to {told[-1]} open spaces",
        ", ".join(f"{MEMORY[each]:.2f}" for each in told),
        f"{deep / GIGA:.6f} with 8 (depth first); the whole tree of 16 would take {whole:,.0f} at a byte a node",
        held(deep / GIGA > ROUNDING),
        "what is kept is the path to the node, as in the paper's own bound O(bm)",
        f"the published figures grow {_times(growth)} a row: not as the tree does, nor as a path, but nearly as "
        f"different positions do ({_times(positions)}; {rows[16].undecided:,.0f} from the empty board)",
    )


def _helpfulness_cost(lab: Lab, game: Game) -> Iterator[Replication]:
    player, luck = helpfulness("version=2", game), Luck(lab.seed)
    positions = [scattered(game, open_cells, luck) for open_cells in HOURS for _ in range(20)]
    begun = time.process_time()
    for position in positions:
        player.moves(position)
    hours = (time.process_time() - begun) / len(positions) / HOUR
    yield Replication(
        "Table 1, algorithm",
        "hours a move with 8 to 16 open spaces",
        "below 0.001",
        f"{hours:.9f} ({1e6 * hours * HOUR:.0f} µs)",
        held(hours < 0.001),
    )
    most = max(_peak(partial(player.moves, position)) for position in positions[::20])
    memory = f"{most / GIGA:.6f}"
    yield Replication("Table 1, algorithm", "gigabytes a move", "below 0.001", memory, held(most < 0.001 * GIGA))


def _figure_9(rows: dict[int, CostRow], hours: dict[int, float]) -> Iterator[Plot]:
    published = tuple((open_cells, found) for open_cells, found in HOURS.items() if found)
    curves: tuple[Curve, ...] = (
        Curve("published", published),
        Curve("the exact tree at the paper's speed", tuple(hours.items())),
    )
    yield Plot("helpfulness-time", "Plain minimax on 4x4 (figure 9a)", "open spaces", "hours", curves, True)
    kept = tuple((open_cells, found) for open_cells, found in MEMORY.items() if found)
    nodes = tuple((open_cells, row.nodes / GIGA) for open_cells, row in rows.items())
    positions = tuple((open_cells, row.undecided / GIGA) for open_cells, row in rows.items())
    curves = (
        Curve("published", kept),
        Curve("a byte for each node", nodes),
        Curve("a byte for each different position", positions),
    )
    yield Plot("helpfulness-memory", "Memory of minimax on 4x4 (figure 9b)", "open spaces", "gigabytes", curves, True)


def figure_10(lab: Lab) -> Iterator[Replication | Plot]:
    """Memory by the size of the board: of the numbers, and of a decision that lists its moves as Python objects."""
    numbers = {side: _peak_on(side, whole=False) for side in (200, 400, 600, 800, 1000)}
    listing = max(side for side in numbers if lab.whole or side <= 200)
    decision = _peak_on(listing, whole=True)
    most = numbers[1000]
    yield Replication(
        "Figure 10",
        "gigabytes of the algorithm on 1000x1000",
        "below 0.1",
        f"{most / GIGA:.3f} at the most",
        held(most < 0.1 * GIGA),
        "what is measured is the helpfulness of all cells (k = 5), wins and blocks included, and all that it takes to "
        "compute them",
        f"{most / 1000**2:.0f} bytes a cell, not the 1 of the footnote, whose single byte could not hold the values of "
        f"a long k. A whole decision of the player here lists every legal move, {decision / listing**2:.0f} bytes a "
        f"cell as measured on {listing}x{listing}",
    )
    published = tuple((side, side * side / GIGA) for side in numbers)
    measured = tuple((side, taken / GIGA) for side, taken in numbers.items())
    curves = (Curve("published: n² bytes", published), Curve("measured", measured))
    yield Plot(
        "helpfulness-boards", "Memory of helpfulness (figure 10)", "side of the board", "gigabytes", curves, True
    )


def _peak_on(side: int, whole: bool) -> int:
    game = load_game(f"gomoku(n={side})")
    player = helpfulness("version=2", game)
    return _peak(lambda: player.moves(game.start) if whole else player.look(game.start))
