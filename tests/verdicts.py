"""The tables of docs/proofs.md: what is proved of the shipped tables. Nothing in them is typed by hand.

python -m tests.verdicts          writes them into the page
"""

import sys
from pathlib import Path

from teamplay import library
from teamplay.game import SEATS
from teamplay.game_file import load_game
from teamplay.players import load_player
from teamplay.proof.verify import Verdict, verify

PAGE = Path(__file__).parent.parent / "docs" / "proofs.md"
HEADER = (
    "| table | seat | verdict | positions | won | drawn | lost | a shortest lost game |\n"
    "|---|---|---|---:|---:|---:|---:|---|"
)
BEYOND_HEADER = (
    "| table | game | seat | claim | verdict | positions | won | drawn | lost |\n"
    "|---|---|---|---|---|---:|---:|---:|---:|"
)
# Table, game, seats and goal; what each table's comment claims, and what the paper's questions lead to.
BEYOND = (
    ("mnk/generic", "tic-tac-toe", (0, 1), "never-loses"),
    ("mnk/generic", "tic-tac-toe", (0, 1), "wins-if-possible"),
    ("misere/basic", "misere", (0, 1), "never-loses"),
    ("tic-tac-toe-3d/basic", "tic-tac-toe-3d", (0,), "always-wins"),
    ("notakto/basic", "notakto(boards=1)", (0,), "always-wins"),
    ("order-and-chaos/order", "order-and-chaos(n=3,k=3)", (0,), "always-wins"),
    ("sos/safe", "sos(n=3)", (0, 1), "never-loses"),
    ("sos-line/basic", "sos-line(n=8)", (1,), "never-loses"),
    ("sos-line/basic", "sos-line(n=9)", (0,), "never-loses"),
    ("reversi/corners", "reversi(n=4)", (0, 1), "never-loses"),
    ("mnk/generic", "mnk(m=4,n=4,k=4)", (0, 1), "never-loses"),
    ("mnk/generic", "mnk(m=5,n=5,k=4)", (0, 1), "never-loses"),
)


def numbers(found: Verdict) -> str:
    """Positions and ends; a `+` where the search stopped at the first bad end and there may be more."""
    more = "" if found.whole else "+"
    return " | ".join(f"{number:,}{more}" for number in (found.positions, found.wins, found.draws, found.losses))


def tic_tac_toe() -> str:
    """The verdict on every shipped tic-tac-toe table, first and second."""
    game = load_game("tic-tac-toe")
    rows = [HEADER]
    for table in sorted(_tables(), key=_figure):
        for seat in (0, 1):
            found = verify(load_player(table, game), game, seat)
            lost = f"`{' '.join(map(game.format_move, found.game))}`" if found.game else "none"
            rows.append(f"| {table} | {SEATS[seat]} | {found.verdict} | {numbers(found)} | {lost} |")
    return "\n".join(rows)


def beyond() -> str:
    """The verdict on tables for other games."""
    rows = [BEYOND_HEADER]
    for table, spec, seats, goal in BEYOND:
        game = load_game(spec)
        for seat in seats:
            found = verify(load_player(table, game), game, seat, goal)
            rows.append(f"| {table} | {spec} | {SEATS[seat]} | {goal} | {found.verdict} | {numbers(found)} |")
    return "\n".join(rows)


def _tables() -> list[str]:
    return [name for name in library.names(".team") if name.startswith("tic-tac-toe/")]


def _figure(name: str) -> tuple[int, str]:
    """Figure 6 before figure 11."""
    digits = "".join(sign for sign in name if sign.isdigit())
    return int(digits or 0), name


def parts(name: str) -> tuple[str, str, str]:
    """What the page holds before, between and after the markers of a table."""
    before, begin, rest = PAGE.read_text(encoding="utf-8").partition(f"<!-- {name}: begin -->\n")
    table, end, after = rest.partition(f"<!-- {name}: end -->")
    assert begin and end, f"{PAGE} has no markers for {name}"
    return before + begin, table.removesuffix("\n"), end + after


def main() -> None:
    for name, table in (("tic-tac-toe", tic_tac_toe()), ("beyond", beyond())):
        before, _, after = parts(name)
        PAGE.write_text(f"{before}{table}\n{after}", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
