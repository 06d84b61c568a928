"""Syntax tree -> text, in the one layout that tables have."""

import re
from typing import assert_never

from teamplay.language.expressions import BINDING
from teamplay.language.features import NUMBERS
from teamplay.language.tree import (
    Arithmetic,
    Comparison,
    Count,
    Expression,
    Let,
    Logic,
    MarkTally,
    Name,
    Negative,
    Not,
    Number,
    Pattern,
    Piece,
    Place,
    Rule,
    Section,
    Sight,
    Table,
)


def format_table(table: Table) -> str:
    """The whole table.

    >>> format_table(Table(("tic-tac-toe",), sections=(Section(("everyone",), (Rule(Number(1)),)),)))
    'game tic-tac-toe\\n\\neveryone:\\n    return 1\\n'
    """
    head = []
    if table.games:
        head.append(f"game {', '.join(table.games)}")
    if table.sight:
        head.append(format_sight(table.sight))
    head.extend(map(format_let, table.lets))
    blocks = ["\n".join(head)] if head else []
    blocks.extend(_section(section) for section in table.sections)
    return "\n\n".join(blocks) + "\n"


def format_sight(sight: Sight) -> str:
    """`sight 4`."""
    return {"lines": f"sight {sight.reach}", "radius": f"sight radius {sight.reach}", "all": "sight all"}[sight.kind]


def format_let(let: Let) -> str:
    """`let ee = bb | ox`, `let weight = 3 * n(xb)`."""
    if not isinstance(let.meaning, Pattern):
        return f"let {let.name} = {format_expression(let.meaning)}"
    text = format_pattern(let.meaning)
    words = re.fullmatch(r"\w+(?:[+*]\w+)+", text) and re.split(r"[+*]", text)
    if words and any(word.isdigit() or word in NUMBERS for word in words):  # `2 * rows`, which reads as marks as well
        text = re.sub(r"[+*]", r" \g<0> ", text)
    return f"let {let.name} = {text}"


def _section(section: Section) -> str:
    return "\n".join([f"{', '.join(section.roles)}:", *(f"    {format_rule(rule)}" for rule in section.rules)])


def format_rule(rule: Rule) -> str:
    """One rule on one line."""
    label = f"{rule.label}: " if rule.label else ""
    condition = f"if {format_expression(rule.condition)} then " if rule.condition else ""
    play = f" play {' or '.join(letter.text for letter in rule.letters)}" if rule.letters else ""
    chance = f" with chance {rule.chance}%" if rule.chance is not None else ""
    return f"{label}{condition}return {format_expression(rule.priority, BINDING['+'])}{play}{chance}"


def format_pattern(pattern: Pattern) -> str:
    """The inside of `n(…)`."""
    return pattern.name or " | ".join(_alternative(pieces) for pieces in pattern.alternatives)


def _alternative(pieces: tuple[Piece, ...]) -> str:
    """A space beside a repeat, where it shows what is repeated: `x{k-2} b`, `x b{k-2}`; but `*x{k-1}`."""
    text = ""
    for before, piece in zip((None, *pieces), pieces, strict=False):
        repeats = before is not None and (before.repeat or piece.repeat) and "*" not in (before.mark, piece.mark)
        text += f"{' ' if repeats else ''}{_piece(piece)}"
    return text


def _piece(piece: Piece) -> str:
    if piece.repeat is None:
        return f"{piece.mark}{'+' if piece.plus else ''}"
    return f"{piece.mark}{{{format_expression(piece.repeat).replace(' ', '')}}}"


def format_expression(node: Expression, around: int = 0) -> str:
    """An expression with no more parentheses than it needs."""
    binding = 9
    match node:
        case Number(value):
            text = str(value)
        case Name(word):
            text = word
        case Place(kind, numbers):
            text = f"{kind}({','.join(_step(number, kind) for number in numbers)})"
        case Count(kind, pattern, at):
            text = f"{kind}({format_pattern(pattern)}){f' {format_expression(at)}' if at else ''}"
        case MarkTally(mark):
            text = f"count({mark})"
        case Negative(inner):
            binding = BINDING["negative"]
            text = f"-{format_expression(inner, binding)}"
        case Not(inner):
            binding = BINDING["not"]
            text = f"not {format_expression(inner, binding)}"
        case Comparison(sign, left, right):
            binding = BINDING[sign]
            text = f"{format_expression(left, binding + 1)} {sign} {format_expression(right, binding + 1)}"
        case Arithmetic(sign, left, right) | Logic(sign, left, right):
            binding = BINDING[sign]
            text = f"{format_expression(left, binding)} {sign} {format_expression(right, binding + 1)}"
        case _:
            assert_never(node)
    return f"({text})" if binding < around else text


def _step(node: Expression, kind: str) -> str:
    """A step away from the agent's cell carries its sign: `at(+1,0)`."""
    text = format_expression(node, BINDING["+"])
    if isinstance(node, Arithmetic) and isinstance(node.left, Name | Number) and isinstance(node.right, Name | Number):
        text = text.replace(" ", "")
    return f"+{text}" if kind == "at" and isinstance(node, Number) and node.value > 0 else text
