"""Where a game comes from: a spec such as `mnk(m=5,n=5,k=4)` and the `.toml` file that it names."""

import ast
import operator
import re
import reprlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeVar

from teamplay import library
from teamplay.errors import BadFile, BadSpec, did_you_mean
from teamplay.game import BLANK, EFFECTS, PLACEMENTS, SEATS, Game, Goal, GoalKind, Placement
from teamplay.grid import Grid

LARGEST_FILE = 1 << 16  # bytes
WIDEST_TEXT = 400  # characters in a line
LARGEST_NUMBER = 10**9
LONGEST_GOAL = 100  # marks in a row: a cell in the middle lies on four times as many lines
KINDS: tuple[GoalKind, ...] = ("line", "word", "majority")
TURNS: tuple[Literal["alternate", "again"], ...] = ("alternate", "again")
FORMULA = re.compile(r"(\d+\b|[A-Za-z_]\w*\b|[-+*/%() ])+", re.ASCII)

KEYS = ("about", "parameters", "board", "boards", "marks", "placement", "goal", "turns", "start", "require")
GOAL_KEYS = ("line", "word", "majority", "effect", "exact", "for")
MOST_BOARDS = 100
MOST_PROBLEMS = 20  # that are reported: a file of nonsense needs no more

Choice = TypeVar("Choice", bound=str | bool)
Made = TypeVar("Made")


def parse_spec(text: str) -> tuple[str, dict[str, str]]:
    """A name and its options: the one notation for games and players.

    >>> parse_spec("mnk(m=5, n=4,k=3)")
    ('mnk', {'m': '5', 'n': '4', 'k': '3'})
    """
    if not isinstance(text, str):  # from Python: `load_game(None)`
        raise BadSpec(f"{repr(text)[:80]} is not a spec, which is a text such as `tic-tac-toe`.")
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


def load_game(spec: str, folder: Path | None = None) -> Game:
    """The game that a spec names: `tic-tac-toe`, `mnk(m=5,n=5,k=4)`, or `my/game.toml(n=6)`.

    A relative path begins in the given folder, else in the current one.
    """
    name, options = parse_spec(spec)
    path = library.find(name, ".toml")
    if folder and name.endswith(".toml"):
        path = folder / path
    data = library.read_toml(path, "game", LARGEST_FILE, WIDEST_TEXT)
    return _GameFile(path, data).game(path.stem, options)


class _Problem(Exception):
    """One thing that is wrong in a game file: why, what would be right, and the key that is to blame."""

    def __init__(self, reason: str, hint: str = "", key: str = "") -> None:
        super().__init__(reason)
        self.reason, self.hint, self.key = reason, hint, key


@dataclass
class _GameFile:
    """Reads a game's data; whatever is not as it should be is collected, and reported at once."""

    path: Path
    data: Mapping[str, Any]
    problems: list[_Problem] = field(default_factory=list)
    by_spec: bool = False  # did a spec choose parameters? Then a wrong number is no problem of the file

    def game(self, name: str, options: Mapping[str, str]) -> Game:
        self.by_spec = bool(options)
        self._only(self.data, KEYS, "the file")
        parameters = self._tried("parameters", lambda: self._parameters(options))
        marks, shared = self._tried("marks", self._marks) or (("x", "o"), False)
        placement = self._tried("placement", lambda: self._choice(self.data, "placement", PLACEMENTS, "anywhere"))
        turns = self._tried("turns", lambda: self._choice(self.data, "turns", TURNS, "alternate"))
        about = self._tried("about", self._about)
        if parameters is None:
            raise self._report()
        grid = self._tried("board", lambda: self._grid(parameters))
        goal = self._tried("goal", lambda: self._goal(parameters, marks))
        self._tried("require", lambda: self._require(name, parameters))
        beginning = self._tried("start", lambda: self._beginning(grid, marks, parameters)) if grid else None
        if goal and placement and turns:
            self._tried("placement", lambda: self._fit(goal, placement, turns, shared))
        if self.problems or not (grid and goal and placement and turns and beginning and about is not None):
            raise self._report()
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
            beginning=beginning,
            about=about,
            file="" if library.is_shipped(self.path) else str(self.path),
        )
        if over := game.outcome(game.start):
            self.problems.append(_Problem(f"it is over before the first move ({over.reason})", key="start"))
            raise self._report()
        return game

    def _tried(self, key: str, read: Callable[[], Made]) -> Made | None:
        """What one part of the file says, or None with its problem noted."""
        try:
            return read()
        except _Problem as problem:
            problem.key = problem.key or key
            self.problems.append(problem)
            return None
        except BadSpec as error:
            if self.by_spec:
                raise
            said = str(error).removesuffix(".")
            self.problems.append(_Problem(f"{said[:1].lower()}{said[1:]}", key=key))
            return None

    def _report(self) -> BadFile:
        """All problems, one sentence each, in the order of their lines."""
        lines = library.read(self.path).split("\n")
        sentences = []
        problems = sorted(self.problems[:MOST_PROBLEMS], key=lambda problem: line_of(problem.key, lines))
        for problem in problems:
            line = line_of(problem.key, lines)
            where = f"{self.path}:{line}" if line else f"{self.path}"
            sentences.append(f"{where} is not a game: {problem.reason}.{problem.hint}")
        return BadFile("\n".join(sentences))

    def _grid(self, parameters: Mapping[str, int]) -> Grid:
        shape = tuple(self._number(side, parameters) for side in self._list(self.data, "board"))
        if "boards" not in self.data:
            return Grid(shape)
        boards = self._number(self.data["boards"], parameters, "boards")
        if len(shape) != 2 or not 1 <= boards <= MOST_BOARDS:
            raise _Problem(f"`boards` is 1 to {MOST_BOARDS} boards of two dimensions", key="boards")
        return Grid((boards, *shape), separate=True)

    def _fit(self, goal: Goal, placement: Placement, turns: str, shared: bool) -> None:
        """Refuse mechanics that don't go together."""
        if placement == "flank" and shared:
            raise _Problem("`flank` needs marks of their own (`own = [...]`)")
        if placement == "flank" and (goal.kind == "word" or goal.effect == "scores"):
            raise _Problem("`flank` turns marks, so its goal is a `majority`, or a `line` that wins or loses")
        if goal.kind == "majority" and shared:
            raise _Problem("`majority` needs marks of their own (`own = [...]`)", key="marks")
        if turns == "again" and goal.effect != "scores":
            raise _Problem('`turns = "again"` needs a goal that scores', key="turns")
        if "boards" in self.data and (goal.kind != "line" or goal.effect == "scores" or placement == "flank"):
            raise _Problem("`boards` are closed by a `line` that wins or loses", key="boards")

    def _require(self, name: str, parameters: Mapping[str, int]) -> None:
        for text in self._list(self.data, "require", []):
            if not isinstance(text, str) or not (match := re.fullmatch(r"(.{1,60}?)(>=|=)(.{1,60})", text)):
                raise _Problem(f'`require` holds conditions like "n%2 = 0", not {_shortly(text)}')
            left, right = (self._number(side.strip(), parameters) for side in (match[1], match[3]))
            if not (left >= right if match[2] == ">=" else left == right):
                raise BadSpec(f"{name} needs {text}, which does not hold for {self._shown(parameters)}.")

    def _about(self) -> str:
        about = self.data.get("about", "")
        if not isinstance(about, str):
            raise _Problem(f"`about` must be a text, not {_shortly(about)}")
        return about

    def _only(self, table: Mapping[str, Any], known: tuple[str, ...], where: str) -> None:
        for key in table:
            if key not in known:
                hint = did_you_mean(key, known) or f" The keys are {', '.join(known)}."
                self.problems.append(_Problem(f"{_shortly(key)} means nothing in {where}", hint, key))

    def _list(self, table: Mapping[str, Any], key: str, default: list[Any] | None = None) -> list[Any]:
        value = table.get(key, default)
        if not isinstance(value, list):
            raise _Problem(f"`{key}` must be a list")
        return value

    def _choice(self, table: Mapping[str, Any], key: str, allowed: tuple[Choice, ...], default: Choice) -> Choice:
        value = table.get(key, default)
        for choice in allowed:
            if choice == value and type(choice) is type(value):
                return choice
        shown = ", ".join(str(choice).lower() for choice in allowed)
        raise _Problem(f"`{key}` must be one of {shown}, not {_shortly(value)}", key=key)

    def _parameters(self, options: Mapping[str, str]) -> dict[str, int]:
        """The file's parameters, those of the spec in place of the file's defaults."""
        declared = self.data.get("parameters", {})
        if not isinstance(declared, dict):
            raise _Problem("`parameters` must be a table of names and numbers")
        for key in declared:
            if not re.fullmatch(r"[A-Za-z_]\w{0,39}", key, re.ASCII):
                raise _Problem(f"a parameter is named by letters, digits and _, not {_shortly(key)}")
        for key in options:
            if key not in declared:
                has = f"it has {', '.join(declared)}" if declared else "it has none"
                hint = did_you_mean(key, declared)
                raise BadSpec(f"{self.path.stem} has no parameter `{key}`; {has}.{hint}")
        values: dict[str, int] = {}
        for key, default in declared.items():
            if key in options:
                if re.fullmatch(r"\d{8,}", options[key], re.ASCII):
                    raise BadSpec(f"`{key}` of {self.path.stem} is too large; {'9' * 7} is the most.")
                if not re.fullmatch(r"\d{1,7}", options[key], re.ASCII):
                    raise BadSpec(f"`{key}` of {self.path.stem} is a whole number, not `{options[key][:40]}`.")
                values[key] = int(options[key])
            else:
                values[key] = self._number(default, values, key)
        return values

    def _shown(self, parameters: Mapping[str, int]) -> str:
        return ", ".join(f"{key}={value}" for key, value in parameters.items())

    def _number(self, value: Any, parameters: Mapping[str, int], key: str = "") -> int:
        """A whole number, or a formula over the parameters such as `n/2 + 1`; else `key` is to blame."""
        try:
            return self._whole(value, parameters)
        except _Problem as problem:
            problem.key = key
            raise

    def _whole(self, value: Any, parameters: Mapping[str, int]) -> int:
        if isinstance(value, int) and not isinstance(value, bool):
            number = value
        elif isinstance(value, str) and len(value) <= 60:
            number = self._computed(value.strip(), parameters)
        else:
            raise _Problem(f"{_shortly(value)} is not a number or a short formula")
        if abs(number) > LARGEST_NUMBER:
            raise _Problem(f"{_shortly(value)} is a number beyond {LARGEST_NUMBER:,}")
        return number

    def _computed(self, text: str, parameters: Mapping[str, int]) -> int:
        try:
            if not FORMULA.fullmatch(text):
                raise ValueError
            return _formula(ast.parse(text, mode="eval").body, parameters)
        except ZeroDivisionError:
            named = {key: value for key, value in parameters.items() if re.search(rf"\b{key}\b", text)}
            where = f" where {self._shown(named)}" if named else ""
            raise _Problem(f"{_shortly(text)} divides by zero{where}") from None
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            names = ", ".join(parameters) or "none"
            raise _Problem(f"{_shortly(text)} is not a formula of + - * / % over the parameters ({names})") from None

    def _marks(self) -> tuple[tuple[str, ...], bool]:
        table = self.data.get("marks", {"own": ["x", "o"]})
        if not isinstance(table, dict) or len(table) != 1 or not ({"own", "shared"} & set(table)):
            raise _Problem('`marks` must be { own = ["x", "o"] } or { shared = [letters] }')
        kind, marks = next(iter(table.items()))
        if kind == "own" and marks != ["x", "o"]:
            raise _Problem('marks of their own are ["x", "o"]: the first player\'s and the second\'s')
        if kind == "shared":
            if not isinstance(marks, list) or not 1 <= len(marks) <= 8:
                raise _Problem("shared marks are a list of one to eight different capital letters")
            if not all(isinstance(mark, str) and re.fullmatch("[A-Z]", mark) for mark in marks):
                raise _Problem("shared marks are single capital letters")
            if len(set(marks)) != len(marks):
                raise _Problem("shared marks must differ from each other")
        return tuple(marks), kind == "shared"

    def _goal(self, parameters: Mapping[str, int], marks: tuple[str, ...]) -> Goal:
        table = self.data.get("goal")
        if not isinstance(table, dict):
            raise _Problem("it needs a [goal]: a `line`, a `word` or a `majority`")
        self._only(table, GOAL_KEYS, "[goal]")
        kinds = [kind for kind in KINDS if kind in table]
        if not kinds and self.problems and self.problems[-1].key in table:
            raise self.problems.pop()  # a misspelt key explains what is missing
        if len(kinds) != 1:
            raise _Problem("[goal] names exactly one of `line`, `word` and `majority`")
        kind = kinds[0]
        effect = self._choice(table, "effect", EFFECTS, "wins")
        if kind == "majority":
            if effect != "wins" or table["majority"] is not True:
                raise _Problem("`majority = true` wins, and has no other effect")
            return Goal(kind)
        if kind == "line":
            length = self._number(table["line"], parameters, "line")
            if length < 2:
                raise BadSpec(f"A line of {length} is too short; {self.path.stem} needs at least 2.")
            if length > LONGEST_GOAL:
                raise BadSpec(f"A line of {length} is too long; {LONGEST_GOAL} is the most.")
            exact = self._choice(table, "exact", (True, False), False)
            owner = SEATS.index(self._choice(table, "for", SEATS, "first")) if "for" in table else None
            if effect == "scores" and (exact or owner is not None):
                raise _Problem("`exact` and `for` are for lines that win or lose, not for lines that score")
            if effect == "loses" and owner is not None:
                raise _Problem("`for` names who wins by the line, so its effect is `wins`", key="for")
            return Goal(kind, length, effect=effect, exact=exact, owner=owner)
        if {"exact", "for"} & set(table):
            raise _Problem("`exact` and `for` are for lines, not for words")
        word = table["word"]
        if not isinstance(word, str) or not 2 <= len(word) <= 16 or not set(word) <= set(marks):
            raise _Problem(f"`word` is 2 to 16 of the marks {' '.join(marks)}")
        return Goal(kind, len(word), word, effect)

    def _beginning(self, grid: Grid, marks: tuple[str, ...], parameters: Mapping[str, int]) -> str:
        """The marks at the start: `start = { S = [[1, 1], [1, "n"]] }`, rows and columns from 1."""
        table = self.data.get("start", {})
        if not isinstance(table, dict):
            raise _Problem("`start` must be a table of marks and their cells")
        board = [BLANK] * grid.size
        for mark in table:
            if mark not in marks:
                raise _Problem(f"`start` places {_shortly(mark)}, which is not a mark of the game")
            for place in self._list(table, mark):
                if not isinstance(place, list) or len(place) != len(grid.shape):
                    raise _Problem(f"`start` cells are lists of {len(grid.shape)} numbers, not {_shortly(place)}")
                at = [self._number(number, parameters) - 1 for number in place]
                if not grid.contains(at):
                    raise _Problem(f"`start` places {mark} at {_shortly(place)}, which is off the board of {grid}")
                if board[grid.cell(at)] != BLANK:
                    raise _Problem(f"`start` places two marks at {_shortly(place)}")
                board[grid.cell(at)] = mark
        return "".join(board)


def line_of(key: str, lines: list[str]) -> int:
    """The line of a file that names a key, from 1; 0 where none does.

    >>> line_of("line", ["board = [3, 3]", "goal = { line = 3 }"]), line_of("marks", [""])
    (2, 0)
    >>> line_of("n", ['board = ["n", 3]', "[parameters]", "n = 3"]), line_of("goal", ["about = 'a goal'", "[goal]"])
    (3, 2)
    """
    if not key:
        return 0
    before, name = r"(^|[\[{,\s\"'])", re.escape(key)
    # Its value if there is one, else its heading, else any mention.
    for named in (rf"{before}{name}[\"']?\s*=", rf"^\s*\[+{name}[\].]", rf"{before}{name}([\]}}\s\"'=.]|$)"):
        for number, line in enumerate(lines, 1):
            if re.search(named, line.split("#")[0]):
                return number
    return 0


def _shortly(value: object) -> str:
    """A value from an untrusted file: on one line, and short however long or deep it is."""
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
