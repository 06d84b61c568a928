"""The table of docs/learning.md: what `learn` says to the paper's questions. Nothing in it is typed by hand.

python -m tests.learning            runs the rows that docs/learning.json does not hold yet, and writes the page
python -m tests.learning NAME…      runs the rows again whose keys hold one of these words (`all`: every row)

Seconds, also those that bound a row, are of processor time, so that a row says the same on a busy machine.
"""

import json
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from teamplay.errors import TeamplayError
from teamplay.game import SEATS
from teamplay.game_file import load_game
from teamplay.language import load_source
from teamplay.learn.formula import Budget
from teamplay.learn.learning import learn
from teamplay.learn.task import Learned, Task
from teamplay.learn.vocabulary import parse_vocabulary
from teamplay.proof.goals import ProofGoal

DOCS = Path(__file__).parent.parent / "docs"
PAGE, KEPT = DOCS / "learning.md", DOCS / "learning.json"
HEADER = (
    "| game | seat | goal | agents measure | verdict | rules | levels | proved | seconds |\n"
    "|---|---|---|---|---|---:|---:|---|---:|"
)
BOTH = (0, 1)
FIVE_BY_FOUR = "tests/witnesses/five-by-four.team"  # too special to be shipped, as the next two
CONNECT_BOTH = "tests/witnesses/connect-5x4.team"
CONNECT_FIRST = "tests/witnesses/connect-5x4-first.team"
ORDERED_16 = "counts, n(*bbS), n(*bbb), n(*bbbO), n(*bbbbS), sight 6"


@dataclass(frozen=True)
class Row:
    """One question."""

    name: str
    games: tuple[str, ...]
    seats: tuple[int, ...]
    goal: ProofGoal
    vocabulary: str
    sight: str = ""
    slopes: bool = False
    seconds: float = 120.0
    shorter_than: str = ""

    def task(self, fewest: str) -> Task:
        games = tuple(map(load_game, self.games))
        vocabulary = parse_vocabulary(self.vocabulary, games, self.sight)
        known = load_source(self.shorter_than) if self.shorter_than else None
        return Task(games, self.seats, self.goal, vocabulary, None, None, self.slopes, fewest, known)  # type: ignore[arg-type]


def _rows() -> list[Row]:
    ttt = ("tic-tac-toe",)
    rows = []
    for vocabulary, sight in (("counts", ""), ("counts+center", ""), ("cells", "all")):
        for seats in ((0,), (1,), BOTH):
            rows.append(Row("tic-tac-toe", ttt, seats, "never-loses", vocabulary, sight))
    rows += [
        Row("perfect", ttt, BOTH, "perfect", "counts"),
        Row("perfect", ttt, BOTH, "perfect", "counts+center"),
        Row("perfect", ttt, BOTH, "perfect", "counts+center", slopes=True),
        Row("misere", ("misere",), BOTH, "never-loses", "counts"),
        Row("4x3x3", ("mnk(m=4,n=3,k=3)",), (0,), "always-wins", "counts"),
        Row("cube", ("tic-tac-toe-3d",), (0,), "always-wins", "counts"),
        Row("4x4x4", ("mnk(m=4,n=4,k=4)",), BOTH, "never-loses", "counts", seconds=150),
        Row("5x4x4", ("mnk(m=5,n=4,k=4)",), (1,), "never-loses", "counts", seconds=15, shorter_than=FIVE_BY_FOUR),
        Row("5x5x4", ("mnk(m=5,n=5,k=4)",), (1,), "never-loses", "counts", seconds=150),
        Row("5x5x4", ("mnk(m=5,n=5,k=4)",), (1,), "never-loses", "counts, count(b)", seconds=150),
        Row(
            "several",
            ("tic-tac-toe", "mnk(m=4,n=3,k=3)", "mnk(m=4,n=4,k=4)"),
            (0,),
            "never-loses",
            "counts",
            seconds=400,
        ),
        Row("connect-4x4", ("connect-four(columns=4,rows=4)",), BOTH, "never-loses", "counts", seconds=60),
        Row(
            "connect-5x4",
            ("connect-four(columns=5,rows=4)",),
            (0,),
            "never-loses",
            "counts",
            seconds=40,
            shorter_than=CONNECT_FIRST,
        ),
        Row(
            "connect-5x4",
            ("connect-four(columns=5,rows=4)",),
            BOTH,
            "never-loses",
            "counts",
            seconds=150,
            shorter_than=CONNECT_BOTH,
        ),
        Row("sos-3", ("sos(n=3)",), BOTH, "never-loses", "counts"),
        Row("sos-4", ("sos(n=4)",), (1,), "never-loses", "counts", seconds=100),
        Row("line-8", ("sos-line(n=8)",), (1,), "never-loses", "counts"),
        Row("line-10", ("sos-line(n=10)",), (1,), "never-loses", "counts"),
        Row("line-16", ("sos-line(n=16)",), (1,), "always-wins", "counts"),
        Row(
            "line-16",
            ("sos-line(n=16)",),
            (1,),
            "always-wins",
            ORDERED_16,
            seconds=40,
            shorter_than="sos-line/basic",
        ),
        Row("reversi", ("reversi(n=4)",), (1,), "always-wins", "counts"),
    ]
    return rows


def result(row: Row) -> dict[str, Any]:
    """The answer to a row: the fewest rules, and the fewest levels of any table."""
    begun = time.process_time()
    try:
        found = learn(row.task("rules"), Budget(row.seconds, clock=time.process_time))
        levels = _levels(row, found)
    except TeamplayError as error:
        return {"verdict": "refused", "why": str(error), "seconds": round(time.process_time() - begun, 1)}
    return {
        "verdict": found.verdict,
        "rules": found.rules,
        "levels": found.levels,
        "fewest levels": levels,
        "minimal": found.minimal,
        "bound": found.bound,
        "known": found.known,
        "why": found.why,
        "explanation": found.explanation,
        "table": found.table,
        "classes": found.classes,
        "positions": found.positions,
        "seconds": round(time.process_time() - begun, 1),
    }


def _levels(row: Row, found: Learned) -> int | None:
    """The fewest levels of any table, where all positions can be listed."""
    if found.verdict != "found" or row.vocabulary == "cells":
        return found.levels if row.vocabulary == "cells" else None
    task = replace(row.task("levels"), rules=0, slopes=False, shorter_than=None)
    answer = learn(task, Budget(row.seconds / 4, clock=time.process_time))
    return next((int(fact.split()[0]) for fact in answer.known if "levels are the fewest" in fact), None)


def line(row: Row, found: dict[str, Any]) -> str:
    """A row of the table."""
    seats = "both" if row.seats == BOTH else SEATS[row.seats[0]]
    measured = f"{row.vocabulary}{f', sight {row.sight}' if row.sight else ''}{', slopes' if row.slopes else ''}"
    cells = [", ".join(row.games), seats, row.goal, measured, found["verdict"]]
    rules, levels = found.get("rules"), found.get("fewest levels") or found.get("levels")
    listed = " views" if row.vocabulary == "cells" else ""
    cells += [
        f"{rules}{listed}" if rules else "",
        f"{levels}" if levels else "",
        _proved(found),
        f"{found['seconds']:.1f}",
    ]
    return f"| {' | '.join(cells)} |"


def _proved(found: dict[str, Any]) -> str:
    """What is known for sure beside the verdict."""
    if found["verdict"] == "impossible":
        return str(found["why"]).rstrip(".")
    facts = [fact for fact in found.get("known", []) if fact.startswith("no table")][-1:]
    facts = [fact.replace("no table of", "no table of up to") for fact in facts]
    if found.get("minimal") == "rules":
        facts = ["fewest rules"]
    if found.get("fewest levels"):
        facts.append("fewest levels")
    if found.get("bound"):
        facts.append(f"stopped after {found['bound']}")
    return ", ".join(facts)


def key(row: Row) -> str:
    return "; ".join([*row.games, str(row.seats), row.goal, row.vocabulary, row.sight, str(row.slopes)])


def page(kept: dict[str, Any]) -> str:
    """The table of all rows that were run."""
    return "\n".join([HEADER, *(line(row, kept[key(row)]) for row in _rows() if key(row) in kept)])


def written(text: str, name: str, table: str) -> str:
    """A page with another table between the markers of a name."""
    before, begin, rest = text.partition(f"<!-- {name}: begin -->\n")
    _, end, after = rest.partition(f"<!-- {name}: end -->")
    assert begin and end, f"there are no markers for {name}"
    return f"{before}{begin}{table}\n{end}{after}"


def held() -> dict[str, Any]:
    """What was run so far; another run may have added to it."""
    found: dict[str, Any] = json.loads(KEPT.read_text("utf-8")) if KEPT.exists() else {}
    return found


def main(words: list[str]) -> None:
    before = held()
    for row in _rows():
        again = any(word in ("all", row.name) or word in key(row) for word in words)
        if again if words else key(row) not in before:
            print(key(row), flush=True)
            found = result(row)
            print(f"    {line(row, found)}", flush=True)
            KEPT.write_text(json.dumps(held() | {key(row): found}, indent=1) + "\n", "utf-8")
    PAGE.write_text(written(PAGE.read_text("utf-8"), "results", page(held())), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
