"""How may a host be kept from speaking for others? Permissions for the broker, and credentials for everybody."""

import json
import os
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from teamplay.errors import BadFile, BadSpec
from teamplay.live import wire
from teamplay.live.wire import team_subject

RESERVED = ("manager", "watcher", "live")


@dataclass(frozen=True)
class Tls:
    """The broker's certificate and key, and the certificate of who signed it."""

    cert: str
    key: str
    ca: str


@dataclass(frozen=True)
class BrokerPlan:
    """One team, its hosts by name, and where the broker listens."""

    team: str
    hosts: tuple[str, ...]
    address: str
    port: int
    tls: Tls | None = None


def parse_listen(text: str) -> tuple[str, int]:
    """An address and a port, `127.0.0.1:4222`."""
    address, _, port = text.rpartition(":")
    if not address or not port.isdecimal() or not 0 < int(port) < 65536:
        raise BadSpec(f"`{text[:80]}` is not an address; write ADDRESS:PORT, such as 127.0.0.1:4222.")
    return address, int(port)


def write_config(folder: Path, plan: BrokerPlan) -> list[Path]:
    """Write the broker's configuration and a file of credentials for everybody, readable by the owner alone."""
    for name in plan.hosts:
        if not wire.HOST_NAME.fullmatch(name) or name in RESERVED:
            taken = " or ".join(RESERVED)
            raise BadSpec(f"`{name[:40]}` is no name for a host; take up to 32 of a-z, 0-9, - and _, but not {taken}.")
    if not plan.hosts or len(set(plan.hosts)) < len(plan.hosts):
        raise BadSpec("Name every host once, and at least one.")
    users = {name: secrets.token_urlsafe(24) for name in (*plan.hosts, "manager", "watcher")}
    scheme = "tls" if plan.tls else "nats"
    ca = f"ca = {json.dumps(str(Path(plan.tls.ca).resolve()))}\n" if plan.tls else ""
    texts = {"server.conf": server_text(plan, users)}
    for user, password in users.items():
        texts[f"{user}.toml"] = f'user = "{user}"\npassword = "{password}"\n{ca}'
    url = f"{scheme}://{plan.address}:{plan.port}"
    texts["live.toml"] = f'url = "{url}"\nteam = "{plan.team}"\ncredentials = "manager.toml"\n'
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return [_written(folder / name, text) for name, text in texts.items()]
    except OSError as error:
        raise BadFile(f"{folder} can't be written to: {error.strerror}.") from None


def _written(path: Path, text: str) -> Path:
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
        file.write(text)
    return path


def server_text(plan: BrokerPlan, users: dict[str, str]) -> str:
    """The configuration of nats-server: who may publish and subscribe what."""
    team = plan.team
    rows = [
        _user(
            name,
            users[name],
            [team_subject(team, "from", name)],
            [team_subject(team, "to", name), team_subject(team, "all"), wire.WHO],
        )
        for name in plan.hosts
    ]
    manager = [team_subject(team, "to", "*"), team_subject(team, "all")]
    rows.append(_user("manager", users["manager"], manager, [team_subject(team, "from", "*"), wire.WHO]))
    rows.append(_user("watcher", users["watcher"], [wire.WHO], ["_INBOX.>"]))
    lines = [
        f"# team {team}: written by `teamplay live config`",
        f"host: {json.dumps(plan.address)}",
        f"port: {plan.port}",
        f"max_payload: {wire.LARGEST}",
        *(_tls(plan.tls) if plan.tls else []),
        "authorization {",
        "  users: [",
        *rows,
        "  ]",
        "}",
        "",
    ]
    return "\n".join(lines)


def _user(name: str, password: str, publish: Sequence[str], subscribe: Sequence[str]) -> str:
    allowed = f"publish: {json.dumps(publish)}, subscribe: {json.dumps(subscribe)}, allow_responses: true"
    return f'    {{user: "{name}", password: "{password}", permissions: {{{allowed}}}}}'


def _tls(tls: Tls) -> list[str]:
    cert, key = (json.dumps(str(Path(file).resolve())) for file in (tls.cert, tls.key))
    return ["tls {", f"  cert_file: {cert}", f"  key_file: {key}", "}"]
