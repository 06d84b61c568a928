"""docs/price.md: what a team can do at best as its sight and its levels shrink. No number in it is typed by hand.

python -m tests.price            runs what docs/price.json does not hold yet, and writes tables and curves into docs/
python -m tests.price NAME…      runs the rows again whose names hold one of these words
"""

import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import log2
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from teamplay.game import SEATS, Game
from teamplay.game_file import load_game
from teamplay.learn.classes import ClassBook
from teamplay.learn.formula import Budget
from teamplay.learn.graph import Graph, build
from teamplay.learn.orders import Cover, find_order, greedy
from teamplay.learn.ranks import fewest_levels
from teamplay.learn.template import Levels
from teamplay.learn.vocabulary import parse_vocabulary
from teamplay.proof.goals import ProofGoal
from teamplay.reproduce.plot import drawn
from teamplay.reproduce.replication import Curve, Plot
from tests.learning import written
from tests.price_learnt import (
    LARGE,
    boards_table,
    games_table,
    known_at,
    learnt_plots,
    learnt_row,
    learnt_table,
    name_of,
)
from tests.price_managers import areas_table, manager_questions, manager_table

DOCS = Path(__file__).parent.parent / "docs"
PAGE, KEPT = DOCS / "price.md", DOCS / "price.json"
MOST_LEVELS = 12
BY_LEVELS = range(1, 7)
BY_GAMES = ("tic-tac-toe", "misere", "sos(n=3)")
# What an agent knows: a short name for curves, the vocabulary and the sight, from the least to the most.
SIGHTS = {
    "its role alone": ("role", "roles", ""),
    "its neighbours": ("neighbours", "cells", "radius 1"),
    "counts of its lines": ("counts", "counts", ""),
    "counts and the center": ("+ center", "counts+center", ""),
    "its lines, mark by mark": ("lines", "cells", ""),
    "the whole board": ("board", "cells", "all"),
}
LESS = {"counts and the center": ("counts of its lines",), "the whole board": tuple(SIGHTS)}
EXACT = ("tic-tac-toe", "misere", "mnk(m=4,n=3,k=3)", "sos(n=3)", "connect-four(columns=4,rows=4)", "mnk(m=4,n=4,k=4)")


def sights(game: Game) -> Iterator[str]:
    """The sights that make sense on a board: one without a center has none to see, and 4x4x4 is too large for views."""
    for name, (_, words, _) in SIGHTS.items():
        center = "center" in words and (game.grid.size % 2 == 0 or game.goal.kind == "word")
        if not center and not (words == "cells" and str(game) == EXACT[-1]):
            yield name


class Team:
    """What agents with some sight can do in one seat of a game at best."""

    def __init__(self, game: Game, sight: str, seat: int, goal: ProofGoal) -> None:
        _, words, seen = SIGHTS[sight]
        self.book = ClassBook(parse_vocabulary(words, [game], seen))
        self.graph: Graph = build(self.book, game, (seat,), goal, lambda _: None)[0]
        self.letters = len(game.marks) if game.shared else 1
        graph = self.graph
        self.owner = graph.owner
        ends = np.where(graph.won == graph.seat, 1, np.where(graph.won == 1 - graph.seat, -1, 0))
        self.after = np.where(graph.child >= 0, graph.value[graph.child], ends)  # [edges]: what is left by perfect play
        mean = np.add.reduceat(self.after, graph.edges[:-1]) / np.diff(graph.edges)
        self.cost = graph.value[self.owner] - mean  # [options]: what choosing a class loses on average
        self.size = np.diff(graph.edges)  # [options]: how many moves it has

    def order(self) -> Levels | None:
        """Levels that reach the goal; None where no table does."""
        if not self.graph.held[0]:
            return None
        found = find_order([self.graph], self.book, self.letters, Budget()).levels
        return None if found is None else found.levels()

    def fewest_levels(self) -> int:
        return fewest_levels([self.graph], self.book, self.letters, Budget(), MOST_LEVELS)[0]

    def careful(self) -> Levels:
        """A greedy order of the classes: first those that are right wherever they occur, all positions alike."""
        right = np.minimum.reduceat(self.after, self.graph.edges[:-1]) == self.graph.value[self.owner]
        return greedy([Cover(self.graph, self.graph.mine, right)], len(self.book.numbers) * self.letters)

    def chosen(self, levels: Levels) -> NDArray[np.bool_]:
        """The options that may be chosen, the opponent's among them. [options]"""
        level = np.append(levels, 0)[self.graph.code]
        best = np.minimum.reduceat(level, self.graph.options[:-1])
        found: NDArray[np.bool_] = level == best[self.owner]
        return found

    def regret(self, levels: Levels) -> float:
        """The value let go in a position on average; all positions count alike, and so do tied moves."""
        weight = self.chosen(levels) * self.size
        lost = np.add.reduceat(weight * self.cost, self.graph.options[:-1])
        lost = lost / np.add.reduceat(weight, self.graph.options[:-1])
        return float(lost[self.graph.mine].mean())

    def least_regret(self) -> float:
        """What is let go at the least: the best class of each position, as if no order had to fit them all."""
        return float(np.minimum.reduceat(self.cost, self.graph.options[:-1])[self.graph.mine].mean())

    def against_perfect(self, levels: Levels) -> tuple[float, float, float]:
        """The chances to win, draw and lose against perfect play, which chooses among its best moves by chance."""
        graph = self.graph
        weight = np.repeat(self.chosen(levels), self.size).astype(float)
        parent = np.repeat(self.owner, self.size)
        weight[~graph.mine[parent] & (self.after != graph.value[parent])] = 0
        ends = np.stack([(graph.won == graph.seat), (graph.won == 1 - graph.seat)]).astype(float)
        value = np.zeros((2, graph.nodes))
        first = graph.edges[graph.options]
        for start, stop in reversed(list(zip(graph.starts, graph.starts[1:], strict=False))):
            low, high = first[start], first[stop]
            child, share = graph.child[low:high], weight[low:high]
            at = first[start:stop] - low
            brings = np.where(child >= 0, value[:, child], ends[:, low:high])
            value[:, start:stop] = np.add.reduceat(share * brings, at, axis=1) / np.add.reduceat(share, at)
        won, lost = value[:, 0].tolist()
        return won, 1 - won - lost, lost

    def climbed(self) -> list[float]:
        """The least regret found with 1, 2, 3 … levels, each time from the best with one level less.

        Wherever the new level is put, every class is moved to its best level until none helps: local search. Where
        nothing is left to gain, further levels gain nothing.
        """
        given = np.zeros(len(self.book.numbers) * self.letters, dtype=np.int32)
        regrets, least = [self.regret(given)], self.least_regret()
        options = Options.of(self)
        for levels in BY_LEVELS[1:]:
            if regrets[-1] - least > 1e-9:
                tried = [options.climb(given + (given >= place), levels) for place in range(levels)]
                regret, _, given = min((self.regret(each), place, each) for place, each in enumerate(tried))
                regrets.append(regret)
            else:
                regrets.append(regrets[-1])
        return regrets


@dataclass(frozen=True)
class Options:
    """The options of the positions with the team to move, padded: what one class changes is seen in few of them."""

    code: NDArray[np.int64]  # [positions, options]: the last code is padding
    size: NDArray[np.int64]  # [positions, options]: how many moves an option has
    cost: NDArray[np.float64]  # [positions, options]
    rows: list[NDArray[np.int64]]  # by code: the positions that have it

    @classmethod
    def of(cls, team: Team) -> "Options":
        graph = team.graph
        mine = np.flatnonzero(graph.mine)
        number = np.diff(graph.options)[mine]
        there = np.arange(number.max()) < number[:, None]
        at = np.minimum(graph.options[mine][:, None] + np.arange(number.max()), len(graph.code) - 1)
        codes = len(team.book.numbers) * team.letters
        code = np.where(there, graph.code[at], codes)
        order = np.argsort(code[there], kind="stable")
        parts = np.searchsorted(code[there][order], np.arange(1, codes))
        rows = np.split(np.nonzero(there)[0][order], parts)
        return cls(code, np.where(there, team.size[at], 0), team.cost[at], rows)

    def lost(self, levels: Levels, rows: NDArray[np.int64]) -> NDArray[np.float64]:
        """The value let go in some of the positions. [rows]"""
        level = np.append(levels, np.iinfo(np.int32).max)[self.code[rows]]
        weight = (level == level.min(1, keepdims=True)) * self.size[rows]
        found: NDArray[np.float64] = (weight * self.cost[rows]).sum(1) / weight.sum(1)
        return found

    def climb(self, given: Levels, levels: int) -> Levels:
        """Each class moved to its best level, again and again until none helps."""
        given, helped = given.copy(), True
        lost = self.lost(given, np.arange(len(self.code)))
        while helped:
            helped = False
            for code, rows in enumerate(self.rows):
                for level in range(levels if len(rows) else 0):
                    before = given[code]
                    if level == before:
                        continue
                    given[code] = level
                    now = self.lost(given, rows)
                    if now.sum() < lost[rows].sum() - 1e-9:
                        lost[rows], helped = now, True
                    else:
                        given[code] = before
        return given


# Rows


def sight_row(spec: str, seat: int, sight: str) -> dict[str, Any]:
    """What is reached for sure, the fewest levels for it, chances against perfect play, and the regret."""
    game = load_game(spec)
    team = Team(game, sight, seat, "never-loses")
    value = int(team.graph.value[0])
    row: dict[str, Any] = {"perfect": ("loss", "draw", "win")[value + 1], "reached": "loss", "levels": None}
    order = None
    if value == 1:
        winning = Team(game, sight, seat, "always-wins")
        order = winning.order()
        if order is not None:
            row |= {"reached": "win", "levels": winning.fewest_levels()}
    if value >= 0 and order is None:
        order = team.order()
        if order is not None:
            row |= {"reached": "draw", "levels": team.fewest_levels()}
    careful = team.careful()
    chances = team.against_perfect(careful if order is None else order)
    row |= {"chances": [round(chance, 4) for chance in chances]}
    return row | {"regret": round(team.regret(careful), 4), "least": round(team.least_regret(), 4)}


def levels_row(spec: str, seat: int, sight: str) -> dict[str, Any]:
    """The least regret found with 1, 2, 3 … levels."""
    team = Team(load_game(spec), sight, seat, "never-loses")
    return {"regrets": [round(regret, 4) for regret in team.climbed()], "least": round(team.least_regret(), 4)}


def questions() -> dict[str, Callable[[], dict[str, Any]]]:
    """All rows by name."""
    rows: dict[str, Callable[[], dict[str, Any]]] = {}
    for spec in EXACT:
        for seat in (0, 1):
            for sight in sights(load_game(spec)):
                rows[f"sight; {spec}; {SEATS[seat]}; {sight}"] = lambda a=(spec, seat, sight): sight_row(*a)
    for spec in BY_GAMES:
        for seat in (0, 1):
            for sight in sights(load_game(spec)):
                rows[f"levels; {spec}; {SEATS[seat]}; {sight}"] = lambda a=(spec, seat, sight): levels_row(*a)
    for board in LARGE:
        for sight in known_at(load_game(board.spec)):
            rows[name_of(board.spec, sight)] = lambda a=(board, sight): learnt_row(*a)
    return rows | manager_questions()


# The page


def parts(kept: dict[str, Any], kind: str) -> Iterator[tuple[list[str], dict[str, Any]]]:
    for name in questions():
        if name.startswith(kind) and name in kept:
            yield name.split("; ")[1:], kept[name]


def least_of(kept: dict[str, Any], spec: str, seat: str, sight: str) -> float:
    """The least regret found with a sight, or with one that knows less: nobody has to use what it knows."""
    names = [f"sight; {spec}; {seat}; {other}" for other in ("its role alone", *LESS.get(sight, ()), sight)]
    return min(kept[name]["regret"] for name in names if name in kept)


def sight_table(kept: dict[str, Any]) -> str:
    heads = ["game", "seat", "agents know", "perfect play", "a team at best", "fewest levels", "bits"]
    heads += ["won / drawn / lost", "regret"]
    rows = [f"| {' | '.join(heads)} |", "|---|---|---|---|---|---:|---:|---|---:|"]
    for (spec, seat, sight), found in parts(kept, "sight"):
        levels = found["levels"]
        regret = least_of(kept, spec, seat, sight)
        bits = f"{log2(levels):.1f}" if levels else ""
        chances = " / ".join(f"{100 * chance:.0f}" for chance in found["chances"])
        cells = [spec, seat, sight, found["perfect"], found["reached"], str(levels or ""), bits, f"{chances} %"]
        rows.append(f"| {' | '.join(cells)} | {found['least']:.3f} … {regret:.3f} |")
    return "\n".join(rows)


def levels_table(kept: dict[str, Any]) -> str:
    heads = [f"{levels} ({log2(levels):.1f} bits)" for levels in BY_LEVELS]
    rows = [f"| game | seat | agents know | {' | '.join(heads)} | at least |"]
    rows.append(f"|---|---|---|{'---:|' * (len(heads) + 1)}")
    for (spec, seat, sight), found in parts(kept, "levels"):
        numbers = " | ".join(f"{regret:.3f}" for regret in [*found["regrets"], found["least"]])
        rows.append(f"| {spec} | {seat} | {sight} | {numbers} |")
    return "\n".join(rows)


TABLES = {
    "sights": sight_table,
    "levels": levels_table,
    "boards": boards_table,
    "learnt": learnt_table,
    "games": games_table,
    "managers": manager_table,
    "areas": areas_table,
}


def plots(kept: dict[str, Any]) -> Iterator[Plot]:
    """The curves: regret as sight grows, game by game, and as levels do, sight by sight."""
    yield from learnt_plots(kept)
    names = [short for short, _, _ in SIGHTS.values()]
    curves: dict[str, list[tuple[float, float]]] = {}
    for (spec, seat, sight), _ in parts(kept, "sight"):
        if spec in ("tic-tac-toe", "misere"):
            point = (1.0 + list(SIGHTS).index(sight), least_of(kept, spec, seat, sight))
            curves.setdefault(f"{spec}, moving {seat}", []).append(point)
    across, up = "what an agent knows", "value lost per position"
    drawings = tuple(Curve(name, tuple(points)) for name, points in curves.items())
    yield Plot("price-sight", "The price of sight", across, up, drawings, places=tuple(names))
    by_levels = []
    for (spec, seat, sight), found in parts(kept, "levels"):
        if (spec, seat) == ("tic-tac-toe", "second") and sight not in ("its role alone", "counts and the center"):
            by_levels.append(Curve(sight, tuple(zip(map(float, BY_LEVELS), found["regrets"], strict=True))))
    title = "The price of few levels: tic-tac-toe, moving second"
    yield Plot("price-levels", title, "distinct answers (silence is one)", up, tuple(by_levels))


def held() -> dict[str, Any]:
    """What was measured so far; another run may have added to it."""
    found: dict[str, Any] = json.loads(KEPT.read_text("utf-8")) if KEPT.exists() else {}
    return found


def main(words: list[str]) -> None:
    before = held()
    for name, run in questions().items():
        if any(word in name for word in words) if words else name not in before:
            print(name, flush=True)
            found = run()
            print(f"    {found}", flush=True)
            KEPT.write_text(json.dumps(held() | {name: found}, indent=1) + "\n", "utf-8")
    kept = held()
    text = PAGE.read_text("utf-8")
    for name, table in TABLES.items():
        text = written(text, name, table(kept))
    PAGE.write_text(text, "utf-8")
    for plot in plots(kept):
        (DOCS / f"{plot.name}.svg").write_text(drawn(plot), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
