"""What is known of every shipped table? `python -m tests.tables` asks the commands, and writes docs/tables.md."""

import contextlib
import io
import json
from pathlib import Path
from typing import Any

from teamplay import library
from teamplay.cli import main
from teamplay.library import FOLDERS

PAGE = Path(__file__).parent.parent / "docs" / "tables.md"
SEED = 1

FIVE = "mnk(m=15,n=15,k=5)"
VERDICTS = ["| game | seat | claim | verdict | positions | won | drawn | lost |", f"|---|---|---|---|{4 * '---:|'}"]
RESULTS = ["| against | game | games | won | drawn | lost | share won | Elo |", f"|---|---|{4 * '---:|'}---|---|"]

# By table: the boards on which each seat is verified, and for what.
CLAIMS: dict[str, list[tuple[str, str]]] = {
    "connect-four/basic": [],
    "connect-four/careful": [],
    "misere/basic": [("misere", "never-loses")],
    "mnk/generic": [("tic-tac-toe", "never-loses"), ("mnk(m=4,n=4,k=4)", "never-loses")],
    "mnk/helpfulness": [("tic-tac-toe", "never-loses"), ("mnk(m=4,n=4,k=4)", "never-loses")],
    "reversi/corners": [("reversi(n=4)", "never-loses")],
    "sos/feasible-greedy": [("sos(n=3)", "never-loses")],
    "sos/safe": [("sos(n=3)", "never-loses")],
    "sos-line/basic": [("sos-line(n=8)", "never-loses")],
    "tic-tac-toe-3d/basic": [("tic-tac-toe-3d", "always-wins")],
}

# By table: opponent, game, games. Table against table or `random` is quick, and so is had by the thousand.
MATCHES: dict[str, list[tuple[str, str, int]]] = {
    "connect-four/basic": [("random", "connect-four", 1000), ("helpfulness", "connect-four", 20)],
    "connect-four/careful": [
        ("random", "connect-four", 1000),
        ("connect-four/basic", "connect-four", 1000),
        ("helpfulness", "connect-four", 20),
        ("minimax(depth=2)", "connect-four", 20),
        ("minimax(depth=4)", "connect-four", 10),
    ],
    "misere/basic": [("random", "misere", 1000)],
    "mnk/generic": [("random", FIVE, 200), ("helpfulness", FIVE, 20), ("minimax(depth=2)", FIVE, 100)],
    "mnk/helpfulness": [("random", FIVE, 200)],
    "reversi/corners": [("random", "reversi", 400), ("minimax(depth=1)", "reversi", 100)],
    "sos/feasible-greedy": [("random", "sos(n=5)", 1000)],
    "sos/safe": [
        (opponent, f"sos(n={side})", games)
        for opponent, games in [
            ("random", 1000),
            ("greedy", 1000),
            ("feasible-greedy", 200),
            ("sos/feasible-greedy", 2000),
        ]
        for side in (5, 6, 7, 8)
    ],
    "sos-line/basic": [("random", "sos-line(n=200)", 200)],
    "tic-tac-toe-3d/basic": [("random", "tic-tac-toe-3d", 400)],
}


def page() -> str:
    """The whole page."""
    head = [
        "# The shipped tables",
        "",
        "`python -m tests.tables` writes this page: for every table what it says, what `teamplay verify` answers,",
        "how many of its rules its scenes try (`teamplay test --cov`), and how it fares (`teamplay match`, seats",
        f"alternating, `--seed {SEED}`). Intervals are of 95%; Elo is the difference that the result stands for.",
    ]
    return "\n".join([*head, *(line for table in library.names(".team") for line in _section(table)), ""])


def _section(table: str) -> list[str]:
    path = FOLDERS[".team"] / f"{table}.team"
    lines = ["", f"## {table}", "", "```text", path.read_text(encoding="utf-8").rstrip(), "```", ""]
    lines += [coverage(table), ""]
    claims = CLAIMS.get(table, [("tic-tac-toe", "never-loses")])
    if claims:
        lines += VERDICTS
        lines += [row for game, goal in claims for row in _verdicts(table, game, goal)] + [""]
    lines += RESULTS
    lines += [_match(table, *match) for match in MATCHES.get(table, [("random", "tic-tac-toe", 1000)])]
    return lines


def coverage(table: str) -> str:
    """How many of a table's rules its scenes try, in a sentence."""
    path = FOLDERS[".team"] / f"{table}.team"
    scenes = [scene for scene in sorted(path.parent.glob("*.scene")) if _table_of(scene) == path.name]
    if not scenes:
        return "It has no scenes."
    found = asked("test", *map(str, scenes), "--cov")["coverage"][0]
    return f"Scenes: {found['fired']} of {found['rules']} rules answer, {found['percent']}%."


def _table_of(scene: Path) -> str:
    lines = scene.read_text(encoding="utf-8").split("\n")
    return next(line.removeprefix("table ").strip() for line in lines if line.startswith("table "))


def _verdicts(table: str, game: str, goal: str) -> list[str]:
    seats = asked("verify", table, "--game", game, "--goal", goal)["seats"]
    return [
        f"| {game} | {seat} | {goal} | {found['verdict']} | {found['positions']:,} | {found['wins']:,} "
        f"| {found['draws']:,} | {found['losses']:,} |"
        for seat, found in seats.items()
    ]


def _match(table: str, opponent: str, game: str, games: int) -> str:
    found = asked("match", table, opponent, "--game", game, "--games", str(games), "--seed", str(SEED))
    won, elo = found["intervals"]["wins"], found["elo"]
    share = f"{won['value']:.1%} ({won['low']:.1%} to {won['high']:.1%})"
    return (
        f"| {opponent} | {game} | {games:,} | {found['wins']:,} | {found['draws']:,} | {found['losses']:,} | {share} "
        f"| {elo['value']:+.0f} ({elo['low']:+.0f} to {elo['high']:+.0f}) |"
    )


def asked(*words: str) -> Any:
    """What a command prints for scripts."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        main([*words, "--json"])
    return json.loads(said.getvalue())


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
