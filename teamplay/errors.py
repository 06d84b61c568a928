"""What can go wrong, as values of the domain: one sentence that says what was wrong and what would be right."""

from collections.abc import Iterable
from difflib import get_close_matches


class TeamplayError(Exception):
    """The one family of errors that people see; its text is a whole sentence."""


class BadSpec(TeamplayError):
    """A game, player, cell or board was named in a way that means nothing here."""


class BadFile(TeamplayError):
    """A file is missing, unreadable, too large, or not what it should be."""


class IllegalMove(TeamplayError):
    """A move that the rules forbid, with the cell and the reason."""


class Forfeit(TeamplayError):
    """A player can't go on, and so loses the game at hand: its program crashed, was too slow, or broke the rules."""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A hint to append to an error, or nothing.

    >>> did_you_mean("cornr", ["corner", "edge"])
    ' Did you mean `corner`?'
    """
    near = closest(word, known)
    return f" Did you mean `{near}`?" if near else ""


def closest(word: str, known: Iterable[str]) -> str | None:
    """The known word nearest to a misspelt one, if any is near.

    Two thirds must agree: with less, `boards` would suggest `word`, and `own` would suggest `posswin`.
    """
    by_folded = {name.casefold(): name for name in known}
    near = get_close_matches(word.casefold(), by_folded, n=1, cutoff=2 / 3)
    return by_folded[near[0]] if near else None
