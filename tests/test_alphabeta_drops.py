"""Alpha-beta by columns: plain and compiled alike, worth what plain recursion says, and what is solved is kept."""

import pytest

from teamplay.arena.playing import after_all, opening
from teamplay.engine.alphabeta import AlphaBetaSearch
from teamplay.engine.alphabeta_drops import DropSearch, deepening_search, searcher
from teamplay.engine.contest import Contest, SearchingSeat
from teamplay.engine.jit import kernels
from teamplay.engine.kernels import alphabeta_drops as kernel
from teamplay.engine.kernels.outlook import WON
from teamplay.engine.solver import Solver
from teamplay.engine.solver.rules import masks, method_of
from teamplay.game import BLANK, Game, Position
from teamplay.game_file import load_game
from teamplay.language import Source, read_rulebook
from teamplay.luck import Luck
from tests.odd import odd
from tests.test_alphabeta import met, winner, winning_cells

BOARDS = [
    load_game(f"connect-four(columns={columns},rows={rows},k={k})")
    for columns, rows, k in ((7, 6, 4), (5, 4, 4), (4, 5, 4), (4, 4, 3), (5, 5, 3), (6, 4, 5), (3, 3, 2), (1, 4, 2))
]
SMALL = [game for game in BOARDS if game.grid.size <= 20]


def test_it_searches_the_games_that_it_knows_and_no_others() -> None:
    assert all(isinstance(deepening_search(game, 100), DropSearch) for game in BOARDS)
    others = [
        load_game("tic-tac-toe"),
        load_game("connect-four(columns=12,rows=12)"),
        odd("drop-cube"),
        odd("drop-words"),
    ]
    assert all(isinstance(deepening_search(game, 100), AlphaBetaSearch) for game in others)


@pytest.mark.parametrize("game", BOARDS, ids=str)
def test_plain_and_compiled_choose_alike(game: Game) -> None:
    for plies in (0, 1, 2, 5):
        position = met(game, plies, plies)
        for nodes in (1, 20, 250):
            plain, compiled = (DropSearch(game, large).best(position, nodes, 0, 7) for large in (False, True))
            assert plain == compiled and plain.move in game.moves(position)


# The definition: plain recursion by the game's own rules.


def lines(game: Game) -> list[tuple[int, ...]]:
    assert game.goal.length
    return [line for cell in game.grid.cells for line in game.grid.lines_from(cell, game.goal.length)]


def threats(game: Game, position: Position, seat: int) -> set[int]:
    """Blank cells, playable or not, that complete a line of a seat."""
    mine = game.marks[seat]
    return {
        cell
        for line in lines(game)
        for cell in line
        if position.marks[cell] == BLANK and all(position.marks[other] == mine for other in line if other != cell)
    }


def windows(game: Game, position: Position, seat: int) -> int:
    total = 0
    for line in lines(game):
        here = [position.marks[cell] for cell in line]
        if game.marks[1 - seat] not in here:
            total += {2: kernel.LACKS_TWO, 3: kernel.LACKS_THREE}.get(here.count(BLANK), 0)
    return total


def gets(game: Game, position: Position, cell: int) -> int:
    """The seat that fills a cell if all other columns are filled first, then its own from below."""
    width = game.grid.shape[1]
    blank = [other for other in game.grid.cells if position.marks[other] == BLANK]
    before = sum(other % width != cell % width or other > cell for other in blank)
    return position.seat if before % 2 == 0 else 1 - position.seat


def static(game: Game, position: Position) -> int:
    """What a position is worth where the search ends."""
    seat, width = position.seat, game.grid.shape[1]
    found = [threats(game, position, each) for each in (0, 1)]
    sure = {cell: each for each in (0, 1) for cell in found[each] if gets(game, position, cell) == each}
    lowest = [owner for cell, owner in sure.items() if not any(cell + width * i in sure for i in range(1, 9))]
    value = kernel.TEMPO + kernel.THREAT * (len(found[seat]) - len(found[1 - seat]))
    value += kernel.SURE * (lowest.count(seat) - lowest.count(1 - seat))
    return value + windows(game, position, seat) - windows(game, position, 1 - seat)


def value(game: Game, position: Position, depth: int, ply: int) -> int:
    """What a position is worth some plies ahead; a reply that must be made costs no depth."""
    if game.outcome(position):
        return 0
    seat = position.seat
    if winning_cells(game, position, seat):
        return WON - ply
    must = winning_cells(game, position, 1 - seat)
    after = [after for move, after in game.successors(position) if not must or move.cell in must]
    safe = [each for each in after if not winning_cells(game, each, 1 - seat)]
    if len(must) > 1 or not safe:
        return ply + 1 - WON
    if depth <= 0 and not must:
        return static(game, position)
    return max(-value(game, each, depth if must else depth - 1, ply + 1) for each in safe)


@pytest.mark.parametrize("game", BOARDS, ids=str)
@pytest.mark.parametrize("seeds", [8, pytest.param(30, marks=pytest.mark.slow)])
def test_a_fixed_depth_is_worth_what_plain_recursion_says(seeds: int, game: Game) -> None:
    """With one slot the table never answers for a position that was searched to another depth."""
    plain, method = kernels(kernel, False), method_of(game, True)
    assert method
    compared = 0
    for seed in range(seeds):
        position = met(game, 3 * seed % (game.grid.size - 1), seed)
        if winning_cells(game, position, position.seat):
            continue
        tools = searcher(game, 0)
        tools.bench.counters[kernel.LIMITS] = kernel.ENDLESS
        mine, theirs = masks(game, position, method.bits)
        for depth in (1, 2) if game.grid.size > 20 else (1, 2, 3):
            found = plain.estimate(tools.rules, tools.bench, mine, theirs, 0, depth, -2 * WON, 2 * WON)
            assert found == value(game, position, depth, 0), (position, depth)
            compared += 1
    assert compared >= 3


@pytest.mark.parametrize("game", SMALL, ids=str)
@pytest.mark.parametrize("seeds", [16, pytest.param(60, marks=pytest.mark.slow)])
def test_what_it_decides_is_true_and_its_move_keeps_the_value(seeds: int, game: Game) -> None:
    """The value by plain recursion from 12 blanks on; the nodes suffice to reach the end."""
    known, decided = dict[Position, int](), 0
    for seed in range(seeds):
        position = met(game, max(0, game.grid.size - 12) + seed % 4, seed)
        found = DropSearch(game, True).best(position, 20_000, 0, seed)
        wins = winner(game, position, known)
        assert winner(game, game.after(position, found.move), known) == wins
        if found.decided:
            decided += 1
            assert wins == (position.seat if found.value > 0 else 1 - position.seat)
    assert decided >= 5 or game.grid.shape[1] == 1  # in one column the marks alternate


def test_on_the_whole_board_its_move_keeps_what_the_solver_says() -> None:
    game = load_game("connect-four")
    solver, search, values = Solver(game, memory=64), DropSearch(game), []
    for seed in range(12):
        position = after_all(game, opening(game, Luck(seed), 16, 20))
        before = solver.value(position)
        found = search.best(position, 400_000, 0, seed)
        after = game.after(position, found.move)
        assert before is not None and (game.outcome(after) or solver.value(after) == -before)
        assert not found.decided or (found.value > 0) == (before > 0)
        values.append(before)
        if before < 0 and winning_cells(
            game, after, after.seat
        ):  # also of lost moves, none loses at once if it need not
            assert all(winning_cells(game, other, other.seat) for _, other in game.successors(position))
    assert len(set(values)) > 1


@pytest.mark.parametrize("k", [3, 4])
def test_a_batch_never_ends_below_the_value_of_its_opening(k: int) -> None:
    """In a batch it is the same search: with enough nodes it loses nothing that is won or drawn."""
    game = load_game(f"connect-four(columns=4,rows=4,k={k})")
    book, solver = read_rulebook(Source("any", "everyone:\n    return 1\n"), game), Solver(game)
    openings = [opening(game, Luck(seed), 6, 8) for seed in range(16)]
    for seat in (0, 1):
        sitting = (SearchingSeat(2_000), book) if seat == 0 else (book, SearchingSeat(2_000))
        for moves, end in zip(openings, Contest(*sitting, large=False).winners(openings, 3), strict=True):
            position = after_all(game, moves)
            worth = (solver.value(position) or 0) * (1 if position.seat == seat else -1)
            assert worth <= (0 if end is None else 1 if end == seat else -1)


def test_other_searches_leave_a_move_as_it_is() -> None:
    """Also the table's entries of an earlier search with the same number, when the numbers begin again."""
    game = load_game("connect-four")
    search = DropSearch(game)
    alone = search.best(game.start, 3_000, 0)
    assert search.best(game.start, 0, 0.05).depth < 30  # it would take a minute to solve it
    assert search.best(game.start, 3_000, 0) == alone
    search._searcher.bench.counters[kernel.SEARCHES] = kernel.MOST_SEARCHES - 1
    for _ in range(3):
        search.best(met(game, 3, 1), 3_000, 0)
        assert search.best(game.start, 3_000, 0) == alone
