"""Can a table that only counts lines be safe at tic-tac-toe, moving second? No: every order of preference is tried.

To such a table two cells with the same counts `n(…)` are the same cell, and so is their role, for a cell's role is how
many lines it has. So a table is an order of *looks*, from the most urgent; where it ties two of them, an order without
that tie chooses from fewer moves. Whether a safe order exists is decided by trying them all: in each position that must
be met some look comes first, all cells that look so are played, and every reply leads on.
"""

from collections import Counter
from functools import cache
from typing import NamedTuple

from teamplay import library
from teamplay.game import Position
from teamplay.game_file import load_game
from teamplay.language import Source, read_rulebook
from teamplay.proof.verify import verify
from teamplay.team import Team

GAME = load_game("tic-tac-toe")

Look = tuple[object, ...]
Order = dict[Look, frozenset[Look]]  # by look all those that come after it


class Choice(NamedTuple):
    """A look that may come first in a position: those that it must come before, and where its cells lead."""

    first: Look
    others: frozenset[Look]
    leads_to: frozenset[str]


class Search:
    """The search for an order that never loses from one seat; boards are kept up to symmetry."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.choices = cache(self._choices)

    def safe(self) -> bool:
        start = GAME.start
        met = frozenset([start.marks]) if self.seat == 0 else self._replies(start)
        return self.extends(met, frozenset(), {})

    def extends(self, met: frozenset[str], done: frozenset[str], order: Order) -> bool:
        """Whether the order can be carried on through every position that is met; those with least choice first."""
        if met == done:
            return True
        open_ = {marks: [c for c in self.choices(marks) if _fits(order, c)] for marks in sorted(met - done)}
        marks = min(open_, key=lambda marks: len(open_[marks]))
        return any(self.extends(met | choice.leads_to, done | {marks}, _with(order, choice)) for choice in open_[marks])

    def _choices(self, marks: str) -> list[Choice]:
        """Looks all of whose cells hold against perfect play: any other loses some game."""
        position = Position(marks, self.seat)
        alike: dict[Look, list[Position]] = {}
        for move in GAME.moves(position):
            alike.setdefault(self.look(position, move.cell), []).append(GAME.after(position, move))
        return [
            Choice(look, frozenset(alike) - {look}, frozenset().union(*map(self._replies, after)))
            for look, after in alike.items()
            if all(holds(played, self.seat) for played in after)
        ]

    def look(self, position: Position, cell: int) -> Look:
        """All that the agent's counts can tell."""
        seen = GAME.seen(position)
        lines = ("".join(sorted(seen[other] for other in line if other != cell)) for line in GAME.lines_through(cell))
        return tuple(sorted(Counter(lines).items()))

    def _replies(self, position: Position) -> frozenset[str]:
        """The boards after each reply on which the game goes on."""
        after = [] if GAME.outcome(position) else [following for _, following in GAME.successors(position)]
        return frozenset(_least(reply.marks) for reply in after if not GAME.outcome(reply))


@cache
def holds(position: Position, seat: int) -> bool:
    """Whether perfect play does not lose from here."""
    if over := GAME.outcome(position):
        return over.winner != 1 - seat
    after = (holds(following, seat) for _, following in GAME.successors(position))
    return any(after) if position.seat == seat else all(after)


@cache
def _least(marks: str) -> str:
    return min("".join(marks[cell] for cell in symmetry) for symmetry in GAME.grid.symmetries)


def _fits(order: Order, choice: Choice) -> bool:
    return not any(choice.first in order.get(other, ()) for other in choice.others)


def _with(order: Order, choice: Choice) -> Order:
    """The order with one look before others, and all that follows from it."""
    below = choice.others.union(*(order.get(other, frozenset()) for other in choice.others))
    above = {look for look, after in order.items() if choice.first in after} | {choice.first}
    return {**order, **{look: order.get(look, frozenset()) | below for look in above}}


def test_no_table_that_only_counts_lines_is_safe_moving_second() -> None:
    """Moving first `mnk/generic` is, and with a look at the center `tic-tac-toe/competent` is safe in both seats."""
    assert not Search(1).safe()


def test_two_boards_that_moving_second_must_meet_ask_for_opposite_answers_of_agents_that_count_the_same() -> None:
    """The proof by hand: a corner must be met by the center, the center by a corner, and then the far corner comes."""
    search = Search(1)
    center_held, center_lost = Position("x...o...x", 1), Position("o...x...x", 1)
    for position in (center_held, center_lost):
        looks = [search.look(position, cell) for cell in (1, 2)]  # an edge and a corner
        assert looks == [search.look(center_held, cell) for cell in (1, 2)]
    assert _safe_cells(search, center_held) == {1, 3, 5, 7}
    assert _safe_cells(search, center_lost) == {2, 6}
    assert _safe_cells(search, Position("x........", 1)) == {4}
    assert _safe_cells(search, Position("....x....", 1)) == {0, 2, 6, 8}


def _safe_cells(search: Search, position: Position) -> set[int]:
    """The cells after which perfect play does not lose."""
    return {move.cell for move in GAME.moves(position) if holds(GAME.after(position, move), search.seat)}


def test_the_search_finds_an_order_where_there_is_one() -> None:
    """From a board on which any reply holds; so `safe` does not merely say no."""
    search = Search(1)
    assert search.extends(frozenset(["xoxxo...."]), frozenset(), {})


def test_the_competent_table_needs_each_of_its_rules() -> None:
    text = library.read(library.find("tic-tac-toe/competent", ".team"))
    lines = text.split("\n")
    rules = [number for number, line in enumerate(lines) if " return " in line and not line.startswith("#")]
    assert len(rules) == 5
    assert _verdicts(text) == {"proved"}
    for number in rules:
        rest = [*lines[:number], *lines[number + 1 :]]
        heading = lines[number - 1].endswith(":") and not lines[number + 1].strip()
        assert "refuted" in _verdicts("\n".join(rest if not heading else [*rest[: number - 1], *rest[number:]]))


def _verdicts(text: str) -> set[str]:
    """What `verify` says of a table in either seat."""
    team = Team(read_rulebook(Source("table", text), GAME))
    return {verify(team, GAME, seat).verdict for seat in (0, 1)}
