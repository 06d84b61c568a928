"""A board in a notebook: click or type to set marks, and read or set the position from Python."""

import importlib.util
from typing import TYPE_CHECKING, Any

from teamplay.api.loading import as_player, game_for
from teamplay.api.thinking import think
from teamplay.errors import BadSpec, TeamplayError
from teamplay.game import BLANK, Position
from teamplay.players import Player
from teamplay.show.notebook import game_of_position
from teamplay.show.picture import Picture
from teamplay.show.words import verdict
from teamplay.studio.boards import picture_json
from teamplay.studio.bundle import WEB
from teamplay.team import Team

if TYPE_CHECKING:
    from teamplay.studio.anyboard import AnyBoard

RENDER = """
export default {
  render({ model, el }) {
    const press = (cell, mark) => {
      model.set("pressed", [cell, mark, (model.get("pressed")[2] || 0) + 1]);
      model.save_changes();
    };
    const next = (cell) => {
      const { letters, marks } = model.get("state");
      const order = [".", ...(letters.length ? letters : ["x", "o"])];
      return order[(order.indexOf(marks[cell]) + 1) % order.length];
    };
    const board = createBoard(el, { press: (cell) => press(cell, next(cell)), type: press });
    const said = document.createElement("p");
    said.className = "tp-said";
    said.setAttribute("aria-live", "polite");
    el.append(said);
    const paint = () => {
      board.update({ ...model.get("state"), view: model.get("view") });
      said.textContent = model.get("said");
    };
    model.on("change:state", paint);
    model.on("change:said", paint);
    model.on("change:view", paint);
    paint();
  },
};
"""


def script() -> str:
    """The board module, and how a notebook calls it."""
    return (WEB / "board.js").read_text("utf-8") + RENDER


def style() -> str:
    return (WEB / "board.css").read_text("utf-8")


def board(team: Player | str, position: Position | None = None, seed: int = 0) -> "AnyBoard | Picture":
    """A board to click on, with what the team thinks; without `pip install 'teamplay[notebook]'` it is a drawing."""
    game = game_for(None, [team]) if position is None else game_of_position(position)
    player = as_player(team, game)
    if not isinstance(player, Team):
        raise BadSpec(f"`{player.name}` is a player without agents; a board shows what a team thinks.")
    if importlib.util.find_spec("anywidget") is None:
        return think(player, position or game.start, seed)
    from teamplay.studio.anyboard import AnyBoard

    return AnyBoard(player, position or game.start, seed)


def pressed(team: Team, position: Position, cell: int, mark: str) -> Position:
    """The position with another mark in a cell, with the same seat to move where the game allows it."""
    game = team.game
    marks = game.mover_marks(position)
    known = {each.lower(): each for each in (*game.visible_marks, BLANK)}
    meant = BLANK if mark in ("b", "-", " ") else known.get(mark.lower(), "")
    if not 0 <= cell < game.grid.size or not meant:
        raise TeamplayError(f"`{mark[:8]}` is not a mark of {game.name}.")
    return game.position(f"{marks[:cell]}{meant}{marks[cell + 1 :]}", position.seat)


def state(picture: Picture) -> tuple[dict[str, Any], str]:
    """What the board shows, and what follows from it."""
    return picture_json(picture), verdict(picture)
