"""Plain `pytest` runs scene files by the installed plugin, and does without it where there are none."""

import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

TABLE = "win: if n(xx) >= 1 then return 1\nreturn 2\n"
SCENES = """table my.team

scene "wins"
    x x *
    o o .
    . . .
expect 1 by win

scene "fails"
    x x !
    o o .
    . . .

todo claim always wins moving first
todo claim can lose moving first
todo "forks"
skip claim never loses
"""


def pytest_run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Plain `pytest` in somebody's project, as a process of its own."""
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", check=False)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "my.team").write_text(TABLE)
    (tmp_path / "my.scene").write_text(SCENES)
    return tmp_path


def test_the_plugin_is_installed_under_its_name() -> None:
    (found,) = entry_points(group="pytest11", name="teamplay")
    assert found.value == "teamplay.scenes.plugin"


def test_every_statement_is_a_test_and_a_failure_is_a_board_with_reasons_and_no_traceback(project: Path) -> None:
    (project / "test_other.py").write_text("def test_other():\n    pass\n")
    done = pytest_run(project, "-v")
    assert done.returncode == 1
    assert "my.scene::wins PASSED" in done.stdout and "my.scene::fails FAILED" in done.stdout
    assert "my.scene::claim never loses SKIPPED" in done.stdout and "my.scene::forks XFAIL" in done.stdout
    assert "my.scene::claim can lose moving first XPASS" in done.stdout
    assert "test_other.py::test_other PASSED" in done.stdout
    assert "1 failed, 2 passed, 1 skipped, 2 xfailed, 1 xpassed" in done.stdout
    assert "│  x  │  x  │ [1] │" in done.stdout and "n(xx)=1" in done.stdout
    assert "FAILED my.scene::fails - 3 (c1) may be chosen in spite of the !." in done.stdout
    assert "Traceback" not in done.stdout and "stage.py" not in done.stdout


def test_a_file_that_cannot_be_used_is_an_error_with_its_place(project: Path) -> None:
    (project / "bad.scene").write_text("table my.team\nclaim nonsense\n")
    (project / "empty.scene").write_text("table my.team\n")
    done = pytest_run(project, "-q")
    assert done.returncode == 2
    assert "bad.scene:2:7" in done.stdout and "It tests nothing" in done.stdout


def test_a_run_without_scenes_imports_nothing_of_teamplay_but_the_plugin(tmp_path: Path) -> None:
    (tmp_path / "test_imports.py").write_text(
        "import sys\n"
        "def test_imports():\n"
        "    heavy = {'numpy', 'numba', 'networkx', 'lark', 'rich'} & set(sys.modules)\n"
        "    assert not heavy\n"
        "    names = sorted(name for name in sys.modules if name.split('.')[0] == 'teamplay')\n"
        "    assert names == ['teamplay', 'teamplay.scenes', 'teamplay.scenes.plugin']\n"
    )
    done = pytest_run(tmp_path, "-q", "-p", "no:hypothesispytest", "-W", "error")
    assert done.returncode == 0, done.stdout
    assert "1 passed" in done.stdout


def test_inside_one_process_too(pytester: pytest.Pytester) -> None:
    pytester.makefile(".team", my=TABLE)
    pytester.makefile(".scene", my=SCENES)
    items, _ = pytester.inline_genitems()
    assert [item.name for item in items][:2] == ["wins", "fails"] and len(items) == 6
