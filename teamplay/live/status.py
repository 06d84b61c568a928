"""Who has joined a broker? Asks every host and manager who it is, and waits a moment for the answers."""

import asyncio
from typing import Any

from teamplay.live import wire
from teamplay.live.network import Broker, connect, disconnect

WAIT = 1.0  # seconds for answers


async def status(to: Broker, seconds: float = WAIT) -> list[wire.Hello | wire.State]:
    """What everybody there says of itself; whatever else comes in is left out."""

    async def nothing() -> None: ...

    connection: Any = await connect(to, "status", nothing)
    found: list[wire.Hello | wire.State] = []

    async def heard(message: Any) -> None:
        try:
            found.append(wire.decode_state(message.data))
        except wire.BadMessage:
            return

    inbox = connection.new_inbox()
    await connection.subscribe(inbox, cb=heard)
    await connection.publish(wire.WHO, wire.encode(wire.Roll(v=1)), reply=inbox)
    await asyncio.sleep(seconds)
    await disconnect(connection)
    return sorted(found, key=lambda one: (one.team, isinstance(one, wire.Hello), getattr(one, "host", "")))


def hosts_of(team: dict[str, Any]) -> list[dict[str, Any]]:
    """Every host of a team, as it says itself and as its manager sees it; one that does not answer is `gone`."""
    seen = {host["name"]: host for host in team["manager"]["hosts"]} if team["manager"] else {}
    here = {host["name"]: host for host in team["hosts"]}
    return [
        {
            "name": name,
            "agents": here.get(name, seen.get(name, {}))["agents"],
            "area": here[name]["area"] if name in here else [],
            "state": seen.get(name, {}).get("state", "here") if name in here else "gone",
            "latency_ms": seen.get(name, {}).get("latency_ms"),
            "faults": seen.get(name, {}).get("faults", {}),
        }
        for name in sorted({*seen, *here})
    ]


def status_dict(found: list[wire.Hello | wire.State]) -> dict[str, Any]:
    """For scripts: teams by name, with their hosts as they say themselves, and what their manager says."""
    teams: dict[str, Any] = {}
    for one in found:
        team = teams.setdefault(one.team, {"team": one.team, "hosts": [], "manager": None})
        if isinstance(one, wire.State):
            team["manager"] = {
                "game": one.game,
                "epoch": one.epoch,
                "rounds": one.rounds,
                "cells": one.cells,
                "covered": one.covered,
                "choices": one.choices,
                "messages": one.messages,
                "hosts": [
                    {
                        "name": host.name,
                        "agents": host.agents,
                        "state": host.state,
                        "latency_ms": host.latency_ms,
                        "faults": host.faults,
                    }
                    for host in one.hosts
                ],
            }
        else:
            agents = sum(length for _, length in one.area)
            area = [[first + 1, first + length] for first, length in one.area[:100]]
            team["hosts"].append({"name": one.host, "agents": agents, "area": area, "table": one.table})
    return {"teams": list(teams.values())}
