"""The rooms of the package are those of docs/architecture.md, and imports point one way: up its list.

Also: no import cycle, no class name twice, no long list of parameters, no public name that only tests use.
"""

import ast
import re
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import networkx as nx
import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "architecture.md").read_text("utf-8")
ROWS = [re.findall(r"`(\w+)(?:/|\.py)`", line.split("|")[1]) for line in PAGE.splitlines() if line.startswith("| `")]
FLOORS = {room: floor for floor, rooms in enumerate(ROWS) for room in rooms}


def imported(path: Path) -> Iterator[str]:
    """The modules of the package that a file imports anywhere, those for type checkers too."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names if name.name.startswith("teamplay."))
        elif isinstance(node, ast.ImportFrom) and node.module == "teamplay":
            yield from (f"teamplay.{name.name}" for name in node.names)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("teamplay."):
            yield node.module or ""


def test_every_room_is_on_the_page() -> None:
    there = {path.stem for path in (ROOT / "teamplay").glob("*") if path.is_dir() or path.suffix == ".py"}
    assert {room for room in there if not room.startswith("_")} == set(FLOORS)


@pytest.mark.parametrize("room", FLOORS)
def test_imports_point_one_way(room: str) -> None:
    home = ROOT / "teamplay" / room
    files = sorted(home.rglob("*.py")) if home.is_dir() else [home.with_suffix(".py")]
    assert files
    for file in files:
        named = {name.split(".")[1] for name in imported(file)} & set(FLOORS)
        assert {name for name in named if FLOORS[name] > FLOORS[room]} == set(), file


COMMANDS = sorted(path for path in (ROOT / "teamplay" / "cli").glob("*.py") if path.stem != "__init__")
# These need optional libraries, so their commands import them late.
LIVE = ("area", "bench", "config", "network", "oracle", "serve", "simulator", "status", "wire")
EXTRAS = {"teamplay.editors.server", "teamplay.cli._curves", *(f"teamplay.live.{name}" for name in LIVE)}


@pytest.mark.parametrize("path", COMMANDS, ids=lambda path: path.stem)
def test_a_command_imports_at_its_top(path: Path) -> None:
    """`teamplay --help` is cheap because it imports no command, not because commands import late."""
    tree = ast.parse(path.read_text("utf-8"))
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    inside = [node for function in functions for node in ast.walk(function)]
    assert not [node.lineno for node in inside if isinstance(node, ast.Import)]
    late = {node.module for node in inside if isinstance(node, ast.ImportFrom)}
    assert late <= EXTRAS


# Names and parameters

PACKAGE = sorted((ROOT / "teamplay").rglob("*.py"))
MOST_PARAMETERS = 8
LONG_LISTS = {"_sos_search.printed"}  # the paper's minimax as it is printed: a kernel that calls itself
# What is called by others by name: pytest, Pygments, rich, and hatch_build.py.
CALLED_FROM_OUTSIDE = {
    "needs_node",
    "STRICT",
    "pytest_collect_file",
    "collect",
    "runtest",
    "reportinfo",
    "on_broken_pipe",
    # What people import who use PettingZoo or OpenSpiel, and what those libraries call.
    "env",
    "cells_env",
    "observe",
    "observation_space",
    "action_space",
    "as_bot",
    "VectorGame",
    "play_random",
}


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def module(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def test_no_module_imports_itself_by_a_detour() -> None:
    """Imports at the top of files form no cycle; the package's own `__init__` loads its names late."""
    names = {module(path) for path in PACKAGE}
    graph = nx.DiGraph()
    for path in PACKAGE:
        for node in tree(path).body:
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("teamplay"):
                inner = {f"{node.module}.{name.name}" for name in node.names} & names
                for named in inner or {node.module}:
                    graph.add_edge(module(path), named)
    assert nx.is_directed_acyclic_graph(graph), nx.find_cycle(graph)


def test_a_class_name_has_one_meaning() -> None:
    homes = defaultdict(list)
    for path in PACKAGE:
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.ClassDef):
                homes[node.name].append(module(path))
    twice = {name: where for name, where in homes.items() if len(where) > 1}
    assert twice == {}


def test_no_function_has_a_long_list_of_parameters() -> None:
    long = set()
    for path in PACKAGE:
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                given = [each.arg for each in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
                if len(given) - (given[:1] in (["self"], ["cls"])) > MOST_PARAMETERS:
                    long.add(f"{path.stem}.{node.name}")
    assert long <= LONG_LISTS
    assert long >= LONG_LISTS, "the list names only what is long"


def defined(path: Path) -> Iterator[str]:
    """The public names of a file: functions, classes, their methods, constants."""
    for node in tree(path).body:
        if isinstance(node, ast.ClassDef):
            yield from (part.name for part in node.body if isinstance(part, ast.FunctionDef))
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Assign):
            yield from (target.id for target in node.targets if isinstance(target, ast.Name))
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id


def used(path: Path) -> Iterator[str]:
    """Every name that a file reads, also within a string: a late annotation, a name for getattr."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) < 80:
            yield from re.findall(r"\w+", node.value)


def test_no_public_name_is_used_by_tests_alone() -> None:
    words = Counter(name for path in PACKAGE for name in used(path))
    points = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["entry-points"]
    outside = {name for group in points.values() for point in group.values() for name in re.findall(r"\w+", point)}
    known = CALLED_FROM_OUTSIDE | outside
    public = {name for path in PACKAGE for name in defined(path) if not name.startswith("_")}
    assert {name for name in public if not words[name]} <= known


def test_no_kernel_multiplies_matrices() -> None:
    """For `@` numba asks for scipy, which tests happen to have and users need not."""
    kernels = [path for path in PACKAGE if "KERNELS" in defined(path)]
    assert len(kernels) > 10
    found = [path.name for path in kernels for node in ast.walk(tree(path)) if isinstance(node, ast.MatMult)]
    assert not found
