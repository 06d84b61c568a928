"""How does a match run? Chunk by chunk to the end, or to Ctrl-C, with what was played so far."""

from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial

from teamplay.arena.match import Match, Seated, Tally, distinct, play_at, play_chunk, seat
from teamplay.arena.record import Record
from teamplay.arena.workers import Crew, carry_out


@dataclass
class Series:
    """A match, as far as it was played."""

    match: Match
    seated: Seated | None = None  # where the players are objects of this process, not specs
    tally: Tally = field(default_factory=Tally)
    fixed: Counter[int] = field(default_factory=Counter)  # games without chance, and how often each was played
    stopped: bool = False  # by Ctrl-C
    forfeits: tuple[str, ...] = ()  # why games were forfeited

    @property
    def distinct(self) -> int:
        """How many of the games count as observations."""
        return distinct(self.tally.games, self.fixed)

    def run(
        self,
        crew: Crew | None = None,
        patience: float = 0.0,
        record: Record | None = None,
        told: Callable[[], None] | None = None,
    ) -> None:
        """Play all games, and record them if wanted."""
        chunks = (self.seated or seat(self.match)).chunks(lambda: record is not None and record.wanted)
        play = play_chunk if self.seated is None else partial(play_at, self.seated)
        try:
            with closing(carry_out(play, chunks, crew, patience)) as done:
                for chunk, played in done:
                    if record:
                        record.add(chunk, played.lines)
                    self.tally = self.tally.plus(played.tally)
                    self.fixed.update(dict(played.fixed))
                    self.forfeits += played.forfeits
                    if told:
                        told()
        except KeyboardInterrupt:
            self.stopped = True
