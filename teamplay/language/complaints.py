"""What is wrong with a line that the grammar does not take, said in English."""

import re
import unicodedata

import lark

from teamplay.errors import closest
from teamplay.language.diagnostics import Fault, Span
from teamplay.language.tree import HEADINGS

LONGEST_LINE = 1000
DEEPEST = 32

# The paper's signs, LaTeX's and those of other languages; a table is written with the second of each pair.
SIGNS = {"≥": ">=", "≤": "<=", "≠": "!=", "<>": "!=", "==": "=", "−": "-", "×": "*"}
SIGNS |= {"\\ge": ">=", "\\geq": ">=", "\\le": "<=", "\\leq": "<=", "\\ne": "!=", "\\neq": "!="}

LOOK_ALIKES = dict(
    zip(
        "асеһіјорѕхуԁԛԝАВСЕНІЈКМОРЅТХУΑΒΕΖΗΙΚΜΝΟΡΤΥΧοᴏ‐‑‒–—",
        "acehijopsxydqwABCEHIJKMOPSTXYABEZHIKMNOPTYXoo-----",
        strict=True,
    )
)

ENGLISH = {
    "GAME": "`game`",
    "LET": "`let`",
    "SIGHT": "`sight`",
    "RADIUS": "`radius`",
    "ALL": "`all`",
    "IF": "`if`",
    "THEN": "`then`",
    "ELSE": "`else`",
    "END": "`end if`",
    "RETURN": "`return`",
    "PLAY": "`play`",
    "WITH": "`with chance`",
    "CHANCE": "`chance`",
    "AND": "`and`",
    "OR": "`or`",
    "NOT": "`not`",
    "HEADING": "a heading such as `corner:`",
    "LABEL": "a label such as `win:`",
    "NUMBERING": "a line number such as `1:`",
    "COUNT": "a count such as `n(xx)`",
    "SPEC": "a game such as `tic-tac-toe`",
    "PATTERN": "a pattern such as `bb | ox`",
    "NAME": "a name",
    "NUMBER": "a number",
    "COMPARE": "a comparison such as `>=`",
    "EQUALS": "`=`",
    "PLUS": "`+`",
    "MINUS": "`-`",
    "TIMES": "`*`",
    "OPEN": "`(`",
    "CLOSE": "`)`",
    "COMMA": "`,`",
    "PERCENT": "`%`",
    "$END": "the end of the line",
}
KEYWORDS = {
    english.strip("`").split()[0]: name for name, english in ENGLISH.items() if re.fullmatch(r"`[a-z ]+`", english)
}
# What a writer most likely means where many things may follow; the rest is left out of the message.
LIKELY = (
    "THEN",
    "RETURN",
    "COMPARE",
    "CLOSE",
    "PATTERN",
    "SPEC",
    "NUMBER",
    "PERCENT",
    "CHANCE",
    "NAME",
    "IF",
    "EQUALS",
    "RADIUS",
    "ALL",
)
ANYTHING = ["`if … then return …`", "`return …`", "a heading", "`game`"]


def refuse_the_strange(code: str, number: int) -> None:
    """Whatever in a line would hurt the parser or puzzle the reader, before the grammar sees it."""
    if len(code) > LONGEST_LINE:
        span = Span(number, LONGEST_LINE + 1, LONGEST_LINE + 2)
        message = f"a line of {len(code):,} characters; {LONGEST_LINE:,} are the most"
        raise Fault("T003", span, message, help="write several rules, one a line")
    opened: list[Span] = []
    for column, char in enumerate(code, 1):
        here = Span(number, column, column + 1)
        if char == "(":
            opened.append(here)
            if len(opened) > DEEPEST:
                raise Fault("T003", here, f"parentheses nested more than {DEEPEST} deep", help="split the rule")
        elif char == ")":
            if not opened:
                raise Fault("T001", here, "`)` closes nothing", help="take it out, or add a `(` before")
            opened.pop()
        elif not char.isascii() and char not in SIGNS:
            raise _foreign(char, here)
        elif not char.isprintable() and char not in "\t\f":
            raise _invisible(char, here)
    if opened:
        raise Fault("T001", opened[-1], "`(` is not closed", help="add a `)`")


def _foreign(char: str, here: Span) -> Fault:
    """A character that is not ASCII, by its name and by what was most likely meant."""
    name = unicodedata.name(char, f"U+{ord(char):04X}").capitalize()
    if char.isspace():
        return Fault("T002", here, "a special space", name, "type an ordinary space")
    if not char.isprintable():
        return _invisible(char, here)
    meant = LOOK_ALIKES.get(char) or unicodedata.normalize("NFKC", char)  # full-width and styled letters
    if len(meant) == 1 and meant.isascii():
        kind = "Latin letter" if meant.isalpha() else "ordinary"
        return Fault("T002", here, f"`{char}` is not the {kind} `{meant}`", name, f"type `{meant}`")
    return Fault("T002", here, f"`{char}` has no meaning in a table", name, "it may stand in a comment, after `#`")


def _invisible(char: str, here: Span) -> Fault:
    message = f"an invisible character (U+{ord(char):04X})"
    return Fault("T002", here, message, help="delete it and type the line again")


def unexpected(error: lark.UnexpectedInput, code: str, number: int) -> Fault:
    """The parser's complaint in English."""
    if isinstance(error, lark.UnexpectedToken):
        start, expected = (error.token.start_pos or 0), set(error.accepts or error.expected)
        if error.token.type == "$END":
            start = len(code)
    else:
        assert isinstance(error, lark.UnexpectedCharacters)
        start, expected = error.pos_in_stream, set(error.allowed or ())
    match = re.compile(r"\w+|\S").match(code, start)
    found = match[0] if match else ""
    span = Span(number, start + 1, start + 1 + max(1, len(found)))
    message = f"expected {_sought(expected)}, found " + (f"`{found[:40]}`" if found else "the end of the line")
    words = {word for word, name in KEYWORDS.items() if name in expected}
    near = closest(found[:40], words) if len(found) > 1 else None
    declaring = code.split()[0] in ("let", "sight", "game")
    help = f"write `{near}`" if near else "" if declaring else _slip(code[:start], found, code[start + len(found) :])
    return Fault("T001", span, message, "here", help or _form(code))


def _sought(expected: set[str]) -> str:
    if {"GAME", "RETURN", "HEADING"} <= expected:
        return " or ".join(ANYTHING)
    wanted = [ENGLISH[name] for name in LIKELY if name in expected]
    wanted = wanted or sorted(ENGLISH.get(name, name) for name in expected)
    return " or ".join(wanted[:4])


def _slip(before: str, found: str, after: str) -> str:
    """A hint for the slips that are made most often, from what was found and what stands before and after it."""
    words = before.replace("(", " ").split()
    last = words[-1] if words else ""
    answering = "return" in words
    if found in ("&", "|"):
        return "write `and`" if found == "&" else "write `or`"
    if found in ("<", ">") and before.endswith("="):
        return "write `>=` or `<=`"
    if found == "=" and last in ("<", ">", "!"):
        return f"write `{last}=`, without a space"
    if found in ("<", ">", "=", "!", "≥", "≤", "≠"):
        return "a comparison belongs between `if` and `then`" if answering else "compare twice, with `and` between"
    if found == "return" and "if" in words and "then" not in words:
        return "put `then` between the condition and `return`"
    if found == "is":
        return "write `=`"
    if found in ("/", "."):
        return "numbers are whole, and there is no arithmetic but + - *"
    if found in (";", ","):
        return "nothing is needed between two rules" if answering else ""
    if last in ("n", "size", "count"):
        return "a count is written n(pattern), as in n(xx)"
    if not words and found in HEADINGS:
        return "a heading is a role (or roles parted by commas) and a colon"
    if not words and found.isidentifier() and re.match(r"\s+(if|return)\b", after):
        return f"a rule's label ends with a colon: `{found[:40]}:`"
    return ""


def _form(code: str) -> str:
    """What a line that begins, or goes on, like this one looks like."""
    words = code.split()
    forms = {
        "let": "write `let ee = bb | ox`",
        "sight": "write `sight 4`, `sight radius 2` or `sight all`",
        "game": "write `game tic-tac-toe`, or several games with commas",
        "with": "write `with chance 25%`",
        "play": "write `play S` or `play S or O`",
        "if": "a rule reads `if … then return 2`, on one line",
        "return": "a rule reads `return 2`, or `if … then return 2`",
    }
    return next((form for word, form in forms.items() if word in words), "")
