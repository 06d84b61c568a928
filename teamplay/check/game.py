"""What is suspicious about a game file that can be read?"""

import re
from collections.abc import Iterator

from teamplay import library
from teamplay.check.findings import Finding
from teamplay.check.report import Report
from teamplay.errors import BadFile
from teamplay.game import BLANK, Game
from teamplay.game_file import BadGameFile, Problem, line_of, load_game
from teamplay.language import Source
from teamplay.language.diagnostics import Diagnostic, Span

CODES = {
    "G001": "a game file that can't be used",
    "G101": "a line that fits nowhere on the board",
    "G102": "a start that no game could lead to",
}


def check_game(spec: str) -> Report:
    """All problems of a game file, or else what looks like a mistake in it."""
    path = library.find(spec, ".toml")
    source = Source(str(path), library.read(path))
    lines = source.text.split("\n")
    try:
        game = load_game(spec)
    except BadGameFile as error:
        return Report(source, tuple(_problem(problem, lines) for problem in error.problems))
    except BadFile as error:  # no TOML, which says where it ends
        where = re.search(r"\(at line (\d+)", str(error))
        span = _whole(min(int(where[1]), len(lines)) if where else 1, lines)
        return Report(
            source, (Diagnostic("G001", span, str(error).removeprefix(f"{path} ").removeprefix("is ").rstrip(".")),)
        )
    findings = tuple(
        Finding(code, _span(key, lines), message, help=help) for code, key, message, help in _suspicions(game)
    )
    return Report(source, findings, games=(str(game),), scope=(f"the rules of {game} on a board of {game.grid}",))


def _problem(problem: Problem, lines: list[str]) -> Diagnostic:
    span = _whole(problem.line, lines) if problem.line else Span(1, 1, 1)
    return Diagnostic("G001", span, problem.reason, help=problem.hint)


def _span(key: str, lines: list[str]) -> Span:
    return _whole(line_of(key, lines) or 1, lines)


def _whole(number: int, lines: list[str]) -> Span:
    line = lines[number - 1]
    return Span(number, 1 + len(line) - len(line.lstrip()), len(line.rstrip()) + 1)


def _suspicions(game: Game) -> Iterator[tuple[str, str, str, str]]:
    """Code, key, what is odd, and what would be right."""
    longest = max(game.grid.shape[-2:] if game.grid.separate else game.grid.shape)
    if game.k and game.k > longest:
        message = f"no line of {game.k} cells fits on a board of {game.grid}, so the goal can never be met"
        yield "G101", f"goal.{game.goal.kind}", message, f"a line has at most {longest} cells here"
    if game.placement == "drop":
        width, size = game.grid.shape[-1], game.grid.size
        floating = [
            cell
            for cell, mark in enumerate(game.beginning[: size - width])
            if mark != BLANK and cell // width % game.grid.shape[-2] < game.grid.shape[-2] - 1
            if game.beginning[cell + width] == BLANK
        ]
        if floating:
            name = game.grid.format_cell(floating[0])
            yield (
                "G102",
                "start",
                f"pieces drop, but {name} is above an empty cell at the start",
                "fill the cells below",
            )
    if not game.shared and game.placement != "flank":
        first, second = (game.beginning.count(mark) for mark in game.marks)
        if second > first:
            message = f"the second player has {second} marks at the start and the first {first}, who moves first"
            yield "G102", "start", message, "give the first player as many"
