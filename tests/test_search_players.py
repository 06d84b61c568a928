"""The players that search or ask: minimax to a depth, Monte Carlo, and a person at the terminal."""

import io
import sys
from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from teamplay.cli import main
from teamplay.errors import TeamplayError
from teamplay.game import Game, Move, Position
from teamplay.game_file import load_game
from teamplay.luck import Luck
from teamplay.players import OpenPlayer, load_player
from teamplay.players._boards import LineBoard, PlainBoard, board_for
from teamplay.players.minimax import Minimax
from teamplay.proof.verify import verify
from tests.everywhere import SMALL, positions, winner
from tests.odd import FILES, odd

GAME = load_game("tic-tac-toe")
GAMES = {**{spec: load_game(spec) for spec in SMALL}, **{name: odd(name) for name in FILES if name != "long"}}
SHALLOW = [name for name, game in GAMES.items() if game.grid.size <= 27]


def minimax(game: Game, depth: int) -> Minimax:
    player = load_player(f"minimax(depth={depth})", game)
    assert isinstance(player, Minimax)
    return player


# Boards: as the game's own positions, forth and back.


@pytest.mark.parametrize("name", GAMES)
def test_a_board_follows_the_game_and_comes_back(name: str) -> None:
    game, luck = GAMES[name], Luck(1)
    board, path = board_for(game, game.start), [game.start]
    for _ in range(120):
        position = path[-1]
        outcome = game.outcome(position)
        assert (board.seat, board.over) == (position.seat, outcome is not None)
        assert board.moves() == game.moves(position) or outcome
        if outcome:
            assert (board.value > 0) - (board.value < 0) == {0: 1, 1: -1, None: 0}[outcome.winner]
        else:
            assert board.value == PlainBoard(game, position).value
        if len(path) > 1 and (outcome or luck.random() < 0.3):
            board.undo()
            path.pop()
        else:
            move = luck.choice(game.moves(position))
            board.make(move)
            path.append(game.after(position, move))


def test_open_windows_are_worth_more_the_fuller_they_are() -> None:
    assert LineBoard(GAME, GAME.position("x../.../...", 0)).value == 3
    assert LineBoard(GAME, GAME.position("xx./.../...", 0)).value == 4 + 1 + 1 + 1
    assert LineBoard(GAME, GAME.position("xx./o../...", 0)).value == 4 + 1 + 1 - 1
    misere = load_game("misere")
    assert LineBoard(misere, misere.position("xx./.../...", 0)).value == -7


# Minimax: equal to the plain definition.


def naive(game: Game, position: Position, depth: int, made: int = 0) -> int:
    """What a position is worth to the first seat, without any cut."""
    if depth == 0 or game.outcome(position):
        value = PlainBoard(game, position).value
        hurry = game.goal.kind != "majority" and game.goal.effect != "scores" and game.outcome(position)
        return value - made * ((value > 0) - (value < 0)) if hurry else value
    values = [naive(game, after, depth - 1, made + 1) for _, after in game.successors(position)]
    return max(values) if position.seat == 0 else min(values)


def naive_best(game: Game, position: Position, depth: int) -> list[Move]:
    values = {move: naive(game, after, depth - 1, 1) for move, after in game.successors(position)}
    best = max(values.values()) if position.seat == 0 else min(values.values())
    return [move for move, value in values.items() if value == best]


@pytest.mark.usefixtures("shared_kernels")
@given(st.sampled_from(SHALLOW), st.integers(0, 10**6), st.floats(0, 1))
@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_minimax_names_every_best_move_and_no_other(name: str, seed: int, part: float) -> None:
    game = GAMES[name]
    met = list(positions(game, seed))
    position = met[int(part * (len(met) - 1))]
    for depth in (1, 2, 3):
        if len(game.moves(position)) ** depth < 700:
            assert minimax(game, depth).moves(position) == naive_best(game, position, depth)


@pytest.mark.parametrize("spec", ["sos(rows=2,columns=3)", "reversi(n=4)", "misere"])
def test_minimax_to_the_end_is_perfect(spec: str) -> None:
    game = load_game(spec)
    deep, perfect = minimax(game, 12), load_player("perfect", game)
    assert isinstance(perfect, OpenPlayer)
    late = [position for position in positions(game, seed=2, games=4) if len(game.moves(position)) <= 6][:20]
    for position in late:
        assert set(deep.moves(position)) <= set(perfect.moves(position))


@pytest.mark.parametrize(("depth", "verdicts"), [(2, ("proved", "proved")), (3, ("proved", "refuted"))])
def test_what_is_proved_of_minimax_at_tic_tac_toe(depth: int, verdicts: tuple[str, str]) -> None:
    """An odd depth ends on its own move and trusts it: at tic-tac-toe 3 is worse than 2."""
    player = minimax(GAME, depth)
    assert tuple(verify(player, GAME, seat).verdict for seat in (0, 1)) == verdicts


def test_depth_2_touches_few_moves_on_a_large_board(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of some 46,000 pairs of moves."""
    game = load_game("mnk(m=15,n=15,k=5)")
    position = game.start
    for luck in [Luck(3)] * 12:
        position = game.after(position, luck.choice(game.moves(position)))
    made: Counter[str] = Counter()
    make = LineBoard.make

    def counted(board: LineBoard, move: Move) -> None:
        made["moves"] += 1
        make(board, move)

    monkeypatch.setattr(LineBoard, "make", counted)
    assert minimax(game, 2).moves(position)
    assert made["moves"] < 10_000


def test_minimax_takes_a_further_turn_into_account() -> None:
    game = load_game("sos(rows=1,columns=7)")
    position = game.position("S.S.S..")
    assert minimax(game, 2).moves(position) == [Move(1, "O"), Move(3, "O")]


def test_minimax_wins_at_once_and_loses_late() -> None:
    assert minimax(GAME, 9).moves(GAME.position("xx. / oo. / ...")) == [Move(2, "x")]
    lost = Position("x.ox.....", 1)  # whatever o does, but not at once if it blocks
    assert minimax(GAME, 9).moves(lost) == [Move(6, "o")]


# Monte Carlo.


def test_mcts_can_name_no_set_so_nothing_is_proved_of_it() -> None:
    player = load_player("mcts", GAME)
    assert not isinstance(player, OpenPlayer)
    with pytest.raises(TeamplayError, match="mcts"):
        verify(player, GAME, 0)


def test_mcts_wins_and_blocks_where_it_must() -> None:
    player = load_player("mcts(playouts=400)", GAME)
    for seed in range(5):
        assert player.choose(GAME.position("xx. / oo. / ..."), Luck(seed)).cell == 2
        assert player.choose(GAME.position("oo. / .x. / ..."), Luck(seed)).cell == 2


@pytest.mark.parametrize("spec", ["tic-tac-toe", "sos(n=4)", "connect-four(columns=5,rows=5)"])
def test_mcts_beats_chance(spec: str) -> None:
    game = load_game(spec)
    player, chance = load_player("mcts(playouts=40)", game), load_player("random", game)
    winners = Counter(winner(game, (player, chance), seed) for seed in range(8))
    assert winners[0] >= 6 and winners[1] <= 1


# A person.


class Terminal(io.StringIO):
    """Somebody types."""

    def isatty(self) -> bool:
        return True


def test_a_person_is_asked_until_the_move_is_legal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", Terminal("\nz9\n1\nb3\n"))
    player = load_player("human", GAME)
    assert not isinstance(player, OpenPlayer)
    assert player.choose(GAME.position("x.. / .o. / ..."), Luck(1)) == Move(7, "x")
    shown = capsys.readouterr().out
    assert "Write a move, such as 2." in shown
    assert "Cell 1 is taken by x." in shown
    assert "There is no cell `z9`" in shown
    assert shown.count("your move, x>") == 4


def test_a_person_who_leaves_ends_the_game_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", Terminal(""))
    with pytest.raises(TeamplayError, match="left"):
        load_player("human", GAME).choose(GAME.start, Luck(1))


def test_without_a_terminal_there_is_nobody_to_ask(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("5\n"))
    assert main(["play", "human", "--seat", "second"]) == 2
    assert "needs a terminal" in capsys.readouterr().err


def test_two_people_share_one_terminal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", Terminal("1\n4\n2\n5\n3\n"))
    assert main(["play", "human"]) == 0
    assert "you (x) win, 3 in a row" in capsys.readouterr().out


# Options.


@pytest.mark.parametrize(
    ("spec", "game", "reason"),
    [
        ("minimax(depth=0)", "tic-tac-toe", "1 to 300 moves ahead, not 0"),
        ("minimax(depth=9999)", "sos-line(n=2000)", "1 to 300 moves ahead, not 9999"),
        ("minimax(depth=two)", "tic-tac-toe", "whole number"),
        ("minimax", "gomoku(n=200)", "20,000 cells"),
        ("mcts", "gomoku(n=200)", "20,000 cells"),
        ("mcts(playouts=0)", "tic-tac-toe", "1 to 1,000,000 random games"),
        ("mcts(playouts=1000000000)", "tic-tac-toe", "1 to 1,000,000 random games"),
        ("mcts(exploration=-1)", "tic-tac-toe", "from 0 on"),
        ("mcts(exploration=nan)", "tic-tac-toe", "from 0 on"),
    ],
)
def test_what_makes_no_sense_is_refused(spec: str, game: str, reason: str) -> None:
    with pytest.raises(TeamplayError, match=reason):
        load_player(spec, load_game(game))
