"""Does a certificate hold? Replayed with the reference rules and agents: nothing of the compiled engine is used here.

The argument: the start leads into the listed positions; from a listed position, every choice of the player and every
reply of the opponent lead to a listed position again or to a good end. So no game ever leaves the list by a bad end.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from teamplay import players
from teamplay.errors import BadFile, BadSpec, IllegalMove, TeamplayError
from teamplay.game import SEATS, Game, Move, Position
from teamplay.game_file import load_game
from teamplay.language import Source, read_rulebook
from teamplay.players import OpenPlayer
from teamplay.proof import symmetry
from teamplay.proof.certificate import LARGEST_BOARD, Certificate, Claim, Header, game_hash, parse_position
from teamplay.proof.goals import bad_winners, forbids_slips
from teamplay.proof.oracle import Recursion, value_for
from teamplay.team import Team

PLAIN_SPEC = re.compile(r"[a-z][a-z0-9-]{0,63}(\([a-z0-9_=.,-]{0,200}\))?", re.ASCII)  # names no file, runs nothing

Progress = Callable[[int, int], None]  # positions done, positions listed


class DoesNotHold(TeamplayError):
    """A claim is not true, with the reason."""


def recheck(certificate: Certificate, progress: Progress | None = None) -> None:
    """Nothing if every claim holds, DoesNotHold with the first reason why one does not."""
    header = certificate.header
    game = _game(header)
    for claim in certificate.claims:
        player = _player(header, game)
        if claim.verdict == "refuted":
            _Refuted(header, game, player, claim).check()
        else:
            _Proved(header, game, player, claim, _images(header, game, player, claim)).check(progress)


def _game(header: Header) -> Game:
    game = load_game(header.game)
    if game_hash(header.game) != header.game_hash:
        raise BadFile(f"The file of {header.game} is not the one that the certificate was made with.")
    if game.grid.size > LARGEST_BOARD:
        raise BadFile(f"{game} has {game.grid.size:,} cells; a certificate is for {LARGEST_BOARD:,} at the most.")
    return game


def _player(header: Header, game: Game) -> OpenPlayer:
    """The player that the certificate speaks of: by the table that it holds, or by a spec that names no file."""
    if header.table is not None:
        book = read_rulebook(Source(header.player, header.table), game)
        return Team(book, "first" if header.tie == "first" else "random")
    if not PLAIN_SPEC.fullmatch(header.player) or header.player.partition("(")[0] not in players.names():
        raise BadFile(f"The certificate has no table and names no player of teamplay: `{header.player[:60]}`.")
    player = players.load_player(header.player, game)
    if not isinstance(player, OpenPlayer):
        raise BadFile(f"{player.name} can't name the set of moves it might make, so nothing is proved of it.")
    return player


def _images(header: Header, game: Game, player: OpenPlayer, claim: Claim) -> symmetry.Images:
    """All symmetries where the claim uses them and the table allows it, else none but the identity."""
    if not claim.symmetry:
        return symmetry.Images((tuple(game.grid.cells),))
    if header.tie != "all" or not isinstance(player, Team) or not symmetry.keeps(player.book):
        raise DoesNotHold("It lists positions up to symmetry, but the player is not sure to be symmetric.")
    return symmetry.Images(tuple(symmetry.of_game(game)))


@dataclass
class _Proved:
    """A claim that a list of positions is closed."""

    header: Header
    game: Game
    player: OpenPlayer
    claim: Claim
    images: symmetry.Images
    listed: set[Position] = field(default_factory=set)
    reached: set[Position] = field(default_factory=set)  # of the listed ones
    replied: set[Position] = field(default_factory=set)  # with the opponent to move, already followed
    ends: dict[Position, int | None] = field(default_factory=dict)  # finished, with the winner

    def check(self, progress: Progress | None) -> None:
        self._read()
        self._follow([self.game.start])
        oracle = Recursion(self.game) if forbids_slips(self.header.goal) else None
        for done, position in enumerate(self.listed):
            after = self._choices(position)
            if oracle and oracle.value(position) == 1:
                for left in after:
                    if value_for(oracle, left, self.claim.seat) < 1:
                        raise self._not(f"in {self.game.format_board(position.marks)} a choice lets the win go")
            self._follow(after)
            if progress:
                progress(done + 1, len(self.listed))
        self._count()

    def _read(self) -> None:
        for text in self.claim.listed:
            try:
                position = parse_position(self.game, text, self.claim.seat)
            except BadSpec as error:
                raise BadFile(f"The certificate is damaged: {error}.") from None
            if self.game.outcome(position):
                raise self._not(f"{text} is listed, but the game is over there")
            least = self.images.least(position)
            if least in self.listed:
                raise self._not(f"{text} is listed twice{', as an image of another' if self.claim.symmetry else ''}")
            self.listed.add(least)

    def _choices(self, position: Position) -> list[Position]:
        try:
            after = [self.game.after(position, move) for move in self.player.moves(position)]
        except IllegalMove as error:
            raise self._not(
                f"in {self.game.format_board(position.marks)} the player might make an illegal move: {error}"
            ) from None
        if not after:
            raise self._not(f"in {self.game.format_board(position.marks)} the player has no move")
        return after

    def _follow(self, after: Sequence[Position]) -> None:
        """Every reply of the opponent, extra turns and passes included, until the player moves or the game is over."""
        open_ = list(after)
        while open_:
            position = open_.pop()
            least = self.images.least(position)
            if over := self.game.outcome(position):
                if over.winner in bad_winners(self.header.goal, self.claim.seat):
                    raise self._not(
                        f"a game can end in {self.game.format_board(position.marks)}: {self._ending(over.winner)}"
                    )
                self.ends[least] = over.winner
            elif position.seat == self.claim.seat:
                if least not in self.listed:
                    raise self._not(f"a game can reach {self.game.format_board(position.marks)}, which is not listed")
                self.reached.add(least)
            elif least not in self.replied:
                self.replied.add(least)
                open_.extend(reply for _, reply in self.game.successors(position))

    def _ending(self, winner: int | None) -> str:
        return "a draw" if winner is None else f"the {SEATS[winner]} seat wins"

    def _count(self) -> None:
        """Is nothing listed that no game meets, and are the numbers right?"""
        for position in self.listed - self.reached:
            raise self._not(f"{self.game.format_board(position.marks)} is listed, but no game reaches it")
        seat = self.claim.seat
        counted = {
            "positions": sum(len(self.images.of(position)) for position in self.listed),
            "wins": self._ends(seat),
            "draws": self._ends(None),
            "losses": self._ends(1 - seat),
        }
        for name, number in counted.items():
            if getattr(self.claim, name) != number:
                raise self._not(f"it counts {getattr(self.claim, name):,} {name}, but there are {number:,}")

    def _ends(self, winner: int | None) -> int:
        return sum(len(self.images.of(end)) for end, who in self.ends.items() if who == winner)

    def _not(self, reason: str) -> DoesNotHold:
        return DoesNotHold(f"The claim for the {SEATS[self.claim.seat]} seat does not hold: {reason}.")


@dataclass
class _Refuted:
    """A claim that a game breaks the goal. That it is a shortest one is not claimed."""

    header: Header
    game: Game
    player: OpenPlayer
    claim: Claim

    def check(self) -> None:
        position, before = self.game.start, self.game.start
        for text in self.claim.game:
            if self.game.outcome(position):
                raise self._not(f"the game is over before its move {text[:20]}")
            before, position = position, self._after(position, text)
        over = self.game.outcome(position)
        if forbids_slips(self.header.goal) and not (
            over and over.winner in bad_winners(self.header.goal, self.claim.seat)
        ):
            self._check_slip(before, position)
            return
        if not over:
            raise self._not("the game is not played to its end")
        if over.winner not in bad_winners(self.header.goal, self.claim.seat):
            raise self._not(f"the game does not break the goal {self.header.goal}")

    def _after(self, position: Position, text: str) -> Position:
        try:
            move: Move = self.game.parse_move(text, position.seat)
            after = self.game.after(position, move)
        except TeamplayError as error:
            raise self._not(f"the move {text[:20]} can't be made: {error}") from None
        if position.seat == self.claim.seat and move not in self.player.moves(position):
            raise self._not(f"the player never makes the move {text[:20]} in {self.game.format_board(position.marks)}")
        return after

    def _check_slip(self, before: Position, after: Position) -> None:
        """The last move lets a theoretical win go."""
        oracle = Recursion(self.game)
        if not self.claim.game or before.seat != self.claim.seat:
            raise self._not("the last move of the game is not the player's")
        if oracle.value(before) < 1 or value_for(oracle, after, self.claim.seat) == 1:
            raise self._not("the last move of the game does not let a win go")

    def _not(self, reason: str) -> DoesNotHold:
        return DoesNotHold(f"The claim for the {SEATS[self.claim.seat]} seat does not hold: {reason.rstrip('.')}.")
