"""The lecture on tic-tac-toe: a table of moves, products, the magic square and the magic cube."""

from collections.abc import Iterator
from functools import cache
from itertools import combinations

import numpy as np

from teamplay.engine.solver import Solver
from teamplay.game import BLANK, SEATS, Game, Move, Position
from teamplay.game_file import load_game
from teamplay.players import OpenPlayer, load_player
from teamplay.players._lecture import squares
from teamplay.players.magic_square import NUMBERS, TOTAL, MagicSquare
from teamplay.players.move_table import PRINTED, filled, index
from teamplay.players.posswin import PossWin
from teamplay.proof.verify import Verdict
from teamplay.reproduce import complexity, magic
from teamplay.reproduce.categories import board, positions
from teamplay.reproduce.lab import Lab, examined, shares
from teamplay.reproduce.replication import IMPOSSIBLE, REPRODUCED, Plot, Replication, Reproduction, held, proved

TITLE = "Tic Tac Toe Game playing strategies (a lecture)"
READINGS = {  # of the strategy that both approaches share
    "Approach 2": [
        f"posswin(make2={make},anywhere={go})" for make in ("any", "line", "first") for go in ("any", "first")
    ],
    "Approach 3": ["magic-square", "magic-square(zero=stops)"],
}
EXAMPLE = (8, 5, 3, 4, 6, 1, 2, 9)  # blocks of the magic square, the human's first


def results(lab: Lab) -> Iterator[Replication | Plot]:
    """Approach by approach, then the cube."""
    lab.say("the move table")
    yield from _move_table()
    yield magic.products()
    lab.say("every game of the second and third approach")
    yield from (_safe(approach, seat) for approach in READINGS for seat in (0, 1))
    yield _longest()
    yield from _wins_most(lab)
    yield from magic.square(board())
    yield from _example()
    yield from _work()
    lab.say("the magic cube")
    yield from magic.cube(cube())
    yield from (_cube_loses(seat) for seat in (0, 1))


@cache
def cube() -> Game:
    """The lecture's other game."""
    return load_game("tic-tac-toe-3d")


def _player(spec: str) -> OpenPlayer:
    player = load_player(spec, board())
    assert isinstance(player, OpenPlayer)
    return player


def _move_table() -> Iterator[Replication]:
    vector = filled("perfect")
    moves = sum(index(answer) != number for number, answer in enumerate(vector.tolist()))
    yield Replication(
        "Approach 1",
        "entries of the move table, 3^9",
        "19,683",
        f"{len(vector):,}, {vector.nbytes:,} bytes",
        proved(len(vector) == 19_683),
        note=f"only {moves:,} of them are positions of a game that goes on; the others are never looked up",
    )
    solver = Solver(board())
    printed = [_printed(number, text, solver) for number, text in PRINTED.items()]
    yield from printed
    yield _error_prone(printed)
    cells = cube().grid.size
    yield Replication(
        "Approach 1", "boards in three dimensions", "3^27", f"3^{cells} = {3**cells:,}", proved(cells == 27)
    )


def _printed(number: int, text: str, solver: Solver) -> Replication:
    """One of the four entries that are shown: is it a position of the game, a legal move, and one that holds?"""
    spelt = np.base_repr(number, 3).zfill(len(text))
    position = _position(spelt)
    met = position in positions()
    kept, said = False, "nobody can meet this board: X moves first, and only O has moved"
    if met:
        answer = _position(text)
        assert answer in [after for _, after in board().successors(position)], "a legal move"
        kept = (solver.value(position), solver.value(answer)) in ((1, -1), (0, 0))
        computed = "".join(map(str, filled("perfect")[number]))
        said = f"{'keeps' if kept else 'loses'} the game; the computed table has {computed}"
    claim = f"entry {number}: what to play on {spelt}"
    return Replication("Approach 1", claim, text, said, proved(met and kept), "right is what keeps the value")


def _error_prone(printed: list[Replication]) -> Replication:
    """What comes of writing entries by hand."""
    wrong = sum(finding.verdict != REPRODUCED for finding in printed)
    computed, mixed = (examined(_player(f"move-table(fill={fill})"), board(), 1) for fill in ("perfect", "lecture"))
    return Replication(
        "Approach 1, comments",
        "entries made by hand are error prone",
        "highly",
        f"{wrong} of the {len(printed)} printed ones are wrong, or of no use. Moving second, a table with them "
        f"{_told(mixed, board())}; a computed one {_told(computed, board())}",
        held(wrong > 0),
    )


def _position(digits: str) -> Position:
    """A board as the lecture writes it: 0 blank, 1 X, 2 O."""
    marks = "".join((BLANK, *board().marks)[int(digit)] for digit in digits)
    return Position(marks, int(digits.count("1") > digits.count("2")))


def _safe(approach: str, seat: int) -> Replication:
    """Every reply and every tie, under every reading."""
    found = {spec: examined(_player(spec), board(), seat) for spec in READINGS[approach]}
    told = [f"{spec}: {_told(verdict, board())}" for spec, verdict in found.items()]
    return Replication(
        approach,
        f"moving {SEATS[seat]}, the strategy is complete: it never loses",
        "complete, determined in advance",
        "; ".join(told),
        _judged([verdict.verdict == "proved" for verdict in found.values()]),
        "every reading that the text allows, each as an option of the player",
    )


def _judged(holding: list[bool]) -> Reproduction:
    """Impossible is only what fails under every reading."""
    return held(all(holding)) if any(holding) else IMPOSSIBLE


def _told(found: Verdict, game: Game) -> str:
    if found.game is None:
        return f"never loses ({found.positions} positions)"
    return f"loses by {' '.join(map(game.format_move, found.game))}"


def _longest() -> Replication:
    """How long the games of the second approach can last, in both seats."""
    longest = max(examined(_player(spec), board(), seat).plies for spec in READINGS["Approach 2"] for seat in (0, 1))
    return Replication(
        "Approach 2, assumptions",
        "moves in the worst case",
        "8",
        str(longest),
        proved(longest == 8),
        "moves of both players are counted, as the lecture numbers them",
        "a draw fills the board; the lecture's own list goes on to move 9",
    )


def _wins_most(lab: Lab) -> Iterator[Replication]:
    for spec in ("move-table", "posswin", "magic-square"):
        tally = lab.match(spec, "random", "tic-tac-toe", lab.games(500, 5000))
        counts = (tally.wins, tally.draws, tally.losses)
        yield Replication(
            "Introduction",
            f"{spec} wins most of the time",
            "most",
            f"{shares(counts)} of {tally.games:,} games",
            held(tally.wins > tally.games / 2),
            "against a player that moves at random, seats alternating",
        )


def _example() -> Iterator[Replication]:
    """The worked example move by move: what the computer plays, and by which sums."""
    player = load_player("magic-square", board())
    assert isinstance(player, MagicSquare)
    position = board().start
    for number, block in enumerate(EXAMPLE, 1):
        if position.seat == 1:
            chosen = [NUMBERS[move.cell] for move in player.moves(position)]
            yield Replication(
                f"Approach 3, move {number}",
                f"the computer's answer to {' '.join(map(str, EXAMPLE[: number - 1]))}",
                str(block),
                f"{' or '.join(map(str, chosen))}{_sums(position)}",
                proved(chosen == [block]),
            )
        position = board().after(position, Move(NUMBERS.index(block), board().marks[position.seat]))
    outcome = board().outcome(position)
    won = outcome is not None and outcome.winner == 1
    yield Replication("Approach 3, end", "the computer has won", "yes", "yes" if won else "no", proved(won))


def _sums(position: Position) -> str:
    """The differences of all pairs, the computer's first."""
    found = []
    for name, mark in zip("CH", reversed(board().marks), strict=True):
        blocks = [number for number, here in zip(NUMBERS, position.marks, strict=True) if here == mark]
        found += [f"{name} {a}+{b} lacks {TOTAL - a - b}" for a, b in combinations(blocks, 2)]
    return f" ({', '.join(found)})" if found else ""


def _work() -> Iterator[Replication]:
    """What is looked at for a move, on the average of all positions; time would measure how the players are written."""
    lines = complexity.lecture_work(PossWin(board(), "any", "any"), positions())
    pairs = _pairs_looked_at()
    measured = f"{lines:.1f} lines by products, {pairs:.1f} pairs by sums"
    yield Replication(
        "Approach 3", "checking for a win is simpler than in approach 2", "simpler", measured, held(pairs < lines)
    )
    yield Replication(
        "Approach 3, comments",
        "takes more time than the two others, as it must search all sequences of moves",
        "1 < 2 < 3",
        f"1 entry of the table, {measured}",
        held(1 < lines < pairs),
        "time is counted in what must be looked at for a move",
        "the strategy as given searches no sequences: it looks one move ahead, as approach 2 does",
    )


def _pairs_looked_at() -> float:
    """Pairs of blocks whose sum the third approach computes for a move."""
    player, looked = MagicSquare(board(), "any", "any", "skipped"), 0

    def counted(marks: str, mark: str) -> int:
        nonlocal looked
        square = player.possible_win(marks, mark)
        blocks = sorted(number for number, here in zip(NUMBERS, marks, strict=True) if here == mark)
        lacking = [TOTAL - a - b for a, b in combinations(blocks, 2)]
        looked += lacking.index(NUMBERS[square - 1]) + 1 if square else len(lacking)
        return square

    for position in positions():
        squares(board(), position, counted, player.make2, player.anywhere)
    return looked / len(positions())


def _cube_loses(seat: int) -> Replication:
    """Whether the sum is enough to play by in three dimensions."""
    player = load_player("magic-cube", cube())
    found = examined(player, cube(), seat, exhaust=False)
    return Replication(
        "Approach 3, comments",
        f"moving {SEATS[seat]}, a player by the sum 42 handles three dimensions",
        "extensible",
        _told(found, cube()),
        held(found.verdict == "proved"),
        "handles: does not lose; the lecture gives no strategy, and this one wins and blocks by sums, takes the "
        "center, makes two, else plays anywhere",
    )
