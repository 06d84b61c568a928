"""Features, conditions and answers in words, as an agent would say them: `x` is mine and `o` theirs."""

from dataclasses import dataclass
from itertools import groupby
from typing import assert_never

from teamplay.language.expressions import Binary, BoundExpression, Constant, Reading, Unary, format_bound
from teamplay.language.features import (
    COORDINATES,
    Arms,
    CellMark,
    Coordinate,
    Counted,
    CountFrom,
    MarkCount,
    OrderedCount,
    Step,
    StepMark,
    UnorderedCount,
)
from teamplay.language.formatter import format_expression
from teamplay.language.rulebook import BoundRule, Rulebook
from teamplay.language.tree import Rule

MINE = "my cell"
OWNERS = {"x": "mine", "o": "theirs"}
ONE = {"b": "a blank", "?": "any mark"}
MANY = {"b": "blanks", "?": "any marks"}
AMOUNTS = {">=": "at least", "<=": "at most", "=": "exactly", "!=": "not exactly", "<": "fewer than", ">": "more than"}
RELATIONS = {">=": "at least ", "<=": "at most ", "=": "", "!=": "not ", "<": "less than ", ">": "more than "}
STEPS = (("layer", "down", "up"), ("row", "down", "up"), ("column", "right", "left"))  # forwards, and backwards
VALUES = {
    "k": "the length of a line",
    "row": "the row of my cell, from 1 at the top",
    "col": "the column of my cell, from 1 at the left",
    "layer": "the layer of my cell, from 1",
    "rows": "how many rows the board has",
    "cols": "how many columns the board has",
    "layers": "how many layers the board has",
    "center": "the cell in the middle of the board",
}


@dataclass(frozen=True)
class Wording:
    """The rules of one rule book in words."""

    book: Rulebook

    def rule(self, written: Rule, bound: BoundRule | None) -> str:
        """What a rule does where it is read; a rule that means nothing in this game is quoted."""
        said = f"answers `{format_expression(written.priority)}`"
        if written.letters:
            said += f" and plays {' or '.join(letter.text for letter in written.letters)}"
        said += f" with a chance of {written.chance}%" if written.chance is not None else ""
        if written.condition is None:
            return said
        condition = self.condition(bound.condition) if bound and bound.condition else ""
        return f"{said} if {condition or f'`{format_expression(written.condition)}`'}"

    def condition(self, node: BoundExpression, within: str = "") -> str:
        """When a condition holds."""
        match node:
            case Binary("and" | "or" as word, left, right):
                said = f"{self.condition(left, word)}, {word} {self.condition(right, word)}"
                return f"({said})" if within not in ("", word) else said
            case Binary(sign, left, right):
                return self._comparison(sign, left, right)
            case Unary(_, inner):
                return f"not ({self.condition(inner)})"
            case Constant() | Reading():
                return f"`{format_bound(node)}`"
        assert_never(node)

    def reading(self, node: Reading) -> str:
        """What a number, or the mark of a cell, is."""
        feature = self.book.features[node.feature]
        match feature:
            case UnorderedCount() | OrderedCount():
                return self._counted(feature, MINE)
            case CountFrom(count, step):
                return f"{self._counted(count, _beside(step))}, {_after(feature)}"
            case MarkCount(mark):
                return f"the cells in my sight that are {_held(mark)}, my own left out"
            case CellMark() | StepMark():
                return self._place(feature, node)
            case Coordinate(axis):
                return VALUES[COORDINATES[axis]]
        assert_never(feature)

    def _counted(self, count: Counted, home: str) -> str:
        """What a pattern counts around a cell."""
        match count:
            case UnorderedCount():
                length = f" of {self.book.game.k} cells" if self.book.game.k else ""
                rows = self._unordered(count)
                return f"the lines{length} through {home} whose other cells hold {rows}, in any order"
            case OrderedCount(_, sums):
                rows, thing = self._ordered(count, home)
                if sums:
                    return f"the cells of the runs, in every {thing} with {rows}"
                return f"the {thing}s {_where(thing)} {home} with {rows}"
        assert_never(count)

    def _comparison(self, sign: str, left: BoundExpression, right: BoundExpression) -> str:
        plain = f"`{format_bound(left)}` is {RELATIONS[sign]}`{format_bound(right)}`"
        if not isinstance(left, Reading):
            return plain
        feature = self.book.features[left.feature]
        amount, one = _amount(sign, right)
        match feature:
            case UnorderedCount() | OrderedCount():
                return self._amounts(feature, MINE, amount, one)
            case CountFrom(count, step):
                return f"{_after(feature)}, {self._amounts(count, _beside(step), amount, one)}"
            case MarkCount(mark):
                return f"{amount} {'cell' if one else 'cells'} in my sight {'is' if one else 'are'} {_held(mark)}"
            case CellMark() | StepMark():
                return f"{self._place(feature, left)} is {'' if sign == '=' else 'not '}{_held(format_bound(right))}"
            case Coordinate():
                return plain
        assert_never(feature)

    def _amounts(self, count: Counted, home: str, amount: str, one: bool) -> str:
        """How many of its lines, directions or cells a pattern is asked for."""
        match count:
            case UnorderedCount():
                rows = self._unordered(count)
                return f"{amount} {'line' if one else 'lines'} through {home} {'has' if one else 'have'} {rows}"
            case OrderedCount(_, sums):
                rows, thing = self._ordered(count, home)
                if sums:
                    return f"the runs hold {amount} {'cell' if one else 'cells'} together, in every {thing} with {rows}"
                things = thing if one else f"{thing}s"
                return f"{amount} {things} {_where(thing)} {home} {'has' if one else 'have'} {rows}"
        assert_never(count)

    def _place(self, feature: CellMark | StepMark, node: Reading) -> str:
        """Which cell is meant."""
        match feature:
            case StepMark(step):
                return _beside(step)
            case CellMark(cell):
                return "the center" if cell == self.book.game.grid.center else f"`{node.text}`"
        assert_never(feature)

    def _unordered(self, count: UnorderedCount) -> str:
        """`2 of mine and 1 blank, or 3 blanks`; what is not named is of any kind."""
        rows = []
        for needs in count.alternatives:
            left = (self.book.game.k or 1) - 1 - sum(times for _, times in needs)
            named = sorted(needs, key=lambda need: self.book.game.visible_marks.index(need[0]))
            rows.append(" and ".join(_some(times, mark) for mark, times in [*named, *([("?", left)] if left else [])]))
        return ", or ".join(row or "nothing" for row in rows)

    def _ordered(self, count: OrderedCount, home: str) -> tuple[str, str]:
        """The alternatives of a pattern, and what it counts: lines or directions."""
        rows = ", or ".join(_row(arms, home) for arms in count.alternatives)
        return rows, "line" if all(arms.palindrome for arms in count.alternatives) else "direction"


def _beside(step: tuple[int, ...]) -> str:
    """`the cell 1 row up`."""
    said = [
        f"{abs(by)} {axis if abs(by) == 1 else f'{axis}s'} {forwards if by > 0 else backwards}"
        for by, (axis, forwards, backwards) in zip(step, STEPS[-len(step) :], strict=True)
        if by
    ]
    return f"the cell {' and '.join(said)}" if said else "my own cell"


def _where(thing: str) -> str:
    return "through" if thing == "line" else "from"


def _amount(sign: str, number: BoundExpression) -> tuple[str, bool]:
    """`at least 2`, and whether one thing is spoken of."""
    none = (sign, number) in (("=", Constant(0)), ("<", Constant(1)), ("<=", Constant(0)))
    many = format_bound(number) if isinstance(number, Constant) else f"`{format_bound(number)}`"
    return "no" if none else f"{AMOUNTS[sign]} {many}", none or number == Constant(1)


def _row(arms: Arms, home: str) -> str:
    """`my cell, a whole run of theirs, one of mine in this order`."""
    behind, ahead = _walk(arms.behind[::-1]), _walk(arms.ahead)
    return f"{', '.join([*behind, home, *ahead])} in this order"


def _after(count: CountFrom) -> str:
    """When another cell is looked from: after the move of the agent's own."""
    return f"once my cell is {_held(count.mark)}"


def _walk(steps: tuple[Step, ...]) -> list[str]:
    """The cells of one arm, equal neighbours together."""
    said = []
    for step, group in groupby(steps):
        times, mark = len(list(group)), step.mark
        owner = f"of {OWNERS[mark]}" if mark in OWNERS else ""
        if step.plus:
            said += [f"a whole run {owner or f'of {MANY.get(mark, mark)}'}"] * times
        elif times == 1:
            said.append(f"one {owner}" if owner else ONE.get(mark, mark))
        else:
            said.append(_some(times, mark))
    return said


def _some(times: int, mark: str) -> str:
    if mark == "b":
        return f"{times} {'blank' if times == 1 else 'blanks'}"
    return f"{times} of {OWNERS[mark]}" if mark in OWNERS else f"{times} {'of any kind' if mark == '?' else mark}"


def _held(mark: str) -> str:
    return OWNERS.get(mark) or ("blank" if mark == "b" else mark)
