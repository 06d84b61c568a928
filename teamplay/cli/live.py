"""show who has joined a broker, write its permissions, simulate faults, measure what agents elsewhere cost"""

import argparse
import asyncio
from pathlib import Path
from typing import Any

from teamplay.cli import _arguments
from teamplay.cli._progress import Progress
from teamplay.errors import BadSpec, TeamplayError
from teamplay.language import load_rulebook
from teamplay.show.terminal import console, put_table, say
from teamplay.show.words import counted

ACTIONS = ("status", "config", "simulate", "bench", "curves")
WORLDS = 400  # simulated between two looks at the clock
LISTEN = "127.0.0.1:4222"


def arguments(parser: argparse.ArgumentParser) -> None:
    help = "status: who has joined; config FOLDER TABLE HOST...: permissions and credentials; simulate: faulty rounds; "
    help += "bench: messages and latency; curves FOLDER: strength under faults, as pictures"
    parser.add_argument("action", choices=ACTIONS, metavar="ACTION", help=help)
    parser.add_argument("words", nargs="*", metavar="WORD", help="what the action takes, as above")
    _arguments.add_game(parser)
    help = f"status: the broker (default: nats://{LISTEN})"
    parser.add_argument("--join", metavar="URL", default=f"nats://{LISTEN}", help=help)
    parser.add_argument("--credentials", metavar="FILE", help="status: a TOML file with `user`, `password`, `ca`")
    help = f"config: where the broker listens (default: {LISTEN})"
    parser.add_argument("--listen", metavar="ADDRESS", default=LISTEN, help=help)
    help = "config: the broker's certificate and key, and the certificate of who signed it"
    parser.add_argument("--tls", nargs=3, metavar=("CERT", "KEY", "CA"), help=help)
    help = "simulate: how many rounds (default: 100000)"
    parser.add_argument("--rounds", type=_arguments.whole_number, default=100_000, metavar="N", help=help)
    help = "bench: boards of N x N cells (default: 3 15 100)"
    number = _arguments.whole_number
    parser.add_argument("--sizes", type=number, nargs="+", default=[3, 15, 100], metavar="N", help=help)
    help = "bench: host processes (default: 1 3 8)"
    parser.add_argument("--hosts", type=_arguments.whole_number, nargs="+", default=[1, 3, 8], metavar="N", help=help)
    help = "bench: moves to measure (default: 20)"
    parser.add_argument("--moves", type=_arguments.whole_number, default=20, metavar="N", help=help)
    help = "curves: games for each point (default: 200)"
    parser.add_argument("--games", type=_arguments.whole_number, default=200, metavar="N", help=help)
    _arguments.add_seed(parser)
    _arguments.add_json(parser)


def run(args: argparse.Namespace) -> int:
    runs = {"status": _status, "config": _config, "simulate": _simulate, "bench": _bench, "curves": _curves}
    takes = {"config": 3, "curves": 1}.get(args.action, 0)
    if len(args.words) < takes or (args.action != "config" and len(args.words) > takes):
        wants = {"config": "FOLDER TABLE HOST...", "curves": "FOLDER"}.get(args.action, "no more words")
        raise BadSpec(f"`teamplay live {args.action}` takes {wants}.")
    try:
        return runs[args.action](args)
    except ImportError as error:
        raise TeamplayError(f"Agents elsewhere need {error.name}: `pip install 'teamplay[live]'`.") from None


def _status(args: argparse.Namespace) -> int:
    from teamplay.live.network import broker
    from teamplay.live.status import status, status_dict

    shown = status_dict(asyncio.run(status(broker(args.join, args.credentials))))
    if args.json:
        _arguments.print_json(shown)
        return 0
    screen = console()
    if not shown["teams"]:
        say(screen, f"Nobody has joined at {args.join}.")
    for team in shown["teams"]:
        _print_team(team)
    return 0


def _print_team(team: dict[str, Any]) -> None:
    from teamplay.live.status import hosts_of

    screen, manager = console(), team["manager"]
    what = f"{manager['game']}, {counted(manager['rounds'], 'round')}" if manager else "no manager is there"
    say(screen, f"Team {team['team']}: {what}.", "bold")
    say(screen)
    rows = []
    for host in hosts_of(team):
        faults = ", ".join(f"{count} {kind}" for kind, count in sorted(host["faults"].items()))
        area = ", ".join(f"{first}-{last}" for first, last in host["area"][:3])
        more = " ..." if len(host["area"]) > 3 else ""
        latency = "" if host["latency_ms"] is None else f"{host['latency_ms']:.1f} ms"
        rows.append([host["name"], f"{host['agents']:,}", area + more, host["state"], latency, faults or "none"])
    put_table(screen, ["host", "agents", "cells", "state", "latency", "faults"], rows)
    say(screen)
    if manager:
        choices = ", ".join(f"{count:,} {how}" for how, count in sorted(manager["choices"].items())) or "none yet"
        say(screen, f"Choices: {choices}. {manager['covered']:,} of {manager['cells']:,} cells are seated.")


def _config(args: argparse.Namespace) -> int:
    from teamplay.live.config import BrokerPlan, Tls, parse_listen, write_config
    from teamplay.live.wire import team_name

    folder, table, *hosts = args.words
    book = load_rulebook(table, _arguments.the_game(args))
    tls = Tls(*args.tls) if args.tls else None
    plan = BrokerPlan(team_name(book.name, str(book.game)), tuple(hosts), *parse_listen(args.listen), tls)
    paths = write_config(Path(folder), plan)
    if args.json:
        _arguments.print_json({"team": plan.team, "files": [str(path) for path in paths]})
        return 0
    say(console(), f"Team {plan.team}: start the broker with `nats-server -c {paths[0]}`.")
    own = ", ".join(f"{name}.toml" for name in hosts)
    say(console(), f"Each host gets its own credentials ({own}), and nobody else's.")
    return 0


def _simulate(args: argparse.Namespace) -> int:
    from teamplay.live.oracle import Violation
    from teamplay.live.simulator import ROUNDS, simulate

    worlds, done = -(-args.rounds // ROUNDS), 0
    hows: dict[str, int] = {}
    faults: dict[str, int] = {}
    with Progress() as progress:
        while done < worlds:
            try:
                part = simulate(args.seed + done, min(WORLDS, worlds - done))
            except Violation as found:
                say(console(), str(found))
                return 1
            done += min(WORLDS, worlds - done)
            for total, more in ((hows, part.hows), (faults, part.faults)):
                for kind, count in more.items():
                    total[kind] = total.get(kind, 0) + count
            if progress.due():
                progress.say(f"{done * ROUNDS:,} of {worlds * ROUNDS:,} rounds")
    shown = {"rounds": worlds * ROUNDS, "seed": args.seed, "choices": hows, "faults": faults}
    if args.json:
        _arguments.print_json(shown)
        return 0
    screen = console()
    seeds = f"seeds {args.seed} to {args.seed + worlds - 1}"
    say(screen, f"{worlds * ROUNDS:,} rounds kept every promise ({seeds}).", "bold")
    for name, counts in (("Choices", hows), ("Faults", faults)):
        say(screen, f"{name}: {', '.join(f'{count:,} {kind}' for kind, count in sorted(counts.items()))}.")
    return 0


def _bench(args: argparse.Namespace) -> int:
    from teamplay.live.bench import COLUMNS, measure

    rows = []
    for size in args.sizes:
        for hosts in args.hosts:
            if hosts <= size * size:
                rows.append(measure(size, hosts, args.moves, args.seed))
    if args.json:
        _arguments.print_json({"rows": [row._asdict() for row in rows]})
        return 0
    put_table(console(), COLUMNS, [row.shown() for row in rows])
    return 0


def _curves(args: argparse.Namespace) -> int:
    from teamplay.cli._curves import write_curves

    found = write_curves(Path(args.words[0]), args.games, args.seed)
    if args.json:
        _arguments.print_json(found)
        return 0
    for picture in found["pictures"]:
        say(console(), f"Wrote {picture}.")
    return 0
