"""The board in notebooks: clicked in marimo, in a kernel of Jupyter, and a drawing where the extra is missing."""

import importlib.util
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

import teamplay as tp
from teamplay.show.picture import Picture
from tests.studio import PATIENCE

anywidget = pytest.importorskip("anywidget", reason="the board in notebooks needs anywidget")
nbclient = pytest.importorskip("nbclient", reason="Jupyter is tested with nbclient")
nbformat = pytest.importorskip("nbformat")

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of the notebooks' own libraries

NOTEBOOK = [
    "import teamplay as tp\nboard = tp.board('tic-tac-toe/figure-15')\nboard",
    "board.pressed = [0, 'o', 1]\nboard.drawing, board.said",
    "board.position = tp.load_game('tic-tac-toe').position('xx./oo./...')\nboard.picture.best",
]


def test_a_click_repaints_and_the_position_is_read_and_set() -> None:
    board = tp.board("tic-tac-toe/figure-15")
    assert board.drawing == ".../.../..." and len(board.state["best"]) == 5
    board.pressed = [0, "o", 1]
    assert board.drawing == "o../.../..." and board.position.seat == 0
    game = tp.load_game("tic-tac-toe")
    board.position = game.position("xx./oo./...")
    assert board.state["marks"] == "xx.oo...."
    board.pressed = [2, "q", 2]
    assert board.said == "`q` is not a mark of tic-tac-toe." and board.drawing == "xx./oo./..."
    assert tp.board("sos/safe").state["letters"] == ["S", "O"]


def test_without_the_extra_it_is_a_drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "anywidget" else found(name))
    shown = tp.board("tic-tac-toe/figure-15")
    assert isinstance(shown, Picture) and "<svg" in shown._repr_mimebundle_()["image/svg+xml"]


def test_jupyter_shows_the_widget_and_keeps_its_state() -> None:
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in NOTEBOOK])
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    view = notebook.cells[0].outputs[0].data["application/vnd.jupyter.widget-view+json"]
    state = notebook.metadata.widgets["application/vnd.jupyter.widget-state+json"]["state"][view["model_id"]]["state"]
    assert "createBoard" in state["_esm"] and "tp-board" in state["_css"]
    assert state["state"]["marks"] == "xx.oo...."
    assert "o../.../..." in notebook.cells[1].outputs[0].data["text/plain"]
    assert "cell=2" in notebook.cells[2].outputs[0].data["text/plain"]


MARIMO = """
import marimo
app = marimo.App()

@app.cell
def _():
    import marimo as mo
    import teamplay as tp
    board = mo.ui.anywidget(tp.board("tic-tac-toe/figure-15"))
    board
    return board, mo

@app.cell
def _(board, mo):
    mo.md(f"drawn: {board.value['drawing']}")
    return

if __name__ == "__main__":
    app.run()
"""


def answers(address: str) -> bool:
    try:
        urllib.request.urlopen(address, timeout=PATIENCE).close()
    except OSError:
        return False
    return True


@pytest.fixture
def marimo(tmp_path: Path) -> Iterator[str]:
    """The address of a notebook that runs as an app."""
    pytest.importorskip("marimo", reason="marimo is not installed")
    (tmp_path / "board.py").write_text(MARIMO)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "marimo", "run", "board.py", "--headless", "--no-token", "--port", str(port)]
    environment = {**os.environ, "HOME": str(tmp_path), "MARIMO_SKIP_UPDATE_CHECK": "1"}
    process = subprocess.Popen(
        command, cwd=tmp_path, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    address = f"http://127.0.0.1:{port}/"
    try:
        deadline = time.monotonic() + 2 * PATIENCE
        while not answers(f"{address}health"):
            assert process.poll() is None and time.monotonic() < deadline
            time.sleep(0.1)
        yield address
    finally:
        process.terminate()
        process.wait(timeout=PATIENCE)


def test_marimo_shows_the_board_and_hears_its_clicks(marimo: str) -> None:
    browsers = pytest.importorskip("tests.test_studio_browser", reason="no Playwright")
    path = os.environ.get("TEAMPLAY_BROWSER") or next(filter(None, map(shutil.which, browsers.BROWSERS)), None)
    with browsers.sync_playwright() as driver:
        if path is None and not Path(driver.chromium.executable_path).exists():
            message = "No browser is installed, so the board in marimo is not tested: install chromium."
            pytest.fail(message) if browsers.REQUIRED else pytest.skip(message)
        browser = driver.chromium.launch(executable_path=path, args=browsers.FLAGS)
        page = browser.new_page()
        page.set_default_timeout(browsers.WAIT)
        page.goto(marimo)
        cell = page.locator("[data-name=b2]")
        cell.click()
        browsers.expect(cell.locator("svg.tp-x")).to_be_visible()
        browsers.expect(page.get_by_text(re.compile(r"drawn: \.\.\./\.x\./\.\.\."))).to_be_visible()
        browser.close()


def test_the_module_of_the_widget_is_that_of_the_page() -> None:
    from teamplay.studio.bundle import WEB
    from teamplay.studio.widget import script

    assert script().startswith((WEB / "board.js").read_text("utf-8"))
    assert json.dumps(script()).count("import ") == 0, "it needs no other module"
