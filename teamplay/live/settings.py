"""How is a live team configured? By the broker's address, or by a TOML file with the address and the terms."""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from teamplay.errors import BadFile, BadSpec, did_you_mean
from teamplay.live.network import Broker, broker
from teamplay.team.round import Terms

KINDS: dict[str, type | tuple[type, ...]] = {
    "url": str,
    "credentials": str,
    "team": str,
    "deadline": (int, float),
    "quorum": (int, float),
    "missing": str,
    "audits": int,
    "join": (int, float),
}
USUAL = Terms(holds=True)  # a host that saw no change is not asked again
MISSING = ("recompute", "extend", "abort")


@dataclass(frozen=True)
class Settings:
    """Where the hosts are, and what is done when some are late, gone or lying."""

    broker: Broker
    team: str = ""  # its usual name if empty
    terms: Terms = USUAL
    join: float = 5.0  # seconds to wait for hosts at the start


def settings(where: str) -> Settings:
    """The settings that `--live` names: `nats://HOST:PORT`, or a file that ends in .toml."""
    if not where.endswith(".toml"):
        return Settings(broker(where))
    path = Path(where).expanduser()
    try:
        given = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise BadFile(f"{path} can't be read: {error.strerror}.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadFile(f"{path} is not TOML: {error}.") from None
    return _settings(path, given)


def _settings(path: Path, given: dict[str, Any]) -> Settings:
    for key, value in given.items():
        if key not in KINDS:
            raise BadSpec(f"{path}: there is no `{key}`; write {', '.join(KINDS)}.{did_you_mean(key, KINDS)}")
        if not isinstance(value, KINDS[key]) or isinstance(value, bool):
            raise BadSpec(f"{path}: `{key}` is {value!r}, which is of the wrong kind.")
    if "url" not in given:
        raise BadSpec(f"{path} does not say where the broker is: write `url`.")
    credentials = str(path.parent / given["credentials"]) if "credentials" in given else None
    named = {key: given[key] for key in ("deadline", "quorum", "missing", "audits") if key in given}
    terms = checked(USUAL._replace(**named))
    return Settings(broker(given["url"], credentials), given.get("team", ""), terms, given.get("join", 5.0))


def checked(terms: Terms) -> Terms:
    """Terms that make sense, or an error that says what would."""
    if not 0 < terms.deadline <= 3600:
        raise BadSpec(f"A deadline is more than 0 and at most 3600 seconds, not {terms.deadline:g}.")
    if not 0 <= terms.quorum <= 1:
        raise BadSpec(f"A quorum is a share from 0 to 1, not {terms.quorum:g}.")
    if terms.missing not in MISSING:
        ways = f"{', '.join(MISSING[:-1])} or {MISSING[-1]}"
        raise BadSpec(f"Without a quorum a round can {ways}, not `{terms.missing}`.")
    if not 0 <= terms.audits <= 1000:
        raise BadSpec(f"There are 0 to 1000 audits a round, not {terms.audits}.")
    return terms
