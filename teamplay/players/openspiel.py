"""OpenSpiel's bots as players: `openspiel:mcts(simulations=1000)`, `openspiel:random`."""

from dataclasses import dataclass, field
from typing import Any

from teamplay.errors import BadSpec, IllegalMove, did_you_mean
from teamplay.game import Game, Move, Position
from teamplay.game_file import parse_spec
from teamplay.luck import Luck
from teamplay.protocols import openspiel

GAME = "tic-tac-toe"
TEXT = "bot"  # what stands behind the colon of a spec
MOST_MEMORY = 1000  # megabytes for a search tree
MCTS = {"simulations": 1000.0, "uct_c": 1.4, "solve": 1.0, "rollouts": 1.0, "seconds": -1.0}


@dataclass
class SpielBot:
    """Asks a bot of OpenSpiel. The bot's chance comes from the luck of the match, so a seed gives the same games."""

    game: Game
    bot: str
    options: dict[str, float]
    name: str
    spiel: Any = field(repr=False)
    _state: Any = field(default=None, repr=False)
    _at: Position | None = field(default=None, repr=False)

    def choose(self, position: Position, luck: Luck) -> Move:
        if self.game.outcome(position):  # OpenSpiel would crash
            raise IllegalMove("The game is over; there is nothing to choose.")
        if self._state is None or not openspiel.follow(self.game, self._state, self._at, position):
            self._state = openspiel.state_of(self.game, position, self.spiel)
        self._at = position
        action = self._bot(position.seat, luck.getrandbits(31)).step(self._state)
        return openspiel.move_of(self.game, position, action)

    def _bot(self, seat: int, seed: int) -> Any:
        pyspiel = openspiel.library()
        if self.bot == "random":
            return pyspiel.make_uniform_random_bot(seat, seed)
        given = self.options
        return pyspiel.MCTSBot(
            self.spiel,
            pyspiel.RandomRolloutEvaluator(int(given["rollouts"]), seed),
            given["uct_c"],
            int(given["simulations"]),
            MOST_MEMORY,
            bool(given["solve"]),
            seed,
            False,
            pyspiel.ChildSelectionPolicy.UCT,
            given["seconds"],
        )


def make(name: str, game: Game, bot: str = "random") -> SpielBot:
    """The player that a spec names: `openspiel:mcts(simulations=1000,solve=1)`."""
    kind, options = parse_spec(bot)
    if kind not in ("random", "mcts"):
        raise BadSpec(f"OpenSpiel's bots here are mcts and random, not `{kind[:40]}`.{did_you_mean(kind, ['mcts'])}")
    known = MCTS if kind == "mcts" else {}
    values = dict(known)
    for key, text in options.items():
        if key not in known:
            raise BadSpec(f"`{kind}` has no option `{key}`; it has {', '.join(known) or 'none'}.")
        try:
            values[key] = float(text)
        except ValueError:
            raise BadSpec(f"`{key}` is a number, not `{text[:40]}`.") from None
    if values.get("simulations", 1) < 1 or values.get("rollouts", 1) < 1:
        raise BadSpec("`simulations` and `rollouts` are at least 1.")
    spiel = openspiel.library().load_game(openspiel.spiel_name(game))
    return SpielBot(game, kind, values, name, spiel)
