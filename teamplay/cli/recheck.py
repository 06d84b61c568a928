"""check a certificate of `verify` or `learn` with the slow reference agents, without the compiled engine"""

import argparse
import time
from pathlib import Path

from teamplay.api.progress import rate
from teamplay.cli import _arguments
from teamplay.cli._progress import Progress
from teamplay.errors import TeamplayError
from teamplay.game import SEATS
from teamplay.game_file import parse_spec
from teamplay.language.parser import load_source
from teamplay.learn.impossible import Check, NotShown, is_impossibility, read_impossibility
from teamplay.proof.certificate import Certificate, Header, read
from teamplay.proof.goals import PROVED, REFUTED, TIES
from teamplay.proof.recheck import DoesNotHold, recheck
from teamplay.show.terminal import console, say
from teamplay.show.words import counted


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a certificate, compressed (.gz) or not")
    _arguments.add_json(parser)


def run(args: argparse.Namespace) -> int:
    if is_impossibility(Path(args.file)):
        return _run_impossibility(args)
    certificate = read(Path(args.file))
    begun = time.perf_counter()
    reason = ""
    with Progress() as progress:

        def watched(done: int, listed: int) -> None:
            if progress.due():
                speed = rate(done, time.perf_counter() - begun)
                progress.say(f"{done:,} of {listed:,} positions, {speed}")

        try:
            recheck(certificate, watched)
        except DoesNotHold as problem:
            reason = str(problem)
    if args.json:
        _print_json(args.file, certificate, reason)
    else:
        _print_text(certificate, reason)
    return 1 if reason else 0


def _run_impossibility(args: argparse.Namespace) -> int:
    """Try all orders of classes on the positions of a claim that there is no table."""
    claim = read_impossibility(Path(args.file))
    reason = ""
    with Progress():
        try:
            Check(claim).run()
        except NotShown as problem:
            reason = str(problem)
    seats = " or ".join(SEATS[seat] for seat in claim.seats)
    games = " and ".join(map(str, claim.games))
    said = f"no table over {claim.vocabulary.name or 'roles alone'} {PROVED[claim.goal]} moving {seats} at {games}"
    if args.json:
        shown = {"file": args.file, "holds": not reason, "reason": reason or None, "claim": said}
        _arguments.print_json(shown | {"goal": claim.goal, "positions": len(claim.positions)})
    else:
        listed = counted(len(claim.positions), "listed position")
        say(console(), reason or f"It holds: {said}. No order of the classes answers the {listed} together.", "bold")
    return 1 if reason else 0


def _print_json(file: str, certificate: Certificate, reason: str) -> None:
    header = certificate.header
    _arguments.print_json(
        {
            "file": file,
            "holds": not reason,
            "reason": reason or None,
            "note": _note(header) or None,
            "player": header.player,
            "game": header.game,
            "goal": header.goal,
            "tie": header.tie,
            "seats": {
                SEATS[claim.seat]: {"verdict": claim.verdict, "positions": claim.positions, "listed": len(claim.listed)}
                for claim in certificate.claims
            },
        }
    )


def _print_text(certificate: Certificate, reason: str) -> None:
    screen = console()
    header = certificate.header
    if reason:
        say(screen, reason, "bold")
        return
    for claim in certificate.claims:
        said = f"It holds: moving {SEATS[claim.seat]} at {header.game}, {header.player}{TIES[header.tie]}"
        if claim.verdict == "proved":
            images = " and their images" if claim.symmetry else ""
            listed = f"{counted(len(claim.listed), 'position')}{images}"
            say(screen, f"{said} {PROVED[header.goal]}. No game leaves the {listed} by a bad end.", "bold")
        else:
            moves = counted(len(claim.game), "move")
            say(screen, f"{said} {REFUTED[header.goal]}. The game of {moves} shows it.", "bold")
    if note := _note(header):
        say(screen, note)


def _note(header: Header) -> str:
    """Whether the table in the certificate is still the one of that name."""
    if header.table is None:
        return ""
    try:
        same = load_source(parse_spec(header.player)[0]).text == header.table
    except TeamplayError:
        return "There is no table of that name here; the certificate speaks of the one it holds."
    return "" if same else "The table of that name has changed since; the certificate speaks of the one it holds."
