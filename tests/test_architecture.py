"""The rooms of the package are those of docs/architecture.md, and imports point one way: up its list."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

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
