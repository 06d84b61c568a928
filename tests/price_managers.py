"""Local managers: what is a game worth to a team of which only one area decides at a time?

A board is cut into areas. In each turn of the team one area decides, and its manager makes the best move that it has.
It sees the whole board, so what is lost is lost because nobody else is asked. Which area decides is a `Rule`:

- `last`: the one in which the opponent has just moved, as the paper has it: only those are asked that a move concerns.
  The cut `lines` asks all cells on a line with that move. Where nothing was moved yet, or those asked have no
  legal move, everybody is asked.
- `chance`: any area with a legal move, with equal chance.
- `worst`: any area with a legal move; the opponent may choose which.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal, get_args

import numpy as np

from teamplay.arena.playing import after_all, opening, seed_of
from teamplay.engine.solver import Solver
from teamplay.engine.solver.search import Limits
from teamplay.game import SEATS, Game, Position
from teamplay.game_file import load_game
from teamplay.grid import Cell
from teamplay.luck import Luck
from tests.price_learnt import SEED, estimate, shown
from tests.price_views import MEMORY, MOST_SOLVED

Rule = Literal["last", "chance", "worst"]
RULES: tuple[Rule, ...] = get_args(Rule)
Cut = list[frozenset[Cell]]
MOST_KNOWN = 3_000_000  # positions that one search remembers


def cut_along(game: Game, axis: int) -> Cut:
    """An area for each row, or for each column."""
    places = range(game.grid.shape[axis])
    return [frozenset(c for c in game.grid.cells if game.grid.coordinates(c)[axis] == place) for place in places]


def cut_roles(game: Game) -> Cut:
    roles = dict.fromkeys(map(game.grid.role, game.grid.cells))
    return [frozenset(cell for cell in game.grid.cells if game.grid.role(cell) == role) for role in roles]


def cut_parts(game: Game, *counts: int) -> Cut:
    """So many stripes along each axis, as equal as can be."""
    areas: dict[tuple[int, ...], set[Cell]] = {}
    for cell in game.grid.cells:
        sides = zip(game.grid.coordinates(cell), game.grid.shape, counts, strict=True)
        areas.setdefault(tuple(at * count // side for at, side, count in sides), set()).add(cell)
    return list(map(frozenset, areas.values()))


CUTS: dict[str, Callable[[Game], Cut]] = {
    "one area": lambda game: [frozenset(game.grid.cells)],
    "rows": lambda game: cut_along(game, 0),
    "columns": lambda game: cut_along(game, 1),
    "roles": cut_roles,
    "left and right": lambda game: cut_parts(game, 1, 2),
    "quarters": lambda game: cut_parts(game, 2, 2),
    "lines": lambda game: [],
}


def asked_after(game: Game, cut: str) -> dict[Cell, frozenset[Cell]]:
    """By the rule `last`: the cells that are asked after a move of the opponent."""
    if cut == "lines":
        lines = {cell: game.grid.lines_through(cell, game.k or 0) for cell in game.grid.cells}
        return {cell: frozenset(other for line in through for other in line) for cell, through in lines.items()}
    return {cell: area for area in CUTS[cut](game) for cell in area}


# Small boards, by the rules of the game alone


def local_value(game: Game, seat: int, cut: str, rule: Rule) -> float:
    """What the team reaches at best against perfect play that knows the rule: 1 won, 0 drawn, -1 lost."""
    areas, asked = CUTS[cut](game), asked_after(game, cut)
    everybody = frozenset(game.grid.cells)

    @cache
    def value(position: Position, last: Cell | None) -> float:
        """`last` is where the opponent moved last, by the rule of that name."""
        over = game.outcome(position)
        if over:
            return 0.0 if over.winner is None else 1.0 if over.winner == seat else -1.0
        worths: dict[Cell, list[float]] = {}
        for move, left in game.successors(position):
            known = move.cell if rule == "last" and position.seat != seat else last
            worths.setdefault(move.cell, []).append(value(left, known))
        best_of = {cell: max(found) for cell, found in worths.items()}
        if position.seat != seat:
            return min(worth for found in worths.values() for worth in found)
        groups = areas if rule != "last" else [everybody if last is None else asked[last]]
        best = [max(best_of[cell] for cell in group & best_of.keys()) for group in groups if group & best_of.keys()]
        best = best or [max(best_of.values())]
        return sum(best) / len(best) if rule == "chance" else min(best)

    return value(game.start, None)


# Larger boards of lines, two bit sets and one question at a time


@dataclass
class LocalSearch:
    """Can a team whose areas decide alone reach a goal from a position? For games of lines without shared marks."""

    game: Game
    cut: str
    rule: Literal["last", "worst"]
    _known: dict[tuple[int, int, int, int], bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        game = self.game
        assert game.goal.kind == "line" and not game.shared and game.placement in ("anywhere", "drop")
        self._cells = [1 << cell for cell in game.grid.cells]
        through = (game.grid.lines_through(cell, game.k or 0) for cell in game.grid.cells)
        self._lines = [[_mask(line) for line in lines] for lines in through]
        asked = asked_after(game, self.cut)
        self._asked = [_mask(asked[cell]) for cell in game.grid.cells]
        self._areas = [_mask(area) for area in CUTS[self.cut](game)]
        self._ends = 1 if game.goal.effect == "wins" else -1  # what a line brings to who makes it

    def value(self, position: Position, seat: int) -> int:
        """What the team reaches: 1, 0 or -1."""
        marks = [self.game.marks[who] for who in (seat, 1 - seat)]
        mine, theirs = (_mask(cell for cell, mark in enumerate(position.marks) if mark == own) for own in marks)
        asked = self._asked[position.last.cell] if position.last else -1
        for goal in (1, 0):
            if self._reaches(mine, theirs, position.seat == seat, asked, goal):
                return goal
        return -1

    def _reaches(self, mine: int, theirs: int, to_move: bool, asked: int, goal: int) -> bool:
        """`asked` are the cells that may decide, or -1 for all."""
        key = mine, theirs, (asked if to_move else -2), goal
        if key not in self._known:
            if len(self._known) > MOST_KNOWN:
                raise MemoryError(f"{self.game} with {self.cut} has more than {MOST_KNOWN:,} positions to remember")
            self._known[key] = self._search(mine, theirs, to_move, asked, goal)
        return self._known[key]

    def _search(self, mine: int, theirs: int, to_move: bool, asked: int, goal: int) -> bool:
        legal = self._legal(mine | theirs)
        if not legal:
            return goal <= 0
        if not to_move:
            return all(self._after(mine, theirs, False, cell, goal) for cell in self._sorted(legal, theirs))
        groups = self._areas if self.rule == "worst" else [asked]
        groups = [group for group in groups if any(self._cells[cell] & group for cell in legal)] or [-1]
        order = list(self._sorted(legal, mine))
        return all(
            any(self._after(mine, theirs, True, cell, goal) for cell in order if self._cells[cell] & group)
            for group in groups
        )

    def _after(self, mine: int, theirs: int, team: bool, cell: Cell, goal: int) -> bool:
        """Whether the goal is reached after a move."""
        stones = (mine if team else theirs) | self._cells[cell]
        if any(line & stones == line for line in self._lines[cell]):
            return (self._ends if team else -self._ends) >= goal
        if team:
            return self._reaches(stones, theirs, False, -2, goal)
        return self._reaches(mine, stones, True, self._asked[cell] if self.rule == "last" else 0, goal)

    def _legal(self, full: int) -> list[Cell]:
        if self.game.placement == "anywhere":
            return [cell for cell in self.game.grid.cells if not full & self._cells[cell]]
        width = self.game.grid.shape[-1]
        blank = (cell for cell in reversed(self.game.grid.cells) if not full & self._cells[cell])
        lowest: dict[int, Cell] = {}
        for cell in blank:
            lowest.setdefault(cell % width, cell)
        return list(lowest.values())

    def _sorted(self, legal: Sequence[Cell], stones: int) -> Iterator[Cell]:
        """Moves that make a line first."""
        ends = [any(line & (stones | self._cells[cell]) == line for line in self._lines[cell]) for cell in legal]
        for wanted in (True, False):
            yield from (cell for cell, end in zip(legal, ends, strict=True) if end == wanted)


def _mask(cells: Iterable[Cell]) -> int:
    found = 0
    for cell in cells:
        found |= 1 << cell
    return found


# Rows

SMALL = {
    "tic-tac-toe": ("one area", "lines", "rows", "roles"),
    "misere": ("one area", "lines", "rows", "roles"),
    "sos(n=3)": ("one area", "rows", "roles"),
}
LARGER = {
    "mnk(m=4,n=3,k=3)": ("one area", "lines", "left and right", "columns"),
    "connect-four(columns=4,rows=4)": ("one area", "lines", "left and right", "columns"),
    "mnk(m=4,n=4,k=4)": ("one area", "lines", "quarters", "rows"),
    "connect-four(columns=5,rows=4)": ("left and right", "columns"),
    "connect-four": ("columns",),
}
# Boards with how many random moves are made, how many positions are drawn, and the cuts.
DRAWN = {
    "connect-four": ((26, 30), 400, ("lines", "left and right", "columns")),
    "mnk(m=7,n=7,k=5)": ((35, 39), 400, ("lines", "left and right", "quarters")),
}


def manager_row(spec: str, seat: int, cut: str) -> dict[str, Any]:
    """What local managers reach from the start of a game."""
    begun, game = time.process_time(), load_game(spec)
    value = Solver(game, memory=MEMORY).value(game.start, Limits(positions=MOST_SOLVED))
    worth = None if value is None else (value > 0) - (value < 0)  # who wins, not by how many points
    row: dict[str, Any] = {"perfect": worth if worth is None or seat == 0 else -worth}
    for rule in RULES:
        if cut == "lines" and rule != "last":
            continue
        if spec in SMALL:
            row[rule] = round(local_value(game, seat, cut, rule), 4)
        elif rule != "chance":
            row[rule] = LocalSearch(game, cut, rule).value(game.start, seat)
    return row | {"seconds": round(time.process_time() - begun, 1)}


def areas_row(spec: str, cut: str) -> dict[str, Any]:
    """What local managers let go in games from random positions, the opponent having just moved."""
    begun, game = time.process_time(), load_game(spec)
    plies, number, _ = DRAWN[spec]
    solver, lost = Solver(game, memory=MEMORY), dict[str, list[int]]()
    for at in range(number):
        position = after_all(game, opening(game, Luck(seed_of(SEED, "areas", spec, at)), *plies))
        value = solver.value(position, Limits(positions=MOST_SOLVED))
        assert value is not None
        for rule in ("last", "worst") if cut != "lines" else ("last",):
            lost.setdefault(rule, []).append(value - LocalSearch(game, cut, rule).value(position, position.seat))
    row: dict[str, Any] = {"positions": number}
    for rule, found in lost.items():
        row[rule] = {"lost": estimate(np.array(found, dtype=np.float32)), "fell": sum(each > 0 for each in found)}
    return row | {"seconds": round(time.process_time() - begun, 1)}


def manager_questions() -> dict[str, Callable[[], dict[str, Any]]]:
    """All rows about local managers by name."""
    rows: dict[str, Callable[[], dict[str, Any]]] = {}
    for spec, cuts in (SMALL | LARGER).items():
        for cut in cuts:
            for seat in (0, 1):
                rows[f"managers; {spec}; {SEATS[seat]}; {cut}"] = lambda a=(spec, seat, cut): manager_row(*a)
    for spec, (_, _, cuts) in DRAWN.items():
        for cut in cuts:
            rows[f"areas; {spec}; {cut}"] = lambda a=(spec, cut): areas_row(*a)
    return rows


# The page


def manager_table(kept: dict[str, Any]) -> str:
    heads = [
        "game",
        "seat",
        "areas",
        "perfect play",
        "where the opponent moved",
        "any area by chance",
        "the worst area",
    ]
    rows = [f"| {' | '.join(heads)} |", "|---|---|---|---:|---:|---:|---:|"]
    for name in manager_questions():
        if name.startswith("managers") and name in kept:
            found = kept[name]
            numbers = [found.get(column) for column in ("perfect", *RULES)]
            shown_numbers = ["" if number is None else f"{number:+.2f}" for number in numbers]
            rows.append(f"| {' | '.join([*name.split('; ')[1:], *shown_numbers])} |")
    return "\n".join(rows)


def areas_table(kept: dict[str, Any]) -> str:
    heads = [
        "game",
        "blanks",
        "positions",
        "areas",
        "where the opponent moved: value let go",
        "worse than perfect play",
    ]
    heads += ["the worst area: value let go", "worse than perfect play"]
    rows = [f"| {' | '.join(heads)} |", "|---|---|---:|---|---:|---:|---:|---:|"]
    for name in manager_questions():
        if name.startswith("areas") and name in kept:
            _, spec, cut = name.split("; ")
            cells, (low, high) = load_game(spec).grid.size, DRAWN[spec][0]
            found, numbers = kept[name], list[str]()
            for rule in ("last", "worst"):
                share = f"{found[rule]['fell'] / found['positions']:.0%}" if rule in found else ""
                numbers += [shown(found[rule]["lost"]) if rule in found else "", share]
            drawn = [spec, f"{cells - high} to {cells - low}", str(found["positions"])]
            rows.append(f"| {' | '.join([*drawn, cut, *numbers])} |")
    return "\n".join(rows)
