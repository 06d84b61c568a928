"""explain why the cells answer as they do: every rule tried, what it measured, the nearest miss"""

import argparse

from rich.console import Console
from rich.text import Text

from teamplay.cli import _arguments
from teamplay.cli._progress import Progress
from teamplay.grid import Cell
from teamplay.show.paste import put_options
from teamplay.show.picture import Picture, choice_json, heading_json, think
from teamplay.show.reasons import Reason, comparison, reason, reason_json, standing, summary
from teamplay.show.terminal import Signs, console, plain, put_table, put_tried, say
from teamplay.show.words import cell_name, consequence, heading, listed, sight, surroundings, verdict


def arguments(parser: argparse.ArgumentParser) -> None:
    _arguments.add_table(parser, stdin=True)
    parser.add_argument("cell", nargs="?", metavar="CELL", help="5, b2 or 2,2 (default: all cells, shortly)")
    _arguments.add_board(parser)
    _arguments.add_game(parser)
    parser.add_argument("--why-not", metavar="CELL", help="compare this cell with the choice")
    _arguments.add_seed(parser)
    _arguments.add_json(parser)


def run(args: argparse.Namespace) -> int:
    team = _arguments.the_team(args)
    grid = team.game.grid
    cell = grid.parse_cell(args.cell) if args.cell is not None else None
    other = grid.parse_cell(args.why_not) if args.why_not is not None else None
    position = _arguments.the_position(args, team.game)
    with Progress("asking the agents"):
        picture = think(team, position, args.seed)
    why = None if cell is None else reason(picture, cell)
    why_not = None if other is None else reason(picture, other)
    if args.json:
        _print_json(picture, why, why_not)
    else:
        _print_text(picture, why, why_not)
    return 0


def _print_json(picture: Picture, why: Reason | None, why_not: Reason | None) -> None:
    shown = heading_json(picture) | choice_json(picture)
    if why:
        shown |= reason_json(picture, why)
    if why_not:
        shown["why_not"] = reason_json(picture, why_not) | {"comparison": " ".join(comparison(picture, why_not))}
    if not why and not why_not:
        shown["groups"] = [
            {"priority": priority, "rule": rule or None, "cells": [cell + 1 for cell in cells]}
            for (priority, rule), cells in _groups(picture).items()
        ]
    _arguments.print_json(shown)


def _print_text(picture: Picture, why: Reason | None, why_not: Reason | None) -> None:
    screen = console()
    say(screen, heading(picture), "bold")
    put_options(screen, picture.game, picture.position)
    if not why and not why_not:
        say(screen, sight(picture))
        _print_groups(screen, picture)
        return
    if why:
        say(screen)
        print_reason(screen, picture, why)
    if why_not:
        say(screen)
        _print_comparison(screen, picture, why_not)
        if why_not.tried and (why is None or why.cell != why_not.cell):
            say(screen)
            put_tried(screen, why_not)


def _groups(picture: Picture) -> dict[tuple[int | None, str], list[int]]:
    """The cells that gave the same answer by the same rule, the most urgent first, silence last."""
    groups: dict[tuple[int | None, str], list[int]] = {}
    for cell, answer in picture.answers.items():
        groups.setdefault((answer.priority, answer.rule), []).append(cell)
    return dict(sorted(groups.items(), key=lambda group: (group[0][0] is None, group[0][0] or 0, group[1])))


def _print_groups(screen: Console, picture: Picture) -> None:
    """The short explanation: cells by priority, the tie, what follows."""

    signs = Signs(picture, screen.width, plain(screen), "priority")

    def heat(priority: int | None, cell: Cell) -> Text:
        return Text("silent") if priority is None else Text(f" {priority} ", signs.style(picture.tiers[cell]))

    if picture.answers:
        rows = [
            (heat(priority, cells[0]), rule, listed([cell_name(picture.game.grid, cell) for cell in cells]))
            for (priority, rule), cells in _groups(picture).items()
        ]
        say(screen)
        put_table(screen, ("priority", "rule", "cells"), rows)
    say(screen)
    say(screen, verdict(picture), "bold")
    if picture.chosen and (follows := consequence(picture.game, picture.position, picture.chosen)):
        say(screen, follows)


def print_reason(screen: Console, picture: Picture, why: Reason) -> None:
    """The long explanation of one cell."""
    say(screen, why.barred or surroundings(picture, why.cell))
    if why.barred:
        return
    say(screen)
    put_tried(screen, why)
    say(screen)
    say(screen, summary(why))
    say(screen, standing(picture, why))


def _print_comparison(screen: Console, picture: Picture, why: Reason) -> None:
    """Why not this cell."""
    say(screen, f"Why not {cell_name(picture.game.grid, why.cell)}?", "bold")
    for sentence in comparison(picture, why):
        say(screen, sentence)
