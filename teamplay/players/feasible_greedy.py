"""Feasible greedy at SOS: scores where it can, else redraws until the opponent can't (algorithms 1 and 2)."""

from dataclasses import dataclass

from teamplay.errors import BadSpec
from teamplay.game import Game, Move, Position
from teamplay.luck import Luck
from teamplay.players import _sos
from teamplay.players._choice import one_of, parse_reading

GAME = "sos"
MOST_DRAWS = 100_000


@dataclass(frozen=True)
class FeasibleGreedy:
    """Looks two moves ahead: at its own points, and whether the reply could score."""

    name: str
    game: Game
    limit: int  # how often it draws again
    blacklist: bool  # does it never draw again what was bad?
    take: _sos.Take
    letters: tuple[str, ...]  # that it draws from

    def moves(self, position: Position) -> list[Move]:
        """Every move that the procedure may end with."""
        if self.game.outcome(position):
            return []
        marks = position.marks
        if scored := _sos.scoring(self.game, marks):
            return _sos.taken(scored, self.take)
        drawable, feasible = self._level_two(marks)
        bad = len(drawable) - len(feasible)
        # Each of the 1 + limit draws may be bad; without a blacklist one bad move is enough for that.
        unlucky = bad > self.limit if self.blacklist else bad > 0
        return drawable if unlucky or not feasible else sorted(feasible, key=drawable.index)

    def choose(self, position: Position, luck: Luck) -> Move:
        """Algorithm 2: draw, look at the replies, and draw again."""
        marks = position.marks
        if self.game.outcome(position) or _sos.scoring(self.game, marks):
            return one_of(self.moves(position), luck)
        drawable, feasible = self._level_two(marks)
        left = list(drawable)
        for _ in range(1 + self.limit):
            move = luck.choice(left)
            if move in feasible:
                return move
            if self.blacklist:
                left.remove(move)
                if not left:  # the no option condition: one of the states at random
                    return luck.choice(drawable)
        return move

    def _level_two(self, marks: str) -> tuple[list[Move], set[Move]]:
        """What it draws from, and which of that leaves the reply nothing to score.

        Nobody could score before the move, so the reply can score only in a line through its cell.
        """
        drawable = _sos.blank_moves(marks, self.letters)
        return drawable, {move for move in drawable if not _sos.gifts(self.game, marks, move)}


def make(
    name: str, game: Game, limit: str = "cells", blacklist: bool = True, take: str = "first", letter: str = "either"
) -> FeasibleGreedy:
    """The player that a spec names: `feasible-greedy`, `feasible-greedy(limit=side,blacklist=false)`."""
    _sos.check_game("feasible-greedy", game)
    taking = parse_reading("take", take, _sos.TAKES)
    return FeasibleGreedy(name, game, _limit(limit, game), blacklist, taking, _sos.drawn_letters(letter))


def _limit(text: str, game: Game) -> int:
    """How often to draw again: the paper's `board size × 2` by cells or by the side of the board, or a number."""
    sizes = {"cells": game.grid.size, "side": max(game.grid.shape)}
    if text in sizes:
        return 2 * sizes[text]
    if not (text.isascii() and text.isdigit() and len(text) < 10 and int(text) <= MOST_DRAWS):
        raise BadSpec(f"`limit` is cells, side or a whole number up to {MOST_DRAWS:,}, not `{text[:40]}`.")
    return int(text)
