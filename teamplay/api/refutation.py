"""A game that breaks a goal, replayed on screen: the priorities at the team's moves, and the choice to blame."""

from dataclasses import dataclass, replace

from rich.console import Console
from rich.text import Text

from teamplay.game import SEATS, Game, Move, Position
from teamplay.players import Player
from teamplay.proof.blame import Blame, positions_of
from teamplay.proof.goals import ProofGoal
from teamplay.show.paste import put_options
from teamplay.show.picture import Answer, Picture, move_json, think
from teamplay.show.terminal import game_board, plain, put, put_heat_map, say
from teamplay.show.words import consequence, counted, ending, listed, move_name
from teamplay.team import Team

MOST_SEEDS = 200  # seeds that are tried to find one that leads to a move


@dataclass(frozen=True)
class Replay:
    """A game of a player in one seat, and where it went wrong."""

    player: Player
    game: Game
    seat: int
    goal: ProofGoal
    moves: tuple[Move, ...]
    blame: Blame

    @property
    def list_of_moves(self) -> str:
        """The moves as `--moves` takes them."""
        return " ".join(map(self.game.format_move, self.moves))

    @property
    def who(self) -> str:
        return "the team" if isinstance(self.player, Team) else self.player.name

    def show(self, screen: Console) -> None:
        """Every move in a sentence, with a board before those of the player; the end; the blame.

        The player is drawn as x in either seat, as `show` and scenes draw it.
        """
        positions = positions_of(self.game, self.moves)
        if not self.game.shared:
            say(screen, f"{self.who.capitalize()} is x, the opponent o.")
        for ply, (position, move) in enumerate(zip(positions, self.moves, strict=False), 1):
            if position.seat == self.seat:
                self._show_choice(screen, ply, position, move)
            else:
                say(screen, f"{ply}. The opponent plays {move_name(self.game, move)}.{self._follows(position, move)}")
        over = self.game.outcome(positions[-1])
        say(screen)
        put(screen, game_board(self.game, self._from_our_side(positions[-1]), over, screen.width, plain(screen)))
        put(screen, [Text(f'--moves "{self.list_of_moves}"', "dim")])
        if over:
            names = {self.seat: self.who, 1 - self.seat: "the opponent"}
            say(screen, ending(self.game, positions[-1], over, names, {self.seat: "x", 1 - self.seat: "o"}))
        say(screen, self.verdict(), "bold")

    def _show_choice(self, screen: Console, ply: int, position: Position, move: Move) -> None:
        picture = self._picture(position, move)
        say(screen)
        if picture:
            put_heat_map(screen, picture)
        else:
            put(screen, game_board(self.game, self._from_our_side(position), None, screen.width, plain(screen)))
        put_options(screen, self.game, position)
        said = f"{ply}. {self.who.capitalize()} plays {move_name(self.game, move)}{self._why(position, move)}."
        say(screen, f"{said}{self._follows(position, move)}")

    def _from_our_side(self, position: Position) -> Position:
        """A position as it is drawn: with the player as x."""
        if self.game.shared or self.seat == 0:
            return position
        swap = str.maketrans("xo", "ox")
        last = position.last and position.last._replace(mark=position.last.mark.translate(swap))
        return replace(position, marks=position.marks.translate(swap), seat=1 - position.seat, last=last)

    def _follows(self, position: Position, move: Move) -> str:
        done = consequence(self.game, position, move)
        return f" {done}" if done else ""

    def _picture(self, position: Position, move: Move) -> Picture | None:
        """What the agents say before a move, with a seed that leads to it; None for players without agents."""
        if not isinstance(self.player, Team):
            return None
        team = self.player
        pictures = (think(team, position, seed) for seed in range(MOST_SEEDS if team.manager.restless else 1))
        return next((picture for picture in pictures if move in picture.best), None)

    def _answer(self, ply: int) -> Answer | None:
        """What the chosen agent said, if it is known."""
        move = self.moves[ply]
        picture = self._picture(positions_of(self.game, self.moves[:ply])[-1], move)
        return picture.answers[move.cell] if picture else None

    def _why(self, position: Position, move: Move) -> str:
        """By which rule, and how many tied."""
        picture = self._picture(position, move)
        if picture is None:
            return ""
        answer, ties = picture.answers[move.cell], len(picture.best)
        tied = "" if ties == 1 else f", one of {counted(ties, 'move')} that tie"
        if answer.priority is None:
            return f" (every agent is silent){tied}"
        return f" by `{answer.rule}`, priority {answer.priority}{tied}"

    def verdict(self) -> str:
        """Which choice was to blame, in a sentence."""
        aim = "avoided the loss" if self.goal == "never-loses" else "won"
        if self.blame.ply is None:
            return (
                f"No choice is to blame: against perfect play the {SEATS[self.seat]} seat can't "
                f"{'avoid a loss' if self.goal == 'never-loses' else 'win'} from the start."
            )
        move, answer = self.moves[self.blame.ply], self._answer(self.blame.ply)
        choice = f"move {self.blame.ply + 1}, {move_name(self.game, move)}"
        if answer:
            choice += f" by `{answer.rule}`" if answer.rule else ", where every agent is silent"
        if not self.blame.certain:
            return f"Where the game was lost could not be worked out; the last choice of {self.who} was {choice}."
        better = listed([move_name(self.game, move) for move in self.blame.better], joint="or")
        return f"To blame is {choice}: there perfect play would still have {aim}, with {better}."

    def blame_json(self) -> dict[str, object]:
        """The blame for scripts."""
        ply = self.blame.ply
        answer = None if ply is None else self._answer(ply)
        return {
            "ply": None if ply is None else ply + 1,
            "move": None if ply is None else move_json(self.game, self.moves[ply]),
            "rule": answer.rule or None if answer else None,
            "priority": answer.priority if answer else None,
            "certain": self.blame.certain,
            "better": [move_json(self.game, move) for move in self.blame.better],
        }
