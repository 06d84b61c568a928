"""OpenSpiel beside ours: the same games move by move, its bots as players, a table as a bot, states both ways."""

import pytest

from teamplay.arena.playing import played_out
from teamplay.errors import BadSpec
from teamplay.game import Game, Move, Position
from teamplay.game_file import load_game
from teamplay.interop.openspiel import as_bot
from teamplay.luck import Luck
from teamplay.players import load_player
from teamplay.protocols import openspiel

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install 'teamplay[openspiel]'")

GAMES = [
    "tic-tac-toe",
    "mnk(m=5,n=4,k=3)",
    "mnk(m=7,n=7,k=4)",
    "gomoku",
    "tic-tac-toe-3d",
    "tic-tac-toe-3d(n=4)",
    "connect-four",
    "connect-four(columns=5,rows=4)",
    "reversi",
]


def same(game: Game, position: Position, state: object) -> list[Move]:
    """Both sides agree on who moves, what is legal and how it ended; the legal moves, none at the end."""
    moves = game.moves(position)
    assert state.is_terminal() == (not moves)  # type: ignore[attr-defined]
    if not moves:
        over, returns = game.outcome(position), state.returns()  # type: ignore[attr-defined]
        assert over and (returns == [0.0, 0.0] if over.winner is None else returns[over.winner] > 0)
        return moves
    assert state.current_player() == position.seat  # type: ignore[attr-defined]
    legal = sorted(openspiel.action_of(game, move) for move in moves)
    assert sorted(state.legal_actions()) == legal  # type: ignore[attr-defined]
    return moves


def random_games(spec: str, number: int, seed: int) -> int:
    """Every move of some random games, on both sides; how many moves."""
    game, luck, made = load_game(spec), Luck(seed), 0
    spiel = pyspiel.load_game(openspiel.spiel_name(game))
    for _ in range(number):
        state, position = spiel.new_initial_state(), game.start
        while moves := same(game, position, state):
            position = openspiel.apply_move(game, state, position, luck.choice(moves))
            made += 1
    return made


@pytest.mark.parametrize("spec", GAMES)
def test_both_sides_play_the_same_game(spec: str) -> None:
    assert random_games(spec, 20, 1) > 20


@pytest.mark.slow
@pytest.mark.parametrize("spec", GAMES)
def test_both_sides_play_the_same_game_ten_thousand_times(spec: str) -> None:
    assert random_games(spec, 10_000, 2) > 10_000


def test_tic_tac_toe_is_the_same_in_every_position() -> None:
    game = load_game("tic-tac-toe")
    spiel = pyspiel.load_game("tic_tac_toe")
    seen: set[Position] = set()
    waiting = [(game.start, spiel.new_initial_state())]
    while waiting:
        position, state = waiting.pop()
        same(game, position, state)
        for move in game.moves(position):
            following = state.clone()
            after = openspiel.apply_move(game, following, position, move)
            if after not in seen:
                seen.add(after)
                waiting.append((after, following))
    assert len(seen) == 5477


@pytest.mark.parametrize("spec", GAMES)
def test_states_go_both_ways(spec: str) -> None:
    game, luck = load_game(spec), Luck(4)
    for plies in (0, 1, 4, 7):
        position = game.start
        for _ in range(plies):
            if not game.outcome(position):
                position = game.after(position, luck.choice(game.moves(position)))
        state = openspiel.state_of(game, position)
        same(game, position, state)
        assert openspiel.position_of(game, state) == position


@pytest.mark.parametrize("bot", ["random", "mcts(simulations=20)"])
@pytest.mark.parametrize("spec", ["tic-tac-toe", "connect-four", "reversi"])
def test_its_bots_are_players(bot: str, spec: str) -> None:
    game = load_game(spec)
    players = [load_player(f"openspiel:{bot}", game), load_player("random", game)]
    one, two = (played_out(game, game.start, [player.choose for player in players], Luck(7)) for _ in range(2))
    assert one == two and one.forfeit == ""


def test_a_strong_bot_does_not_lose_at_tic_tac_toe() -> None:
    game = load_game("tic-tac-toe")
    players = [load_player("random", game), load_player("openspiel:mcts(simulations=5000)", game)]
    for seed in range(5):
        assert played_out(game, game.start, [player.choose for player in players], Luck(seed)).winner != 0


@pytest.mark.parametrize(("table", "spec"), [("tic-tac-toe/competent", "tic-tac-toe"), ("reversi/corners", "reversi")])
def test_a_table_is_a_bot(table: str, spec: str) -> None:
    game = load_game(spec)
    spiel = pyspiel.load_game(openspiel.spiel_name(game))
    bot = as_bot(load_player(table, game), game)
    for seed in range(3):
        returns = pyspiel.evaluate_bots(
            spiel.new_initial_state(), [bot, pyspiel.make_uniform_random_bot(1, seed)], seed
        )
        assert len(returns) == 2 and (spec != "tic-tac-toe" or returns[0] >= 0)


@pytest.mark.parametrize(
    ("spec", "game", "said"),
    [
        ("openspiel:alphago", "tic-tac-toe", "mcts and random, not `alphago`"),
        ("openspiel:mcts(depth=3)", "tic-tac-toe", "no option `depth`"),
        ("openspiel:mcts(simulations=many)", "tic-tac-toe", "is a number"),
        ("openspiel:random", "sos", "no game like sos"),
        ("openspiel:random", "reversi(n=6)", "no game like reversi"),
    ],
)
def test_bad_specs_are_told_in_a_sentence(spec: str, game: str, said: str) -> None:
    with pytest.raises(BadSpec, match=said):
        load_player(spec, load_game(game))
