"""docs/price.md: what a team can do at best as its sight and its levels shrink. Nothing in it is typed by hand.

python -m tests.price          writes the tables and the curves into docs/
"""

import sys
from functools import cache
from itertools import product
from math import log2
from pathlib import Path

import numpy as np

from teamplay.game import SEATS, Game, Position
from teamplay.game_file import load_game
from teamplay.learn.classes import ClassBook
from teamplay.learn.formula import Budget
from teamplay.learn.graph import Graph, build
from teamplay.learn.orders import Cover, find_order, greedy
from teamplay.learn.ranks import fewest_levels
from teamplay.learn.vocabulary import parse_vocabulary
from teamplay.proof.goals import ProofGoal
from teamplay.reproduce.plot import drawn
from teamplay.reproduce.replication import Curve, Plot
from tests.learning import written

DOCS = Path(__file__).parent.parent / "docs"
PAGE = DOCS / "price.md"
GAMES = ("tic-tac-toe", "misere", "mnk(m=4,n=3,k=3)")
# What an agent knows: the vocabulary and the sight, from the least to the most.
SIGHTS = (
    ("its role alone", "roles", ""),
    ("its neighbours", "cells", "radius 1"),
    ("counts of its lines", "counts", ""),
    ("its lines, mark by mark", "cells", ""),
    ("the whole board", "cells", "all"),
)
MOST_LEVELS = 12


class Team:
    """What agents with some sight can do in one seat of a game at best."""

    def __init__(self, game: Game, words: str, sight: str, seat: int, goal: ProofGoal) -> None:
        self.book = ClassBook(parse_vocabulary(words, [game], sight))
        self.graph: Graph = build(self.book, game, (seat,), goal, lambda _: None)[0]
        self.letters = len(game.marks) if game.shared else 1

    @property
    def reachable(self) -> bool:
        return bool(self.graph.value[0] >= (1 if self.graph.goal == "always-wins" else 0))

    def levels(self) -> int | None:
        """The fewest levels that reach the goal; None where no number of levels does."""
        if not self.graph.held[0] or find_order([self.graph], self.book, self.letters, Budget())[0] is None:
            return None
        found = fewest_levels([self.graph], self.book, self.letters, Budget(), MOST_LEVELS)
        return found[0] if found[1] is not None else None

    def regret(self) -> float:
        """The value that a greedy order of the classes lets go in a position on average, all positions alike."""
        graph = self.graph
        owner = graph.owner
        ends = np.where(graph.won == graph.seat, 1, np.where(graph.won == 1 - graph.seat, -1, 0))
        after = np.where(graph.child >= 0, graph.value[graph.child], ends)
        right = np.minimum.reduceat(after, graph.edges[:-1]) == graph.value[owner]
        levels = greedy([Cover(graph, graph.mine, right)], len(self.book.numbers) * self.letters)
        level = np.where(graph.code < 0, 0, levels[graph.code])
        best = np.minimum.reduceat(level, graph.options[:-1])
        chosen = np.flatnonzero(graph.mine[owner] & (level == best[owner]))
        lost = [
            graph.value[owner[option]] - after[graph.edges[option] : graph.edges[option + 1]].mean()
            for option in chosen.tolist()
        ]
        return float(np.mean(lost))


def sights() -> str:
    """For each sight, what is reached at best and with how many levels."""
    rows = [
        "| game | seat | goal | agents know | reached | fewest levels | bits | regret |",
        "|---|---|---|---|---|---:|---:|---:|",
    ]
    for spec, seat, goal in questions():
        for name, words, sight in SIGHTS:
            team = Team(load_game(spec), words, sight, seat, goal)
            levels = team.levels()
            bits = f"{log2(levels):.1f}" if levels else ""
            cells = [spec, SEATS[seat], goal, name, "yes" if levels else "no", str(levels or ""), bits]
            rows.append(f"| {' | '.join(cells)} | {team.regret():.3f} |")
    return "\n".join(rows)


def questions() -> list[tuple[str, int, ProofGoal]]:
    """What perfect play of one mind reaches, seat by seat."""
    found: list[tuple[str, int, ProofGoal]] = []
    for spec, seat in product(GAMES, (0, 1)):
        game = load_game(spec)
        for goal in ("always-wins", "never-loses"):
            if Team(game, "roles", "", seat, goal).reachable:
                found.append((spec, seat, goal))
                break
    return found


def curve() -> Plot:
    """The regret as sight grows, a curve per seat of tic-tac-toe."""
    game = load_game("tic-tac-toe")
    curves = []
    for seat in (0, 1):
        points = [
            (float(i), Team(game, words, sight, seat, "never-loses").regret())
            for i, (_, words, sight) in enumerate(SIGHTS, 1)
        ]
        curves.append(Curve(f"moving {SEATS[seat]}", tuple(points)))
    across = "sight: 1 role, 2 neighbours, 3 counts of lines, 4 lines, 5 the board"
    return Plot("price-sight", "Value lost per position at tic-tac-toe", across, "value of a game", tuple(curves))


# Local managers


def local(game: Game, seat: int, areas: list[set[int]], knows: bool) -> float:
    """What a team reaches whose areas decide alone, at best, against perfect play.

    In every turn one area moves: the one that hurts most, if the opponent `knows` how to make it so, else any of them
    with equal chance. Its manager plays the best move of its area; it sees the whole board.
    """

    @cache
    def value(position: Position) -> float:
        over = game.outcome(position)
        if over:
            return 0.0 if over.winner is None else 1.0 if over.winner == seat else -1.0
        after = {move.cell: value(left) for move, left in game.successors(position)}
        if position.seat != seat:
            return min(after.values())
        best = [max(after[cell] for cell in area & set(after)) for area in areas if area & set(after)]
        return min(best) if knows else sum(best) / len(best)

    return value(game.start)


def managers() -> str:
    game = load_game("tic-tac-toe")
    rows = [set(range(3 * row, 3 * row + 3)) for row in range(3)]
    rings = [{4}, {0, 2, 6, 8}, {1, 3, 5, 7}]
    splits = {"one area": [set(range(9))], "three rows": rows, "center, corners, edges": rings}
    lines = ["| areas | seat | any area may have to decide | an area by chance |", "|---|---|---:|---:|"]
    for name, areas in splits.items():
        for seat in (0, 1):
            values = [local(game, seat, areas, knows) for knows in (True, False)]
            lines.append(f"| {name} | {SEATS[seat]} | {values[0]:+.2f} | {values[1]:+.2f} |")
    return "\n".join(lines)


def main() -> None:
    text = PAGE.read_text("utf-8")
    for name, table in (("sights", sights()), ("managers", managers())):
        text = written(text, name, table)
    PAGE.write_text(text, "utf-8")
    (DOCS / "price-sight.svg").write_text(drawn(curve()), "utf-8")


if __name__ == "__main__":
    sys.exit(main())
