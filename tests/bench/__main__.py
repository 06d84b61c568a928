"""`python -m tests.bench`: every benchmark, ours beside theirs in one run; needs the extra `bench`."""

import argparse
import json
import os
import platform
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table

try:
    from tests.bench import ours, peers
except ImportError as error:
    sys.exit(f"The benchmarks need {error.name}, which comes with: python -m pip install -e '.[bench]'")

PAGE = Path(__file__).parents[2] / "docs" / "performance.md"
END = "<!-- end -->"
BOARDS = [f"mnk(m={side},n={side},k=5)" for side in (15, 19, 100, 1000)]


@dataclass(frozen=True)
class Row:
    """One comparison: what was measured, and whether what we wanted was reached."""

    work: str
    ours: str
    theirs: str
    reached: str
    wanted: str
    ok: bool


def faster(work: str, ours: str, theirs: str, ratio: float, wanted: float) -> Row:
    """A row where so many times as fast is wanted."""
    return Row(work, ours, theirs, f"{ratio:,.0f}x", f"{wanted:,.0f}x", ratio >= wanted)


def rate(moves: float) -> str:
    return f"{moves / 1e6:.1f} M/s" if moves >= 1e6 else f"{moves / 1e3:.0f} k/s"


def span(seconds: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e9:.0f} ns"


def best(mine: Callable[[], float], other: Callable[[], float]) -> tuple[float, float]:
    """The best of three runs of each side, taken in turns, for the machine is not the same at all times."""
    runs = [(mine(), other()) for _ in range(3)]
    return max(run[0] for run in runs), max(run[1] for run in runs)


def playouts(quick: bool) -> Iterator[Row]:
    """Random games."""
    pairs = [
        ("tic-tac-toe", "tic-tac-toe", "tic_tac_toe", 50),
        ("15x15x5", "mnk(m=15,n=15,k=5)", "gomoku(size=15,connect=5)", 60),
        ("connect four", "connect-four", "connect_four", 100),
    ]
    seconds = 0.5 if quick else 2.0
    for title, spec, theirs, wanted in pairs:
        mine, other = best(ours.random_moves(spec, seconds), partial(peers.random_moves, theirs, seconds))
        yield faster(f"random playouts, {title}", rate(mine), f"{rate(other)} {theirs}", mine / other, wanted)


def rollouts(quick: bool) -> Iterator[Row]:
    """Random games against those that OpenSpiel plays inside of its own C++ search; nothing was wanted of these."""
    pairs = [("tic-tac-toe", "tic_tac_toe"), ("connect-four", "connect_four")]
    for spec, theirs in pairs:
        mine, other = best(ours.random_moves(spec, 0.5), partial(peers.rollout_moves, theirs, 0.5 if quick else 2.0))
        title = f"random playouts, {spec}, against C++ rollouts"
        yield Row(title, rate(mine), f"{rate(other)} {theirs}", f"{mine / other:.0f}x", "", True)


def stepping(quick: bool) -> Iterator[Row]:
    """Random moves on thousands of boards at once; beside pgx only where it is installed."""
    boards, steps = 4096, 50 if quick else 200
    for spec, zoo, jax in [
        ("tic-tac-toe", "tictactoe_v3", "tic_tac_toe"),
        ("connect-four", "connect_four_v3", "connect_four"),
    ]:
        mine = ours.stepped_moves(spec, boards, steps)
        made, other = best(mine, partial(peers.pettingzoo_moves, zoo, 0.5))
        yield faster(f"stepping {boards:,} boards, {spec}", rate(made), f"{rate(other)} PettingZoo", made / other, 100)
        if find_spec("pgx"):
            made, other = best(mine, partial(peers.pgx_moves, jax, boards, steps))
            ratio = f"{made / other:.1f}x"
            yield Row(f"the same beside pgx, {spec}", rate(made), f"{rate(other)} pgx", ratio, "1x", made > other)


def teams(quick: bool) -> Iterator[Row]:
    """A table's team against random moves."""
    theirs = "mnk(m=15,n=15,k=5)"
    team = ours.team_moves("mnk(m=15,n=15,k=5)", 2000 if quick else 8000)
    mine, other = best(team, partial(peers.random_moves, theirs, 0.5 if quick else 2.0))
    yield faster("a team on 15x15x5, against random moves", rate(mine), f"{rate(other)} {theirs}", mine / other, 30)


def solving(quick: bool) -> Iterator[Row]:
    """4x4x4, and what must be solved in seconds."""
    mine, value = ours.solve("mnk(m=4,n=4,k=4)")
    other, found = peers.solve_four()
    assert value == found == 0
    yield faster("solve 4x4x4", span(mine), f"{span(other)} easyAI", other / mine, 1000)
    mine, _ = ours.solve("mnk(m=5,n=5,k=4)")
    yield Row("solve 5x5x4", span(mine), "", "", "5 s", mine <= 5)


def proofs(quick: bool) -> Iterator[Row]:
    """All that may happen when a team plays 4x4x4; a quick run stops the other side early and reckons on."""
    mine, verdict = ours.prove_four()
    search = peers.DepthFirst(enough=60_000 if quick else None)
    other = search.run() * (verdict.positions / search.asked if quick else 1)
    found = (search.asked, *search.outcomes)
    assert quick or found == (verdict.positions, verdict.wins, verdict.losses, verdict.draws), found
    theirs = f"{span(other)} depth first over OpenSpiel's states"
    yield faster("verify mnk/generic on 4x4x4", span(mine), theirs, other / mine, 500)


def scaling(scales: list[ours.Scale]) -> Iterator[Row]:
    """One move on a huge board."""
    small, huge = scales[0], scales[-1]
    full, move = span(huge.full), span(huge.incremental)
    ratio = huge.full / huge.incremental
    yield faster("one move on 1000x1000, against full recompute", move, f"{full} all agents", ratio, 10_000)
    slower = huge.incremental / small.incremental
    theirs = f"{span(small.incremental)} on 15x15"
    yield Row("one move on 1000x1000, against 15x15", move, theirs, f"{slower:.1f}x", "at most 8x", slower <= 8)
    memory = f"{huge.megabytes:.0f} MB"
    yield Row("arrays of 1000x1000", memory, "", "", "under 100 MB", huge.megabytes < 100)


def starting(quick: bool) -> Iterator[Row]:
    """The start of the program."""
    mine, python = ours.start_up()
    theirs = f"{span(python)} python -c pass"
    yield Row("teamplay --help", span(mine), theirs, f"{mine / python:.1f}x", "at most 4x", mine <= 4 * python)


PARTS = {part.__name__: part for part in (playouts, rollouts, stepping, teams, solving, proofs)}


def measure(quick: bool, only: str, note: Callable[[str], None]) -> tuple[list[Row], list[ours.Scale]]:
    """Everything, one after another; or only one part."""
    rows: list[Row] = []
    for name, part in PARTS.items():
        if only in ("", name):
            note(name)
            rows += part(quick)
    if only:
        return rows, []
    scales = []
    for spec in BOARDS:
        note(spec)
        scales.append(ours.scale(spec))
    rows += scaling(scales)
    rows += starting(quick)
    return rows, scales


def printed(screen: Console, rows: list[Row], scales: list[ours.Scale]) -> None:
    """Two tables for the terminal."""
    table = Table("work", "ours", "theirs", "reached", "wanted", "", box=SIMPLE)
    for row in rows:
        table.add_row(row.work, row.ours, row.theirs, row.reached, row.wanted, "" if row.ok else "missed")
    screen.print(table)
    if not scales:
        return
    table = Table("board", "all agents think", "those who see a change", "ratio", "memory", box=SIMPLE)
    for each in scales:
        ratio = f"{each.full / each.incremental:,.0f}x"
        table.add_row(each.spec, span(each.full), span(each.incremental), ratio, f"{each.megabytes:.1f} MB")
    screen.print(table)


def markdown(rows: list[Row], scales: list[ours.Scale]) -> str:
    """The same two tables for the documentation."""
    lines = [f"Python {platform.python_version()}, {os.cpu_count()} cores, one run.", ""]
    lines += ["| work | ours | theirs | reached | wanted |", "|---|---|---|---|---|"]
    for row in rows:
        wanted = row.wanted if row.ok else f"{row.wanted} (missed)"
        lines.append(f"| {row.work} | {row.ours} | {row.theirs} | {row.reached} | {wanted} |")
    if not scales:
        return "\n".join(lines)
    lines += ["", "| board | all agents think | those who see a change | ratio | memory |", "|---|---|---|---|---|"]
    for each in scales:
        ratio = f"{each.full / each.incremental:,.0f}x"
        cells = (f"`{each.spec}`", span(each.full), span(each.incremental), ratio, f"{each.megabytes:.1f} MB")
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="shorter runs, some of them reckoned on")
    parser.add_argument("--only", choices=PARTS, default="", help="one part (default: everything)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--write", action="store_true", help=f"write the tables into {PAGE.name}")
    args = parser.parse_args()
    errors = Console(stderr=True)
    with errors.status("measuring") as status:
        rows, scales = measure(args.quick, args.only, lambda name: status.update(f"measuring: {name}"))
    if args.json:
        print(
            json.dumps({"rows": [asdict(row) for row in rows], "boards": [asdict(each) for each in scales]}, indent=2)
        )
    else:
        printed(Console(), rows, scales)
    if args.write:
        write(f"--only {args.only} --write" if args.only else "--write", markdown(rows, scales))


def write(options: str, text: str) -> None:
    """Put tables into the page, between the comment that names the command and the next end."""
    mark = f"<!-- measured: python -m tests.bench {options} -->"
    before, found, rest = PAGE.read_text("utf-8").partition(mark)
    if not found:
        sys.exit(f"{PAGE.name} has no place for this: {mark}")
    PAGE.write_text(f"{before}{mark}\n\n{text}\n\n{END}{rest.partition(END)[2]}", "utf-8")


main()
