"""One recorded game, ply by ply: the positions, what the teams thought, and what to say of each move."""

from dataclasses import replace
from functools import cached_property

from rich.console import Console

from teamplay.arena.recorded import GameRecord, positions
from teamplay.cli.explain import print_reason
from teamplay.errors import TeamplayError
from teamplay.game import SEATS, Game, Move
from teamplay.grid import Cell
from teamplay.players import file_of, load_player, refuse_code
from teamplay.show.move_list import put_moves
from teamplay.show.paste import board_options, put_options
from teamplay.show.picture import Picture, move_json, think
from teamplay.show.reasons import reason
from teamplay.show.terminal import game_board, plain, put, put_heat_map, say
from teamplay.show.words import consequence, counted, ending, listed, move_name
from teamplay.team import Team


class GameReplay:
    """A recorded game; ply 0 is the start, ply N the position after N moves."""

    def __init__(self, record: GameRecord, game: Game) -> None:
        self.record, self.game = record, game
        self.positions = positions(game, record.moves)
        self.problems: list[str] = []  # why a team's thoughts can't be shown
        self.teams = [self._team(spec) for spec in record.players]

    def _team(self, spec: str) -> Team | None:
        """The team that a spec names; None for other players, and for a table that is gone or does not fit."""
        try:
            refuse_code(spec, "a recorded game")
            player = load_player(spec, self.game) if file_of(spec) else None
        except TeamplayError as error:
            self.problems.append(f"What {spec[:80]} thought can't be shown: {str(error).splitlines()[0]}")
            return None
        return player if isinstance(player, Team) else None

    @property
    def last(self) -> int:
        """The ply at the end."""
        return len(self.record.moves)

    @cached_property
    def title(self) -> str:
        """Who plays whom at what."""
        one, other = (f"{name}{self._mark(seat)}" for seat, name in enumerate(self.record.players))
        return f"{one} against {other} at {self.game}"

    def _mark(self, seat: int) -> str:
        return "" if self.game.shared else f" ({self.game.own_mark(seat)})"

    def picture(self, ply: int) -> Picture | None:
        """What the team to move thought at a ply, with the move that it made; None where no team chose."""
        position = self.positions[ply]
        team = self.teams[position.seat]
        if team is None or ply >= self.last or ply < self.record.opening:
            return None
        picture, move = think(team, position), self.record.moves[ply]
        return replace(picture, chosen=move) if move in picture.best else picture

    def made(self, ply: int) -> str:
        """The move that led to a ply."""
        if not ply:
            return "The start."
        before, move = self.positions[ply - 1], self.record.moves[ply - 1]
        random = ", a random ply of the opening" if ply <= self.record.opening else ""
        name = f"{self.record.players[before.seat]}{self._mark(before.seat)}"
        played = f"{ply}. {name} plays {move_name(self.game, move)}{random}."
        return f"{played} {consequence(self.game, before, move)}".strip()

    def following(self, ply: int, picture: Picture | None) -> str:
        """The move that comes next, and why."""
        position = self.positions[ply]
        if over := self.game.outcome(position):
            return ending(self.game, position, over, dict(enumerate(self.record.players)))
        if ply >= self.last:
            return "The record ends here; the game is not over."
        move, (priority, rule) = self.record.moves[ply], self.record.reasons[ply]
        said = f"Next: {self.record.players[position.seat]} plays {move_name(self.game, move)}"
        if rule is not None:
            said += f", priority {priority} by `{rule}`"
        if picture and move in picture.best and len(picture.best) > 1:
            said += f", one of {len(picture.best)} that tie"
        return f"{said}.{self._changed(picture, move)}"

    def _changed(self, picture: Picture | None, move: Move) -> str:
        """What to know where the table would not make this move today."""
        if picture is None or move in picture.best:
            return ""
        if picture.team.manager.restless:
            return " Some of its rules have a chance; the picture shows other coins than those of the game."
        best = listed([move_name(self.game, each) for each in picture.best], joint="or")
        return f" The table has changed since: now it would play {best}."

    def show(self, screen: Console, ply: int, number: str) -> None:
        """A ply on the screen: the board, what the team to move thinks, what comes next."""
        position, picture = self.positions[ply], self.picture(ply)
        say(screen, f"{number}, after {ply} of {counted(self.last, 'move')}: {self.title}.", "bold")
        say(screen, self.made(ply))
        say(screen)
        if picture:
            put_heat_map(screen, picture, position.marks, pointers=True)
        else:
            over = self.game.outcome(position)
            put(screen, game_board(self.game, position, over, screen.width, plain(screen)))
        say(screen)
        put_options(screen, self.game, position)
        say(screen, self.following(ply, picture))
        if ply == self.last and self.record.moves:
            put_moves(screen, self.game, self.record.moves)

    def explain(self, screen: Console, ply: int, cell: Cell | None) -> None:
        """Why the team to move answers as it does at a ply: in the cell that it chose, or in another."""
        picture = self.picture(ply)
        if picture is None:
            say(screen, "No team moves next here, so no rule says why.")
            return
        say(screen)
        if self.positions[ply].seat and not self.game.shared:
            put_heat_map(screen, picture, pointers=True)
            say(screen)
            put_options(screen, self.game, self.positions[ply])
            say(screen, "(In its own view the team is x, and its opponent is o.)")
        about = self.record.moves[ply].cell if cell is None else cell
        print_reason(screen, picture, reason(picture, about))

    def to_dict(self) -> dict[str, object]:
        """The game for scripts, with what `show --json` says at each ply where a team moves."""
        plies = []
        for ply, position in enumerate(self.positions):
            picture = self.picture(ply)
            move = self.record.moves[ply] if ply < self.last else None
            shown = {
                "ply": ply,
                "seat": SEATS[position.seat],
                "board": self.game.drawn(position),
                "options": board_options(self.game, position),
                "move": None if move is None else move_json(self.game, move),
                "picture": picture.to_dict() if picture else None,
            }
            plies.append(shown)
        first, second = self.record.players
        return {"game": str(self.game), "first": first, "second": second, "plies": plies, "problems": self.problems}
