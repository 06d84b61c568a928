"""Golden playthroughs: one whole game of each kind, drawn so that a person can follow it.

The first two lines of a file in `tests/playthroughs` name its game and its seed; the rest follows from them. To write
all files anew (and a first one for a new game), run `python -m tests.playthroughs`, then read the difference.
"""

import random
from collections.abc import Iterator
from pathlib import Path
from textwrap import wrap

from teamplay import library
from teamplay.game import SEATS, Game, Position
from teamplay.game_file import load_game

FOLDER = Path(__file__).parent / "playthroughs"


def header(name: str) -> tuple[str, int]:
    """The spec and the seed of a game's file, or those of a first one."""
    path = FOLDER / f"{name}.txt"
    if not path.exists():
        return name, 1
    game, seed = path.read_text(encoding="utf-8").splitlines()[:2]
    return game.removeprefix("game "), int(seed.removeprefix("seed "))


def playthrough(spec: str, seed: int) -> str:
    """The text of one game, every move chosen at random."""
    return "\n".join([f"game {spec}", f"seed {seed}", *_lines(load_game(spec), random.Random(seed))]) + "\n"


def _lines(game: Game, generator: random.Random) -> Iterator[str]:
    position = game.start
    yield from _drawn(game, position)
    for number in range(1, game.grid.size + 1):
        moves = game.moves(position)
        if not moves:
            break
        texts = " ".join(map(game.format_move, moves))
        yield from wrap(f"{SEATS[position.seat]} may play {texts}", 100, subsequent_indent="    ")
        move = generator.choice(moves)
        after = game.after(position, move)
        yield ""
        yield f"{number}. {SEATS[position.seat]} plays {game.format_move(move)}{_told(game, position, after)}"
        position = after
        yield from _drawn(game, position)
    yield from _ended(game, position)


def _told(game: Game, before: Position, after: Position) -> str:
    """What a move did besides placing a mark."""
    told = ""
    turned = [
        str(cell + 1) for cell, mark in enumerate(before.marks) if mark in game.marks and mark != after.marks[cell]
    ]
    if turned:
        told += f", turns {' '.join(turned)}"
    points = sum(after.scores) - sum(before.scores)
    if points:
        told += f", scores {points}"
    if after.seat == before.seat and not game.outcome(after):
        told += f" and moves again{'' if points else f', for {SEATS[1 - after.seat]} must pass'}"
    return told


def _drawn(game: Game, position: Position) -> Iterator[str]:
    """The board, layers side by side, and the scores beside it."""
    *layers, height, width = game.grid.shape
    depth = layers[0] if layers else 1
    for row in range(height):
        starts = [(layer * height + row) * width for layer in range(depth)]
        beside = "   ".join(" ".join(position.marks[start : start + width]) for start in starts)
        scored = game.goal.effect == "scores" and row == 0
        yield f"    {beside}{f'      {position.scores[0]} : {position.scores[1]}' if scored else ''}"


def _ended(game: Game, position: Position) -> Iterator[str]:
    outcome = game.outcome(position)
    assert outcome
    who = "a draw" if outcome.winner is None else f"{SEATS[outcome.winner]} wins"
    where = f" in {' '.join(str(cell + 1) for cell in outcome.line)}" if outcome.line else ""
    yield ""
    yield f"{who}: {outcome.reason}{where}"


def main() -> None:
    """Write all files anew."""
    for name in library.names(".toml"):
        (FOLDER / f"{name}.txt").write_text(playthrough(*header(name)), encoding="utf-8")


if __name__ == "__main__":
    main()
