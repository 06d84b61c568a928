"""Patterns, conditions and answers in words, from the tree as it is written, even of a table that does not bind.

`x` is mine and `o` theirs, as an agent would say.
"""

from dataclasses import dataclass, field

from teamplay.language.formatter import format_expression
from teamplay.language.places import is_place
from teamplay.language.tree import (
    Arithmetic,
    Comparison,
    Count,
    Expression,
    Let,
    Logic,
    Name,
    Negative,
    Not,
    Number,
    Pattern,
    Piece,
    Place,
    Rule,
    Tally,
)

OWNERS = {"x": "mine", "o": "theirs"}
ONE = {"*": "my cell", "b": "a blank", "?": "any mark"}
MANY = {"b": "blanks", "?": "any marks"}
AMOUNTS = {">=": "at least", "<=": "at most", "=": "exactly", "!=": "not exactly", "<": "fewer than", ">": "more than"}
RELATIONS = {">=": "at least ", "<=": "at most ", "=": "", "!=": "not ", "<": "less than ", ">": "more than "}
STEPS = (("layer", "down", "up"), ("row", "down", "up"), ("column", "right", "left"))  # forwards, and backwards


@dataclass(frozen=True)
class Wording:
    """What is known of a table when its rules are put into words: the names from `let`, and the length of a line."""

    lets: dict[str, Let] = field(default_factory=dict)
    k: int | None = None

    def rule(self, rule: Rule) -> str:
        """What a rule does where it is read.

        >>> Wording().rule(Rule(Number(2), Comparison(">=", Tally("o"), Number(3)), chance=25))
        'answers `2` with a chance of 25% if at least 3 cells in my sight are theirs'
        """
        said = f"answers `{format_expression(rule.priority)}`"
        if rule.letters:
            said += f" and plays {' or '.join(letter.text for letter in rule.letters)}"
        said += f" with a chance of {rule.chance}%" if rule.chance is not None else ""
        return said + (f" if {self.condition(rule.condition)}" if rule.condition else "")

    def condition(self, node: Expression, within: str = "") -> str:
        """When a condition holds."""
        match node:
            case Logic(word, left, right):
                joint = f", {word} "
                said = f"{self.condition(left, word)}{joint}{self.condition(right, word)}"
                return f"({said})" if within not in ("", word) else said
            case Not(inner):
                return f"not ({self.condition(inner)})"
            case Comparison(sign, left, right) if is_place(left) or is_place(right):
                place, mark = (left, right) if is_place(left) else (right, left)
                held = self._held(mark.text if isinstance(mark, Name) else format_expression(mark))
                return f"{self.place(place)} is {'' if sign == '=' else 'not '}{held}"
            case Comparison(sign, Count() | Tally() as left, right):
                return self._amount(sign, left, right)
            case Comparison(sign, left, right):
                return f"`{format_expression(left)}` is {RELATIONS[sign]}`{format_expression(right)}`"
        return f"`{format_expression(node)}`"  # not a condition; the checker says so

    def count(self, node: Count | Tally) -> str:
        """What a count counts."""
        if isinstance(node, Tally):
            return f"the cells in my sight that are {self._held(node.mark)}, my own left out"
        rows, thing = self._rows(node.pattern)
        if node.kind == "size":
            return f"the cells of the runs, in every {thing} with {rows}"
        if thing == "direction":
            return f"the directions from my cell with {rows}"
        if self._starred(node.pattern):
            return f"the lines through my cell with {rows}"
        length = f" of {self.k} cells" if self.k else ""
        return f"the lines{length} through my cell whose other cells hold {rows}, in any order"

    def place(self, node: Expression) -> str:
        """Which cell is meant."""
        if not isinstance(node, Place):
            return "the center"
        steps = [_value(number) for number in node.numbers]
        if node.kind != "at" or None in steps or not 2 <= len(steps) <= 3:
            return f"`{format_expression(node)}`"
        said = [
            f"{abs(step)} {axis if abs(step) == 1 else f'{axis}s'} {forwards if step > 0 else backwards}"
            for step, (axis, forwards, backwards) in zip(steps, STEPS[-len(steps) :], strict=True)
            if step
        ]
        return f"the cell {' and '.join(said)}" if said else "my own cell"

    def _amount(self, sign: str, node: Count | Tally, number: Expression) -> str:
        """`at least 2 lines through my cell have …`."""
        none = (sign, number) in (("=", Number(0)), ("<", Number(1)), ("<=", Number(0)))
        many = format_expression(number) if isinstance(number, Number) else f"`{format_expression(number)}`"
        one = number == Number(1) or none
        amount = "no" if none else f"{AMOUNTS[sign]} {many}"
        if isinstance(node, Tally):
            return f"{amount} {'cell' if one else 'cells'} in my sight {'is' if one else 'are'} {self._held(node.mark)}"
        rows, thing = self._rows(node.pattern)
        if node.kind == "size":
            return f"the runs hold {amount} {'cell' if one else 'cells'} together, in every {thing} with {rows}"
        where = "from" if thing == "direction" else "through"
        return f"{amount} {thing if one else f'{thing}s'} {where} my cell {'has' if one else 'have'} {rows}"

    def _rows(self, pattern: Pattern) -> tuple[str, str]:
        """The alternatives of a pattern, and what it counts: lines or directions."""
        rows = self._alternatives(pattern)
        if not self._starred(pattern):
            return ", or ".join(dict.fromkeys(map(self._unordered, rows))), "line"
        mirrored = {_signs(row) for row in rows} == {_signs(row)[::-1] for row in rows}
        return ", or ".join(map(self._ordered, rows)), "line" if mirrored else "direction"

    def _alternatives(self, pattern: Pattern) -> tuple[tuple[Piece, ...], ...]:
        let = self.lets.get(pattern.name)
        return let.pattern.alternatives if let else pattern.alternatives

    def _starred(self, pattern: Pattern) -> bool:
        return any(piece.mark == "*" for row in self._alternatives(pattern) for piece in row)

    def _unordered(self, row: tuple[Piece, ...]) -> str:
        """`2 of mine and 1 blank`; the same marks are added up where their number is known."""
        known: dict[str, int] = {}
        unknown = []
        for piece in row:
            times = self._times(piece)
            if isinstance(times, int):
                known[piece.mark] = known.get(piece.mark, 0) + times
            else:
                unknown.append(self._some(times, piece.mark))
        return (
            " and ".join([*(self._some(times, mark) for mark, times in known.items() if times), *unknown]) or "nothing"
        )

    def _ordered(self, row: tuple[Piece, ...]) -> str:
        """`my cell, a whole run of theirs, one of mine in this order`."""
        said = []
        for piece in row:
            mark, times = piece.mark, self._times(piece)
            owner = f"of {OWNERS[mark]}" if mark in OWNERS else ""
            if piece.plus:
                said.append(f"a whole run {owner or f'of {MANY.get(mark, mark)}'}")
            elif times == 1:
                said.append(f"one {owner}" if owner else ONE.get(mark, mark))
            else:
                said.append(self._some(times, mark))
        return f"{', '.join(said)} in this order"

    def _times(self, piece: Piece) -> int | str:
        """How often a mark stands there; its text where the length of a line is not known."""
        if piece.repeat is None:
            return 1
        value = _value(piece.repeat, self.k)
        return format_expression(piece.repeat) if value is None else value

    def _some(self, times: int | str, mark: str) -> str:
        if mark == "b":
            return f"{times} {'blank' if times == 1 else 'blanks'}"
        return f"{times} of {OWNERS[mark]}" if mark in OWNERS else f"{times} {'of any kind' if mark == '?' else mark}"

    def _held(self, mark: str) -> str:
        return OWNERS.get(mark) or ("blank" if mark == "b" else mark)


def _signs(row: tuple[Piece, ...]) -> tuple[tuple[str, str, bool], ...]:
    return tuple((piece.mark, format_expression(piece.repeat) if piece.repeat else "", piece.plus) for piece in row)


def _value(node: Expression, k: int | None = None) -> int | None:
    """What a number of fixed parts comes to."""
    match node:
        case Number(value):
            return value
        case Name("k"):
            return k
        case Negative(inner):
            opposite = _value(inner, k)
            return None if opposite is None else -opposite
        case Arithmetic(sign, left, right):
            one, other = _value(left, k), _value(right, k)
            if one is None or other is None:
                return None
            return one * other if sign == "*" else one + other if sign == "+" else one - other
    return None
