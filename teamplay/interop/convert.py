"""Which format a file of games has, and one from another: SGF, GGF, JSON lines."""

from pathlib import Path

from teamplay import library
from teamplay.errors import BadFile, BadSpec
from teamplay.game import Game, Position
from teamplay.interop.ggf import read_ggf, write_ggf
from teamplay.interop.lines import read_lines, write_lines
from teamplay.interop.sgf import check_writable, read_sgf, write_sgf
from teamplay.interop.tree import GameTree

SUFFIXES = (".sgf", ".ggf", ".jsonl")
LARGEST_FILE = 64 << 20  # bytes


def read_games(path: str, game: Game | None = None) -> list[GameTree]:
    """All games of a file, its format being known by its name."""
    kind = _kind(path)
    text = library.read(Path(path), LARGEST_FILE)
    if kind == ".sgf":
        return read_sgf(text, path, game)
    return read_ggf(text, path) if kind == ".ggf" else read_lines(text, path)


def written_games(trees: list[GameTree], path: str) -> str:
    """The text of a file with these games, its format being known by its name."""
    kind = _kind(path)
    if kind == ".sgf":
        for tree in trees:
            check_writable(tree.game)
        return write_sgf(trees)
    return write_ggf(trees) if kind == ".ggf" else write_lines(trees)


def left_out(trees: list[GameTree], path: str) -> str:
    """What the format of a file has no place for, as a sentence; nothing if it holds all."""
    kind = _kind(path)
    branches = sum(tree.variations() for tree in trees) if kind != ".sgf" else 0
    comments = sum(bool(node.text("C")) for tree in trees for node in tree.main_line()) if kind == ".ggf" else 0
    lost = [f"{count:,} {what}" for count, what in ((branches, "variations"), (comments, "comments")) if count]
    return f"{path} has no place for {' and '.join(lost)}, which are left out." if lost else ""


def position_in(place: str, game: Game | None = None) -> Position | None:
    """The position that `game.sgf#12` names, the first game of a file after 12 moves; None for other texts.

    `games.jsonl#3:12` is the third game; without `#` it is the end of the first game.
    """
    path, rest = place, ""
    if not place.lower().endswith(SUFFIXES):
        path, _, rest = place.rpartition("#")
    if not path.lower().endswith(SUFFIXES):
        return None
    number, _, plies = rest.rpartition(":")
    if not all(part.isdecimal() for part in (number or "1", plies or "0")):
        raise BadSpec(f"`#{rest[:20]}` names no position; write FILE#PLIES or FILE#GAME:PLIES.")
    trees, which = read_games(path, game), int(number or "1")
    if not 1 <= which <= len(trees):
        raise BadFile(f"{path} holds {len(trees)} games; there is no game {which}.")
    tree = trees[which - 1]
    if game and not _alike(tree.game, game):
        raise BadFile(f"{path} holds a game of {tree.game} there, not of {game}.")
    return tree.position(int(plies) if plies else len(tree.moves))


def _alike(one: Game, other: Game) -> bool:
    """Whether a position of one game is a position of the other: the same board, marks, start and way to move."""
    return all(
        getattr(one, part) == getattr(other, part) for part in ("grid", "marks", "shared", "placement", "beginning")
    )


def _kind(path: str) -> str:
    kind = Path(path).suffix.lower()
    if kind not in SUFFIXES:
        raise BadSpec(f"{path[:80]} is of no known format; its name must end in {', '.join(SUFFIXES)}.")
    return kind
