"""How does a team play with less than all answers? Some are lost, some areas don't ask others, some are forgotten."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from teamplay.engine.arrays import seen_by
from teamplay.engine.live import LiveBoard
from teamplay.engine.program import TAKEN
from teamplay.errors import BadSpec
from teamplay.game import BLANK, Move, Position
from teamplay.language.rulebook import Rulebook
from teamplay.live.area import even_part
from teamplay.luck import Luck


class WeakenedTeam:
    """A team on the compiled board that loses answers; with nothing lost it plays as the team itself."""

    def __init__(self, book: Rulebook, lost: float = 0.0, areas: int = 1, memory: int | None = None) -> None:
        """A share of answers is `lost`; one of several `areas` decides, in turn; answers hold for `memory` rounds."""
        if book.game.placement != "anywhere":
            raise BadSpec(f"{book.game} allows not every blank cell; take a game that does.")
        self.book, self.game, self.name = book, book.game, f"{book.name} weakened"
        self.lost, self.areas, self.memory = lost, areas, memory
        self.board = LiveBoard(book)
        self._round = 0
        self._seen = np.zeros(self.game.grid.size, dtype=np.int64)  # when each agent saw a change last
        self._marks = 0

    def choose(self, position: Position, luck: Luck) -> Move:
        """The most urgent of the answers that arrive; the lowest blank cell if none does."""
        self._meet(position)
        said = self.board.live.state.said[0, : self.game.grid.size]
        priorities = np.where(self._arriving(luck), said, TAKEN)
        best = int(priorities.min())
        if best == TAKEN:
            return Move(position.marks.index(BLANK), self.game.own_mark(position.seat) or self.game.marks[0])
        cells = np.flatnonzero(priorities == best).tolist()
        return luck.choice([move for cell in cells for move in self.board.moves_of(cell, position.seat)])

    def _meet(self, position: Position) -> None:
        """Take over the position; agents that see a change wake up, at the start of a game all."""
        seen = seen_by(self.game, position)
        self._round += 1
        marks = int(np.count_nonzero(seen))
        changed = np.flatnonzero(seen != self.board.live.state.board).tolist()
        for cell in changed:
            self.board.put(cell, int(seen[cell]))
            self._seen[[cell, *self.book.sight(cell)]] = self._round
        if marks <= max(self._marks - 1, 1):
            self._seen[:] = self._round
        self._marks = marks

    def _arriving(self, luck: Luck) -> NDArray[np.bool_]:
        size = self.game.grid.size
        arrives = np.ones(size, dtype=np.bool_)
        if self.memory is not None:
            arrives &= self._round - self._seen <= self.memory
        if self.areas > 1:
            arrives &= self._deciding()
        if self.lost:
            generator: Any = np.random.default_rng(luck.getrandbits(63))
            arrives &= generator.random(size) >= self.lost
        return arrives

    def _deciding(self) -> NDArray[np.bool_]:
        """The next area that has a blank cell."""
        size = self.game.grid.size
        mask = np.zeros(size, dtype=np.bool_)
        for step in range(self.areas):
            part = even_part(size, (self._round + step) % self.areas, self.areas)
            if (self.board.live.state.board[part] == 0).any():
                mask[part] = True
                break
        return mask
