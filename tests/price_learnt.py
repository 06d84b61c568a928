"""The rows of docs/price.md for boards too large to list: what the best table that was learnt loses, sight by sight."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from math import log2, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from teamplay.arena.playing import seed_of
from teamplay.engine.solver import Solver
from teamplay.engine.solver.search import Limits
from teamplay.game import BLANK, Game, Move, Position
from teamplay.game_file import load_game
from teamplay.reproduce.replication import Curve, Plot
from teamplay.statistics import SURE
from tests.price_fit import ANY, FEW_CLASSES, Ranking, agent_seats, least_regrets, listed, regrets, shares, trained
from tests.price_views import (
    MEMORY,
    MOST_SOLVED,
    Rows,
    Sample,
    Views,
    above,
    boards_of,
    class_numbers,
    counts,
    drawn_sample,
    places,
    roles,
    seen_in,
    together,
)

LEVELS = (1, 2, 3, 4, 8, ANY)
SEED = "price"
GAMES_WITH = (2, ANY)  # levels


@dataclass(frozen=True)
class LargeBoard:
    """A board, and how many positions of it are drawn after how many random moves."""

    spec: str
    plies: tuple[int, int]
    fitted: int
    chosen: int  # positions that choose among what was fitted
    judged: int
    games: int  # from the first of those by which is judged

    @property
    def blanks(self) -> str:
        """How many cells are blank at the least and at the most."""
        blanks = load_game(self.spec).beginning.count(BLANK)
        return f"{blanks - self.plies[1]} to {blanks - self.plies[0]}"


LARGE = (
    LargeBoard("connect-four", (18, 28), 14_000, 3_000, 4_000, 400),
    LargeBoard("reversi", (46, 52), 5_000, 1_500, 3_500, 400),
    LargeBoard("mnk(m=7,n=7,k=5)", (28, 36), 1_600, 500, 1_200, 300),
)
# What an agent knows: a short name for curves, and how it is measured, from the least to the most.
KNOWN: dict[str, tuple[str, Views]] = {
    "its role alone": ("role", roles),
    "its own cell": ("cell", places),
    "its neighbours": ("neighbours", seen_in("radius 1")),
    "counts of its lines": ("counts", together(roles, counts)),
    "its lines, mark by mark": ("lines", together(seen_in(""), counts)),
    "its lines and the center": ("+ center", together(seen_in("", middle=True), counts)),
    "all cells up to 3 steps away": ("3 steps", together(seen_in("radius 3"), counts, above(3))),
    "the whole board": ("board", together(seen_in("all"), counts, above(7))),
}
# What an agent with this sight knows as well, and may go by alone.
LESS = {
    "its own cell": ("its role alone",),
    "its neighbours": ("its own cell",),
    "counts of its lines": ("its role alone",),
    "its lines, mark by mark": ("counts of its lines", "its neighbours"),
    "its lines and the center": ("its lines, mark by mark",),
    "all cells up to 3 steps away": ("its lines, mark by mark",),
    "the whole board": ("its lines and the center", "all cells up to 3 steps away"),
}


def known_at(game: Game) -> Iterator[str]:
    """The sights that make sense at a game: lines of more than 4 cells, or of any length, need more than 3 steps."""
    return (sight for sight in KNOWN if game.k == 4 or "3 steps" not in sight)


@cache
def sample_of(board: LargeBoard) -> Sample:
    return drawn_sample(load_game(board.spec), board.plies, board.fitted + board.chosen + board.judged, SEED)


def rows_of(sample: Sample, views: Views) -> Rows:
    """What every agent that may move knows."""
    node, cells = sample.agents
    return views(sample.game, sample.boards[node], cells)


def fit(sample: Sample, fitted: int, views: Views, levels: tuple[int, ...]) -> dict[int, Ranking]:
    """Tables by number of levels, learnt from the first positions of a sample; the others choose among epochs."""
    part = sample.part(0, fitted)
    rows = rows_of(part, views)
    per_seat = np.hstack([rows, agent_seats(part)[:, None]])
    if len(np.unique(class_numbers(per_seat))) <= 2 * FEW_CLASSES:
        return dict(listed(part, rows, levels))
    return dict(trained(sample, rows_of(sample, views), fitted, levels, seed=0))


def learnt_row(board: LargeBoard, sight: str) -> dict[str, Any]:
    """What the tables for a sight lose in positions that they were not learnt from, and in games."""
    begun, solved = time.process_time(), sample_of.cache_info().misses
    sample = sample_of(board)
    drawing = time.process_time() - begun if sample_of.cache_info().misses > solved else 0.0
    _, views = KNOWN[sight]
    known, judged = sample.part(0, board.fitted + board.chosen), sample.part(board.fitted + board.chosen, 1 << 30)
    chosen = known.part(board.fitted, 1 << 30)
    tables = fit(known, board.fitted, views, LEVELS)
    tables.setdefault(1, tables[ANY])  # one level says nothing: any legal move
    row: dict[str, Any] = {
        "least": estimate(least_regrets(judged, class_numbers(rows_of(judged, views)))),
        "levels": {},
    }
    for number in LEVELS:
        lost = [regrets(part, levels_of(part, views, tables[number]) * (number != 1)) for part in (chosen, judged)]
        found = {"chosen": round(float(lost[0].mean()), 4), "regret": estimate(lost[1])}
        found["quiet"] = estimate(lost[1][judged.quiet])
        if number in GAMES_WITH:
            found["games"] = games(judged.part(0, board.games), views, tables[number])
        row["levels"][str(number)] = found
    values = [int((judged.values == value).sum()) for value in (1, 0, -1)]
    row |= {"values": values, "quiet": int(judged.quiet.sum()), "matters": int((judged.cost.max(1) > 0).sum())}
    return row | {"seconds": round(time.process_time() - begun - drawing, 1)}


def levels_of(sample: Sample, views: Views, table: Ranking) -> NDArray[np.int64]:
    return table.levels(rows_of(sample, views), agent_seats(sample))


def estimate(numbers: NDArray[np.float32]) -> list[float]:
    """The mean, and half the width of its 95% interval."""
    half = SURE * float(numbers.std(ddof=1)) / sqrt(len(numbers))
    return [round(float(numbers.mean()), 4), round(half, 4)]


def games(sample: Sample, views: Views, table: Ranking) -> dict[str, Any]:
    """Games of a team against perfect play, which chooses among its best moves by chance, the team to move first."""
    game, solver = sample.game, Solver(sample.game, memory=MEMORY)
    random = np.random.default_rng(seed_of(SEED, "games") % 2**32)
    now, seats = list(sample.positions), sample.seats
    results = np.zeros(len(now), dtype=np.int64)
    going = list(range(len(now)))
    while going:
        for at, move in zip(going, _team_moves(game, [now[at] for at in going], views, table, random), strict=True):
            position = game.after(now[at], move)
            while not game.outcome(position) and position.seat != seats[at]:
                best = solver.solve(position, Limits(positions=MOST_SOLVED), distances=False).best
                position = game.after(position, best[random.integers(len(best))])
            now[at] = position
            over = game.outcome(position)
            if over and over.winner is not None:
                results[at] = 1 if over.winner == seats[at] else -1
        going = [at for at in going if not game.outcome(now[at])]
    reached, perfect = ([int((each == result).sum()) for result in (1, 0, -1)] for each in (results, sample.values))
    return {"results": reached, "perfect": perfect, "lost": estimate((sample.values - results).astype(np.float32))}


def _team_moves(
    game: Game, positions: list[Position], views: Views, table: Ranking, random: np.random.Generator
) -> Iterator[Move]:
    """The move of a team in each position, among the most urgent ones by chance."""
    moves = [list(game.moves(position)) for position in positions]
    legal = np.arange(max(map(len, moves))) < np.array([[len(each)] for each in moves])
    cells = np.array([move.cell for each in moves for move in each])
    seats = np.repeat([position.seat for position in positions], legal.sum(1)).astype(np.int8)
    rows = views(game, boards_of(game, positions)[np.nonzero(legal)[0]], cells)
    share = shares(legal, table.levels(rows, seats))
    for each, chances in zip(moves, share, strict=True):
        yield each[random.choice(np.flatnonzero(chances))]


# The page


def best_of(kept: dict[str, Any], spec: str, sight: str, number: int, among: tuple[int, ...]) -> tuple[str, int]:
    """The sight and the number of levels whose table is taken: nobody has to use what it knows, or all levels.

    Those are chosen by the positions for that, never by those that judge.
    """
    sights = [sight]
    for each in sights:
        sights += [less for less in LESS.get(each, ()) if less not in sights and name_of(spec, less) in kept]
    fewer = [other for other in among if number == ANY or 0 < other <= number]
    tried = ((other, few) for other in sights for few in fewer)
    return min(tried, key=lambda pair: kept[name_of(spec, pair[0])]["levels"][str(pair[1])]["chosen"])


def name_of(spec: str, sight: str) -> str:
    return f"learnt; {spec}; {sight}"


def found_for(
    kept: dict[str, Any], spec: str, sight: str, number: int, among: tuple[int, ...] = LEVELS
) -> dict[str, Any]:
    """What was measured of the table that is taken for a sight and a number of levels."""
    chosen, levels = best_of(kept, spec, sight, number, among)
    found: dict[str, Any] = kept[name_of(spec, chosen)]["levels"][str(levels)]
    return found


def shown(estimated: list[float]) -> str:
    return f"{estimated[0]:.3f} ± {estimated[1]:.3f}"


def head_of(number: int) -> str:
    return f"{number} ({log2(number):.1f} bits)" if number else "any number"


def kept_rows(kept: dict[str, Any]) -> Iterator[tuple[LargeBoard, str, dict[str, Any]]]:
    for board in LARGE:
        for sight in KNOWN:
            if name_of(board.spec, sight) in kept:
                yield board, sight, kept[name_of(board.spec, sight)]


def boards_table(kept: dict[str, Any]) -> str:
    heads = ["game", "random moves", "blanks", "learnt from", "choose", "judge", "perfect play: won / drawn / lost"]
    heads += ["moves differ in value", "quiet"]
    rows = [f"| {' | '.join(heads)} |", "|---|---|---|---:|---:|---:|---|---:|---:|"]
    for board in LARGE:
        found = next((row for each, _, row in kept_rows(kept) if each is board), None)
        if found is not None:
            cells = [board.spec, f"{board.plies[0]} to {board.plies[1]}", board.blanks]
            cells += [f"{number:,}" for number in (board.fitted, board.chosen, board.judged)]
            cells += [percents(found["values"]), f"{found['matters'] / board.judged:.0%}"]
            quiet = f"{found['quiet'] / board.judged:.0%}" if load_game(board.spec).k else ""
            rows.append(f"| {' | '.join([*cells, quiet])} |")
    return "\n".join(rows)


def learnt_table(kept: dict[str, Any]) -> str:
    heads = ["game", "agents know", "at least", *map(head_of, LEVELS)]
    rows = [f"| {' | '.join(heads)} |", f"|---|---|{'---:|' * (len(heads) - 2)}"]
    for board, sight, found in kept_rows(kept):
        numbers = [shown(found_for(kept, board.spec, sight, number)["regret"]) for number in LEVELS]
        rows.append(f"| {' | '.join([board.spec, sight, shown(found['least']), *numbers])} |")
    return "\n".join(rows)


def games_table(kept: dict[str, Any]) -> str:
    heads = ["game", "agents know", "quiet positions: regret", "2 levels: won / drawn / lost", "value let go"]
    heads += ["any number: won / drawn / lost", "value let go", "perfect play: won / drawn / lost"]
    rows = [f"| {' | '.join(heads)} |", "|---|---|---:|---|---:|---|---:|---|"]
    for board, sight, _ in kept_rows(kept):
        few, many = (found_for(kept, board.spec, sight, number, GAMES_WITH) for number in GAMES_WITH)
        cells = [board.spec, sight, shown(many["quiet"]) if load_game(board.spec).k else ""]
        for found in (few, many):
            cells += [percents(found["games"]["results"]), shown(found["games"]["lost"])]
        rows.append(f"| {' | '.join([*cells, percents(many['games']['perfect'])])} |")
    return "\n".join(rows)


def percents(counted: list[int]) -> str:
    return " / ".join(f"{100 * each / sum(counted):.0f}" for each in counted) + " %"


def learnt_plots(kept: dict[str, Any]) -> Iterator[Plot]:
    """The curves for large boards: as sight grows, board by board, and as levels do, at connect four."""
    by_board: dict[str, list[tuple[float, float]]] = {}
    by_sight: dict[str, list[tuple[float, float]]] = {}
    shown_sights = ("its role alone", "its neighbours", "counts of its lines", "its lines, mark by mark")
    for board, sight, _ in kept_rows(kept):
        regret = found_for(kept, board.spec, sight, ANY)["regret"][0]
        by_board.setdefault(board.spec, []).append((1.0 + list(KNOWN).index(sight), regret))
        if board is LARGE[0] and sight in shown_sights:
            lost = [found_for(kept, board.spec, sight, number)["regret"][0] for number in LEVELS]
            by_sight[sight] = [(1.0 + i, each) for i, each in enumerate(lost)]
    up = "value lost per position"
    names = tuple(short for short, _ in KNOWN.values())
    title = "The price of sight on large boards: the best tables learnt"
    yield Plot("price-large-sight", title, "what an agent knows", up, _curves(by_board), places=names)
    title = "The price of few levels at connect four: the best tables learnt"
    numbers = tuple(str(number) if number else "any" for number in LEVELS)
    yield Plot("price-large-levels", title, "distinct answers", up, _curves(by_sight), places=numbers)


def _curves(points: dict[str, list[tuple[float, float]]]) -> tuple[Curve, ...]:
    return tuple(Curve(name, tuple(each)) for name, each in points.items())
