"""Alpha-beta on the engine: plain and compiled alike, as plain recursion says, and what it decides is true."""

import pytest

from teamplay import library
from teamplay.engine.alphabeta import AlphaBetaSearch
from teamplay.engine.arrays import board_of, game_arrays
from teamplay.engine.kernels import outlook
from teamplay.engine.kernels.outlook import POINT, WON
from teamplay.errors import BadSpec, IllegalMove
from teamplay.game import BLANK, Game, Move, Position
from teamplay.game_file import load_game
from teamplay.luck import Luck
from teamplay.players import OpenPlayer, load_player
from teamplay.players._boards import PlainBoard
from tests.odd import RARE, odd

GAMES = {
    **{
        spec: load_game(spec)
        for spec in (
            "tic-tac-toe",
            "misere",
            "mnk(m=4,n=3,k=3)",
            "mnk(m=4,n=4,k=4)",
            "connect-four(columns=5,rows=4)",
            "connect-four(columns=4,rows=4,k=3)",
            "reversi(n=4)",
            "sos(n=3)",
            "sos-corners(n=3)",
            "sos-line(n=7)",
            "tic-tac-toe-3d",
            "notakto(boards=2)",
            "order-and-chaos(n=4,k=3)",
        )
    },
    **{name: odd(name) for name in ("flank-line", "flank-misere", "own-word", "letter-lines", "fill", "points")},
    **{name: odd(name) for name in ("three-letters", "drop-cube", "drop-words")},
    **{name: odd(name) for name in ("exact", "exact-drop", "exact-letters", "exact-flank", "two-boards", "two-drops")},
    **{name: odd(name) for name in ("breaker", "breaker-drop", "breaker-flank", "closed-boards")},
}


def met(game: Game, plies: int, seed: int) -> Position:
    """A position of a random game that is not over."""
    luck, position = Luck(seed), game.start
    for _ in range(plies):
        after = game.after(position, luck.choice(game.moves(position)))
        if game.outcome(after):
            break
        position = after
    return position


@pytest.mark.usefixtures("shared_kernels")
@pytest.mark.parametrize("name", [*GAMES, "gomoku(n=9)"])
def test_plain_and_compiled_search_alike(name: str) -> None:
    check_alike(GAMES.get(name) or load_game(name))


@pytest.mark.slow
@pytest.mark.parametrize("name", RARE)
def test_a_mixture_of_mechanics_that_is_compiled_for_itself_is_searched_alike(name: str) -> None:
    check_alike(GAMES[name])


def check_alike(game: Game) -> None:
    for plies in (0, 2, 5):
        position = met(game, plies, plies)
        plain, compiled = (AlphaBetaSearch(game, large).best(position, 250, 0, 7) for large in (False, True))
        assert plain == compiled and plain.move in game.moves(position)


# The definition: plain recursion by the game's own rules, without windows of values, orders or tables.


def is_race(game: Game) -> bool:
    """Whether each side makes lines of its own, and the first ends the game: then windows are counted."""
    own = game.goal.kind == "line" and not game.shared and game.goal.owner is None
    return own and game.placement != "flank" and game.grid.boards == 1


def winning_cells(game: Game, position: Position, seat: int) -> list[int]:
    """Where a seat would complete a line of its own if it were to move."""
    there = Position(position.marks, seat, position.scores)
    ends = {move.cell: game.outcome(game.after(there, move)) for move in game.moves(there)}
    return [cell for cell, end in ends.items() if end and end.winner == seat]


def threatens(game: Game, position: Position, cell: int) -> bool:
    """Whether the last move stands in a line that this cell would complete."""
    assert position.last and game.goal.length
    mark = position.last.mark
    filled = Position(position.marks[:cell] + mark + position.marks[cell + 1 :])
    return any(
        cell in line
        and position.last.cell in line
        and all(position.marks[other] == mark for other in line if other != cell)
        and line in list(game.met_lines(filled))
        for begin in game.grid.cells
        for line in game.grid.lines_from(begin, game.goal.length)
    )


def static(game: Game, position: Position, ply: int) -> int:
    arrays, board = game_arrays(game), board_of(game, position)
    points = position.scores[0] - position.scores[1]
    windows = outlook.all_windows(arrays, board) if is_race(game) else 0
    return int(outlook.evaluation(arrays, board, position.seat, points, windows, ply))


def final(game: Game, position: Position, seat: int, ply: int) -> int:
    """What an end is worth to the seat that made the last move, at a ply."""
    end = game.outcome(position)
    assert end
    if end.winner is None:
        return 0
    sign = 1 if end.winner == seat else -1
    if game.goal.effect != "scores" and game.goal.kind != "majority":
        return sign * (WON - ply)
    amounts = position.scores if game.goal.kind != "majority" else [position.marks.count(mark) for mark in game.marks]
    return sign * (WON // 2) + POINT * (amounts[seat] - amounts[1 - seat])


def value(game: Game, position: Position, depth: int, ply: int = 0) -> int:
    """What a position is worth to the seat to move, some plies ahead; a reply that must be made costs no depth."""
    seat = position.seat
    lines = is_race(game) and game.goal.effect == "wins"
    must = winning_cells(game, position, 1 - seat) if lines else []
    if depth <= 0 and not (lines and position.last and any(threatens(game, position, cell) for cell in must)):
        return static(game, position, ply)
    wins = winning_cells(game, position, seat) if lines else []
    if not wins and len(must) > 1 and ply:
        return ply + 1 - WON
    below = depth if must and not wins else depth - 1
    found = []
    for move, after in game.successors(position):
        if (wins or must) and move.cell not in (wins or must):
            continue
        if game.outcome(after):
            found.append(final(game, after, seat, ply))
        else:
            rest = value(game, after, below, ply + 1)
            found.append(rest if after.seat == seat else -rest)
    return max(found)


@pytest.mark.usefixtures("shared_kernels")
@pytest.mark.parametrize("name", GAMES)
def test_a_fixed_depth_is_worth_what_plain_recursion_says(name: str) -> None:
    check_values(GAMES[name], seeds=5, leaves=1000)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_a_fixed_depth_is_worth_what_plain_recursion_says_of_more_positions(name: str) -> None:
    check_values(GAMES[name], seeds=20, leaves=1500)


def check_values(game: Game, seeds: int, leaves: int) -> None:
    for seed in range(seeds):
        position = met(game, seed % 5, seed)
        for depth in (1, 2, 3):
            if len(game.moves(position)) ** depth > leaves or depth > position.marks.count(BLANK):
                continue
            found = AlphaBetaSearch(game, True, depth).best(position, 0, 0, seed)
            assert found.decided or found.depth == depth
            assert found.value == value(game, position, found.depth), (position, depth)


def winner(game: Game, position: Position, known: dict[Position, int]) -> int:
    """Who wins with best play: a seat, or 2 for a draw; by plain recursion."""
    if position not in known:
        over = game.outcome(position)
        if over:
            known[position] = 2 if over.winner is None else over.winner
        else:
            found = {winner(game, after, known) for _, after in game.successors(position)}
            seat = position.seat
            known[position] = seat if seat in found else 2 if 2 in found else 1 - seat
    return known[position]


@pytest.mark.parametrize(
    "name",
    [
        "tic-tac-toe",
        "misere",
        "mnk(m=4,n=3,k=3)",
        "connect-four(columns=4,rows=4,k=3)",
        "reversi(n=4)",
        "sos(n=3)",
        "sos-line(n=7)",
        "flank-line",
        "own-word",
        "drop-words",
    ],
)
def test_what_it_decides_is_true_and_its_move_keeps_it(name: str) -> None:
    game, known = GAMES[name], dict[Position, int]()
    decided = 0
    for seed in range(15):
        position = met(game, {"sos(n=3)": 4, "reversi(n=4)": 5, "flank-line": 4}.get(name, 3), seed)
        found = AlphaBetaSearch(game, True).best(position, 30_000, 0, seed)
        if found.decided:
            decided += 1
            expected = position.seat if found.value > 0 else 1 - position.seat
            assert winner(game, position, known) == expected
            assert winner(game, game.after(position, found.move), known) == expected
    assert decided >= 3


# What must not be missed on a large board, where most moves are left out.


def named(game: Game, cell: str) -> int:
    """A cell by its row, a letter, and its column."""
    return game.grid.cell([ord(cell[0]) - ord("a"), int(cell[1:]) - 1])


def far_marks(game: Game, text: dict[str, str]) -> Position:
    """A position by the cells of each mark; x moves."""
    marks = [BLANK] * game.grid.size
    for mark, cells in text.items():
        for cell in cells.split():
            marks[named(game, cell)] = mark
    return Position("".join(marks), 0)


def test_a_win_and_a_block_are_never_among_the_moves_that_are_left_out() -> None:
    game = load_game("gomoku")
    crowd = "c3 d4 e3 f4 g3 h4 i3 j4 k3 l4 c12 d13 e12 f13 g12 h13 i12 j13"
    won = far_marks(game, {"x": "a7 a8 a9 a10 c5 d6 e5 f6", "o": crowd})
    lost = far_marks(game, {"o": "o7 o8 o9 o10", "x": "o11 " + crowd})
    for seed in range(3):
        best = AlphaBetaSearch(game).best(won, 2_000, 0, seed)
        assert best.decided and game.outcome(game.after(won, best.move))
        assert AlphaBetaSearch(game).best(lost, 2_000, 0, seed).move.cell == named(game, "o6")


def test_a_loss_is_not_called_decided_where_moves_were_left_out() -> None:
    game = load_game("gomoku")
    lost = far_marks(game, {"o": "e5 f5 g5 h5 e9 f9 g9", "x": "a1 b3 c1 o15 o13 m15 k15"})  # an open four
    found = AlphaBetaSearch(game).best(lost, 5_000, 0)
    assert found.value < 0 and not found.decided


def test_a_further_turn_is_seen() -> None:
    game = load_game("sos(rows=1,columns=7)")
    position = game.position("S.S.S..")
    found = AlphaBetaSearch(game, True).best(position, 0, 0)
    assert found.move in (Move(1, "O"), Move(3, "O")) and found.decided and found.value > 0


# The player.


def test_nodes_and_a_seed_reproduce_every_move_and_seeds_differ() -> None:
    game = load_game("connect-four")
    games = set()
    for seed in (1, 1, 2, 3, 4):
        player, position, played = load_player("minimax(nodes=2000)", game), game.start, list[int]()
        for turn in range(6):
            move = player.choose(position, Luck(seed * 100 + turn))
            played.append(move.cell)
            position = game.after(position, move)
        games.add((seed, tuple(played)))
    assert len(games) == 4 and len({played for _, played in games}) >= 2


def test_by_depth_it_names_a_set_and_by_nodes_or_time_one_move() -> None:
    game = load_game("tic-tac-toe")
    assert isinstance(load_player("minimax", game), OpenPlayer)
    for spec in ("minimax(nodes=500)", "minimax(seconds=0.01)"):
        player = load_player(spec, game)
        assert player.name == spec and not isinstance(player, OpenPlayer)
        assert player.choose(game.position("xx. / oo. / ..."), Luck(1)).cell == 2
        with pytest.raises(IllegalMove, match="over"):
            player.choose(game.position("xxx / oo. / ..."), Luck(1))


@pytest.mark.parametrize(
    ("spec", "game", "says"),
    [
        ("minimax(nodes=-1)", "tic-tac-toe", "nodes"),
        ("minimax(seconds=-0.5)", "tic-tac-toe", "seconds"),
        ("minimax(seconds=nan)", "tic-tac-toe", "seconds"),
    ],
)
def test_what_it_can_not_do_it_says(spec: str, game: str, says: str) -> None:
    with pytest.raises(BadSpec, match=says):
        load_player(spec, load_game(game))


def test_a_search_ends_when_its_time_is_up_and_leaves_the_next_alone() -> None:
    game = load_game("reversi")
    search = AlphaBetaSearch(game)
    alone = search.best(game.start, 3_000, 0)
    assert 0 < search.best(game.start, 0, 0.05).depth < 30  # it would take years
    assert search.best(game.start, 3_000, 0) == alone


@pytest.mark.parametrize("spec", library.names(".toml"))
def test_every_game_is_searched_and_a_number_of_nodes_reproduces_it(spec: str) -> None:
    game = load_game(spec)
    for counted in ("minimax(nodes=60)", "mcts(playouts=3)"):
        position = game.start
        one, two = load_player(counted, game), load_player(counted, game)
        for turn in range(3):
            move = one.choose(position, Luck(turn))
            assert move == two.choose(position, Luck(turn))
            position = game.after(position, move)


def test_order_wins_by_rows_and_chaos_breaks_them() -> None:
    game = load_game("order-and-chaos")
    rest = "....../....../....../....../......"
    full, open_row, broken = (game.position(f"{row}/{rest}", 0) for row in ("XXXX..", "XX....", "XO...."))
    order = load_player("minimax(nodes=300)", game).choose(full, Luck(1))
    chaos = load_player("minimax(nodes=300)", game).choose(game.position(f"XXXX../{rest}", 1), Luck(1))
    assert (order, chaos) == (Move(4, "X"), Move(4, "O"))
    assert PlainBoard(game, open_row).value > PlainBoard(game, broken).value > PlainBoard(game, game.start).value
