"""What may an agent measure? Expressions of the language, by name or one by one, and the sight that they need."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from teamplay.errors import BadSpec, did_you_mean
from teamplay.game import Game
from teamplay.language import TableError
from teamplay.language.measures import Measures, bind_measures

NAMES = {
    "roles": "the agent's role alone",
    "counts": "how many lines hold which marks, n(…); in word games and Reversi the patterns with * that matter",
    "center": "the mark in the center",
    "ordered": "every ordered pattern of the game's length, n(x*b)",
    "neighbours": "how many cells at most one step away hold which mark",
    "places": "the agent's row and column",
    "cells": "every mark in sight with its place, up to symmetry: all that an agent can know",
}
DEFAULT = "counts"
SIGHT = re.compile(r"sight( radius)? \d+|sight all")


@dataclass(frozen=True)
class Vocabulary:
    """Expressions that agents may measure beside their roles; `cells` stands for all that they see."""

    name: str
    texts: tuple[str, ...]
    sight: str = ""  # a `sight` line, or nothing for the paper's
    cells: bool = False
    lets: tuple[str, ...] = ()  # `let` lines that the expressions use

    @property
    def head(self) -> str:
        """What stands above the rules of a table that measures this."""
        return "\n".join([self.sight, *self.lets]).strip()

    def measures(self, game: Game) -> Measures:
        """The expressions, bound to a game; a BadSpec says which of them has no meaning there."""
        try:
            return bind_measures(self.texts, game, head=self.head)
        except TableError as error:
            first = error.diagnostics[0]
            help = f"; {first.help}" if first.help else ""
            what = f"`{error.path}` can't be measured" if error.path in self.texts else f"`{self.sight}` can't be had"
            raise BadSpec(f"{what} at {game}: {first.message}{help}.") from None


def parse_vocabulary(text: str, games: Sequence[Game], sight: str = "") -> Vocabulary:
    """A vocabulary as people write it: `counts+center`, `"n(xx), n(oo), center"`, with `sight 4` among them or apart.

    >>> from teamplay.game_file import load_game
    >>> parse_vocabulary("counts+center", [load_game("tic-tac-toe")]).texts
    ('n(xx)', 'n(bx)', 'n(oo)', 'n(bo)', 'n(bb)', 'n(ox)', 'center')
    """
    texts: dict[str, None] = {}
    cells = False
    line = f"sight {sight.removeprefix('sight').strip()}" if sight else ""
    for word in _words(text):
        if SIGHT.fullmatch(word):
            line = word
        elif word == "cells":
            cells = True
        elif word in NAMES:
            texts |= dict.fromkeys(_named(word, games))
        elif re.fullmatch(r"[a-z-]+", word) and word not in ("center", "row", "col", "layer", "k"):
            hint = did_you_mean(word, list(NAMES))
            raise BadSpec(f"`{word[:40]}` is no vocabulary; choose {', '.join(NAMES)}, or write n(…).{hint}")
        else:
            texts[word] = None
    if line and not SIGHT.fullmatch(line):
        raise BadSpec(f"`{sight[:40]}` is no sight; write 4, radius 2 or all.")
    if "neighbours" in _words(text) and not line:
        line = "sight radius 1"
    if cells and texts:
        raise BadSpec("`cells` is all that an agent sees already; name it alone.")
    if cells and len({game.grid.shape for game in games}) > 1:
        raise BadSpec("`cells` names places on one board; several boards have only counts in common.")
    if line == "sight all":
        texts = dict.fromkeys(texts)
    return Vocabulary(text, tuple(texts), line, cells)


def _words(text: str) -> list[str]:
    """The parts of a vocabulary: separated by commas, names also by `+`."""
    parts: list[str] = []
    for part in (part.strip() for part in re.split(r",(?![^(]*\))", text)):
        named = [word.strip() for word in part.split("+")]
        parts += named if all(re.fullmatch(r"[a-z -]+[0-9]*", word) for word in named) else [part]
    if not all(parts) or text.rstrip().endswith("+"):
        raise BadSpec(f"`{text[:60]}` is no vocabulary; write names or expressions with commas between them.")
    return parts


def _named(name: str, games: Sequence[Game]) -> Iterator[str]:
    """The expressions of a named set that serve all of the games."""
    game = games[0]
    match name:
        case "counts":
            yield from _counts(games)
        case "center":
            yield "center"
        case "ordered":
            yield from _ordered(game)
        case "neighbours":
            yield from (f"count({mark})" for mark in game.visible_marks)
        case "places":
            yield from ("layer", "row", "col")[-len(game.grid.shape) :]


def _counts(games: Sequence[Game]) -> Iterator[str]:
    """What lines hold: marks of one side alone, no mark, or both; written with k where the games differ in it."""
    game = games[0]
    if game.goal.kind == "majority":
        yield from ("n(*o+x)", "size(*o+x)", "n(*x+o)", "n(*b)")
    elif game.goal.kind == "word":
        yield from ("n(S*S)", "n(*OS)", "n(S*b)", "n(*Ob)", "n(*bS)", "n(*bb)", "n(b*b)")
    elif game.shared:
        for mark in game.marks:
            yield from (f"n({_run(mark, number, game.k or 0)})" for number in range((game.k or 1) - 1, 0, -1))
        yield f"n({'b' * ((game.k or 1) - 1)})"
    elif len({game.k for game in games}) > 1:
        yield from ("n(x{k-1})", "n(x{k-2} b)", "n(o{k-1})", "n(o{k-2} b)")
        yield from ("n(x b{k-2})", "n(o b{k-2})", "n(b{k-1})", "n(ox ?{k-3})")
    else:
        length = game.k or 0
        for mark in "xo":
            yield from (f"n({_run(mark, number, length)})" for number in range(length - 1, 0, -1))
        yield f"n({'b' * (length - 1)})"
        yield f"n(ox{'?' * (length - 3)})"


def _run(mark: str, number: int, length: int) -> str:
    """Some marks and blanks for the rest, as the paper writes them: `bx`, `bbo`."""
    return "b" * (length - 1 - number) + mark * number


def _ordered(game: Game) -> Iterator[str]:
    """Every pattern of the game's length with the agent in it, each once."""
    if not game.k:
        raise BadSpec(f"{game.name} has no length of lines; write patterns such as n(*o+x).")
    from itertools import product

    marks = game.visible_marks
    seen = set()
    for place in range((game.k + 1) // 2):
        for others in product(marks, repeat=game.k - 1):
            text = "".join([*others[:place], "*", *others[place:]])
            if text[::-1] not in seen:
                seen.add(text)
                yield f"n({text})"
