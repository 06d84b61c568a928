"""The JSON lines of `match --record`, read into the same trees as other files, and written from them."""

import json
from typing import Any

from teamplay.errors import BadFile, TeamplayError
from teamplay.game import SEATS, Game, Move
from teamplay.game_file import load_game
from teamplay.interop.tree import GameTree, TurnNode, check_moves

PLAYERS = ("PB", "PW")  # where SGF has the names of the first player and the second


def read_lines(text: str, name: str) -> list[GameTree]:
    """A game per line."""
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if not lines:
        raise BadFile(f"{name} holds no game; `match --record` writes one per line.")
    return [_game(line, f"{name}, line {number}") for number, line in lines]


def write_lines(trees: list[GameTree]) -> str:
    """A line of JSON per game, as `match --record` writes them."""
    return "".join(f"{json.dumps(_shown(tree, number), ensure_ascii=False)}\n" for number, tree in enumerate(trees, 1))


def _game(line: str, name: str) -> GameTree:
    try:
        said: dict[str, Any] = json.loads(line)
        game, moves = load_game(str(said["game"])), [str(move) for move in said["moves"]]
    except (ValueError, RecursionError):
        raise BadFile(f"{name} is no line of JSON.") from None
    except (KeyError, TypeError):
        raise BadFile(f"{name} lacks `game` or `moves`; it is no line of `match --record`.") from None
    names = tuple((key, (str(said.get(seat, "")),)) for key, seat in zip(PLAYERS, SEATS, strict=True))
    root = TurnNode(None, names)
    node, position = root, game.start
    for ply, text in enumerate(moves):
        try:
            move = game.parse_move(text, position.seat)
            position = game.after(position, move)
        except TeamplayError as error:
            raise BadFile(f"{name}: move {ply + 1}: {error}") from None
        extra = [(key, _at(said.get(field), ply)) for key, field in (("PRIO", "priorities"), ("RULE", "rules"))]
        extra.append(("C", _at(said.get("comments"), ply)))
        node.children.append(TurnNode(move, tuple((key, (str(value),)) for key, value in extra if value is not None)))
        node = node.children[0]
    tree = GameTree(game, game.start, root)
    check_moves(tree, name)
    return tree


def _at(values: object, place: int) -> object:
    """One of a list of values, if there is such a list."""
    return values[place] if isinstance(values, list) and place < len(values) else None


def _shown(tree: GameTree, number: int) -> dict[str, object]:
    if tree.start != tree.game.start:
        raise BadFile("A game that begins from a position of its own has no place in JSON lines; write .sgf.")
    nodes = [node for node in tree.main_line() if node.move]
    over = tree.game.outcome(tree.position(len(nodes)))
    comments = [node.text("C") or None for node in nodes]
    return {
        "number": number,
        "game": str(tree.game),
        "first": tree.root.text("PB"),
        "second": tree.root.text("PW"),
        "opening": 0,
        "moves": [_move(tree.game, node.move) for node in nodes if node.move],
        "priorities": [int(node.text("PRIO")) if node.text("PRIO") else None for node in nodes],
        "rules": [node.text("RULE") or None for node in nodes],
        **({"comments": comments} if any(comments) else {}),
        "winner": SEATS[over.winner] if over and over.winner is not None else None,
        "reason": over.reason if over else "not finished",
    }


def _move(game: Game, move: Move) -> int | str:
    return game.format_move(move) if game.shared else move.cell + 1
