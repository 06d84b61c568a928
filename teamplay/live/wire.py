"""What goes over the network? Small JSON messages, versioned, strictly decoded; docs/live.md has the fields."""

import re
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from teamplay.errors import TeamplayError
from teamplay.team.messages import AgentClaim, AreaReport

LARGEST = 1 << 16  # bytes of a message
ROOT = "teamplay"
WHO = f"{ROOT}.who"  # asks every host and manager who it is
HOST_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,31}")
TEAM_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,79}")

Count = Annotated[int, Meta(ge=0, le=(1 << 53) - 1)]
Text = Annotated[str, Meta(max_length=64)]
Pair = tuple[Count, Count]  # a first cell and how many follow each other
NO_CLAIM = AgentClaim(-1, 0, None)  # stands for an entry that can't be read, and is refused like any other bad one


class BadMessage(TeamplayError):
    """Bytes that are no message of this protocol."""


class _Wire(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", kw_only=True):
    v: Literal[1]


class Hello(_Wire, frozen=True, tag="hello"):
    """A host says who it is: its cells, its table, the newest epoch it has heard of."""

    host: Text
    team: Annotated[str, Meta(max_length=80)]
    area: list[Pair]
    table: Text
    epoch: Count = 0


class Change(_Wire, frozen=True, tag="change"):
    """Cells that have changed, as the side to move sees them; `fresh` ones are all there is on the board."""

    epoch: Count
    fresh: bool
    cells: list[tuple[Count, Annotated[str, Meta(min_length=1, max_length=1)]]]


class CallMessage(_Wire, frozen=True, tag="call"):
    """Ask for the most urgent answers, or for everyone's."""

    epoch: Count
    round: Count
    hash: Text
    active: list[Pair] | None
    everyone: bool
    turn: Count
    seed: Text
    deadline_ms: Count


class ReportMessage(_Wire, frozen=True, tag="report"):
    """What a host answers. Entries are decoded one by one, so that a bad one spoils no other."""

    epoch: Count
    round: Count
    hash: Text
    answers: list[msgspec.Raw]
    asked: Count = 0
    part: Count = 0
    parts: Count = 1


class Chosen(_Wire, frozen=True, tag="chosen"):
    """What a round came to."""

    epoch: Count
    round: Count
    cell: Count | None
    letter: Text
    how: Text


class Roll(_Wire, frozen=True, tag="who"):
    """Asks who is there."""


class HostState(Struct, frozen=True, forbid_unknown_fields=True):
    """A host as its manager sees it."""

    name: str
    agents: int
    state: str  # `here`, `away` or `quarantined`
    latency_ms: float | None
    faults: dict[str, int]


class State(_Wire, frozen=True, tag="state"):
    """A manager says who has joined it, and what went wrong so far."""

    team: str
    game: str
    epoch: Count
    rounds: Count
    cells: Count
    covered: Count
    hosts: list[HostState]
    choices: dict[str, int]
    messages: dict[str, int]


ToHost = Change | CallMessage | Chosen | Roll
FromHost = Hello | ReportMessage
Anybody = Hello | State

_encoder = msgspec.json.Encoder()
_to_host = msgspec.json.Decoder(ToHost)
_from_host = msgspec.json.Decoder(FromHost)
_anybody = msgspec.json.Decoder(Anybody)
_entry = msgspec.json.Decoder(list[int | str | None])


def encode(message: _Wire) -> bytes:
    """A message as bytes; one that is too large is an error, which the sender must prevent."""
    data = _encoder.encode(message)
    if len(data) > LARGEST:
        raise BadMessage(f"A message of {len(data):,} bytes is too large; {LARGEST:,} are the most.")
    return data


def decode_to_host(data: bytes) -> ToHost:
    """What a host may be told."""
    told: ToHost = _decoded(_to_host, data)
    return told


def decode_from_host(data: bytes) -> FromHost:
    """What a manager may be told."""
    told: FromHost = _decoded(_from_host, data)
    return told


def decode_state(data: bytes) -> Anybody:
    """What somebody says who was asked who it is."""
    told: Anybody = _decoded(_anybody, data)
    return told


def _decoded(decoder: Any, data: bytes) -> Any:
    if len(data) > LARGEST:
        raise BadMessage(f"A message of {len(data):,} bytes is too large; {LARGEST:,} are the most.")
    try:
        return decoder.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadMessage(f"A message can't be read: {error}.") from None


def report_of(sender: str, message: ReportMessage) -> AreaReport:
    """A report for the rounds; who sent it says the broker, not the message."""
    claims = [_claim_of(entry) for entry in message.answers]
    return AreaReport(
        sender, message.epoch, message.round, message.hash, claims, message.asked, message.part, message.parts
    )


def _claim_of(entry: msgspec.Raw) -> AgentClaim:
    """`[first, length, priority]`, with letters and a rule where there are any."""
    try:
        first, length, priority, *rest = _entry.decode(entry)
        letters, rule = [*rest, "", ""][:2]
    except (msgspec.DecodeError, ValueError):
        return NO_CLAIM
    if len(rest) > 2 or not isinstance(letters, str) or not isinstance(rule, str) or len(rule) > 64:
        return NO_CLAIM
    return AgentClaim(first, length, priority, letters, rule)  # type: ignore[arg-type]


def answer_of(report: AreaReport) -> ReportMessage:
    """A report as a message."""
    entries = [msgspec.Raw(_encoder.encode(_shortest(claim))) for claim in report.claims]
    return ReportMessage(
        v=1,
        epoch=report.epoch,
        round=report.number,
        hash=report.hash,
        answers=entries,
        asked=report.asked,
        part=report.part,
        parts=report.parts,
    )


def _shortest(claim: AgentClaim) -> list[int | str | None]:
    entry: list[int | str | None] = [*claim[:4], claim.rule[:40]]
    while entry[-1] == "":
        entry.pop()
    return entry


def team_subject(team: str, *parts: str) -> str:
    """A subject of one team: `teamplay.TEAM.to.HOST`, `teamplay.TEAM.from.HOST`, `teamplay.TEAM.all`."""
    return ".".join([ROOT, team, *parts])


def team_name(table: str, game: str) -> str:
    """The usual name of a team: its table and game.

    >>> team_name("mnk/generic", "gomoku(n=15)")
    'mnk-generic_gomoku-n-15'
    """
    words = (re.sub(r"[^a-z0-9]+", "-", part.lower()).strip("-") for part in (table, game))
    return "_".join(words)[:80]
