"""How is one game played? A random opening, then move by move, all chance from the seed and the game's number."""

from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b
from typing import NamedTuple

from teamplay.errors import Forfeit
from teamplay.game import Game, Move, Position
from teamplay.luck import Luck
from teamplay.players import Player
from teamplay.team import Team

MOST_OPENINGS = 100  # that are tried for one that does not end the game

Chooser = Callable[[Position, Luck], Move]


class MoveReason(NamedTuple):
    """Why a team made a move: how urgent it was (None is silence), by which rule; both None for other players."""

    priority: int | None
    rule: str | None


def seed_of(*parts: int | str) -> int:
    """A seed of 64 bits for one part of the work, whatever else is played."""
    return int.from_bytes(blake2b("/".join(map(str, parts)).encode(), digest_size=8).digest(), "big")


def chooser(player: Player) -> Chooser:
    """How a player chooses; a team on a large board by the compiled engine, which makes the same choices."""
    if not isinstance(player, Team) or player.manager.restless or player.tie_break == "first":
        return player.choose
    from teamplay.engine.live import SMALL_BOARD, LiveBoard

    if player.game.grid.size <= SMALL_BOARD:
        return player.choose
    board = LiveBoard(player.book)
    return lambda position, luck: luck.choice(board.moves(position))


def opening(game: Game, luck: Luck, shortest: int, longest: int) -> list[Move]:
    """Some random moves from the start that don't end the game; none if they always would."""
    for _ in range(MOST_OPENINGS):
        position, moves = game.start, []
        for _ in range(luck.randint(shortest, longest)):
            if not game.outcome(position):
                moves.append(luck.choice(game.moves(position)))
                position = game.after(position, moves[-1])
        if not game.outcome(position):
            return moves
    return []


def after_all(game: Game, moves: Sequence[Move]) -> Position:
    """The position after these moves from the start."""
    position = game.start
    for move in moves:
        position = game.after(position, move)
    return position


def turns(game: Game, start: Position, choosers: Sequence[Chooser], luck: Luck) -> Iterator[tuple[Position, Move]]:
    """One game to its end: every position with the move that is made there; a chooser for each seat."""
    position = start
    while not game.outcome(position):
        move = choosers[position.seat](position, luck)
        yield position, move
        position = game.after(position, move)


class Ended(NamedTuple):
    """How one game went: its moves, the winning seat (None for a draw), and why a player gave up, if one did."""

    moves: list[Move]
    winner: int | None
    forfeit: str = ""


def played_out(game: Game, start: Position, choosers: Sequence[Chooser], luck: Luck) -> Ended:
    """One game to its end; a player that can't go on loses it."""
    played: list[tuple[Position, Move]] = []
    forfeit = ""
    try:
        played.extend(turns(game, start, choosers, luck))
    except Forfeit as error:
        forfeit = str(error)
    end = game.after(*played[-1]) if played else start
    moves = [move for _, move in played]
    if forfeit:
        return Ended(moves, 1 - end.seat, forfeit)
    over = game.outcome(end)
    assert over
    return Ended(moves, over.winner)


def reason(player: Player, position: Position, move: Move, luck: Luck) -> MoveReason:
    """Why a player made a move, with the coins of this luck."""
    if not isinstance(player, Team):
        return MoveReason(None, None)
    letter = move.mark if player.game.shared else ""
    answers = player.answers(position, luck)
    said = next(said for said in answers if (said.sender, said.letter) == (move.cell, letter))
    return MoveReason(said.priority, said.rule or None)
