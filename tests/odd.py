"""Games that nobody ships: what the mechanics of a game file allow beside the games that people play."""

from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from teamplay import library
from teamplay.engine.arrays import game_arrays
from teamplay.engine.compiled import switched_off
from teamplay.engine.kernels.game import GameArrays
from teamplay.game import Game
from teamplay.game_file import load_game

FILES = {
    "flank-line": """
        board = [4, 4]
        placement = "flank"
        goal = { line = 3 }
        start = { x = [[2, 3], [3, 2]], o = [[2, 2], [3, 3]] }
    """,
    "flank-misere": """
        board = [3, 5]
        placement = "flank"
        goal = { line = 4, effect = "loses" }
        start = { x = [[2, 2], [1, 4]], o = [[2, 3], [1, 3]] }
    """,
    "own-word": """
        board = [3, 4]
        goal = { word = "xox" }
    """,
    "letter-lines": """
        board = [3, 4]
        marks = { shared = ["S", "O"] }
        goal = { line = 3, effect = "scores" }
        turns = "again"
    """,
    "three-letters": """
        board = [3, 3]
        marks = { shared = ["A", "B", "C"] }
        goal = { word = "ABC", effect = "loses" }
    """,
    "drop-cube": """
        board = [2, 3, 3]
        placement = "drop"
        goal = { line = 3 }
        start = { o = [[1, 3, 1]], x = [[2, 1, 3]] }
    """,
    "drop-words": """
        board = [3, 4]
        placement = "drop"
        marks = { shared = ["S", "O"] }
        goal = { word = "SSO", effect = "scores" }
    """,
    "fill": """
        board = [3, 3]
        goal = { majority = true }
        start = { o = [[2, 2]] }
    """,
    "points": """
        board = [4, 4]
        goal = { line = 3, effect = "scores" }
    """,
    "begun": """
        board = [3, 8]
        goal = { line = 4 }
        start = { x = [[1, 1], [1, 2]], o = [[3, 8]] }
    """,
    "exact": """
        board = [5, 6]
        goal = { line = 3, exact = true }
    """,
    "exact-drop": """
        board = [4, 5]
        placement = "drop"
        goal = { line = 3, exact = true, effect = "loses" }
    """,
    "exact-letters": """
        board = [3, 4]
        marks = { shared = ["A", "B"] }
        goal = { line = 2, exact = true }
    """,
    "exact-flank": """
        board = [4, 5]
        placement = "flank"
        goal = { line = 3, exact = true }
        start = { x = [[2, 3], [3, 2]], o = [[2, 2], [3, 3]] }
    """,
    "breaker": """
        board = [3, 4]
        goal = { line = 3, for = "second" }
    """,
    "breaker-drop": """
        board = [2, 3, 3]
        placement = "drop"
        marks = { shared = ["X", "O"] }
        goal = { line = 3, for = "second", exact = true }
    """,
    "breaker-flank": """
        board = [4, 4]
        placement = "flank"
        goal = { line = 4, for = "first" }
        start = { x = [[2, 3], [3, 2]], o = [[2, 2], [3, 3]] }
    """,
    "two-boards": """
        board = [3, 3]
        boards = 2
        goal = { line = 3 }
    """,
    "two-drops": """
        board = [3, 3]
        boards = 2
        placement = "drop"
        goal = { line = 2, effect = "loses", exact = true }
        start = { x = [[1, 3, 1]], o = [[2, 3, 3]] }
    """,
    "closed-boards": """
        board = [2, 3]
        boards = 4
        marks = { shared = ["A", "B"] }
        goal = { line = 2, for = "first" }
        start = { A = [[2, 1, 1], [2, 1, 2]] }
    """,
    "long": """
        board = [1, 70]
        goal = { line = 3 }
    """,
    "large": """
        board = [9, 11]
        goal = { line = 6 }
        start = { x = [[5, 5]] }
    """,
}


@cache
def odd(name: str) -> Game:
    """One of the games above."""
    path = Path(mkdtemp(prefix="odd-games-")) / f"{name}.toml"
    path.write_text("\n".join(line.strip() for line in FILES[name].splitlines()))
    return load_game(str(path))


MECHANICS = frozenset(("FLANKS", "BOARDS", "EXACT", "OWNED"))  # the switches that a game sets, whatever its table


@cache
def shipped() -> set[frozenset[str]]:
    """What is switched off in the kernels for each game that is shipped."""
    return {_unused(game_arrays(load_game(name))) for name in library.names(".toml")}


def _unused(game: GameArrays) -> frozenset[str]:
    return MECHANICS.intersection(switched_off(game))


def is_rare(game: Game) -> bool:
    """Whether no game that is shipped has this mixture of mechanics, so that its kernels are compiled for it alone."""
    return _unused(game_arrays(game)) not in shipped()


RARE = [name for name in FILES if is_rare(odd(name))]


def shared(game: GameArrays, *rows: object) -> list[str]:
    """In place of `switched_off`: rare mixtures share kernels with every mechanic switched on."""
    off = switched_off(game, *rows)  # type: ignore[arg-type]
    return off if _unused(game) in shipped() else [switch for switch in off if switch in ("MEASURES", "AFRESH")]
