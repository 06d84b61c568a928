"""Tables and scenes in colour wherever Pygments is: `pygmentize`, Sphinx, rich, MkDocs."""

from collections.abc import Iterable
from typing import Any, ClassVar

from pygments.lexer import RegexLexer, bygroups
from pygments.token import (
    Comment,
    Error,
    Keyword,
    Name,
    Number,
    Operator,
    Punctuation,
    String,
    Whitespace,
)

from teamplay.editors.keywords import SCENES, TABLE, Region, Token

TOKENS = {
    "": Whitespace,
    "comment": Comment.Single,
    "declaring": Keyword.Declaration,
    "answering": Keyword,
    "logic": Operator.Word,
    "operator": Operator,
    "number": Number.Integer,
    "punctuation": Punctuation,
    "wrong": Error,
    "game": Name.Namespace,
    "role": Name.Class,
    "label": Name.Label,
    "function": Name.Function,
    "value": Name.Builtin,
    "name": Name.Variable,
    "mark": String.Symbol,
    "own": String.Escape,
    "repeat": String.Interpol,
    "string": String.Double,
}
# A line end alone, for what begins a line is looked for only there.
SPACES: list[Any] = [(r"\n", Whitespace), (r"[^\S\n]+", Whitespace)]
NOTHING = bygroups()


def states(rules: Iterable[Token | Region]) -> dict[str, list[Any]]:
    """The states of a Pygments lexer: the root, and one for each block."""
    made: dict[str, list[Any]] = {"root": []}
    for place, rule in enumerate(rules):
        if isinstance(rule, Token):
            made["root"].append((rule.pattern, _action(rule)))
        else:
            made["root"].append((rule.begin.pattern, _action(rule.begin), f"block {place}"))
            inside = [(match.pattern, _action(match)) for match in rule.inside]
            made[f"block {place}"] = [(rule.end, NOTHING, "#pop"), *inside, *SPACES]
    made["root"] += SPACES
    return made


def _action(match: Token) -> Any:
    kinds = [TOKENS[kind] for kind in match.kinds]
    return kinds[0] if len(kinds) == 1 else bygroups(*kinds)


class TableLexer(RegexLexer):
    """A priority table."""

    name = "teamplay table"
    aliases: ClassVar[list[str]] = ["team"]
    filenames: ClassVar[list[str]] = ["*.team"]
    tokens: ClassVar[dict[str, list[Any]]] = states(TABLE)


class SceneLexer(RegexLexer):
    """A scene file."""

    name = "teamplay scenes"
    aliases: ClassVar[list[str]] = ["team-scene"]
    filenames: ClassVar[list[str]] = ["*.scene"]
    tokens: ClassVar[dict[str, list[Any]]] = states(SCENES)
