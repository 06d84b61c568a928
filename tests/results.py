"""Results that were measured: docs/tables.md, the tables of docs/players.md, and the results in comments of tables.

python -m tests.results              run what was never run or is stale, then write the pages and comments
python -m tests.results WORD ...     the same, but run only commands with one of these words in them
python -m tests.results --all        run everything again
python -m tests.results --drop       run nothing; forget what is stale, so that the pages say `not run yet`

Nothing in those places is typed by hand. Every answer is kept in tests/results.json beside a fingerprint of what it is
about: the command, and the tables, games, scenes and players that it names, comments left out. `tests/test_results.py`
compares the fingerprints, which is quick, and finds what is stale.
"""

import ast
import contextlib
import io
import json
import re
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import teamplay as package
from teamplay import library, players
from teamplay.cli import main as teamplay
from teamplay.cli._files import scenes_of
from teamplay.errors import TeamplayError
from teamplay.game_file import parse_spec

STORE = Path(__file__).with_suffix(".json")
NOT_RUN = "not run yet"

# What is kept of an answer, by command.
KEPT = {
    "verify": ("seats",),
    "match": ("wins", "draws", "losses", "intervals", "elo"),
    "test": ("coverage",),
    "tune": ("verdict", "elo", "games", "held_out"),
}
SOLVER = "teamplay.engine.solver"
SEAT_KEPT = ("verdict", "positions", "wins", "draws", "losses", "whole")


@dataclass(frozen=True)
class Run:
    """One command whose answer is published."""

    words: tuple[str, ...]

    @property
    def key(self) -> str:
        return " ".join(self.words)

    @property
    def inputs(self) -> str:
        """A fingerprint of the command and of the files that it names."""
        texts = [*map(_text, self.words)]
        if self.words[0] == "test":
            texts += [_bare(path.read_text("utf-8")) for path in scenes_of(library.find(self.words[1], ".team"))]
        return sha256("\n".join([self.key, *texts]).encode()).hexdigest()[:16]

    @property
    def code(self) -> str:
        """A fingerprint of the code of the players that it names; empty where all are tables."""
        named = self.words[1:] if self.words[0] == "tune" else self.words[1:3]
        texts = [_code(word) for word in named if not word.startswith("-")]
        return sha256("\n".join(texts).encode()).hexdigest()[:16] if any(texts) else ""

    def ask(self) -> dict[str, Any]:
        """What the command prints for scripts, as far as it is published."""
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            code = teamplay([*self.words, "--json"])
        if code not in (0, 1):
            raise SystemExit(f"{self.key}: exit code {code}")
        found = json.loads(said.getvalue())
        kept = {name: found[name] for name in KEPT[self.words[0]]}
        for seat in kept.get("seats", {}).values():
            for name in set(seat) - set(SEAT_KEPT):
                del seat[name]
        for table in kept.get("coverage", ()):
            for name in set(table) - {"fired", "rules", "percent"}:
                del table[name]
        return kept


def _text(word: str) -> str:
    """The text of the file that a word names, without comments and layout; nothing for other words."""
    for suffix in (".team", ".toml"):
        with contextlib.suppress(TeamplayError, OSError):
            return _bare(library.read(library.find(parse_spec(word)[0], suffix)))
    return ""


def _code(word: str) -> str:
    """The code of the player that a word names, and what of the players and of the engine it uses.

    Left out are the random player, what tables use as well, and the solver: tests hold them to the rules of the games.
    """
    with contextlib.suppress(TeamplayError):
        name, _ = players.parse_player(word)
        if name in players.names() and name != "random":
            shared = _used("teamplay.engine.live") | _used("teamplay.engine.layers")
            used = _used(f"teamplay.players.{name.replace('-', '_')}") - shared
            return "\n".join(_statements(module) for module in sorted(used) if not module.startswith(SOLVER))
    return ""


@cache
def _used(module: str) -> frozenset[str]:
    """A module and those of the players and the engine that it imports, directly or not, wherever in its code."""
    found, fresh = set[str](), {module}
    while fresh:
        found |= fresh
        fresh = {
            named
            for each in fresh
            for node in ast.walk(_tree(each))
            if isinstance(node, ast.ImportFrom) and node.module
            for named in (node.module, *(f"{node.module}.{alias.name}" for alias in node.names))
            if named.startswith(("teamplay.players._", "teamplay.engine.")) and _file(named).exists()
        } - found
    return frozenset(found)


def _file(module: str) -> Path:
    assert package.__file__
    return Path(package.__file__).parent.parent.joinpath(*module.split(".")).with_suffix(".py")


@cache
def _tree(module: str) -> ast.Module:
    return ast.parse(_file(module).read_text("utf-8"))


@cache
def _statements(module: str) -> str:
    """The code of a module without comments, docstrings and layout."""
    tree = ast.parse(_file(module).read_text("utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node, clean=False):
            node.body = node.body[1:]
    return ast.dump(tree)


def _bare(text: str) -> str:
    return " ".join(re.sub(r"#.*", "", text).split())


def verifying(table: str, game: str, goal: str = "never-loses", *more: str) -> Run:
    return Run(("verify", table, "--game", game, "--goal", goal, *more))


def matching(one: str, other: str, game: str, games: int, seed: int) -> Run:
    return Run(("match", one, other, "--game", game, "--games", str(games), "--seed", str(seed)))


def judging(first: str, proposal: str, game: str, pool: Sequence[str], held_out: Sequence[str], seed: int) -> Run:
    """Is one table better than another? Both meet the pool, each other and the opponents that are held out."""
    options = [("--against", name) for name in pool] + [("--held-out", name) for name in held_out]
    words = [word for option in options for word in option]
    judged = ("--gate", "4000", "--games", "400", "--seed", str(seed))
    return Run(("tune", first, "--proposal", proposal, "--game", game, *words, *judged))


class Results:
    """The answers that are kept, and which of them still hold."""

    def __init__(self, path: Path = STORE) -> None:
        self.path = path
        self.kept: dict[str, dict[str, Any]] = json.loads(path.read_text("utf-8")) if path.exists() else {}

    def answer(self, run: Run) -> dict[str, Any] | None:
        """What was answered last, stale or not; None if it was never run."""
        found = self.kept.get(run.key)
        return found["answer"] if found else None

    def is_fresh(self, run: Run) -> bool:
        """Whether it was run, with all that it is about as it is today."""
        found = self.kept.get(run.key)
        return found is not None and (found["inputs"], found.get("code", "")) == (run.inputs, run.code)

    def stale(self, wanted: Sequence[Run]) -> list[Run]:
        """What was run, but for another table, game, scene or player than today's.

        Of some answers it is not known by which code of a player they came about. They are run again when `main` is
        asked to, and are no error until then.
        """
        unknown = {key for key, found in self.kept.items() if "code" not in found}
        due = [run for run in wanted if run.key in self.kept and not self.is_fresh(run)]
        return [run for run in due if run.key not in unknown or self.kept[run.key]["inputs"] != run.inputs]

    def run(self, run: Run) -> None:
        """Ask, and keep the answer at once: a run of hours may be stopped at any time."""
        self.kept[run.key] = {"inputs": run.inputs, "code": run.code, "answer": run.ask()}
        self.save()

    def keep_only(self, wanted: Sequence[Run]) -> None:
        """Forget what nobody publishes any more."""
        keys = {run.key for run in wanted}
        self.kept = {key: self.kept[key] for key in sorted(self.kept) if key in keys}
        self.save()

    def save(self) -> None:
        self.path.write_text(json.dumps(self.kept, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def between(text: str, name: str, inside: str) -> str:
    """A page with another text between its markers of this name."""
    begin, end = f"<!-- {name}: begin -->\n", f"\n<!-- {name}: end -->"
    before, found, rest = text.partition(begin)
    _, also, after = rest.partition(end)
    assert found and also, f"the page has no markers for {name}"
    return f"{before}{begin}{inside}{end}{after}"


def main(words: list[str]) -> int:
    from tests import measured

    results, wanted = Results(), measured.wanted()
    options, names = [word for word in words if word.startswith("-")], [word for word in words if word[0] != "-"]
    if not set(options) <= {"--all", "--drop"}:
        print(__doc__)
        return 2
    if "--drop" in options:
        for run in results.stale(wanted):
            del results.kept[run.key]
    else:
        due = [run for run in wanted if "--all" in options or not results.is_fresh(run)]
        chosen = [run for run in due if not names or any(name in run.key for name in names)]
        for number, run in enumerate(chosen, 1):
            begun = time.monotonic()
            results.run(run)
            print(f"{number} of {len(chosen)}, {time.monotonic() - begun:.1f} s: {run.key}", flush=True)
    results.keep_only(wanted)
    for path, text in measured.pages(results).items():
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
