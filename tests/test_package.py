"""The package as a stranger gets it: a wheel in an empty environment, and the two lines of the README."""

import json
import os
import re
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).parent.parent


def run(*command: str | Path, cwd: Path) -> str:
    """The output of a command that must succeed, without this environment's paths."""
    clean = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    done = subprocess.run(list(map(str, command)), cwd=cwd, env=clean, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_wheel_in_an_empty_environment_finds_its_games_and_rules(tmp_path: Path) -> None:
    run(sys.executable, "-m", "build", "--wheel", "--outdir", tmp_path / "dist", ROOT, cwd=tmp_path)
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    venv.create(tmp_path / "venv")
    python = tmp_path / "venv" / "bin" / "python"
    # This environment's pip installs into the other; few of the modules are imported here, so none is compiled ahead.
    run(sys.executable, "-m", "pip", "--python", python, "install", "-q", "--no-compile", wheel, cwd=tmp_path)

    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    games = run(python, "-m", "teamplay", "games", cwd=elsewhere)
    for path in (ROOT / "games").glob("*.toml"):
        assert path.stem in games
    rules = run(python, "-m", "teamplay", "rules", cwd=elsewhere)
    for path in (ROOT / "rules").rglob("*.team"):
        assert path.relative_to(ROOT / "rules").with_suffix("").as_posix() in rules
    show = ("show", "tic-tac-toe/figure-6", "--board", ".oo/.x./...", "--json")
    assert json.loads(run(python, "-m", "teamplay", *show, cwd=elsewhere))["best"] == [1]
    where = run(python, "-c", "import teamplay.library as l; print(l.FOLDERS['.toml'])", cwd=elsewhere)
    assert where.startswith(str(tmp_path)), "the games came from the checkout, not from the wheel"


def test_ci_runs_the_test_line_of_the_readme() -> None:
    lines = re.findall(r"^python3 -m venv .*$", (ROOT / "README.md").read_text(), re.MULTILINE)
    tour, tests = lines
    assert tour.endswith("teamplay tour")
    assert tests in (ROOT / ".ci" / "run").read_text().splitlines()


def test_the_checkout_has_no_shipped_folder() -> None:
    assert not (ROOT / "teamplay" / "shipped").exists(), "it would hide the games and rules of the checkout"
