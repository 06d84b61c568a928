"""What does the board module draw? One JSON shape for the page, the notebook and exported files."""

from typing import Any

from teamplay.game import Game, Position
from teamplay.grid import Cell
from teamplay.language import Rulebook
from teamplay.show.chart import By, Chart, counted_entry
from teamplay.show.picture import Picture

VIEWS: tuple[By, ...] = ("priority", "rank", "rule")  # sight is of one agent, and asked for with its cell


def board_json(game: Game, position: Position, marks: str | None = None) -> dict[str, Any]:
    """A position: its marks (x the first player's, unless others are given), what may be played, how it ended."""
    over = game.outcome(position)
    last = position.last
    return {
        "shape": list(game.grid.shape),
        "layer": game.grid.layer_name if len(game.grid.shape) == 3 else "",
        "names": [game.grid.format_cell(cell) for cell in game.grid.cells],
        "letters": list(game.marks) if game.shared else [],
        "marks": position.marks if marks is None else marks,
        "open": sorted({move.cell for move in game.moves(position)}),
        "last": last.cell if last else None,
        "line": list(over.line) if over else [],
        "over": over is not None,
        "cells": None,
        "best": [],
        "chosen": None,
    }


def picture_json(picture: Picture, absolute: bool = False) -> dict[str, Any]:
    """A position through the eyes of a team: x is the team's own, or with `absolute` the first player's."""
    marks = None if absolute else picture.marks
    shown = board_json(picture.game, picture.position, marks)
    charts = {by: picture.chart(by) for by in VIEWS}
    fills = charts["rule"].fills
    return shown | {
        "cells": [_cell_json(picture, cell, fills.get(cell)) for cell in picture.game.grid.cells],
        "best": list(picture.tied),
        "chosen": picture.chosen.cell if picture.chosen else None,
        "legends": {by: _legend(chart) for by, chart in charts.items()},
    }


def _legend(chart: Chart) -> list[dict[str, Any]]:
    """What the fills of a view mean."""
    return [{"fill": one.fill, "text": counted_entry(one)} for one in chart.legend if one.fill is not None]


def _cell_json(picture: Picture, cell: Cell, fill: int | None) -> dict[str, Any]:
    answer = picture.answers.get(cell)
    return {
        "state": picture.states[cell],
        "priority": answer.priority if answer else None,
        "rank": picture.ranks[cell],
        "tier": picture.tiers[cell],
        "rule": picture.rules[cell],
        "fill": fill,  # of the rule, where rules are shown
        "line": rule_line(picture.team.book, cell, picture.rules[cell]),
        "letter": picture.letter(cell) if answer else "",
    }


def rule_line(book: Rulebook, cell: Cell, name: str | None) -> int | None:
    """The line of the file in which a cell's rule of this name stands."""
    return next((rule.span.line for rule in book.rules(cell) if rule.name == name), None) if name else None
