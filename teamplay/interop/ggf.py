"""GGF files of Othello games, as the Generic Game Server writes them: no variations, no comments."""

import re
from collections.abc import Iterator

from teamplay.errors import BadFile, TeamplayError
from teamplay.game import BLANK, Game, Move, Position
from teamplay.game_file import load_game
from teamplay.interop.tree import GameTree, TurnNode, check_moves
from teamplay.protocols.gtp import Vertices, is_pass

STONES = "*O"  # of black, the first seat, and white
COLORS = ("B", "W")
PROPERTY = re.compile(r"\s*([A-Z]{1,2})\[([^\]]{0,4000})\]")


def read_ggf(text: str, name: str) -> list[GameTree]:
    """The games of a file."""
    trees = [_game(properties, name) for properties in _games(text, name)]
    if not trees:
        raise BadFile(f"{name} holds no game; a GGF game begins with `(;GM[Othello]` and ends with `;)`.")
    return trees


def write_ggf(trees: list[GameTree]) -> str:
    """Othello games, one per line."""
    return "".join(f"{_written(tree)}\n" for tree in trees)


def _games(text: str, name: str) -> Iterator[list[tuple[str, str]]]:
    at = 0
    while (at := text.find("(;", at)) >= 0:
        at, found = at + 2, list[tuple[str, str]]()
        while match := PROPERTY.match(text, at):
            found.append((match[1], match[2]))
            at = match.end()
        if not re.compile(r"\s*;\)").match(text, at):
            line = text.count("\n", 0, at) + 1
            raise BadFile(f"{name}, line {line}: a property such as `B[d3]` or the end `;)` belongs here.")
        yield found


def _game(properties: list[tuple[str, str]], name: str) -> GameTree:
    said = dict(properties)
    if said.get("GM", "Othello").lower() != "othello":
        raise BadFile(f"{name} is of the game GM[{said['GM'][:20]}]; only Othello is read.")
    game, start = _board(said.get("BO", ""), said.get("TY", "8"), name)
    root = TurnNode(None, tuple((key, (value,)) for key, value in properties if key not in (*COLORS, "BO", "TY", "GM")))
    node, vertices = root, Vertices(game)
    for key, value in properties:
        if key in COLORS:
            vertex, _, rest = value.partition("/")
            move = None
            if not is_pass(vertex):
                try:
                    move = Move(vertices.parse(vertex), game.marks[COLORS.index(key)])
                except TeamplayError as error:
                    raise BadFile(f"{name}: {error}") from None
            node.children.append(TurnNode(move, (("GGF", (f"{key}/{rest}",)),) if rest or move is None else ()))
            node = node.children[0]
    tree = GameTree(game, start, root)
    check_moves(tree, name)
    return tree


def _board(drawing: str, kind: str, name: str) -> tuple[Game, Position]:
    """The game and the position to start from: `8` and the rows, then who moves."""
    size = re.match(r"\s*(\d{1,2})", drawing or kind)
    if not size:
        raise BadFile(f"{name} does not say how large its board is.")
    game = load_game("reversi" if int(size[1]) == 8 else f"reversi(n={int(size[1])})")
    if not drawing:
        return game, game.start
    signs = re.sub(r"\s", "", drawing[size.end() :])
    if len(signs) != game.grid.size + 1 or set(signs) - set("-*O"):
        raise BadFile(f"{name}: a board BO[…] holds {game.grid.size} of the signs - * O, and * or O for who moves.")
    meaning = {"-": BLANK, **dict(zip(STONES, game.marks, strict=True))}
    marks, seat = "".join(meaning[sign] for sign in signs[:-1]), STONES.find(signs[-1])
    same = marks == game.start.marks and seat == game.start.seat
    return game, game.start if same else Position(marks, max(seat, 0), game=game)


def _written(tree: GameTree) -> str:
    game = tree.game
    if game.placement != "flank":
        raise BadFile(f"GGF is for Othello; {game} has no place in it. Write .sgf or .jsonl.")
    meaning = {BLANK: "-", **dict(zip(game.marks, STONES, strict=True))}
    side = game.grid.shape[0]
    signs = "".join(meaning[mark] for mark in tree.start.marks)
    rows = " ".join(signs[row : row + side] for row in range(0, len(signs), side))
    known = dict(tree.root.properties)
    head = {"GM": "Othello", "PC": "teamplay", "PB": "black", "PW": "white", "RE": "?"}
    kept = {*head, "DT", "RB", "RW", "TI", "TB", "TW"}
    head |= {key: values[0] for key, values in known.items() if key in kept}
    head |= {"TY": str(side), "BO": f"{side} {rows} {STONES[tree.start.seat]}"}
    body = "".join(_turn(tree, node) for node in tree.main_line())
    return f"(;{''.join(f'{key}[{value}]' for key, value in head.items())}{body};)"


def _turn(tree: GameTree, node: TurnNode) -> str:
    color, _, rest = node.text("GGF").partition("/")
    if node.move is None:
        return f"{color or 'B'}[PA{f'/{rest}' if rest else ''}]" if color else ""
    vertex = Vertices(tree.game).format(node.move.cell)
    return f"{COLORS[tree.game.marks.index(node.move.mark)]}[{vertex}{f'/{rest}' if rest else ''}]"
