"""OpenSpiel's names for our games, and positions, moves and states from one side to the other."""

from typing import Any

from teamplay.errors import BadSpec
from teamplay.game import BLANK, Game, Move, Position
from teamplay.protocols.history import moves_between, moves_to

OTHELLO_PASS = 64


def library() -> Any:
    """The module of OpenSpiel, or a sentence that says how to get it."""
    try:
        import pyspiel
    except ImportError:
        raise BadSpec("OpenSpiel is not installed; install it with `pip install 'teamplay[openspiel]'`.") from None
    return pyspiel


def spiel_name(game: Game) -> str:
    """What OpenSpiel calls a game.

    >>> from teamplay.game_file import load_game
    >>> spiel_name(load_game("mnk(m=5,n=4,k=3)")), spiel_name(load_game("tic-tac-toe-3d"))
    ('mnk(m=5,n=4,k=3)', 'gomoku(size=3,connect=3,dims=3)')
    """
    goal, shape = game.goal, game.grid.shape
    rows = goal.kind == "line" and goal.effect == "wins" and goal.owner is None and not goal.exact
    rows = rows and not game.beginning.strip(BLANK)  # OpenSpiel knows no marks at the start
    if game.shared or game.grid.separate:
        rows = False
    if game.placement == "flank" and shape == (8, 8):
        return "othello"
    if rows and game.placement == "drop" and len(shape) == 2:
        return f"connect_four(rows={shape[0]},columns={shape[1]},x_in_row={goal.length})"
    if rows and game.placement == "anywhere" and len(shape) == 2:
        if shape == (3, 3) and goal.length == 3:
            return "tic_tac_toe"
        return f"mnk(m={shape[1]},n={shape[0]},k={goal.length})"
    if rows and game.placement == "anywhere" and len(set(shape)) == 1:
        return f"gomoku(size={shape[0]},connect={goal.length},dims={len(shape)})"
    raise BadSpec(f"OpenSpiel has no game like {game}; it has k in a row, connect four and Othello on 8x8.")


def action_of(game: Game, move: Move) -> int:
    """OpenSpiel's number of a move: a column where pieces drop, else a cell."""
    return move.cell % game.grid.shape[-1] if game.placement == "drop" else move.cell


def move_of(game: Game, position: Position, action: int) -> Move:
    """The move of an action in a position."""
    return next(move for move in game.moves(position) if action_of(game, move) == action)


def apply_move(game: Game, state: Any, position: Position, move: Move) -> Position:
    """Make a move on both sides; a pass, which is no move of ours, is made where OpenSpiel wants one."""
    state.apply_action(action_of(game, move))
    after = game.after(position, move)
    while game.placement == "flank" and not state.is_terminal() and state.legal_actions() == [OTHELLO_PASS]:
        state.apply_action(OTHELLO_PASS)
    return after


def state_of(game: Game, position: Position, spiel: Any = None) -> Any:
    """OpenSpiel's state of a position; OpenSpiel wants the moves that lead there, so some such moves are found."""
    state = (spiel or library().load_game(spiel_name(game))).new_initial_state()
    at = game.start
    for move in moves_to(game, position):
        at = apply_move(game, state, at, move)
    return state


def position_of(game: Game, state: Any) -> Position:
    """Our position of OpenSpiel's state: its moves, made again."""
    position = game.start
    for action in state.history():
        if game.placement == "flank" and action == OTHELLO_PASS:
            continue
        position = game.after(position, move_of(game, position, action))
    return position


def follow(game: Game, state: Any, known: Position | None, position: Position) -> bool:
    """Bring a state from one position to a later one, if it is only a few moves later."""
    moves = moves_between(game, known, position) if known else None
    if moves is None or known is None:
        return False
    for move in moves:
        known = apply_move(game, state, known, move)
    return True
