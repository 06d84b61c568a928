"""The words and signs of tables and scenes, and where they may stand: the one list that every highlighter is made from.

The words are the language's own, taken from where it reads them.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from teamplay.game import SEATS
from teamplay.language.checker import COORDINATES
from teamplay.language.complaints import KEYWORDS, SIGNS
from teamplay.language.line import COUNTS, PAPER_ROLES, PLACES
from teamplay.language.tree import HEADINGS
from teamplay.scenes import reader

DECLARING = ("game", "let", "sight", "radius", "all")
LOGIC = ("and", "or", "not")
ANSWERING = tuple(word for word in KEYWORDS if word not in (*DECLARING, *LOGIC))
ROLES = (*HEADINGS, *PAPER_ROLES)
VALUES = ("center", "k", *COORDINATES, *(f"{name}s" for name in COORDINATES))
OPERATORS = (*SIGNS, *SIGNS.values(), "<", ">", "+")
# What follows the keywords of a scene file.
PHRASES = ("in all symmetries", "moving", *SEATS, "at every", "at least", "of", "games", "game", "by", "play", "or")
CLAIMS = (*reader.OUTLOOKS, "beats", "same choice as", "silence")

KINDS = (
    *("comment", "declaring", "answering", "logic", "operator", "number", "punctuation", "wrong"),
    *("game", "role", "label", "function", "value", "name", "mark", "own", "repeat", "string"),
)


@dataclass(frozen=True)
class Match:
    """A stretch of one line: a kind for every group of its pattern, or one for the whole; no kind for mere spaces."""

    pattern: str
    kinds: tuple[str, ...]


@dataclass(frozen=True)
class Block:
    """A stretch that begins like a match and goes on up to its end, which is no part of it."""

    begin: Match
    end: str
    inside: tuple[Match, ...]


def words(known: Iterable[str]) -> str:
    """A pattern for any of these words, the longest first.

    >>> words(["or", "and", "at least"])
    '\\\\b(?:at[ \\\\t]+least|and|or)\\\\b'
    """
    return rf"\b(?:{'|'.join(word.replace(' ', _SPACES) for word in _longest_first(known))})\b"


def signs(known: Iterable[str]) -> str:
    """A pattern for any of these signs, the longest first."""
    return "|".join(map(re.escape, _longest_first(known)))


def _longest_first(known: Iterable[str]) -> list[str]:
    return sorted(set(known), key=lambda word: (-len(word), word))


_SPACES = r"[ \t]+"
_LINE_END = r"(?=#)|$"
_NAME = r"[A-Za-z_][A-Za-z_0-9]*"
_COMMENT = Match(r"#.*", ("comment",))
_WRONG = Match(r"[^\s]", ("wrong",))
_PIECES = (
    Match(r"\*", ("own",)),
    Match(r"\{[^{}#\n]*\}|\+", ("repeat",)),
    Match(r"\|", ("operator",)),
    Match(r"[A-Za-z_0-9?]", ("mark",)),
    _WRONG,
)

TABLE: tuple[Match | Block, ...] = (
    _COMMENT,
    Block(
        Match(r"^([ \t]*)(game)\b", ("", "declaring")),
        _LINE_END,
        (Match(r"[A-Za-z0-9_.~/][^\s(),#]*(?:[ \t]*\([^()#\n]*\))?", ("game",)), Match(r",", ("punctuation",)), _WRONG),
    ),
    Block(
        Match(rf"^([ \t]*)(let)([ \t]+)({_NAME})([ \t]*)(=)", ("", "declaring", "", "name", "", "operator")),
        _LINE_END,
        _PIECES,
    ),
    Match(rf"^([ \t]*)({words(ROLES)}(?:[ \t]*,[ \t]*[A-Za-z][\w-]*)*)([ \t]*)(:)", ("", "role", "", "punctuation")),
    Match(r"([0-9]{1,4})([ \t]*)(:)", ("label", "", "punctuation")),
    Match(r"([A-Za-z][\w-]{0,63})([ \t]*)(:)", ("label", "", "punctuation")),
    Block(
        Match(rf"({words(COUNTS)})([ \t]*)(\()", ("function", "", "punctuation")),
        r"(?=[()#])|$",
        _PIECES,
    ),
    Match(rf"{words(PLACES)}(?=[ \t]*\()", ("function",)),
    Match(words(DECLARING), ("declaring",)),
    Match(words(ANSWERING), ("answering",)),
    Match(words(LOGIC), ("logic",)),
    Match(words(VALUES), ("value",)),
    Match(_NAME, ("name",)),
    Match(r"[0-9]+", ("number",)),
    Match(signs(OPERATORS), ("operator",)),
    Match(r"[(),%$]", ("punctuation",)),
    _WRONG,
)

SCENES: tuple[Match | Block, ...] = (
    Match(r'"[^"\n]*"', ("string",)),
    _COMMENT,
    Block(Match(r"^([ \t]*)(table|game)\b", ("", "declaring")), _LINE_END, (Match(r"[^\s#]+", ("game",)),)),
    Match(rf"^([ \t]*)({words(reader.MOODS)})([ \t]+)({words(reader.KEYWORDS)})", ("", "declaring", "", "declaring")),
    Match(rf"^([ \t]*)({words(reader.KEYWORDS)})", ("", "declaring")),
    Block(
        Match(r"^([ \t]+)(?=[^\s#\"])", ("",)),  # a row of a drawing: indented, and no keyword as above
        _LINE_END,
        (Match(r"[*!]", ("own",)), Match(r"[^\s#]", ("mark",))),
    ),
    Match(r"\*", ("own",)),
    Match(words(CLAIMS), ("answering",)),
    Match(words(PHRASES), ("logic",)),
    Match(words(HEADINGS), ("role",)),
    Match(r"->|%", ("operator",)),
    Match(r"[0-9]+(?![A-Za-z])", ("number",)),
    Match(r"(?:[^\s#\"(),=%-]|-(?!>))+", ("name",)),
    Match(r"[(),=]", ("punctuation",)),
    _WRONG,
)
