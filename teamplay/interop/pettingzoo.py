"""Games as PettingZoo environments: two players at a board, or one agent on each cell that names a priority.

`env("connect-four")` is a game between two agents. `cells_env("tic-tac-toe")` is the team itself: every cell is an
agent that sees its own sight only and acts by naming a priority; the most urgent one moves, and an opponent answers.
"""

from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils import wrappers
from pettingzoo.utils.conversions import parallel_to_aec

from teamplay.engine.arrays import seen_by
from teamplay.errors import BadSpec
from teamplay.game import SEATS, Game, Move, Position, SeatName
from teamplay.game_file import load_game
from teamplay.language import Source, read_rulebook
from teamplay.luck import Luck
from teamplay.players import Player, load_player
from teamplay.show.notebook import draw
from teamplay.team.manager import most_urgent
from teamplay.team.messages import Response

RENDER_MODES = ("human", "ansi", "rgb_array")
LEVELS = 10  # priorities that a cell can name, unless told otherwise
OUT_OF_SIGHT = -1

Observation = dict[str, NDArray[np.int8]]


def env(game: Game | str = "tic-tac-toe", render_mode: str | None = None) -> Any:
    """Two players at a board; an illegal action ends the game for the one who took it, as is usual in PettingZoo."""
    made: Any = GameEnv(game, render_mode)
    made = wrappers.TerminateIllegalWrapper(made, illegal_reward=-1)
    made = wrappers.AssertOutOfBoundsWrapper(made)
    return wrappers.OrderEnforcingWrapper(made)


def cells_env(*arguments: Any, **options: Any) -> Any:
    """The cells of a board as agents, one after the other; arguments as for `CellsEnv`."""
    return wrappers.OrderEnforcingWrapper(parallel_to_aec(CellsEnv(*arguments, **options)))


class _Drawn:
    """What environments show: the board as text, or as an image."""

    metadata: ClassVar[dict[str, Any]] = {}
    render_mode: str | None
    position: Position

    def _check_render_mode(self) -> None:
        if self.render_mode is not None and self.render_mode not in RENDER_MODES:
            raise BadSpec(f"A render mode is {', '.join(RENDER_MODES)}, not `{self.render_mode}`.")

    def render(self) -> str | NDArray[np.uint8] | None:
        """The board: text for `ansi`, an image [height, width, 3] for `rgb_array`; `human` prints it."""
        drawing = draw(self.position)
        if self.render_mode == "ansi":
            return drawing.text
        if self.render_mode == "rgb_array":
            from teamplay.interop.raster import pixels

            return pixels(drawing.svg)
        if self.render_mode == "human":
            print(drawing.text)
        return None

    def close(self) -> None:
        """There is nothing to close; an opponent that runs a program ends it."""
        close: Callable[[], None] | None = getattr(getattr(self, "opponent", None), "close", None)
        if close:
            close()


class GameEnv(_Drawn, AECEnv):  # type: ignore[misc]
    """Any game file as an environment of two agents that take turns, `first` and `second`.

    An action is a cell, or in games with letters the cell times the number of letters plus the letter. An agent
    observes the board from its own side (0 blank, 1 mine, 2 theirs; letters by their number), and what is legal.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "render_modes": list(RENDER_MODES),
        "name": "teamplay_v0",
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(self, game: Game | str = "tic-tac-toe", render_mode: str | None = None) -> None:
        super().__init__()
        self.game = load_game(game) if isinstance(game, str) else game
        self.render_mode = render_mode
        self._check_render_mode()
        self.possible_agents: list[str] = list(SEATS)
        self._letters = len(self.game.marks) if self.game.shared else 1
        self._actions = self.game.grid.size * self._letters
        board = spaces.Box(0, max(2, len(self.game.marks)), self.game.grid.shape, np.int8)
        mask = spaces.Box(0, 1, (self._actions,), np.int8)
        self.observation_spaces = {
            agent: spaces.Dict({"observation": board, "action_mask": mask}) for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(self._actions) for agent in self.possible_agents}
        self.position = self.game.start

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def observe(self, agent: str) -> Observation:
        seat = self.possible_agents.index(agent)
        seen = seen_by(self.game, Position(self.position.marks, seat, game=self.game))
        mask = np.zeros(self._actions, dtype=np.int8)
        if seat == self.position.seat:
            for move in self.game.moves(self.position):
                mask[self._action(move)] = 1
        return {"observation": seen.reshape(self.game.grid.shape), "action_mask": mask}

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game; nothing in it is random."""
        self.agents = list(self.possible_agents)
        self.position = self.game.start
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[self.position.seat]

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None
        self._cumulative_rewards[agent] = 0.0
        self.position = self.game.after(self.position, self._move(int(action)))
        over = self.game.outcome(self.position)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        if over:
            self.terminations = dict.fromkeys(self.agents, True)
            if over.winner is not None:
                self.rewards = {each: 1.0 if each == SEATS[over.winner] else -1.0 for each in self.agents}
        seat = 1 - self.possible_agents.index(agent) if over else self.position.seat
        self.agent_selection = self.possible_agents[seat]
        self._accumulate_rewards()

    def _action(self, move: Move) -> int:
        return move.cell * self._letters + (self.game.marks.index(move.mark) if self.game.shared else 0)

    def _move(self, action: int) -> Move:
        cell, letter = divmod(action, self._letters)
        return Move(cell, self.game.marks[letter if self.game.shared else self.position.seat])


class CellsEnv(_Drawn, ParallelEnv):  # type: ignore[misc]
    """One agent on each cell, `cell_1`, `cell_2` and so on, that sees its own sight and nothing else.

    In every round all agents answer at once. Action 0 is silence; actions 1 to `levels` are priorities, 1 the most
    urgent; in games with letters the priorities of the first letter come first, then those of the next. The manager
    takes the most urgent answer, breaking ties at random, the opponent answers, and all agents share the result. An
    agent observes the marks in its sight (0 blank, 1 mine, 2 theirs; letters by their number; -1 where it has no
    further cells), and which actions it may take: only silence where no move can be made.

    With `max_cycles` games begin anew until that many rounds were played; without it an episode is one game.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "render_modes": list(RENDER_MODES),
        "name": "teamplay_cells_v0",
        "is_parallelizable": True,
        "render_fps": 2,
    }

    def __init__(
        self,
        game: Game | str = "tic-tac-toe",
        opponent: str = "random",
        seat: SeatName = "first",
        sight: str = "",
        levels: int = LEVELS,
        max_cycles: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        self.game = load_game(game) if isinstance(game, str) else game
        self.render_mode, self.max_cycles, self.levels = render_mode, max_cycles, levels
        self._check_render_mode()
        if seat not in SEATS:
            raise BadSpec(f"A seat is first or second, not `{seat}`.")
        if levels < 1:
            raise BadSpec(f"A cell needs at least 1 priority to name, not {levels}.")
        self.seat = SEATS.index(seat)
        self.opponent: Player = load_player(opponent, self.game)
        # A table's head says what agents see; `sight` is what follows the word there: `4`, `radius 2`, `all`.
        head = f"sight {sight}\n" if sight else ""
        book = read_rulebook(Source("sight", f"{head}everyone: return 1"), self.game)
        self._sight = [sorted(book.sight(cell)) for cell in self.game.grid.cells]
        self._letters = self.game.marks if self.game.shared else ("",)
        self._widest = max(1, *map(len, self._sight))
        self._actions = 1 + levels * len(self._letters)
        space = spaces.Dict(
            {
                "observation": spaces.Box(OUT_OF_SIGHT, max(2, len(self.game.marks)), (self._widest,), np.int8),
                "action_mask": spaces.Box(0, 1, (self._actions,), np.int8),
            }
        )
        self.possible_agents = [f"cell_{cell + 1}" for cell in self.game.grid.cells]
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = {agent: spaces.Discrete(self._actions) for agent in self.possible_agents}
        self._cells = {agent: cell for cell, agent in enumerate(self.possible_agents)}
        self._seed = 0
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        if seed is not None:
            self._seed = seed
        self._luck = Luck(self._seed)
        self._seed += 1  # the next episode is another one
        self.agents, self._cycles = list(self.possible_agents), 0
        self._begin()
        return self._observations(), {agent: {} for agent in self.agents}

    def step(
        self, actions: dict[str, int]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """A round: all answer, the manager takes the most urgent, the opponent answers."""
        open_cells = {move.cell for move in self.game.moves(self.position)}
        said = [
            response
            for agent, action in actions.items()
            if self._cells[agent] in open_cells
            for response in self._responses(self._cells[agent], int(action))
        ]
        chosen = self._luck.choice(most_urgent(said))
        mark = chosen.letter or self.game.marks[self.seat]
        self.position = self.game.after(self.position, Move(chosen.sender, mark))
        self._answer()
        self._cycles += 1
        over = self.game.outcome(self.position)
        reward = 0.0 if over is None or over.winner is None else 1.0 if over.winner == self.seat else -1.0
        ends = over is not None and self.max_cycles is None
        cut = self.max_cycles is not None and self._cycles >= self.max_cycles
        last = self.agents
        if over and not ends and not cut:
            self._begin()
        seen = self._observations()
        if ends or cut:
            self.agents = []
        terminated, truncated = dict.fromkeys(last, ends), dict.fromkeys(last, cut)
        return seen, dict.fromkeys(last, reward), terminated, truncated, {agent: {} for agent in last}

    def _begin(self) -> None:
        self.position = self.game.start
        self._answer()

    def _answer(self) -> None:
        """The opponent moves until it is the team's turn again."""
        while not self.game.outcome(self.position) and self.position.seat != self.seat:
            move = self.opponent.choose(self.position, self._luck)
            self.position = self.game.after(self.position, move)

    def _responses(self, cell: int, action: int) -> Iterator[Response]:
        """What an action says; silence is for every letter."""
        if action == 0:
            yield from (Response(cell, None, letter) for letter in self._letters)
        else:
            letter, priority = divmod(action - 1, self.levels)
            yield Response(cell, priority + 1, self._letters[letter])

    def _observations(self) -> dict[str, Observation]:
        seen = seen_by(self.game, Position(self.position.marks, self.seat, game=self.game))
        over = self.game.outcome(self.position)
        open_cells = set() if over else {move.cell for move in self.game.moves(self.position)}
        return {agent: self._observation(cell, seen, cell in open_cells) for agent, cell in self._cells.items()}

    def _observation(self, cell: int, seen: NDArray[np.int8], is_open: bool) -> Observation:
        marks = np.full(self._widest, OUT_OF_SIGHT, dtype=np.int8)
        marks[: len(self._sight[cell])] = seen[self._sight[cell]]
        mask = np.full(self._actions, int(is_open), dtype=np.int8)
        mask[0] = 1
        return {"observation": marks, "action_mask": mask}
