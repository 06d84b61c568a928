"""A table's text in the one layout that tables have: same tree, same comments, or nothing is changed."""

from collections.abc import Iterator
from dataclasses import dataclass

from teamplay.errors import TeamplayError
from teamplay.language.allows import ALLOW, allows
from teamplay.language.diagnostics import TableError
from teamplay.language.formatter import format_let, format_rule, format_sight
from teamplay.language.line import Games, Heading, Part, parse_line
from teamplay.language.parser import Source, parse_table
from teamplay.language.tree import Let, Rule, Sight

INDENT = "    "


class Refusal(TeamplayError):
    """A table that can't be laid out without losing something."""


@dataclass(frozen=True)
class Item:
    """One line to come: `blank`, `comment`, `head` (game, sight, let), `heading` or `rule`."""

    kind: str
    text: str = ""
    comment: str = ""
    indented: bool = False  # did the comment stand behind an indent? An allow is always about what follows


def laid_out(source: Source) -> str:
    """The text of a table as it should look; a TableError if it is none, a Refusal if it would come out different.

    >>> print(laid_out(Source("a.team", "corner:if n(oo)≥1 then return 1 return  2 # calm")), end="")
    corner:
        if n(oo) >= 1 then return 1
        return 2  # calm
    """
    table = parse_table(source)
    text = _written(list(_items(source.text)))
    made = Source(source.path, text)
    try:
        same = parse_table(made) == table
    except TableError as error:
        reason = error.diagnostics[0].message
        raise Refusal(f"{source.path} is left as it is: laid out, it could not be read ({reason}).") from None
    if not same or comments(text) != comments(source.text) or _written(list(_items(text))) != text:
        raise Refusal(f"{source.path} is left as it is: laid out, it would not say the same.")
    for (line, about), (_, then) in zip(_allowed(source.text), _allowed(text), strict=True):
        if about != then:
            message = f"{source.path} is left as it is: laid out, the allow in line {line} would not speak of the same"
            raise Refusal(f"{message}; put it right above, or behind, the one rule or heading that it is about.")
    return text


def comments(text: str) -> list[str]:
    """All comments, in the order of the file."""
    return [line.partition("#")[2].strip() for line in text.split("\n") if "#" in line]


def _allowed(text: str) -> list[tuple[int, list[str]]]:
    """The line of every allow, with all that stands in the line that it speaks of."""
    lines = text.split("\n")
    return [
        (allow.span.line, [_item(part).text for part in _parts(lines[allow.line - 1], allow.line)])
        for allow in allows(text)
    ]


def _parts(line: str, number: int) -> list[Part]:
    code = line.partition("#")[0].rstrip()
    return parse_line(code, number) if code else []


def _items(text: str) -> Iterator[Item]:
    """The lines of a text, each part on a line of its own; a comment stays behind the last part of its line."""
    for number, line in enumerate(text.split("\n"), 1):
        code, sign, rest = line.partition("#")
        comment = f"#{rest}".rstrip() if sign else ""
        if parts := _parts(line, number):
            yield from (_item(part) for part in parts[:-1])
            last = _item(parts[-1])
            yield Item(last.kind, last.text, comment)
        elif comment:
            yield Item("comment", "", comment, indented=code != "" and not ALLOW.match(comment))
        elif not code.strip():  # not `end if`
            yield Item("blank")


def _item(part: Part) -> Item:
    match part:
        case Games(specs):
            return Item("head", f"game {', '.join(specs)}")
        case Heading(roles):
            return Item("heading", f"{', '.join(roles)}:")
        case Sight():
            return Item("head", format_sight(part))
        case Let():
            return Item("head", format_let(part))
        case Rule():
            return Item("rule", format_rule(part))


def _written(items: list[Item]) -> str:
    """The lines with their indents, and blank ones where they belong."""
    lines: list[str] = []
    headed = False
    last = above = ""  # the kinds of the last line, and of the last line of code
    for place, item in enumerate(items):
        following = next((other.kind for other in items[place:] if other.kind not in ("blank", "comment")), "")
        if item.kind == "blank":
            if lines and lines[-1] and last != "heading":
                lines.append("")
            continue
        if lines and lines[-1] and _begins(items, place, above):
            lines.append("")
        indent = INDENT if headed and _inside(item, following) else ""
        lines.append(f"{indent}{item.text}{'  ' if item.text and item.comment else ''}{item.comment}")
        headed |= item.kind == "heading"
        last = item.kind
        above = item.kind if item.kind != "comment" else above
    return "\n".join(lines).rstrip("\n") + "\n"


def _begins(items: list[Item], place: int, above: str) -> bool:
    """Whether a blank line belongs here: before a heading, or rules without one, with the comments right above."""
    before = items[place - 1]  # never asked of the first
    if before.kind == "comment" and not before.indented:
        return False
    for item in items[place:]:
        if item.kind != "comment" or item.indented:
            return item.kind == "heading" or (item.kind == "rule" and above == "head")
    return False


def _inside(item: Item, following: str) -> bool:
    """Whether a line below a heading belongs to its rules."""
    if item.kind == "comment":
        return following == "rule" or (item.indented and following != "head")
    return item.kind == "rule"
