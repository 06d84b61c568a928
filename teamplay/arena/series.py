"""How does a match run? Chunk by chunk to the end, or to Ctrl-C, with what was played so far."""

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field

from teamplay.arena.match import Match, Tally, play_chunk, seat
from teamplay.arena.record import Record
from teamplay.arena.workers import Crew, carry_out


@dataclass
class Series:
    """A match, as far as it was played."""

    match: Match
    tally: Tally = field(default_factory=Tally)
    stopped: bool = False  # by Ctrl-C

    def run(
        self,
        crew: Crew | None = None,
        patience: float = 0.0,
        record: Record | None = None,
        told: Callable[[], None] | None = None,
    ) -> None:
        """Play all games, and record them if wanted."""
        chunks = seat(self.match).chunks(recorded=record is not None)
        try:
            with closing(carry_out(play_chunk, chunks, crew, patience)) as done:
                for chunk, (tally, lines) in done:
                    if record:
                        record.add(chunk, lines)
                    self.tally = self.tally.plus(tally)
                    if told:
                        told()
        except KeyboardInterrupt:
            self.stopped = True
