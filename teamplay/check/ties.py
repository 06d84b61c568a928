"""Ties that change the result: two moves that are equally urgent for a team, one of which is worse than the other."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from teamplay.game import BLANK, Game, Move, Position
from teamplay.language.diagnostics import Span
from teamplay.language.rulebook import BoundRule, Rulebook
from teamplay.luck import Luck
from teamplay.proof.oracle import Recursion, TooLarge, value_for
from teamplay.proof.walk import Walk
from teamplay.team import Team

MOST_CELLS = 9  # of a board on which everything that the team can meet is looked at
MOST_RULES = 200  # of a table whose team plays games
MOST_MET = 40_000  # positions, for one seat
MOST_SAMPLED_CELLS = 64  # of a board on which some games are played
GAMES = 6  # for each seat
ENDGAME = 6  # blanks that are left when ties begin to be judged; half with letters


@dataclass(frozen=True)
class Tie:
    """A position in which the choice among ties decides the result."""

    position: Position
    values: tuple[tuple[Move, int], ...]  # 1, 0, -1 for the team
    rule: BoundRule | None  # the one that answered in the worst cell; None if that was silent


@dataclass(frozen=True)
class Ties:
    """The worst tie of every rule, that with the fewest marks, and what was looked at."""

    found: tuple[Tie, ...]
    exact: bool
    basis: str  # where ties were looked for


def ties(book: Rulebook) -> Ties | None:
    """The ties of a table's team; None where the board or the table is too large for any."""
    game = book.game
    if game.grid.size > MOST_SAMPLED_CELLS or sum(len(rules) for _, rules in book.sections) > MOST_RULES:
        return None
    team = Team(book, only_affected=True)
    if game.grid.size <= MOST_CELLS:
        met = _met(team, game)
        if met is not None:
            return Ties(_worst(team, met), True, "every position that the team can meet, in either seat")
    left = ENDGAME // 2 if game.shared else ENDGAME
    basis = f"the last {left} moves of {2 * GAMES} games against random moves"
    return Ties(_worst(team, _endgames(team, game, left)), False, basis)


def _met(team: Team, game: Game) -> list[Position] | None:
    """All positions that the team can meet, in either seat."""
    found: list[Position] = []
    for seat in (0, 1):
        walk = Walk(team, game, seat)
        while walk.open:
            walk.grow(lambda: True)
            if len(walk.parents) > MOST_MET:
                return None
        found += walk.met()
    return found


def _endgames(team: Team, game: Game, left: int) -> Iterator[Position]:
    """Positions with few blanks that the team meets against somebody who plays at random."""
    for number in range(2 * GAMES):
        luck, position = Luck(number), game.start
        while moves := game.moves(position):
            mine = position.seat == number % 2
            if mine and position.marks.count(BLANK) <= left:
                yield position
            position = game.after(position, team.choose(position, luck) if mine else luck.choice(moves))


def _worst(team: Team, positions: Iterable[Position]) -> tuple[Tie, ...]:
    """For every rule the first tie in which it answered for the worst move."""
    oracle = Recursion(team.game)
    found: dict[Span | None, Tie] = {}
    for position in sorted(positions, key=lambda position: -position.marks.count(BLANK)):
        moves = team.moves(position)
        if len(moves) < 2:
            continue
        try:
            values = [value_for(oracle, team.game.after(position, move), position.seat) for move in moves]
        except TooLarge:
            continue
        if len(set(values)) > 1:
            rule = _answering(team, position, moves[values.index(min(values))])
            found.setdefault(rule.span if rule else None, Tie(position, tuple(zip(moves, values, strict=True)), rule))
    return tuple(found.values())


def _answering(team: Team, position: Position, move: Move) -> BoundRule | None:
    """The rule by which a cell might make a move here."""
    tried = team.trace(position, move.cell, Luck(0))
    return tried[-1].rule if tried and tried[-1].fired else None
