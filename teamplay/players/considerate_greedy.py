"""Considerate greedy at SOS: feasible greedy that also thinks when every move gives points away.

The paper leaves this no option condition to future work. Here the least harmful move is made: the one after which, when
all that can be scored at once has been scored, the opponent is ahead by least. Near the end it searches to the end.
"""

from dataclasses import dataclass, field

from teamplay.errors import BadSpec
from teamplay.game import BLANK, Game, Move, Position
from teamplay.luck import Luck
from teamplay.players import _sos
from teamplay.players._choice import one_of

GAME = "sos"
MOST_BLANKS = 10  # 3 ** 10 boards are searched in some seconds
MOST_KNOWN = 200_000  # boards whose value is remembered from move to move


@dataclass(frozen=True)
class ConsiderateGreedy:
    """Looks as far as points can be taken one after the other, and in the endgame as far as there is."""

    name: str
    game: Game
    endgame: int  # with N blanks left it searches to the end
    _known: dict[str, int] = field(default_factory=dict, repr=False, compare=False)  # by board, the points ahead

    def moves(self, position: Position) -> list[Move]:
        """Every move that is as good as any, as far as it looks."""
        if self.game.outcome(position):
            return []
        marks = position.marks
        if marks.count(BLANK) <= self.endgame:
            if len(self._known) > MOST_KNOWN:
                self._known.clear()
            return _best({move: self._worth(marks, move) for move in _sos.blank_moves(marks)})
        scored = _sos.scoring(self.game, marks)
        every = _sos.blank_moves(marks)
        if scored and (self.game.again or self._ends):  # then nothing is better than to score
            every = list(scored)
        elif not scored and (feasible := [move for move in every if not _sos.gifts(self.game, marks, move)]):
            return feasible
        return _best({move: self._settled(marks, move) for move in every})

    def choose(self, position: Position, luck: Luck) -> Move:
        return one_of(self.moves(position), luck)

    @property
    def _ends(self) -> bool:
        """Whether the first SOS ends the game."""
        return self.game.goal.effect == "wins"

    def _settled(self, marks: str, move: Move) -> int:
        """The points ahead after a move, once both have taken the most they can in turn and nothing is left to take."""
        ahead, mine = 0, 1
        scored = {move: _sos.points(self.game, marks, move)}
        while scored:
            move = max(scored, key=scored.__getitem__)
            ahead += mine * scored[move]
            if self._ends and ahead:
                break
            if not (self.game.again and scored[move]):
                mine = -mine
            marks = _placed(marks, move)
            scored = _sos.scoring(self.game, marks)
        return ahead

    def _worth(self, marks: str, move: Move) -> int:
        """The points ahead after a move if both play on as well as they can."""
        gained = _sos.points(self.game, marks, move)
        if self._ends and gained:
            return 1
        after = _placed(marks, move)
        if after not in self._known:
            replies = (self._worth(after, reply) for reply in _sos.blank_moves(after))
            self._known[after] = max(replies, default=0)
        known = self._known[after]
        return gained + known if self.game.again and gained else gained - known


def _placed(marks: str, move: Move) -> str:
    return f"{marks[: move.cell]}{move.mark}{marks[move.cell + 1 :]}"


def _best(values: dict[Move, int]) -> list[Move]:
    most = max(values.values())
    return [move for move, value in values.items() if value == most]


def make(name: str, game: Game, endgame: int = 6) -> ConsiderateGreedy:
    """The player that a spec names: `considerate-greedy`, `considerate-greedy(endgame=0)`."""
    _sos.check_game("considerate-greedy", game)
    if not 0 <= endgame <= MOST_BLANKS:
        raise BadSpec(f"`endgame` is a number of blanks from 0 to {MOST_BLANKS}, not {endgame}.")
    return ConsiderateGreedy(name, game, endgame)
