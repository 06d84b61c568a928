"""Where a game comes from: a spec such as `mnk(m=5,n=5,k=4)` and the `.toml` file that it names."""

import ast
import operator
import re
import reprlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from teamplay import library
from teamplay.errors import BadFile, BadSpec, did_you_mean
from teamplay.game import BLANK, Game, Goal
from teamplay.grid import Grid

LARGEST_FILE = 1 << 16  # bytes
WIDEST_TEXT = 400  # characters in a line
LARGEST_NUMBER = 10**9
LONGEST_GOAL = 100  # marks in a row: a cell in the middle lies on four times as many lines
FORMULA = re.compile(r"(\d+\b|[A-Za-z_]\w*\b|[-+*/%() ])+", re.ASCII)


def parse_spec(text: str) -> tuple[str, dict[str, str]]:
    """A name and its options: the one notation for games and players.

    >>> parse_spec("mnk(m=5, n=4,k=3)")
    ('mnk', {'m': '5', 'n': '4', 'k': '3'})
    """
    # A path may hold anything, and ends in the suffix of its kind; a name is plainer.
    match = re.fullmatch(r"\s*(\S.{0,4000}?\.(?:team|toml))(?:\(((?:\s*\w+\s*=[^(),]*,?)*)\))?\s*", text)
    match = match or re.fullmatch(r"\s*([^\s()=,](?:[^()=,]{0,198}[^\s()=,])?)\s*(?:\(([^()]{0,400})\))?\s*", text)
    if not match:
        raise BadSpec(f"`{text.strip()[:80]}` is not a spec; write a name, or a name with options: `mnk(m=5,n=5,k=4)`.")
    name, inside = match.groups()
    options: dict[str, str] = {}
    for part in filter(None, (part.strip() for part in (inside or "").split(","))):
        key, equals, value = (word.strip() for word in part.partition("="))
        if not (key and equals and value):
            raise BadSpec(f"`{part}` in `{text.strip()}` is not an option; write `name=value`.")
        if key in options:
            raise BadSpec(f"`{key}` is given twice in `{text.strip()}`.")
        options[key] = value
    return name, options


def load_game(spec: str) -> Game:
    """The game that a spec names: `tic-tac-toe`, `mnk(m=5,n=5,k=4)`, or `my/game.toml(n=6)`."""
    name, options = parse_spec(spec)
    path = library.find(name, ".toml")
    return _GameFile(path, library.read_toml(path, "game", LARGEST_FILE, WIDEST_TEXT)).game(path.stem, options)


@dataclass(frozen=True)
class _GameFile:
    """Reads a game's data with an error for everything that is not as it should be."""

    path: Path
    data: Mapping[str, Any]

    def game(self, name: str, options: Mapping[str, str]) -> Game:
        known = {"about", "parameters", "board", "marks", "placement", "goal", "turns", "start", "require"}
        self._only(self.data, known, "the file")
        parameters = self._parameters(options)
        grid = Grid(tuple(self._number(side, parameters) for side in self._list(self.data, "board")))
        marks, shared = self._marks()
        goal = self._goal(parameters, marks)
        placement = self._choice(self.data, "placement", ("anywhere", "drop", "flank"), "anywhere")
        turns = self._choice(self.data, "turns", ("alternate", "again"), "alternate")
        if placement == "flank" and shared:
            raise self._wrong("`flank` needs marks of their own (`own = [...]`)")
        if placement == "flank" and (goal.kind == "word" or goal.effect == "scores"):
            raise self._wrong("`flank` turns marks, so its goal is a `majority`, or a `line` that wins or loses")
        if goal.kind == "majority" and shared:
            raise self._wrong("`majority` needs marks of their own (`own = [...]`)")
        if turns == "again" and goal.effect != "scores":
            raise self._wrong('`turns = "again"` needs a goal that scores')
        for text in self._list(self.data, "require", []):
            if not isinstance(text, str) or not (match := re.fullmatch(r"(.{1,60}?)(>=|=)(.{1,60})", text)):
                raise self._wrong(f'`require` holds conditions like "n%2 = 0", not {_shortly(text)}')
            left, right = (self._number(side.strip(), parameters) for side in (match[1], match[3]))
            if not (left >= right if match[2] == ">=" else left == right):
                raise BadSpec(f"{name} needs {text}, which does not hold for {self._shown(parameters)}.")
        given = tuple((key, value) for key, value in parameters.items() if key in options)
        game = Game(
            name=name,
            parameters=given,
            grid=grid,
            marks=marks,
            shared=shared,
            placement=placement,
            goal=goal,
            again=turns == "again",
            beginning=self._beginning(grid, marks, parameters),
            about=self._about(),
        )
        if over := game.outcome(game.start):
            raise self._wrong(f"it is over before the first move ({over.reason})")
        return game

    def _wrong(self, reason: str, hint: str = "") -> BadFile:
        return BadFile(f"{self.path} is not a game: {reason}.{hint}")

    def _about(self) -> str:
        about = self.data.get("about", "")
        if not isinstance(about, str):
            raise self._wrong(f"`about` must be a text, not {_shortly(about)}")
        return about

    def _only(self, table: Mapping[str, Any], known: set[str], where: str) -> None:
        for key in table:
            if key not in known:
                raise self._wrong(f"{_shortly(key)} means nothing in {where}", did_you_mean(key, known))

    def _list(self, table: Mapping[str, Any], key: str, default: list[Any] | None = None) -> list[Any]:
        value = table.get(key, default)
        if not isinstance(value, list):
            raise self._wrong(f"`{key}` must be a list")
        return value

    def _choice(self, table: Mapping[str, Any], key: str, allowed: tuple[str, ...], default: str) -> str:
        value = table.get(key, default)
        if value not in allowed:
            raise self._wrong(f"`{key}` must be one of {', '.join(allowed)}, not {_shortly(value)}")
        return str(value)

    def _parameters(self, options: Mapping[str, str]) -> dict[str, int]:
        """The file's parameters, those of the spec in place of the file's defaults."""
        declared = self.data.get("parameters", {})
        if not isinstance(declared, dict):
            raise self._wrong("`parameters` must be a table of names and numbers")
        for key in declared:
            if not re.fullmatch(r"[A-Za-z_]\w{0,39}", key, re.ASCII):
                raise self._wrong(f"a parameter is named by letters, digits and _, not {_shortly(key)}")
        for key in options:
            if key not in declared:
                has = f"it has {', '.join(declared)}" if declared else "it has none"
                hint = did_you_mean(key, declared)
                raise BadSpec(f"{self.path.stem} has no parameter `{key}`; {has}.{hint}")
        values: dict[str, int] = {}
        for key, default in declared.items():
            if key in options:
                if not re.fullmatch(r"\d{1,7}", options[key], re.ASCII):
                    raise BadSpec(f"`{key}` of {self.path.stem} is a whole number, not `{options[key][:40]}`.")
                values[key] = int(options[key])
            else:
                values[key] = self._number(default, values)
        return values

    def _shown(self, parameters: Mapping[str, int]) -> str:
        return ", ".join(f"{key}={value}" for key, value in parameters.items())

    def _number(self, value: Any, parameters: Mapping[str, int]) -> int:
        """A whole number, or a formula over the parameters such as `n/2 + 1`."""
        if isinstance(value, int) and not isinstance(value, bool):
            number = value
        elif isinstance(value, str) and len(value) <= 60:
            number = self._computed(value.strip(), parameters)
        else:
            raise self._wrong(f"{_shortly(value)} is not a number or a short formula")
        if abs(number) > LARGEST_NUMBER:
            raise self._wrong(f"{_shortly(value)} is a number beyond {LARGEST_NUMBER:,}")
        return number

    def _computed(self, text: str, parameters: Mapping[str, int]) -> int:
        try:
            if not FORMULA.fullmatch(text):
                raise ValueError
            return _formula(ast.parse(text, mode="eval").body, parameters)
        except ZeroDivisionError:
            raise self._wrong(f"{_shortly(text)} divides by zero where {self._shown(parameters)}") from None
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            names = ", ".join(parameters) or "none"
            raise self._wrong(f"{_shortly(text)} is not a formula of + - * / % over the parameters ({names})") from None

    def _marks(self) -> tuple[tuple[str, ...], bool]:
        table = self.data.get("marks", {"own": ["x", "o"]})
        if not isinstance(table, dict) or len(table) != 1 or not ({"own", "shared"} & set(table)):
            raise self._wrong('`marks` must be { own = ["x", "o"] } or { shared = [letters] }')
        kind, marks = next(iter(table.items()))
        if kind == "own" and marks != ["x", "o"]:
            raise self._wrong('marks of their own are ["x", "o"]: the first player\'s and the second\'s')
        if kind == "shared":
            if not isinstance(marks, list) or not 1 <= len(marks) <= 8:
                raise self._wrong("shared marks are a list of one to eight different capital letters")
            if not all(isinstance(mark, str) and re.fullmatch("[A-Z]", mark) for mark in marks):
                raise self._wrong("shared marks are single capital letters")
            if len(set(marks)) != len(marks):
                raise self._wrong("shared marks must differ from each other")
        return tuple(marks), kind == "shared"

    def _goal(self, parameters: Mapping[str, int], marks: tuple[str, ...]) -> Goal:
        table = self.data.get("goal")
        if not isinstance(table, dict):
            raise self._wrong("it needs a [goal]: a `line`, a `word` or a `majority`")
        self._only(table, {"line", "word", "majority", "effect"}, "[goal]")
        kinds = [kind for kind in ("line", "word", "majority") if kind in table]
        if len(kinds) != 1:
            raise self._wrong("[goal] names exactly one of `line`, `word` and `majority`")
        kind = kinds[0]
        effect = self._choice(table, "effect", ("wins", "loses", "scores"), "wins")
        if kind == "majority":
            if effect != "wins" or table["majority"] is not True:
                raise self._wrong("`majority = true` wins, and has no other effect")
            return Goal(kind)
        if kind == "line":
            length = self._number(table["line"], parameters)
            if length < 2:
                raise BadSpec(f"A line of {length} is too short; {self.path.stem} needs at least 2.")
            if length > LONGEST_GOAL:
                raise BadSpec(f"A line of {length} is too long; {LONGEST_GOAL} is the most.")
            return Goal(kind, length, effect=effect)
        word = table["word"]
        if not isinstance(word, str) or not 2 <= len(word) <= 16 or not set(word) <= set(marks):
            raise self._wrong(f"`word` is 2 to 16 of the marks {' '.join(marks)}")
        return Goal(kind, len(word), word, effect)

    def _beginning(self, grid: Grid, marks: tuple[str, ...], parameters: Mapping[str, int]) -> str:
        """The marks at the start: `start = { S = [[1, 1], [1, "n"]] }`, rows and columns from 1."""
        table = self.data.get("start", {})
        if not isinstance(table, dict):
            raise self._wrong("`start` must be a table of marks and their cells")
        board = [BLANK] * grid.size
        for mark in table:
            if mark not in marks:
                raise self._wrong(f"`start` places {_shortly(mark)}, which is not a mark of the game")
            for place in self._list(table, mark):
                if not isinstance(place, list) or len(place) != len(grid.shape):
                    raise self._wrong(f"`start` cells are lists of {len(grid.shape)} numbers, not {_shortly(place)}")
                at = [self._number(number, parameters) - 1 for number in place]
                if not grid.contains(at):
                    raise self._wrong(f"`start` places {mark} at {_shortly(place)}, which is off the board of {grid}")
                if board[grid.cell(at)] != BLANK:
                    raise self._wrong(f"`start` places two marks at {_shortly(place)}")
                board[grid.cell(at)] = mark
        return "".join(board)


def _shortly(value: object) -> str:
    """A value from a stranger's file: on one line, and short however long or deep it is."""
    brief = reprlib.Repr()
    brief.maxstring = 64
    return brief.repr(value)


_OPERATIONS: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.floordiv,
    ast.Mod: operator.mod,
}


def _formula(node: ast.expr, parameters: Mapping[str, int]) -> int:
    """The value of a parsed formula; anything but numbers, parameters and + - * / % is a ValueError."""
    match node:
        case ast.Constant(value=int(value)) if not isinstance(value, bool):
            return value
        case ast.Name(id=name) if name in parameters:
            return parameters[name]
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATIONS:
            return _OPERATIONS[type(op)](_formula(left, parameters), _formula(right, parameters))
    raise ValueError
