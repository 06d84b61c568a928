"""Why is there no table? Positions that no order of classes answers together, as a file that anybody can check.

    teamplay impossibility 1
    game: tic-tac-toe
    game-sha256: (of the game's file)
    seats: second
    goal: never-loses
    sight: (a `sight` line, or nothing)
    words: 6
    | n(xx) …
    positions: 4
    1 second x../.../... (the game by its number, the seat, the board)
    sha256: (of all lines above)

The check uses the reference rules and views, and nothing of the compiled engine or of a SAT solver but the values of
positions on boards that plain recursion can't exhaust. A table comes to an order of classes. In each listed position
that must be met some class comes first, all its moves are made, and every reply leads on; all orders are tried.
"""

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from teamplay.errors import BadFile, TeamplayError
from teamplay.game import SEATS, Game, Position
from teamplay.game_file import load_game
from teamplay.language.features import keeps
from teamplay.language.measures import Measures
from teamplay.learn.vocabulary import Vocabulary
from teamplay.proof import symmetry
from teamplay.proof.certificate import format_position, game_hash, parse_position
from teamplay.proof.goals import GOALS, ProofGoal, bad_winners, forbids_slips
from teamplay.proof.oracle import Oracle, oracle_for, value_for
from teamplay.team.view import View

FIRST_LINE = "teamplay impossibility 1"
LARGEST = 16 << 20  # bytes; such a file is untrusted
MOST_STEPS = 200_000  # positions that the search over orders may look at
SEAL = "sha256"

Look = tuple[object, ...]  # a class of agents, and a letter
Order = dict[Look, frozenset[Look]]  # by look all those that come after it
Spot = tuple[int, int, Position]  # the game by its number, the seat, the position in canonical form


@dataclass(frozen=True)
class Impossibility:
    """The claim that no table over a vocabulary reaches a goal, and the positions that show it."""

    games: tuple[Game, ...]
    seats: tuple[int, ...]
    goal: ProofGoal
    vocabulary: Vocabulary
    positions: tuple[tuple[int, int, Position], ...]  # the game by its number, the seat, the position

    def text(self) -> str:
        """The claim as a file."""
        lines = [FIRST_LINE]
        for game in self.games:
            lines += [f"game: {game.spec}", f"game-sha256: {game_hash(game.spec)}"]
        lines += [f"seats: {' '.join(SEATS[seat] for seat in self.seats)}", f"goal: {self.goal}"]
        words = ("cells",) if self.vocabulary.cells else self.vocabulary.texts
        lines += [f"sight: {self.vocabulary.sight}".rstrip(), f"words: {len(words)}", *(f"| {word}" for word in words)]
        lines.append(f"positions: {len(self.positions)}")
        for number, seat, position in self.positions:
            lines.append(f"{number + 1} {SEATS[seat]} {format_position(self.games[number], position)}")
        body = "\n".join(lines) + "\n"
        return f"{body}{SEAL}: {hashlib.sha256(body.encode()).hexdigest()}\n"


class NotShown(TeamplayError):
    """The positions of a claim do not show it."""


def is_impossibility(path: Path) -> bool:
    """Whether a file claims an impossibility, by its first line."""
    try:
        with path.open("rb") as file:
            return file.read(len(FIRST_LINE)) == FIRST_LINE.encode()
    except (OSError, ValueError):
        return False


def read_impossibility(path: Path) -> Impossibility:
    """The claim of a file; BadFile where it is damaged."""
    data = path.read_bytes() if path.stat().st_size <= LARGEST else b""
    if not data:
        raise BadFile(f"{path} is empty, or larger than {LARGEST >> 20} MB.")
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise BadFile(f"{path} is not UTF-8 text.") from None
    body, found, seal = text.rpartition(f"{SEAL}: ")
    if not found or seal.strip() != hashlib.sha256(body.encode()).hexdigest():
        raise BadFile(f"{path} is cut off or was changed after it was written: its SHA-256 does not match its text.")
    return _Lines(path, body.split("\n")[1:]).claim()


class _Lines:
    """The lines of a file, one after the other."""

    def __init__(self, path: Path, lines: list[str]) -> None:
        self.path, self.lines = path, lines

    def claim(self) -> Impossibility:
        games = []
        while self.lines and self.lines[0].startswith("game: "):
            spec, seal = self._value("game"), self._value("game-sha256")
            if game_hash(spec) != seal:
                raise BadFile(f"The file of {spec} is not the one that the claim was made with.")
            games.append(load_game(spec))
        seats = tuple(SEATS.index(word) for word in self._value("seats").split() if word in SEATS)
        named = self._value("goal")
        goal = next((goal for goal in GOALS if goal == named), None)
        sight = self._value("sight")
        words = tuple(self._next().removeprefix("| ") for _ in range(self._number("words")))
        if not games or not seats or goal is None:
            raise BadFile(f"{self.path} is damaged: it names no game, no seat or no goal.")
        cells = words == ("cells",)
        vocabulary = Vocabulary(", ".join(words), () if cells else words, sight, cells)
        positions = [self._position(games) for _ in range(self._number("positions"))]
        return Impossibility(tuple(games), seats, goal, vocabulary, tuple(positions))

    def _position(self, games: list[Game]) -> tuple[int, int, Position]:
        match = re.fullmatch(r"(\d{1,3}) (first|second) (\S+(?: \d+:\d+)?)", self._next(), re.ASCII)
        if not match or not 1 <= int(match[1]) <= len(games):
            raise BadFile(f"{self.path} is damaged: a line is not a game's number, a seat and a board.")
        number, seat = int(match[1]) - 1, SEATS.index(match[2])
        try:
            return number, seat, parse_position(games[number], match[3], seat)
        except TeamplayError as error:
            raise BadFile(f"{self.path} is damaged: {error}.") from None

    def _next(self) -> str:
        if not self.lines:
            raise BadFile(f"{self.path} is cut off.")
        return self.lines.pop(0)

    def _value(self, key: str) -> str:
        name, colon, value = self._next().partition(":")
        if not colon or name != key:
            raise BadFile(f"{self.path} is damaged: `{key}` is wanted, not `{name[:40]}`.")
        return value.strip()

    def _number(self, key: str) -> int:
        value = self._value(key)
        if not re.fullmatch(r"\d{1,6}", value, re.ASCII):
            raise BadFile(f"{self.path} is damaged: `{key}` is not a number.")
        return int(value)


class LookChoice(NamedTuple):
    """A look that may come first in a position: those that it must come before, and where its moves lead."""

    first: Look
    others: frozenset[Look]
    leads_to: frozenset[Spot]


@dataclass
class Check:
    """All orders tried on the positions of a claim."""

    claim: Impossibility
    most: int = MOST_STEPS
    steps: int = 0
    choices: dict[Spot, list[LookChoice]] = field(default_factory=dict)
    mixed: dict[Spot, list[tuple[Look, int, int]]] = field(default_factory=dict)  # looks with a good and a bad cell

    def __post_init__(self) -> None:
        self._sides = [_Side(self.claim, game, number) for number, game in enumerate(self.claim.games)]
        self._listed = {self._spot(*each) for each in self.claim.positions}

    def run(self) -> None:
        """Nothing where no order answers the positions; NotShown where one does."""
        for spot in self._listed:
            self.choices[spot] = self._choices_in(spot)
        self._prune()
        met: set[Spot] = set()
        for number, side in enumerate(self._sides):
            for seat in self.claim.seats:
                met |= self._follow(number, seat, [side.game.start])
        if self._extends(frozenset(met), frozenset(), {}):
            raise NotShown("It does not hold: an order of the classes answers all of the listed positions.")

    def _spot(self, number: int, seat: int, position: Position) -> Spot:
        return number, seat, self._sides[number].images.least(position)

    def _choices_in(self, spot: Spot) -> list[LookChoice]:
        """Looks all of whose moves keep the goal in reach of perfect play; any other breaks it in some game."""
        number, seat, position = spot
        side = self._sides[number]
        alike: dict[Look, list[Position]] = {}
        for look, after in side.moves(position):
            alike.setdefault(look, []).append(after)
        found = []
        for look, lefts in alike.items():
            good = [side.keeps(position, left, seat) for left in lefts]
            if all(good):
                found.append(LookChoice(look, frozenset(alike) - {look}, frozenset(self._follow(number, seat, lefts))))
            elif any(good):
                cells = [left.last.cell if left.last else -1 for left in lefts]
                self.mixed.setdefault(spot, []).append((look, cells[good.index(True)], cells[good.index(False)]))
        return found

    def _follow(self, number: int, seat: int, after: Sequence[Position]) -> set[Spot]:
        """The listed positions that replies of the opponent may lead to, at once or by another of its turns."""
        game, found, open_, seen = self._sides[number].game, set(), list(after), set()
        while open_:
            position = open_.pop()
            spot = self._spot(number, seat, position)
            if spot in seen or game.outcome(position):
                continue
            seen.add(spot)
            if position.seat != seat:
                open_.extend(reply for _, reply in game.successors(position))
            elif spot in self._listed:
                found.add(spot)
        return found

    def _prune(self) -> None:
        """Leave out choices that lead where no choice is left, until nothing changes."""
        while True:
            dead = {spot for spot, choices in self.choices.items() if not choices}
            changed = False
            for spot, choices in self.choices.items():
                kept = [choice for choice in choices if not choice.leads_to & dead]
                changed |= len(kept) < len(choices)
                self.choices[spot] = kept
            if not changed:
                return

    def _extends(self, met: frozenset[Spot], done: frozenset[Spot], order: Order) -> bool:
        """Whether the order can be carried on through every position that is met; those with least choice first."""
        self.steps += 1
        if self.steps > self.most:
            raise NotShown(f"It is not decided: more than {self.most:,} steps would be needed to try all orders.")
        if met == done:
            return True
        open_ = {spot: [each for each in self.choices[spot] if _fits(order, each)] for spot in met - done}
        spot = min(open_, key=lambda spot: (len(open_[spot]), spot[2].marks, spot[0], spot[1]))
        return any(self._extends(met | each.leads_to, done | {spot}, _with(order, each)) for each in open_[spot])


class _Side:
    """One game as the reference sees it, with a view for every cell."""

    def __init__(self, claim: Impossibility, game: Game, number: int) -> None:
        self.claim, self.game = claim, game
        self.measures: Measures = claim.vocabulary.measures(game)
        self.symmetries = symmetry.of_game(game)
        turns = tuple(self.symmetries) if self._symmetric() else (tuple(game.grid.cells),)
        self.images = symmetry.Images(turns)
        self.oracle: Oracle = oracle_for(game)

    def _symmetric(self) -> bool:
        features = self.measures.book.features
        return all(keeps(feature, self.game.grid, turn) for feature in features for turn in self.symmetries)

    def moves(self, position: Position) -> Iterator[tuple[Look, Position]]:
        """Every move, with the look of the agent that makes it."""
        seen = self.game.seen(position)
        looks: dict[int, Look] = {}
        for move, after in self.game.successors(position):
            if move.cell not in looks:
                looks[move.cell] = self._look(move.cell, seen)
            letter = (move.mark,) if self.game.shared else ()
            yield (*looks[move.cell], *letter), after

    def _look(self, cell: int, seen: str) -> Look:
        view = View(self.measures.book, cell)
        for other in view.marks:
            if seen[other] != "b":
                view.notice(other, seen[other])
        role = self.game.grid.role(cell)
        if not self.claim.vocabulary.cells:
            return (role, *(int(value) for value in self.measures.values(view)))
        images = (
            (turn[cell], tuple(sorted((turn[other], mark) for other, mark in view.marks.items())))
            for turn in self.symmetries
        )
        return (role, min(images))

    def keeps(self, before: Position, after: Position, seat: int) -> bool:
        """Whether a move keeps the goal in reach of perfect play."""
        goal = self.claim.goal
        over = self.game.outcome(after)
        if over and over.winner in bad_winners(goal, seat):
            return False
        if forbids_slips(goal) and value_for(self.oracle, before, seat) == 1:
            return (over.winner == seat) if over else value_for(self.oracle, after, seat) == 1
        if over or goal == "wins-if-possible":
            return True
        return value_for(self.oracle, after, seat) >= (1 if goal == "always-wins" else 0)


def _fits(order: Order, choice: LookChoice) -> bool:
    return not any(choice.first in order.get(other, ()) for other in choice.others)


def _with(order: Order, choice: LookChoice) -> Order:
    """The order with one look before others, and all that follows from it."""
    below = choice.others.union(*(order.get(other, frozenset()) for other in choice.others))
    above = {look for look, after in order.items() if choice.first in after} | {choice.first}
    return {**order, **{look: order.get(look, frozenset()) | below for look in above}}
