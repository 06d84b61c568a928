"""The board as an anywidget; an extra, so that nothing else imports this file."""

from typing import Any

import anywidget
import traitlets

from teamplay.api.thinking import think
from teamplay.errors import TeamplayError
from teamplay.game import Position
from teamplay.show.picture import Picture
from teamplay.studio.widget import pressed, script, state, style
from teamplay.team import Team


class AnyBoard(anywidget.AnyWidget):
    """What a team thinks of a position; the position can be clicked, read and set."""

    _esm = script()
    _css = style()
    state = traitlets.Dict().tag(sync=True)
    said = traitlets.Unicode().tag(sync=True)
    view = traitlets.Enum(["priority", "rank", "rule", "ties"], "priority").tag(sync=True)
    pressed = traitlets.List([-1, "", 0]).tag(sync=True)
    drawing = traitlets.Unicode().tag(sync=True)

    def __init__(self, team: Team, position: Position, seed: int = 0) -> None:
        self.team, self.seed = team, seed
        super().__init__()
        self.position = position

    @property
    def position(self) -> Position:
        """The position on the board, with the team to move."""
        return self._position

    @position.setter
    def position(self, position: Position) -> None:
        self._position = position
        self.state, self.said = state(self.picture)
        self.drawing = self.team.game.drawn(position)

    @property
    def picture(self) -> Picture:
        """What the team thinks of the position."""
        return think(self.team, self._position, self.seed)

    @traitlets.observe("pressed")
    def _press(self, change: Any) -> None:
        cell, mark, _ = change["new"]
        try:
            self.position = pressed(self.team, self._position, int(cell), str(mark))
        except TeamplayError as error:
            self.said = str(error)
