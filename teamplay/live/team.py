"""A team whose agents live elsewhere: a player that asks hosts over a network."""

import asyncio
import threading
import weakref
from collections.abc import Callable, Coroutine
from functools import lru_cache, partial
from typing import Any, TypeVar

import numpy as np

from teamplay.errors import IllegalMove, TeamplayError
from teamplay.game import BLANK, Game, Move, Position
from teamplay.language.rulebook import Rulebook
from teamplay.live import wire
from teamplay.live.area import Mask
from teamplay.live.host import Seating
from teamplay.live.manager import LiveManager, TeamBasis
from teamplay.live.seating import Question, Referee, claims_of, digest, letters_of, restless, seating_for
from teamplay.live.settings import Settings
from teamplay.luck import Luck
from teamplay.team.manager import most_urgent
from teamplay.team.messages import AgentClaim, Choice, Response, TiedAnswers

FEW = 40  # agents that are recomputed one by one, without agents for the whole board
Result = TypeVar("Result")


class Loop:
    """An event loop in a thread of its own, which lives as long as somebody needs it."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, name="live team", daemon=True)
        self.thread.start()

    def run(self, work: Coroutine[Any, Any, Result]) -> Result:
        """Wait for a coroutine in the loop's thread."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result()

    def call(self, function: Callable[[], Result]) -> Result:
        """Call a function in the loop's thread."""

        async def called() -> Result:
            return function()

        return self.run(called())

    def stop(self) -> None:
        """Cancel what is left to do, and end the thread."""
        self.run(_cancel_others())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
        self.loop.close()


async def _cancel_others() -> None:
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


class LiveTeam:
    """Plays either seat by a rule book that hosts elsewhere follow; it keeps the board, and they keep their views."""

    here_only = True  # its connection and its hosts belong to this process

    def __init__(self, book: Rulebook, settings: Settings, loop: Loop | None = None) -> None:
        self.book, self.game, self.name = book, book.game, book.name
        self.settings = settings
        holds = settings.terms.holds and not restless(book)
        self.terms = settings.terms._replace(letters=letters_of(book), holds=holds)
        self.tie_break = self.terms.tie_break
        self.last: Choice | None = None  # the choice of the last round, and how it came about
        self.asked = 0
        self._known = _Known(book)
        self._eyes = [_eyes(self.game, seat) for seat in (0, 1)]
        self._loop = loop or Loop()
        team = settings.team or wire.team_name(book.name, str(book.game))
        watchers = lru_cache(1 << 12)(partial(_watchers, book))
        basis = TeamBasis(team, str(book.game), self.game.grid.size, digest(book), watchers)
        known, terms = self._known, self.terms
        self.manager = self._loop.call(lambda: LiveManager(basis, terms, known.recompute))
        known.marks = self.manager.marks
        try:
            self._loop.run(self.manager.open(settings.broker))
        except BaseException:
            self._loop.stop()
            raise
        self._finalizer = weakref.finalize(self, _leave, self._loop, self.manager)
        self._assembled = False

    @property
    def is_open(self) -> bool:
        """Whether it was not closed."""
        return self._finalizer.alive

    def close(self) -> None:
        """Leave the broker."""
        self._finalizer()

    def choose(self, position: Position, luck: Luck) -> Move:
        """One round over the network: broadcast, call, choose, notify."""
        choice = self._round(position, luck, everyone=False)
        assert choice.said
        return Move(choice.said.sender, choice.said.letter or self.game.own_mark(position.seat))

    def answers(self, position: Position, luck: Luck) -> list[Response]:
        """What every active agent says, wherever it lives; those that nobody answers for are recomputed here."""
        self._round(position, luck, everyone=True)
        return self._loop.call(self._everything)

    def _everything(self) -> list[Response]:
        said: dict[int, list[Response]] = {}  # by agent
        for claim in self.manager.rounds.claims:
            for answer in TiedAnswers([claim]):
                said.setdefault(answer.sender, []).append(answer)
        for cell in np.flatnonzero(self._active).tolist():
            if cell not in said:
                said[cell] = self._known.answer(cell)
        return [answer for cell in sorted(said) for answer in said[cell]]

    def _round(self, position: Position, luck: Luck, everyone: bool) -> Choice:
        self._assemble()
        choice = self._loop.run(self._ask(position, luck, everyone))
        self.last, self.asked = choice, self.manager.rounds.asked
        if choice.said is None:
            raise TeamplayError(
                f"Round {choice.number} was aborted: too few agents have answered within "
                f'{self.terms.deadline:g} seconds, and the settings say `missing = "{self.terms.missing}"`.'
            )
        return choice

    def _assemble(self) -> None:
        """Wait for hosts before the first round."""
        if self._assembled:
            return
        self._assembled = True
        if not self._all_joined() and not self.manager.hosts:
            raise TeamplayError(
                f"No host of team `{self.manager.basis.team}` has joined at {self.settings.broker.url}; start one: "
                f"`teamplay host {self.name} --game '{self.game}' --join {self.settings.broker.url}`."
            )

    def _all_joined(self) -> bool:
        """Whether hosts seat every cell, after a while."""
        return self._loop.run(self.manager.assembled(self.settings.join))

    async def _ask(self, position: Position, luck: Luck, everyone: bool) -> Choice:
        seen = position.marks.encode("ascii").translate(self._eyes[position.seat])
        now, before = (np.frombuffer(marks, dtype=np.uint8) for marks in (seen, self._known.told))
        changed = np.flatnonzero(now != before).tolist()
        self.manager.broadcast((cell, chr(seen[cell])) for cell in changed)
        self._known.told = seen
        blank = now == ord("b")
        self._active, named = blank, None
        if self.game.placement != "anywhere" or self.game.grid.boards > 1:
            named = np.zeros(len(now), dtype=np.bool_)
            named[[move.cell for move in self.game.moves(position)]] = True
            self._active = named
        if not self._active.any():
            raise IllegalMove("The game is over; there is nothing to choose.")
        turn = len(now) - int(np.count_nonzero(blank))
        self._known.question = Question(named, everyone, turn, luck.origin)
        return await self.manager.ask(self._active, self._known.question, _Redraw(luck))


def _eyes(game: Game, seat: int) -> bytes:
    """How marks look from a seat, as `Game.seen` says it, in a table for bytes: quicker on large boards."""
    table = bytearray(range(256))
    table[ord(BLANK)] = ord("b")
    if not game.shared:
        table[ord(game.marks[seat])], table[ord(game.marks[1 - seat])] = b"xo"
    return bytes(table)


def _watchers(book: Rulebook, cell: int) -> list[int]:
    """The agents that are told when a cell changes; whoever sees a cell is seen from there."""
    return [cell, *book.sight(cell)]


class _Redraw:
    """A generator that draws from the same state again when a choice was taken back: then a lie changes no tie."""

    def __init__(self, luck: Luck) -> None:
        self.luck, self.state = luck, luck.getstate()

    def choice(self, seq: Any) -> Any:
        self.luck.setstate(self.state)
        return self.luck.choice(seq)


class _Known:
    """What the manager's process knows by itself: the table, the board, and so what any agent would answer.

    It does not know its team, which so can be forgotten, and leaves the broker then.
    """

    def __init__(self, book: Rulebook) -> None:
        self.told = b"b" * book.game.grid.size  # the board as the hosts were told
        self.marks: dict[int, str] = {}  # of it, what is not blank; the manager's own
        self.question = Question()
        self._referee, self._spare = Referee(book), _Spare(book)

    def answer(self, cell: int) -> list[Response]:
        """What one agent answers."""
        return self._referee.answer(self.marks, cell, self.question)

    def recompute(self, here: Any) -> list[AgentClaim]:
        """The most urgent answers of some agents."""
        if len(here) <= FEW:
            return claims_of(most_urgent([said for cell in here for said in self.answer(cell)]))
        return self._spare.answers(self.told, self.question._replace(active=here.mask))


class _Spare:
    """Agents for the whole board in the manager's process, made when they are first needed."""

    def __init__(self, book: Rulebook) -> None:
        self.book = book
        self._seating: Seating | None = None
        self._told = b"b" * book.game.grid.size

    def answers(self, marks: bytes, question: Question) -> list[AgentClaim]:
        if self._seating is None:
            everybody: Mask = np.ones(len(marks), dtype=np.bool_)
            self._seating = seating_for(self.book, everybody)
        for cell in np.flatnonzero(np.frombuffer(marks, np.uint8) != np.frombuffer(self._told, np.uint8)).tolist():
            self._seating.put(cell, chr(marks[cell]))
        self._told = marks
        return list(self._seating.answers(question)[0])


def _leave(loop: Loop, manager: LiveManager) -> None:
    if loop.thread.is_alive():
        try:
            loop.run(manager.close())
        finally:
            loop.stop()
