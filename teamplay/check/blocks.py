"""What a table measures in an agent's view, piece by piece: cells that no pattern joins are looked at apart.

All features (`n`, `size`, `count`, a mark in a cell) add up over the lines through the agent's cell. So it is enough to
know what each line can come to; the views of a whole agent are sums of these.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations_with_replacement, islice, product
from random import Random
from typing import NamedTuple, assert_never

import numpy as np
from numpy.typing import NDArray

from teamplay.game import Game
from teamplay.grid import Cell
from teamplay.language.features import (
    OFF,
    Arms,
    CellMark,
    Coordinate,
    CountFrom,
    Feature,
    MarkCount,
    OrderedCount,
    Step,
    StepMark,
    UnorderedCount,
    mark_number,
)
from teamplay.language.rulebook import Rulebook
from teamplay.team.view import BLANK, View

MOST_STATES = 3**10  # of one block
MOST_WORK = 2_000_000  # measurements in all blocks of one table, every feature in every state
SAMPLED, FEW = 2_000, 30  # states of a block that has more; and once all that work is done
MOST_PLAYED = 100_000  # cells of the boards of games by chance, from which whole views are taken
MOST_BOARDS = 200  # of them for one agent

# What an agent of Reversi sees whenever it is asked.
FLANKS = OrderedCount((Arms((Step("o", True), Step("x")), ()),))  # n(*o+x)


class BlockLayout(NamedTuple):
    """Where the cells of a block lie: steps from the agent along one axis; equal layouts measure alike."""

    cells: tuple[int, ...]
    lines: tuple[tuple[int, ...], ...]
    ahead: tuple[int, ...]
    behind: tuple[int, ...]
    tests: tuple[tuple[int, int], ...]  # the number of a feature and the step of the cell whose mark it is
    down: int  # on the axis along which pieces fall, the way they do: 1 or -1; else 0
    agent: int = -1  # whose whole view it is, where lines can't be looked at apart: its cells are numbered

    def mirrored(self) -> "BlockLayout":
        return BlockLayout(
            tuple(sorted(-at for at in self.cells)),
            tuple(sorted(tuple(sorted(-at for at in line)) for line in self.lines)),
            tuple(-at for at in self.behind),
            tuple(-at for at in self.ahead),
            tuple(sorted((feature, -at) for feature, at in self.tests)),
            -self.down,
        )


@dataclass(frozen=True)
class Block:
    """Some cells, all states of their marks, and what they add to every feature."""

    cells: tuple[Cell, ...]
    states: Sequence[str]
    counts: NDArray[np.int64]  # [states, features + 1]; the last column counts what can't be where the agent is asked
    whole: bool  # or are the states only a sample?
    layout: BlockLayout | int  # for cells that are only counted: how many they are

    @cached_property
    def fewest_first(self) -> NDArray[np.int64]:
        """The states in the order of how many marks they hold."""
        return np.argsort([len(state) - state.count(BLANK) for state in self.states], kind="stable")

    @cached_property
    def places(self) -> dict[str, int]:
        """By its marks, the number of a state."""
        return {state: place for place, state in enumerate(self.states)}

    def place(self, marks: Sequence[str]) -> int:
        """The number of the state with these marks on the whole board."""
        here = [marks[cell] for cell in self.cells]
        return self.places["".join(sorted(here) if isinstance(self.layout, int) else here)]


@dataclass
class Cutter:
    """Cuts the views of a table's agents into blocks, and remembers what it measured."""

    book: Rulebook
    features: tuple[Feature, ...]  # the rule book's, by their numbers, and perhaps more
    work: int = 0
    known: dict[BlockLayout | int, tuple[Sequence[str], NDArray[np.int64], bool]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.game: Game = self.book.game
        self.lines = self.tallies = self.joined = False
        ordered: list[OrderedCount] = []
        for feature in self.features:
            match feature:
                case UnorderedCount():
                    self.lines = True
                case OrderedCount():
                    ordered.append(feature)
                case CountFrom():
                    self.joined = True
                case MarkCount():
                    self.tallies = True
                case CellMark() | StepMark() | Coordinate():
                    pass
                case _:
                    assert_never(feature)
        rows = [arms for feature in ordered for arms in feature.alternatives]
        # A pattern read once a line beside one read both ways may tell a line from its mirror image.
        self.mirrors = all(feature.mirrors for feature in ordered)
        # A run may go on to the end.
        endless = any(arms.endless for arms in rows)
        self.arm: int | None = None if endless else max((arms.reach for arms in rows), default=0)

    def blocks(self, cell: Cell) -> list[Block]:
        """The view of one agent."""
        view = View(self.book, cell)
        if self.joined:
            return [self._joint(view)]
        tests = self.tests(cell)
        found: list[Block] = []
        used: set[Cell] = set()
        for axis, (ahead, behind) in zip(self.game.grid.axes, view.arms, strict=True):
            layout, cells = self._layout(view, ahead, behind, tests, self._down(axis))
            if cells:
                found.append(Block(cells, *self._measured(layout, cells, cell), layout))
                used |= set(cells)
        # What another role tests may lie out of this agent's sight.
        for tested in sorted((view.marks.keys() & tests.values()) - used):
            here = tuple((number, 1) for number, target in tests.items() if target == tested)
            alone = BlockLayout((1,), (), (), (), here, 0)
            found.append(Block((tested,), *self._measured(alone, (tested,), cell), alone))
            used.add(tested)
        rest = tuple(sorted(set(view.marks) - used)) if self.tallies else ()
        if rest:
            found.append(Block(rest, *self._counted(len(rest)), len(rest)))
        return found

    def tests(self, cell: Cell) -> dict[int, Cell | None]:
        """By the number of its feature, every cell whose mark this agent looks at; None off the board."""
        found: dict[int, Cell | None] = {}
        for number, feature in enumerate(self.features):
            match feature:
                case CellMark(tested):
                    found[number] = tested
                case StepMark(step):
                    found[number] = self.game.grid.beside(cell, step)
                case UnorderedCount() | OrderedCount() | CountFrom() | MarkCount() | Coordinate():
                    pass
                case _:
                    assert_never(feature)
        return found

    def own(self, cell: Cell) -> NDArray[np.int64]:
        """What an agent knows before it looks at anything, [features + 1]: where it is, and that its cell is blank."""
        return np.array([*(self._known_at(feature, cell) for feature in self.features), 0], dtype=np.int64)

    def _known_at(self, feature: Feature, cell: Cell) -> int:
        match feature:
            case StepMark(step):
                return OFF if self.game.grid.beside(cell, step) is None else 0
            case Coordinate(axis):
                return self.game.grid.coordinates(cell)[axis] + 1
            case UnorderedCount() | OrderedCount() | CountFrom() | MarkCount() | CellMark():
                return 0
        assert_never(feature)

    def _joint(self, view: View) -> Block:
        """The whole view of one agent: what is counted from another cell joins lines that lie apart otherwise."""
        cells, size = tuple(view.marks), len(view.marks)
        places = {cell: place for place, cell in enumerate(cells)}
        tests = tuple((number, places[at]) for number, at in self.tests(view.cell).items() if at in places)
        layout = BlockLayout(tuple(range(size)), (), (), (), tests, 0, agent=view.cell)
        whole = len(self.game.visible_marks) ** size <= MOST_STATES
        boards = [] if whole else self._played[view.cell]
        met = {"".join([board[cell] for cell in cells]) for board in boards}
        states = self._states(size)[0] if whole else sorted({BLANK * size, *met})
        counts = [
            [*self._counts(layout, state, cells, view)[:-1], int(not whole and state not in met)] for state in states
        ]
        return Block(cells, states, np.array(counts, dtype=np.int64).reshape(len(states), -1), whole, layout)

    @cached_property
    def _played(self) -> list[list[str]]:
        """For every cell some boards of games by chance in which it may be played, as the agents see them."""
        found: list[list[str]] = [[] for _ in self.game.grid.cells]
        chance, moves = Random(1), MOST_PLAYED // self.game.grid.size
        while moves > 0:
            position = self.game.start
            while not self.game.outcome(position) and moves > 0:
                options, shown = self.game.moves(position), self.game.seen(position)
                for cell in {move.cell for move in options}:
                    if len(found[cell]) < MOST_BOARDS:
                        found[cell].append(shown)
                position = self.game.after(position, chance.choice(options))
                moves -= 1
        return found

    def _down(self, axis: tuple[int, ...]) -> int:
        if self.game.placement != "drop" or any(axis[:-2]) or axis[-1]:
            return 0
        return axis[-2]

    def _layout(
        self, view: View, ahead: tuple[Cell, ...], behind: tuple[Cell, ...], tests: dict[int, Cell | None], down: int
    ) -> tuple[BlockLayout, tuple[Cell, ...]]:
        """The cells of one axis that matter, seen from the agent."""
        steps = {cell: step for step, cell in enumerate(ahead, 1)}
        steps |= {cell: -step for step, cell in enumerate(behind, 1)}
        lines = [line for line in view.lines if self.lines and steps.keys() >= set(line)]
        arm = None if down else self.arm  # below and above there is more to know where pieces fall
        near = {cell for way in (ahead, behind) for cell in way[:arm]}
        near |= {cell for line in lines for cell in line} | {cell for cell in tests.values() if cell in steps}
        layout = BlockLayout(
            tuple(sorted(steps[cell] for cell in near)),
            tuple(sorted(tuple(sorted(steps[cell] for cell in line)) for line in lines)),
            tuple(steps[cell] for cell in ahead if cell in near),
            tuple(steps[cell] for cell in behind if cell in near),
            tuple(sorted((number, steps[cell]) for number, cell in tests.items() if cell in near and cell is not None)),
            down,
        )
        if self.mirrors and layout.mirrored() < layout:
            layout, steps = layout.mirrored(), {cell: -step for cell, step in steps.items()}
        at = {step: cell for cell, step in steps.items()}
        return layout, tuple(at[step] for step in layout.cells)

    def _measured(
        self, layout: BlockLayout, cells: tuple[Cell, ...], agent: Cell
    ) -> tuple[Sequence[str], NDArray[np.int64], bool]:
        """All states of a block, or some of too many, with what each comes to.

        Patterns are measured once for all layouts that differ in what is tested; a test looks at one mark of a state.
        """
        if layout not in self.known and layout.tests:
            states, untested, whole = self._measured(layout._replace(tests=()), cells, agent)
            tested = untested.copy()
            for number, step in layout.tests:
                place = layout.cells.index(step)
                tested[:, number] = [mark_number(self.game, state[place]) for state in states]
            self.known[layout] = states, tested, whole
        if layout not in self.known:
            at = dict(zip(layout.cells, cells, strict=True))
            states, whole = self._states(len(cells))
            view = View(self.book, agent)  # the agent's own, narrowed to this block
            view.lines = [tuple(at[step] for step in line) for line in layout.lines]
            view.arms = [(tuple(at[step] for step in layout.ahead), tuple(at[step] for step in layout.behind))]
            counts = [self._counts(layout, state, cells, view) for state in states]
            self.known[layout] = states, np.array(counts, dtype=np.int64).reshape(len(states), -1), whole
        return self.known[layout]

    def _states(self, size: int) -> tuple[Sequence[str], bool]:
        marks, features = self.game.visible_marks, len(self.features) + 1
        number = len(marks) ** size
        if number <= MOST_STATES and number * features <= MOST_WORK - self.work:
            self.work += number * features
            return ["".join(state) for state in product(marks, repeat=size)], True
        chance, sample = Random(size), SAMPLED if SAMPLED * features <= MOST_WORK - self.work else FEW
        self.work += sample * features
        weights = ([1.0] * (len(marks) - 1) + [blanks] for blanks in (1.0, 4.0, 16.0))
        drawn = ["".join(chance.choices(marks, weight, k=size)) for weight in weights for _ in range(sample // 3)]
        return list(dict.fromkeys([BLANK * size, *drawn])), False

    def _counts(self, layout: BlockLayout, state: str, cells: tuple[Cell, ...], view: View) -> list[int]:
        for cell, mark in zip(cells, state, strict=True):
            if view.marks[cell] != mark:  # most states differ from the one before in a cell or two
                view.notice(cell, mark)
        at = dict(zip(layout.cells, state, strict=True))
        tests = dict(layout.tests)
        found = []
        for number, feature in enumerate(self.features):
            match feature:
                case UnorderedCount() | OrderedCount() | CountFrom():
                    found.append(view.measure(feature))
                case MarkCount(mark):
                    found.append(state.count(mark))
                case CellMark() | StepMark():
                    found.append(mark_number(self.game, at[tests[number]]) if number in tests else 0)
                case Coordinate():
                    found.append(0)
                case _:
                    assert_never(feature)
        return [*found, self._impossible(layout, at)]

    def _impossible(self, layout: BlockLayout, at: dict[int, str]) -> int:
        """Whether no agent is asked where its line looks so: the game is over, or pieces hang in the air."""
        if layout.down:
            return any((mark == BLANK) == (step * layout.down > 0) for step, mark in at.items())
        goal = self.game.goal
        if goal.effect == "scores" or not goal.length:
            return 0
        for start in at:
            run = "".join(at.get(start + i, " ") for i in range(goal.length))
            if run in (goal.word, goal.word[::-1]) if goal.word else run[0] != BLANK and len(set(run)) == 1:
                return 1
        return 0

    def _counted(self, size: int) -> tuple[Sequence[str], NDArray[np.int64], bool]:
        """Cells that are only counted, in any order."""
        if size not in self.known:
            drawn = combinations_with_replacement(sorted(self.game.visible_marks), size)
            states = ["".join(state) for state in islice(drawn, MOST_STATES + 1)]
            tallied = [feature.mark if isinstance(feature, MarkCount) else None for feature in self.features]
            counts = [[*(state.count(mark) if mark else 0 for mark in tallied), 0] for state in states]
            self.known[size] = states, np.array(counts, dtype=np.int64), len(states) <= MOST_STATES
        return self.known[size]
