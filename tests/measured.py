"""What is measured of tables and players, and how the pages show it; `python -m tests.results` runs and writes it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from teamplay import library
from teamplay.library import FOLDERS
from tests.results import NOT_RUN, Results, Run, between, judging, matching, verifying

ROOT = Path(__file__).parent.parent
TABLES_PAGE = ROOT / "docs" / "tables.md"
PLAYERS_PAGE = ROOT / "docs" / "players.md"
LEARNING_PAGE = ROOT / "docs" / "learning.md"
SEED = 1  # of the games of tables
PLAYERS_SEED = 0
TUNED_SEEDS = (1, 2)  # a claim must hold twice

FIVE = "mnk(m=15,n=15,k=5)"
CHAOS = "order-and-chaos(n=3,k=3)"
VERDICTS = ["| game | seat | claim | verdict | positions | won | drawn | lost |", f"|---|---|---|---|{4 * '---:|'}"]
RESULTS = ["| against | game | games | won | drawn | lost | share won | Elo |", f"|---|---|{4 * '---:|'}---|---|"]
MEASURED = "# Measured (`python -m tests.results`):"

# By table: the boards on which each seat is verified, and for what.
CLAIMS: dict[str, list[tuple[str, str]]] = {
    "connect-four/basic": [],
    "connect-four/careful": [],
    "connect-four/two-above": [],
    "misere/basic": [("misere", "never-loses")],
    "misere/short": [("misere", "never-loses")],
    "mnk/five": [],
    "mnk/generic": [("tic-tac-toe", "never-loses"), ("mnk(m=4,n=4,k=4)", "never-loses")],
    "mnk/helpfulness": [("tic-tac-toe", "never-loses"), ("mnk(m=4,n=4,k=4)", "never-loses")],
    "notakto/basic": [("notakto(boards=1)", "always-wins"), ("notakto(boards=2)", "never-loses")],
    "order-and-chaos/chaos": [(CHAOS, "never-loses")],
    "order-and-chaos/order": [(CHAOS, "always-wins")],
    "reversi/corners": [("reversi(n=4)", "never-loses")],
    "reversi/quiet": [("reversi(n=4)", "never-loses")],
    "sos/feasible-greedy": [("sos(n=3)", "never-loses")],
    "sos/safe": [("sos(n=3)", "never-loses")],
    "sos/tempo": [("sos(n=3)", "never-loses")],
    "sos-line/basic": [("sos-line(n=8)", "never-loses")],
    "tic-tac-toe/perfect": [("tic-tac-toe", "perfect")],
    "tic-tac-toe-3d/basic": [("tic-tac-toe-3d", "always-wins")],
}

# By table: opponent, game, games. Table against table or `random` is quick, and so is had by the thousand.
MATCHES: dict[str, list[tuple[str, str, int]]] = {
    "connect-four/basic": [("random", "connect-four", 1000), ("helpfulness", "connect-four", 200)],
    "connect-four/careful": [
        ("random", "connect-four", 1000),
        ("connect-four/basic", "connect-four", 1000),
        ("helpfulness", "connect-four", 200),
        ("minimax(depth=2)", "connect-four", 400),
        ("minimax(depth=4)", "connect-four", 400),
    ],
    "connect-four/two-above": [
        ("random", "connect-four", 1000),
        ("connect-four/careful", "connect-four", 1000),
        ("helpfulness", "connect-four", 200),
        ("minimax(depth=2)", "connect-four", 400),
        ("minimax(depth=4)", "connect-four", 400),
    ],
    "misere/basic": [("random", "misere", 1000)],
    "misere/short": [("random", "misere", 1000)],
    "mnk/five": [
        ("random", "gomoku", 200),
        ("mnk/generic", "gomoku", 1000),
        ("helpfulness", "gomoku", 200),
        ("minimax(depth=2)", "gomoku", 400),
    ],
    "mnk/generic": [("random", FIVE, 200), ("helpfulness", FIVE, 200), ("minimax(depth=2)", FIVE, 400)],
    "mnk/helpfulness": [("random", FIVE, 200)],
    "notakto/basic": [("random", "notakto", 100)],
    "order-and-chaos/chaos": [("random", "order-and-chaos", 20)],
    "order-and-chaos/order": [("random", "order-and-chaos", 20)],
    "reversi/corners": [
        ("random", "reversi", 400),
        ("minimax(depth=1)", "reversi", 400),
        ("minimax(depth=2)", "reversi", 400),
    ],
    "reversi/quiet": [
        ("random", "reversi", 400),
        ("reversi/corners", "reversi", 400),
        ("minimax(depth=1)", "reversi", 400),
        ("minimax(depth=2)", "reversi", 400),
    ],
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
    "sos/tempo": [
        (opponent, f"sos(n={side})", games)
        for opponent, games in [("random", 1000), ("greedy", 1000), ("feasible-greedy", 200), ("sos/safe", 2000)]
        for side in (5, 6, 7, 8)
    ],
    "sos-line/basic": [("random", "sos-line(n=200)", 200)],
    "tic-tac-toe-3d/basic": [("random", "tic-tac-toe-3d", 400)],
}

# The tables of docs/players.md: game, one, other, games.
STRENGTH = [
    ("tic-tac-toe", "helpfulness", "random", 1000),
    ("tic-tac-toe", "helpfulness", "perfect", 1000),
    ("tic-tac-toe", "helpfulness(version=1)", "perfect", 1000),
    ("tic-tac-toe", "posswin", "perfect", 1000),
    ("tic-tac-toe", "mcts(playouts=100)", "perfect", 60),
    ("mnk(m=4,n=4,k=4)", "helpfulness", "helpfulness(version=1)", 200),
    ("mnk(m=5,n=5,k=4)", "helpfulness", "helpfulness(version=1)", 200),
    ("mnk(m=5,n=5,k=4)", "helpfulness", "minimax(depth=2)", 100),
    ("connect-four", "helpfulness", "helpfulness(version=1)", 200),
    ("connect-four", "helpfulness", "minimax(depth=2)", 100),
    ("connect-four", "mcts(playouts=200)", "minimax(depth=2)", 200),
    ("tic-tac-toe-3d", "magic-cube(wins=lines)", "magic-cube", 200),
    (FIVE, "helpfulness", "helpfulness(version=1)", 60),
    (FIVE, "helpfulness", "minimax(depth=2)", 200),
    ("sos(n=5)", "minimax(depth=3)", "minimax(depth=2)", 200),
    ("reversi", "minimax(depth=2)", "random", 200),
]
CONSIDERATE = [
    *((f"sos(n={side})", "considerate-greedy", "feasible-greedy", 200) for side in range(4, 9)),
    ("sos-corners", "considerate-greedy", "feasible-greedy", 200),
    ("sos(n=5)", "considerate-greedy", "random", 200),
]
CORNERS = [
    ("sos-corners", one, other, 40 if "owned-minimax" in (one, other) else 100)
    for one, others in [
        ("h1", ["random", "greedy", "h2", "owned-minimax"]),
        ("h2", ["random", "greedy", "owned-minimax"]),
        ("owned-minimax", ["random", "greedy", "feasible-greedy"]),
    ]
    for other in others
]
# Board by board: what table I of the paper says of feasible greedy against random and against greedy.
PAPER = {3: ("123, 0, 77", "101, 0, 99"), 4: ("195, 0, 5", "196, 0, 4")}
ALL_WON = ("200, 0, 0", "200, 0, 0")

# Tables that are claimed to be better than others: the other, the table, the game, the pool, the opponents held out.
TUNED: list[tuple[str, str, str, tuple[str, ...], tuple[str, ...]]] = [
    (
        "mnk/generic",
        "mnk/five",
        "gomoku",
        ("minimax(nodes=100)", "minimax(nodes=300)"),
        ("minimax(depth=1)", "minimax(depth=2)", "minimax(nodes=400)", "helpfulness", "mcts(playouts=20)"),
    ),
    (
        "connect-four/careful",
        "connect-four/two-above",
        "connect-four",
        ("minimax(nodes=30)", "minimax(nodes=100)", "minimax(nodes=300)"),
        (
            "connect-four/basic",
            *(f"minimax(depth={depth})" for depth in (1, 2, 3, 4, 5)),
            "helpfulness",
            "helpfulness(version=1)",
            "mcts(playouts=20)",
        ),
    ),
    (
        "reversi/corners",
        "reversi/quiet",
        "reversi",
        ("minimax(nodes=30)", "minimax(nodes=100)"),
        ("minimax(depth=1)", "minimax(depth=2)", "minimax(depth=3)", "mcts(playouts=20)"),
    ),
    (
        "sos/safe",
        "sos/tempo",
        "sos(n=8)",
        ("minimax(nodes=50)", "minimax(nodes=100)"),
        ("minimax(depth=1)", "minimax(depth=2)", "feasible-greedy", "greedy", "mcts(playouts=10)"),
    ),
]


def wanted() -> list[Run]:
    """Every command whose answer is published."""
    runs = [run for table in library.names(".team") for run in (_covering(table), *_claims(table), *_matches(table))]
    runs += [_between_players(*match) for match in (*STRENGTH, *CONSIDERATE, *CORNERS)]
    runs += [_feasible(side, opponent) for side in range(3, 9) for opponent in ("random", "greedy")]
    runs += [judging(*claim, seed) for claim in TUNED for seed in TUNED_SEEDS]
    return runs


def pages(results: Results) -> dict[Path, str]:
    """Every file that shows results, with its text as it should be."""
    found = {path: with_comment(results, table, path.read_text("utf-8")) for table, path in _files()}
    page = PLAYERS_PAGE.read_text("utf-8")
    page = between(page, "strength", _players_table(results, STRENGTH))
    page = between(page, "considerate", _players_table(results, CONSIDERATE))
    page = between(page, "corners", _players_table(results, CORNERS))
    page = between(page, "feasible", _feasible_table(results))
    learning = LEARNING_PAGE.read_text("utf-8")
    learning = between(learning, "better", _better_table(results))
    learning = between(learning, "held out", _held_out_table(results))
    return {**found, PLAYERS_PAGE: page, LEARNING_PAGE: learning, TABLES_PAGE: _tables_page(results, found)}


def _files() -> Iterator[tuple[str, Path]]:
    return ((table, FOLDERS[".team"] / f"{table}.team") for table in library.names(".team"))


# Commands


def _covering(table: str) -> Run:
    return Run(("test", table, "--cov"))


def _claims(table: str) -> list[Run]:
    return [verifying(table, *claim) for claim in CLAIMS.get(table, [("tic-tac-toe", "never-loses")])]


def _matches(table: str) -> list[Run]:
    return [matching(table, *match, SEED) for match in MATCHES.get(table, [("random", "tic-tac-toe", 1000)])]


def _between_players(game: str, one: str, other: str, games: int) -> Run:
    return matching(one, other, game, games, PLAYERS_SEED)


def _feasible(side: int, opponent: str) -> Run:
    return matching("feasible-greedy", opponent, f"sos(n={side})", 200, PLAYERS_SEED)


# docs/tables.md


def _tables_page(results: Results, texts: dict[Path, str]) -> str:
    head = [
        "# The shipped tables",
        "",
        "`python -m tests.results` writes this page: for every table what it says, what `teamplay verify` answers,",
        "how many of its rules its scenes try (`teamplay test --cov`), and how it fares (`teamplay match`, seats",
        f"alternating, `--seed {SEED}`). Intervals are of 95%; Elo is the difference that the result stands for.",
    ]
    return "\n".join([*head, *(line for table, path in _files() for line in _section(results, table, texts[path])), ""])


def _section(results: Results, table: str, text: str) -> list[str]:
    lines = ["", f"## {table}", "", "```text", text.rstrip(), "```", "", _coverage(results, table), ""]
    if claims := _claims(table):
        lines += [*VERDICTS, *(row for run in claims for row in _verdict_rows(results, run)), ""]
    return [*lines, *RESULTS, *(_match_row(results, run) for run in _matches(table))]


def _coverage(results: Results, table: str) -> str:
    answer = results.answer(_covering(table))
    return coverage_sentence(answer["coverage"][0]) if answer else f"Scenes: {NOT_RUN}."


def coverage_sentence(found: dict[str, Any]) -> str:
    """How many of a table's rules its scenes try."""
    return f"Scenes: {found['fired']} of {found['rules']} rules answer, {found['percent']}%."


def _verdict_rows(results: Results, run: Run) -> list[str]:
    _, _, _, game, _, goal, *_ = run.words
    answer = results.answer(run)
    if answer is None:
        return [f"| {game} | both | {goal} | {NOT_RUN} | | | | |"]
    return [
        f"| {game} | {seat} | {goal} | {found['verdict']} | "
        + " | ".join(f"{found[name]:,}" for name in ("positions", "wins", "draws", "losses"))
        + " |"
        for seat, found in answer["seats"].items()
    ]


def _match_row(results: Results, run: Run) -> str:
    _, _, opponent, _, game, _, games, *_ = run.words
    found = results.answer(run)
    if found is None:
        return f"| {opponent} | {game} | {int(games):,} | {NOT_RUN} | | | | |"
    won, elo = found["intervals"]["wins"], found["elo"]
    share = f"{won['value']:.1%} ({won['low']:.1%} to {won['high']:.1%})"
    return (
        f"| {opponent} | {game} | {int(games):,} | {found['wins']:,} | {found['draws']:,} | {found['losses']:,} "
        f"| {share} | {elo['value']:+.0f} ({elo['low']:+.0f} to {elo['high']:+.0f}) |"
    )


# docs/players.md


def _players_table(results: Results, rows: list[tuple[str, str, str, int]]) -> str:
    lines = ["| game | players | games | won | drawn | lost |", "|---|---|---:|---:|---:|---:|"]
    for game, one, other, games in rows:
        found = results.answer(_between_players(game, one, other, games))
        ends = " | ".join(f"{found[name]:,}" for name in ("wins", "draws", "losses")) if found else f"{NOT_RUN} | |"
        lines.append(f"| {game} | {one} – {other} | {games:,} | {ends} |")
    return "\n".join(lines)


def _feasible_table(results: Results) -> str:
    lines = ["| board | against random | the paper | against greedy | the paper |", "|---|---|---|---|---|"]
    for side in range(3, 9):
        ends = []
        for opponent in ("random", "greedy"):
            found = results.answer(_feasible(side, opponent))
            ends.append(f"{found['wins']}, {found['losses']}, {found['draws']}" if found else NOT_RUN)
        paper = PAPER.get(side, ALL_WON)
        lines.append(f"| {side}x{side} | {ends[0]} | {paper[0]} | {ends[1]} | {paper[1]} |")
    return "\n".join(lines)


# docs/learning.md


def _better_table(results: Results) -> str:
    lines = ["| table | over | game | trained with | seed | verdict | Elo in fresh games |", f"|{7 * '---|'}"]
    for first, table, game, pool, held_out in TUNED:
        for seed in TUNED_SEEDS:
            found = results.answer(judging(first, table, game, pool, held_out, seed))
            named = f"| {table} | {first} | {game} | {', '.join(pool)} | {seed} |"
            elo = found and found["elo"]
            said = f"{elo['value']:+.0f} ({elo['low']:+.0f} to {elo['high']:+.0f})" if elo else ""
            lines.append(f"{named} {found['verdict'] if found else NOT_RUN} | {said} |")
    return "\n".join(lines)


def _held_out_table(results: Results) -> str:
    seeds = [f"seed {seed}: before | after" for seed in TUNED_SEEDS]
    lines = [f"| table | opponent | seat | {' | '.join(seeds)} |", f"|---|---|---|{2 * len(seeds) * '---:|'}"]
    for claim in TUNED:
        answers = [results.answer(judging(*claim, seed)) for seed in TUNED_SEEDS]
        rows = [
            [(row["opponent"], row["seat"], _shares(row)) for row in found["held_out"]] for found in answers if found
        ]
        for same in zip(*rows, strict=True):
            opponent, seat, _ = same[0]
            lines.append(f"| {claim[1]} | {opponent} | {seat} | {' | '.join(shares for *_, shares in same)} |")
    return "\n".join(lines)


def _shares(row: dict[str, Any]) -> str:
    return f"{row['before']:.1%} | {row['after']:.1%}{' (worse)' if row['worse'] else ''}"


# Comments of tables


def with_comment(results: Results, table: str, text: str) -> str:
    """A table whose comment ends with what was measured of it, if it has a line that asks for that."""
    lines = text.split("\n")
    if MEASURED not in lines:
        return text
    end = next(place for place, line in enumerate(lines) if not line.startswith("#"))
    said = list(_comment(results, table)) or [f"#   {NOT_RUN}"]
    return "\n".join([*lines[: lines.index(MEASURED) + 1], *said, *lines[end:]])


def _comment(results: Results, table: str) -> Iterator[str]:
    for run in _claims(table):
        _, _, _, game, _, goal, *_ = run.words
        for seat, found in (results.answer(run) or {"seats": {}})["seats"].items():
            yield f"#   {game}, moving {seat}: {goal} {found['verdict']}, {found['positions']:,} positions met"
    for run in _matches(table):
        found = results.answer(run)
        if found and int(run.words[6]) >= 100:
            _, _, opponent, _, game, _, games, *_ = run.words
            ends = f"{found['wins']:,} won, {found['draws']:,} drawn, {found['losses']:,} lost"
            yield f"#   {game} against {opponent}, {int(games):,} games: {ends}"
