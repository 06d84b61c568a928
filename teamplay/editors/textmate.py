"""TextMate grammars, which VS Code and others colour by; `python -m teamplay.editors.textmate FOLDER` writes them."""

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from teamplay.editors.keywords import SCENES, TABLE, Region, Token

# The names that themes know.
SCOPES = {
    "comment": "comment.line.number-sign",
    "declaring": "keyword.other.declaration",
    "answering": "keyword.control",
    "logic": "keyword.operator.logical",
    "operator": "keyword.operator",
    "number": "constant.numeric",
    "punctuation": "punctuation",
    "wrong": "invalid.illegal",
    "game": "entity.name.namespace",
    "role": "entity.name.type.role",
    "label": "entity.name.function.label",
    "function": "support.function",
    "value": "variable.language",
    "name": "variable.other",
    "mark": "string.unquoted.mark",
    "own": "constant.character.own-cell",
    "repeat": "constant.character.repeat",
    "string": "string.quoted.double",
}
LANGUAGES = {"team": ("teamplay table", TABLE), "scene": ("teamplay scenes", SCENES)}


def grammar(language: str) -> dict[str, Any]:
    """The grammar of `team` or `scene` files."""
    name, rules = LANGUAGES[language]
    return {
        "$schema": "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
        "name": name,
        "scopeName": f"source.{language}",
        "fileTypes": [language],
        "patterns": list(_patterns(rules, language)),
    }


def _patterns(rules: Iterable[Token | Region], language: str) -> Iterable[dict[str, Any]]:
    for rule in rules:
        if isinstance(rule, Token):
            yield {"match": rule.pattern} | _named(rule, "name", "captures", language)
        else:
            begin = {"begin": rule.begin.pattern} | _named(rule.begin, "", "beginCaptures", language)
            yield begin | {"end": rule.end, "patterns": list(_patterns(rule.inside, language))}


def _named(match: Token, whole: str, groups: str, language: str) -> dict[str, Any]:
    """The scope of a match, or of each of its groups."""
    if len(match.kinds) == 1 and whole:
        return {whole: f"{SCOPES[match.kinds[0]]}.{language}"}
    named = {str(group): {"name": f"{SCOPES[kind]}.{language}"} for group, kind in enumerate(match.kinds, 1) if kind}
    return {groups: named} if named else {}


def written(language: str) -> str:
    """The grammar as the text of a file."""
    return json.dumps(grammar(language), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    for language in LANGUAGES:
        (Path(sys.argv[1]) / f"{language}.tmLanguage.json").write_text(written(language), encoding="utf-8")
