"""SGF files (FF[4]) of gomoku, Renju and Othello games: with all variations, comments and properties."""

import re
from dataclasses import dataclass

from teamplay.errors import BadFile
from teamplay.game import BLANK, Game, Move, Position
from teamplay.game_file import load_game
from teamplay.grid import Cell
from teamplay.interop.tree import GameTree, Properties, TurnNode, check_moves

OTHELLO, GOMOKU = "2", "4"  # the values of GM
COLORS = ("B", "W")
SET_UP = ("AB", "AW")
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
MOST_NODES = 200_000


@dataclass(eq=False)
class RawNode:
    """A node as it is written: names and values, before they mean anything."""

    properties: list[tuple[str, list[str]]]
    children: "list[RawNode]"
    line: int

    def value(self, name: str) -> str:
        return next((values[0] for known, values in self.properties if known == name and values), "")

    def values(self, name: str) -> list[str]:
        return next((values for known, values in self.properties if known == name), [])


def read_sgf(text: str, name: str, game: Game | None = None) -> list[GameTree]:
    """The games of a collection; `game` says by which rules, where the file leaves that open."""
    return [_meaning(root, name, game) for root in parse(text, name)]


def write_sgf(trees: list[GameTree]) -> str:
    """A collection, one game after the other."""
    return "".join(f"{_written(tree)}\n" for tree in trees)


# From text to nodes


def parse(text: str, name: str) -> list[RawNode]:
    """The roots of a collection; what stands before, between and after games is skipped, as the format allows."""
    reader = _Reader(text, name)
    roots = []
    while reader.find_tree():
        roots.append(reader.tree())
    if not roots:
        raise BadFile(f"{name} holds no game; an SGF file begins with `(;`.")
    return roots


@dataclass
class _Reader:
    """Walks through a text once, without recursion: a file may nest as deeply as it likes."""

    text: str
    name: str
    at: int = 0
    nodes: int = 0
    _line: int = 1  # of the place up to which line ends are counted: counting from the start again would take for ever
    _counted: int = 0

    @property
    def line(self) -> int:
        """The line of the place at hand, from 1; the place only ever moves on."""
        self._line += self.text.count("\n", self._counted, self.at)
        self._counted = self.at
        return self._line

    def find_tree(self) -> bool:
        match = re.compile(r"\(\s*;").search(self.text, self.at)
        self.at = match.start() if match else len(self.text)
        return match is not None

    def wrong(self, what: str) -> BadFile:
        return BadFile(f"{self.name}, line {self.line}: {what}.")

    def skip_blanks(self) -> str:
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1
        return self.text[self.at : self.at + 1]

    def tree(self) -> RawNode:
        root: RawNode | None = None
        here: RawNode | None = None  # the node that the next one follows
        branches: list[RawNode | None] = []  # for every open parenthesis, where it branches off
        while True:
            match self.skip_blanks():
                case "(":
                    branches.append(here)
                    self.at += 1
                    if self.skip_blanks() != ";":
                        raise self.wrong("a game or variation begins with `(;`")
                case ";":
                    node = self.node()
                    if here is not None:
                        here.children.append(node)
                    root, here = root or node, node
                case ")":
                    here = branches.pop()
                    self.at += 1
                    if not branches:
                        assert root
                        return root
                case "":
                    raise self.wrong("the file ends within a game; a `)` is missing")
                case sign:
                    raise self.wrong(f"`{sign}` is not expected here; write `;`, `(` or `)`")

    def node(self) -> RawNode:
        self.nodes += 1
        if self.nodes > MOST_NODES:
            raise self.wrong(f"more than {MOST_NODES:,} nodes, which is more than is read")
        found = RawNode([], [], self.line)
        self.at += 1
        while (sign := self.skip_blanks()).isalpha():
            start = self.at
            while self.text[self.at : self.at + 1].isalpha():
                self.at += 1
            # Older formats write lower-case letters within names, which don't count.
            ident = "".join(letter for letter in self.text[start : self.at] if letter.isupper())
            values = []
            while self.skip_blanks() == "[":
                values.append(self.value())
            if not values:
                raise self.wrong(f"the property `{ident[:20]}` has no value; write `{ident[:20]}[…]`")
            found.properties.append((ident, values))
        if sign not in ("", ";", "(", ")"):
            raise self.wrong(f"`{sign}` is not the name of a property")
        return found

    def value(self) -> str:
        """The text between brackets; a backslash keeps the next sign as it is, and joins lines."""
        self.at += 1
        parts: list[str] = []
        while True:
            sign = self.text[self.at : self.at + 1]
            if not sign:
                raise self.wrong("the file ends within a value; a `]` is missing")
            self.at += 1
            if sign == "]":
                return "".join(parts)
            if sign == "\\":
                sign = self.text[self.at : self.at + 1]
                self.at += 1
                sign = "" if sign == "\n" else sign
            parts.append(sign)


# From nodes to games


def _meaning(root: RawNode, name: str, game: Game | None) -> GameTree:
    rules = _fitting(root, game, name) if game else _rules(root, name)
    start = _start(root, rules, name)
    opened = _move(root, rules, name)
    top = TurnNode(None, _rest(root, opened))
    waiting = [(child, top) for child in reversed(root.children)]
    if any(root.values(color) for color in COLORS):  # a move in the root itself, against the standard
        first = TurnNode(opened)
        top.children.append(first)
        waiting = [(child, first) for child in reversed(root.children)]
    while waiting:
        raw, parent = waiting.pop()
        _refuse_set_up(raw, name)
        move = _move(raw, rules, name)
        node = TurnNode(move, _rest(raw, move))
        parent.children.append(node)
        waiting += [(child, node) for child in reversed(raw.children)]
    tree = GameTree(rules, start, top)
    check_moves(tree, name)
    return tree


def _fitting(root: RawNode, game: Game, name: str) -> Game:
    """The game that was asked for, unless the file says that its own is another one."""
    check_writable(game)
    height, width = game.grid.shape
    kind, size = root.value("GM"), root.value("SZ")
    wanted = OTHELLO if game.placement == "flank" else GOMOKU
    if kind not in ("", wanted) or (size and _sides(size, name) != (width, height)):
        said = "".join(f"{key}[{value[:20]}]" for key, value in (("GM", kind), ("SZ", size)) if value)
        raise BadFile(f"{name} is of another game than {game}: it says {said}.")
    return game


def _sides(size: str, name: str) -> tuple[int, int]:
    """The width and the height that SZ names."""
    match = re.fullmatch(r"\s*(\d{1,2})\s*(?::\s*(\d{1,2}))?\s*", size)
    if not match:
        raise BadFile(f"{name} has no board size that can be read: SZ[{size[:20]}].")
    return int(match[1]), int(match[2] or match[1])


def _refuse_set_up(raw: RawNode, name: str) -> None:
    """Stones may be set up before a game, not within: the positions after them would be wrong."""
    for key in (*SET_UP, "AE", "PL"):
        if raw.values(key):
            raise BadFile(f"{name}, line {raw.line}: {key} sets up a position within a game; only its root may do so.")


def _rules(root: RawNode, name: str) -> Game:
    """The game that GM and SZ name."""
    kind, size = root.value("GM") or GOMOKU, root.value("SZ") or ("8" if root.value("GM") == OTHELLO else "15")
    if kind not in (OTHELLO, GOMOKU):
        raise BadFile(f"{name} is of the game GM[{kind[:10]}]; GM[4] (gomoku, Renju) and GM[2] (Othello) are read.")
    width, height = _sides(size, name)
    if kind == OTHELLO:
        return load_game("reversi" if width == 8 else f"reversi(n={width})")
    return load_game("gomoku" if width == height == 15 else f"mnk(m={width},n={height},k=5)")


def _start(root: RawNode, game: Game, name: str) -> Position:
    """The position that a game starts from: set up in the root, or the usual one."""
    stones = [[cell for point in root.values(key) for cell in _points(point, game, name)] for key in SET_UP]
    if not any(stones):
        return game.start
    marks = list(BLANK * game.grid.size)
    for mark, cells in zip(game.marks, stones, strict=True):
        for cell in cells:
            marks[cell] = mark
    turn = root.value("PL").upper()[:1] or _first_color(root) or ("B" if len(stones[0]) <= len(stones[1]) else "W")
    if "".join(marks) == game.start.marks and turn == "B":
        return game.start
    return Position("".join(marks), COLORS.index(turn) if turn in COLORS else 0, game=game)


def _first_color(root: RawNode) -> str:
    """The color of the first move."""
    node = root
    while node.children:
        node = node.children[0]
        if found := next((color for color in COLORS if node.values(color)), ""):
            return found
    return ""


def _points(text: str, game: Game, name: str) -> list[Cell]:
    """A point, or a rectangle of points `aa:cc`."""
    first, colon, last = text.partition(":")
    if not colon:
        return [_cell(text, game, name)]
    width = game.grid.shape[1]
    (top, left), (bottom, right) = (divmod(_cell(each, game, name), width) for each in (first, last))
    return [row * width + column for row in range(top, bottom + 1) for column in range(left, right + 1)]


def _move(raw: RawNode, game: Game, name: str) -> Move | None:
    if all(raw.values(color) for color in COLORS):
        raise BadFile(f"{name}, line {raw.line}: a node has moves of both colours; write each in a node of its own.")
    for seat, color in enumerate(COLORS):
        if raw.values(color):
            point = raw.value(color)
            if point.strip().lower() in ("", "tt", "pass", "pa") and not _is_cell(point, game):
                return None
            return Move(_cell(point, game, f"{name}, line {raw.line}"), game.marks[seat])
    return None


def _is_cell(text: str, game: Game) -> bool:
    try:
        _cell(text, game, "")
    except BadFile:
        return False
    return True


def _cell(text: str, game: Game, name: str) -> Cell:
    """A cell as `hh` (column, row from the top) or `h8` (column, number of the row from the top)."""
    height, width = game.grid.shape
    words = text.strip()
    if match := re.fullmatch(r"([A-Za-z])(\d{1,2})", words):
        column, row = ord(match[1].lower()) - ord("a"), int(match[2]) - 1
    elif re.fullmatch(r"[A-Za-z]{2}", words):
        column, row = LETTERS.index(words[0]), LETTERS.index(words[1])
    else:
        column = row = -1
    if not 0 <= column < width or not 0 <= row < height:
        raise BadFile(f"{name}: `{words[:20]}` is no point of a board of {game.grid}.")
    return row * width + column


def _rest(raw: RawNode, move: Move | None) -> Properties:
    """All properties but the move; a pass, which is no move of ours, stays as it was written."""
    return tuple((name, tuple(values)) for name, values in raw.properties if name not in COLORS or move is None)


# From games to text


def _written(tree: GameTree) -> str:
    """One game; nodes that only follow each other stand side by side, variations in parentheses."""
    parts = ["("]
    waiting: list[TurnNode | str] = [tree.root]
    while waiting:
        node = waiting.pop()
        if isinstance(node, str):
            parts.append(node)
            continue
        parts.append(_node(tree, node))
        if len(node.children) == 1:
            waiting.append(node.children[0])
        else:
            for child in reversed(node.children):
                waiting += [")", child, "\n("]
    return f"{''.join(parts)})"


def _node(tree: GameTree, node: TurnNode) -> str:
    properties: list[tuple[str, tuple[str, ...]]] = list(node.properties)
    if node is tree.root:
        properties = [*_head(tree, dict(node.properties)), *properties]
    if node.move:
        properties.insert(0, (COLORS[tree.game.marks.index(node.move.mark)], (_point(tree.game, node.move.cell),)))
    written = (f"{name}{''.join(f'[{_escaped(value)}]' for value in values)}" for name, values in properties)
    return f";{''.join(written)}"


def _head(tree: GameTree, known: dict[str, tuple[str, ...]]) -> list[tuple[str, tuple[str, ...]]]:
    """What the root must say, unless the file that was read said it already."""
    height, width = tree.game.grid.shape
    size = str(width) if width == height else f"{width}:{height}"
    kind = OTHELLO if tree.game.placement == "flank" else GOMOKU
    wanted: dict[str, tuple[str, ...]] = {
        "FF": ("4",),
        "CA": ("UTF-8",),
        "AP": ("teamplay",),
        "GM": (kind,),
        "SZ": (size,),
    }
    if tree.start != tree.game.start:
        for key, mark in zip(SET_UP, tree.game.marks, strict=True):
            cells = [cell for cell, here in enumerate(tree.start.marks) if here == mark]
            if cells:
                wanted[key] = tuple(_point(tree.game, cell) for cell in cells)
        wanted["PL"] = (COLORS[tree.start.seat],)
    return [(key, values) for key, values in wanted.items() if key not in known]


def _point(game: Game, cell: Cell) -> str:
    row, column = divmod(cell, game.grid.shape[1])
    return f"{LETTERS[column]}{row + 1}" if game.placement == "flank" else f"{LETTERS[column]}{LETTERS[row]}"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]")


def check_writable(game: Game) -> None:
    """Refuse a game that SGF has no number for here."""
    othello = game.placement == "flank" and len(game.grid.shape) == 2
    rows = game.goal.kind == "line" and game.placement == "anywhere" and len(game.grid.shape) == 2 and not game.shared
    if not (othello or rows) or max(game.grid.shape) > len(LETTERS):
        raise BadFile(f"SGF has no place for {game}; it holds games of rows on one board, and Reversi.")
