"""Who plays elsewhere? Asks the broker that the studio was started with, else the usual one of this machine."""

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from teamplay import library
from teamplay.errors import TeamplayError
from teamplay.game_file import load_game, parse_spec
from teamplay.studio.boards import board_json
from teamplay.studio.sources import drawable

if TYPE_CHECKING:
    from teamplay.live.network import Broker

USUAL = "nats://127.0.0.1:4222"
PORT = 4222
KNOCK = 1.0  # seconds for a broker to open its door
LISTEN = 0.5  # seconds for hosts and managers to say who they are


@dataclass(frozen=True)
class Elsewhere:
    """Where live agents may be: `given` as `--live` names it, or nothing for the usual place."""

    given: str = ""

    def broker(self) -> "Broker":
        """The broker; an error where it is named wrongly, or the extra is not installed."""
        try:
            from teamplay.live.settings import settings

            return settings(self.given or USUAL).broker
        except ImportError as error:
            raise TeamplayError(f"Agents elsewhere need {error.name}: `pip install 'teamplay[live]'`.") from None

    async def status(self) -> dict[str, Any]:
        """Every team at the broker, as `teamplay live status` shows it; without one, why there is none."""
        shown: dict[str, Any] = {"asked": bool(self.given), "broker": self.given or USUAL, "teams": [], "why": ""}
        try:
            to = await asyncio.to_thread(self.broker)
            shown["broker"] = to.url
            await _knock(to.url)
            from teamplay.live.status import status, status_dict

            found = status_dict(await status(to, LISTEN))["teams"]
        except TeamplayError as error:
            return shown | {"why": str(error)}
        return shown | {"teams": await asyncio.to_thread(lambda: [_team_json(team) for team in found])}


async def _knock(url: str) -> None:
    """Fail at once where nobody listens: a client of the broker would go on trying."""
    where = urlsplit(url)
    try:
        async with asyncio.timeout(KNOCK):
            _, writer = await asyncio.open_connection(where.hostname, where.port or PORT)
        writer.close()
    except (OSError, ValueError, TimeoutError):
        raise TeamplayError(f"No broker answers at {url[:80]}.") from None


def _team_json(team: dict[str, Any]) -> dict[str, Any]:
    """A team for the page: its hosts, what its manager counted, and where its agents sit."""
    from teamplay.live.status import hosts_of

    hosts = hosts_of(team)
    return {"team": team["team"], "hosts": hosts, "manager": team["manager"], "board": seating(team["manager"], hosts)}


def seating(manager: dict[str, Any] | None, hosts: list[dict[str, Any]]) -> dict[str, Any] | None:
    """The board with the host of each cell; None where the game is not a shipped one, or too large to draw."""
    try:
        if manager is None or parse_spec(manager["game"])[0] not in library.names(".toml"):
            return None  # whoever is at the broker must not make us read files
        game = drawable(load_game(manager["game"]))
    except TeamplayError:
        return None
    seats: dict[int, int] = {}
    for number, host in enumerate(hosts):
        for first, last in host["area"]:
            seats |= {cell - 1: number for cell in range(first, min(last, game.grid.size) + 1)}
    names = {cell: hosts[number]["name"] for cell, number in seats.items()}
    return board_json(game, game.start) | {"notes": names, "groups": seats}
