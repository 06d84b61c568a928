"""The words and signs of tables and scenes, and where they may stand: the one list that every highlighter is made from.

The words are the language's own, taken from where it reads them.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from teamplay.game import SEATS
from teamplay.language.complaints import KEYWORDS, SIGNS
from teamplay.language.features import NUMBERS
from teamplay.language.line import COUNTS, PAPER_ROLES, PLACES
from teamplay.language.tree import HEADINGS
from teamplay.scenes import reader

DECLARING = ("game", "let", "sight", "radius", "all")
LOGIC = ("and", "or", "not")
ANSWERING = tuple(word for word in KEYWORDS if word not in (*DECLARING, *LOGIC))
ROLES = (*HEADINGS, *PAPER_ROLES)
VALUES = ("center", *NUMBERS)
OPERATORS = (*SIGNS, *SIGNS.values(), "<", ">", "+")
# What follows the keywords of a scene file.
PHRASES = (
    "in all symmetries",
    "moving",
    *SEATS,
    "unreachable",
    "at every",
    "at least",
    "of",
    "games",
    "game",
    "by",
    "play",
    "or",
)
CLAIMS = (*reader.GOAL_CLAIMS, "beats", "same choice as", "silence")

KINDS = (
    *("comment", "declaring", "answering", "logic", "operator", "number", "punctuation", "wrong"),
    *("game", "role", "label", "function", "value", "name", "mark", "own", "repeat", "string"),
)


@dataclass(frozen=True)
class Token:
    """A stretch of one line: a kind for every group of its pattern, or one for the whole; no kind for mere spaces."""

    pattern: str
    kinds: tuple[str, ...]


@dataclass(frozen=True)
class Region:
    """A stretch that begins like a match and goes on up to its end, which is no part of it."""

    begin: Token
    end: str
    inside: tuple[Token, ...]


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
_COMMENT = Token(r"#.*", ("comment",))
_WRONG = Token(r"[^\s]", ("wrong",))
_PIECES = (
    Token(r"\*", ("own",)),
    Token(r"\{[^{}#\n]*\}|\+", ("repeat",)),
    Token(r"\|", ("operator",)),
    Token(r"[A-Za-z_0-9?]", ("mark",)),
    _WRONG,
)

_LET = rf"^([ \t]*)(let)([ \t]+)({_NAME})([ \t]*)(=)"
_LET_KINDS = ("", "declaring", "", "name", "", "operator")
_WITH_SIGNS = r"(?:[^#\n{}]|\{[^{}\n]*\})*[-−(]"  # that no pattern has
_SUM = rf"[ \t]*(?:[A-Za-z_0-9]+[ \t]*[+*][ \t]*)*(?:[0-9]+|{words(NUMBERS)})[ \t]*(?:[+*]|{_LINE_END})"

TABLE: tuple[Token | Region, ...] = (
    _COMMENT,
    Region(
        Token(r"^([ \t]*)(game)\b", ("", "declaring")),
        _LINE_END,
        (
            Token(r"[A-Za-z0-9_.~/][^\s(),#]*(?:[ \t]*\([^()#\n]*\))?", ("game",)),
            Token(r",", ("punctuation",)),
            _WRONG,
        ),
    ),
    Region(
        Token(rf"{_LET}(?!{_WITH_SIGNS}|{_SUM})", _LET_KINDS),  # a pattern; numbers look as in a rule
        _LINE_END,
        _PIECES,
    ),
    Token(_LET, _LET_KINDS),
    Token(rf"^([ \t]*)({words(ROLES)}(?:[ \t]*,[ \t]*[A-Za-z][\w-]*)*)([ \t]*)(:)", ("", "role", "", "punctuation")),
    Token(r"([0-9]{1,4})([ \t]*)(:)", ("label", "", "punctuation")),
    Token(r"([A-Za-z][\w-]{0,63})([ \t]*)(:)", ("label", "", "punctuation")),
    Region(
        Token(rf"({words(COUNTS)})([ \t]*)(\()", ("function", "", "punctuation")),
        r"(?=[()#])|$",
        _PIECES,
    ),
    Token(rf"{words(PLACES)}(?=[ \t]*\()", ("function",)),
    Token(words(DECLARING), ("declaring",)),
    Token(words(ANSWERING), ("answering",)),
    Token(words(LOGIC), ("logic",)),
    Token(words(VALUES), ("value",)),
    Token(_NAME, ("name",)),
    Token(r"[0-9]+", ("number",)),
    Token(signs(OPERATORS), ("operator",)),
    Token(r"[(),%$]", ("punctuation",)),
    _WRONG,
)

SCENES: tuple[Token | Region, ...] = (
    Token(r'"[^"\n]*"', ("string",)),
    _COMMENT,
    Region(Token(r"^([ \t]*)(table|game)\b", ("", "declaring")), _LINE_END, (Token(r"[^\s#]+", ("game",)),)),
    Token(rf"^([ \t]*)({words(reader.MOODS)})([ \t]+)({words(reader.KEYWORDS)})", ("", "declaring", "", "declaring")),
    Token(rf"^([ \t]*)({words(reader.KEYWORDS)})", ("", "declaring")),
    Region(
        Token(r"^([ \t]+)(?=[^\s#\"])", ("",)),  # a row of a drawing: indented, and no keyword as above
        _LINE_END,
        (Token(r"[*!]", ("own",)), Token(r"[^\s#]", ("mark",))),
    ),
    Token(r"\*", ("own",)),
    Token(words(CLAIMS), ("answering",)),
    Token(words(PHRASES), ("logic",)),
    Token(words(HEADINGS), ("role",)),
    Token(r"->|%", ("operator",)),
    Token(r"[0-9]+(?![A-Za-z])", ("number",)),
    Token(r"(?:[^\s#\"(),=%-]|-(?!>))+", ("name",)),
    Token(r"[(),=]", ("punctuation",)),
    _WRONG,
)
