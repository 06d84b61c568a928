"""How does a lost game become a regression test? As a scene that fails today and holds once the table is fixed."""

from collections.abc import Iterable

from teamplay.api.refutation import Replay
from teamplay.game import SEATS, Game, Position
from teamplay.grid import Cell
from teamplay.proof.blame import positions_of
from teamplay.scenes.binder import MAY, MUST_NOT

CLAIMS = {
    "never-loses": "never loses",
    "always-wins": "always wins",
    "wins-if-possible": "wins if possible",
}


def rows(game: Game, position: Position, signs: dict[Cell, str]) -> str:
    """A drawing of a position from the side of the player to move, some cells with other signs."""
    *_, height, width = game.grid.shape
    marks = [signs.get(cell, mark) for cell, mark in enumerate(game.mover_marks(position))]
    lines = ["    " + " ".join(marks[start : start + width]) for start in range(0, len(marks), width)]
    layers = ("\n".join(lines[start : start + height]) for start in range(0, len(lines), height))
    return "\n\n".join(layers)


def scene_file(table: str, game: str | None, replays: Iterable[Replay]) -> str:
    """A scene file with a test for every lost game; `table` and `game` as they are named from its folder."""
    head = [f"table {table}", *([f"game {game}"] if game else [])]
    return "\n".join(["\n".join(head), *(f"\n{_test(replay)}" for replay in replays)]) + "\n"


def _test(replay: Replay) -> str:
    """The choice to blame as a scene, or the claim itself where no drawing can say what is wrong."""
    comment = f"# `teamplay verify` found the game {replay.list_of_moves}. {replay.verdict()}"
    drawn = _scene(replay)
    return f"{comment}\n{drawn or f'claim {CLAIMS[replay.goal]} moving {SEATS[replay.seat]}'}"


def _scene(replay: Replay) -> str | None:
    """The position before the blamed choice: `*` where the goal stays in reach, else `!` where it was lost.

    None where no choice is to blame, and where the right cell was chosen with the wrong letter among several right
    ones, which a drawing can't say.
    """
    game, blame = replay.game, replay.blame
    if blame.ply is None:
        return None
    position, chosen = positions_of(game, replay.moves[: blame.ply])[-1], replay.moves[blame.ply]
    signs = dict.fromkeys((move.cell for move in blame.better), MAY) or {chosen.cell: MUST_NOT}
    letters = {move.mark for move in blame.better if game.shared}
    expected = ""
    if blame.better and len(letters) == 1:
        expected = f"\nexpect play {letters.pop()}"
    elif blame.better and chosen.cell in signs:
        return None
    seat = "" if game.guessed_seat(game.drawn(position)) == position.seat else f" moving {SEATS[position.seat]}"
    name = f"move {blame.ply + 1} of a lost game, moving {SEATS[replay.seat]}"
    return f'scene "{name}"{seat}\n{rows(game, position, signs)}{expected}'
