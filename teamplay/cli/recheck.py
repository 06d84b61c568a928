"""check a certificate of `verify` with the slow reference agents, trusting nothing that the fast engine said"""

import argparse

from teamplay.cli import _arguments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from teamplay.proof.certificate import Certificate, Header


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a certificate, packed (.gz) or not")
    _arguments.add_json(parser)


def run(args: argparse.Namespace) -> int:
    import time
    from pathlib import Path

    from teamplay.cli._progress import Progress, rate
    from teamplay.proof.certificate import read
    from teamplay.proof.recheck import DoesNotHold, recheck

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


def _print_json(file: str, certificate: "Certificate", reason: str) -> None:
    from teamplay.game import SEATS

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


def _print_text(certificate: "Certificate", reason: str) -> None:
    from teamplay.cli.verify import PROVED, REFUTED, TIES
    from teamplay.game import SEATS
    from teamplay.show.terminal import console, say
    from teamplay.show.words import counted

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


def _note(header: "Header") -> str:
    """Whether the table in the certificate is the one that goes by its name today."""
    from teamplay.errors import TeamplayError
    from teamplay.game_file import parse_spec
    from teamplay.language.parser import load_source

    if header.table is None:
        return ""
    try:
        same = load_source(parse_spec(header.player)[0]).text == header.table
    except TeamplayError:
        return "There is no table of that name here; the certificate speaks of the one it holds."
    return "" if same else "The table of that name has changed since; the certificate speaks of the one it holds."
