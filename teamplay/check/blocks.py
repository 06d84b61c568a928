"""What a table measures in an agent's view, piece by piece: cells that no pattern joins are looked at apart.

All that a table measures (`n`, `size`, `count`, a mark in a cell) adds up over the lines through the agent's cell. So
it is enough to know what each line can come to; the views of a whole agent are sums of these.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations_with_replacement, islice, product
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from teamplay.game import Game
from teamplay.grid import Cell
from teamplay.language.rulebook import BoundRule, Rulebook
from teamplay.language.tree import (
    Arithmetic,
    Arms,
    CellTest,
    Comparison,
    Counted,
    Expression,
    Logic,
    Negative,
    Not,
    Ordered,
    Step,
    Tally,
)
from teamplay.team.view import BLANK, View

Atom = Counted | Tally | CellTest  # something that is measured; of a cell, whether it holds the mark
MOST_STATES = 3**10  # of one block
MOST_WORK = 2_000_000  # measurements in all blocks of one table, every atom in every state
SAMPLED, FEW = 2_000, 30  # states of a block that has more; and once all that work is done

# What an agent of Reversi sees whenever it is asked.
FLANKS = Counted("n", Ordered((Arms((Step("o", True), Step("x")), ()),)), "n(*o+x)")


def parts(node: Expression | None) -> Iterator[Expression]:
    """An expression and all that it is made of."""
    if node is None:
        return
    yield node
    match node:
        case Negative(inner) | Not(inner):
            yield from parts(inner)
        case Arithmetic(_, left, right) | Comparison(_, left, right) | Logic(_, left, right):
            yield from parts(left)
            yield from parts(right)


def atoms(node: Expression | None) -> Iterator[Atom]:
    """Everything that an expression measures."""
    for part in parts(node):
        if isinstance(part, Counted | Tally):
            yield part
        elif isinstance(part, CellTest):
            yield replace(part, equal=True)


def measured_by(rules: Sequence[BoundRule]) -> tuple[Atom, ...]:
    """Everything that some rules measure, each once."""
    nodes = [node for rule in rules for node in (rule.condition, rule.priority)]
    return tuple(dict.fromkeys(atom for node in nodes for atom in atoms(node)))


class Layout(NamedTuple):
    """Where the cells of a block lie: steps from the agent along one axis; equal layouts measure alike."""

    cells: tuple[int, ...]
    lines: tuple[tuple[int, ...], ...]
    ahead: tuple[int, ...]
    behind: tuple[int, ...]
    tests: tuple[tuple[int, int], ...]  # the number of an atom and the step of the cell that it tests
    down: int  # on the axis along which pieces fall, the way they do: 1 or -1; else 0

    def mirrored(self) -> "Layout":
        return Layout(
            tuple(sorted(-at for at in self.cells)),
            tuple(sorted(tuple(sorted(-at for at in line)) for line in self.lines)),
            tuple(-at for at in self.behind),
            tuple(-at for at in self.ahead),
            tuple(sorted((atom, -at) for atom, at in self.tests)),
            -self.down,
        )


@dataclass(frozen=True)
class Block:
    """Some cells, all states of their marks, and what the atoms come to in each."""

    cells: tuple[Cell, ...]
    states: Sequence[str]
    counts: NDArray[np.int64]  # [states, atoms + 1]; the last column counts what can't be where the agent is asked
    whole: bool  # or are the states only a sample?
    layout: Layout | int  # for cells that are only counted: how many they are

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
    atoms: tuple[Atom, ...]
    work: int = 0
    known: dict[Layout | int, tuple[Sequence[str], NDArray[np.int64], bool]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.game: Game = self.book.game
        shapes = [atom.shape for atom in self.atoms if isinstance(atom, Counted)]
        ordered = [arms for shape in shapes if isinstance(shape, Ordered) for arms in shape.alternatives]
        # A pattern read once a line beside one read both ways may tell a line from its mirror image.
        self.mirrors = all(shape.mirrors for shape in shapes if isinstance(shape, Ordered))
        self.lines = len(shapes) > sum(isinstance(shape, Ordered) for shape in shapes)
        self.arm: int | None = max((max(len(arms.ahead), len(arms.behind)) for arms in ordered), default=0)
        if any(step.plus for arms in ordered for step in (*arms.ahead, *arms.behind)):
            self.arm = None  # a run may go on to the end
        self.tallies = any(isinstance(atom, Tally) for atom in self.atoms)

    def blocks(self, cell: Cell) -> list[Block]:
        """The view of one agent."""
        view = View(self.book, cell)
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
            alone = Layout((1,), (), (), (), here, 0)
            found.append(Block((tested,), *self._measured(alone, (tested,), cell), alone))
            used.add(tested)
        rest = tuple(sorted(set(view.marks) - used)) if self.tallies else ()
        if rest:
            found.append(Block(rest, *self._counted(len(rest)), len(rest)))
        return found

    def tests(self, cell: Cell) -> dict[int, Cell | None]:
        """By the number of its atom, every cell that this agent tests; None off the board."""
        grid, found = self.game.grid, {}
        for number, atom in enumerate(self.atoms):
            if isinstance(atom, CellTest):
                found[number] = atom.place if isinstance(atom.place, int) else None
                if not isinstance(atom.place, int):
                    at = [here + step for here, step in zip(grid.coordinates(cell), atom.place, strict=True)]
                    found[number] = grid.cell(at) if grid.contains(at) else None
        return found

    def _down(self, axis: tuple[int, ...]) -> int:
        if self.game.placement != "drop" or any(axis[:-2]) or axis[-1]:
            return 0
        return axis[-2]

    def _layout(
        self, view: View, ahead: tuple[Cell, ...], behind: tuple[Cell, ...], tests: dict[int, Cell | None], down: int
    ) -> tuple[Layout, tuple[Cell, ...]]:
        """The cells of one axis that matter, seen from the agent."""
        steps = {cell: step for step, cell in enumerate(ahead, 1)}
        steps |= {cell: -step for step, cell in enumerate(behind, 1)}
        lines = [line for line in view.lines if self.lines and steps.keys() >= set(line)]
        arm = None if down else self.arm  # below and above there is more to know where pieces fall
        near = {cell for way in (ahead, behind) for cell in way[:arm]}
        near |= {cell for line in lines for cell in line} | {cell for cell in tests.values() if cell in steps}
        layout = Layout(
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
        self, layout: Layout, cells: tuple[Cell, ...], agent: Cell
    ) -> tuple[Sequence[str], NDArray[np.int64], bool]:
        """All states of a block, or some of too many, with what each comes to."""
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
        marks, atoms = self.game.visible_marks, len(self.atoms) + 1
        number = len(marks) ** size
        if number <= MOST_STATES and number * atoms <= MOST_WORK - self.work:
            self.work += number * atoms
            return ["".join(state) for state in product(marks, repeat=size)], True
        chance, sample = Random(size), SAMPLED if SAMPLED * atoms <= MOST_WORK - self.work else FEW
        self.work += sample * atoms
        weights = ([1.0] * (len(marks) - 1) + [blanks] for blanks in (1.0, 4.0, 16.0))
        drawn = ["".join(chance.choices(marks, weight, k=size)) for weight in weights for _ in range(sample // 3)]
        return list(dict.fromkeys([BLANK * size, *drawn])), False

    def _counts(self, layout: Layout, state: str, cells: tuple[Cell, ...], view: View) -> list[int]:
        for cell, mark in zip(cells, state, strict=True):
            view.notice(cell, mark)
        at = dict(zip(layout.cells, state, strict=True))
        tests = dict(layout.tests)
        found = []
        for number, atom in enumerate(self.atoms):
            match atom:
                case Counted(kind, shape):
                    matches = view.matches(shape)
                    found.append(sum(matches) if kind == "size" else len(matches))
                case Tally(mark):
                    found.append(state.count(mark))
                case CellTest(_, _, mark):
                    found.append(number in tests and at[tests[number]] == mark)
        return [*found, self._impossible(layout, at)]

    def _impossible(self, layout: Layout, at: dict[int, str]) -> int:
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
            counts = [
                [*(state.count(atom.mark) if isinstance(atom, Tally) else 0 for atom in self.atoms), 0]
                for state in states
            ]
            self.known[size] = states, np.array(counts, dtype=np.int64), len(states) <= MOST_STATES
        return self.known[size]
