"""In Jupyter a result draws itself: run in a kernel, and looked at as a notebook would."""

import xml.etree.ElementTree as ET
from typing import Any

import pytest

nbclient = pytest.importorskip("nbclient")
nbformat = pytest.importorskip("nbformat")

CELLS = [
    "import teamplay as tp\ngame = tp.load_game('tic-tac-toe')",
    "tp.think('tic-tac-toe/figure-15', game.position('o../.x./...'))",
    "game.position('xo./.x./...')",
    "tp.verify('tic-tac-toe/figure-9', seat='second')",
    "tp.verify('tic-tac-toe/competent', seat='first')",
    "tp.solve(game.position('xx./oo./...'))",
    "tp.match('tic-tac-toe/competent', 'random', games=10)",
    "tp.compare('tic-tac-toe/competent', 'tic-tac-toe/figure-9')",
]


@pytest.fixture(scope="module")
def shown() -> dict[str, dict[str, str]]:
    """What each cell of the notebook shows, by mime type."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in CELLS])
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    outputs: dict[str, dict[str, str]] = {}
    for cell in notebook.cells:
        assert all(output.output_type == "execute_result" for output in cell.outputs), cell.outputs
        outputs[cell.source] = {kind: data for output in cell.outputs for kind, data in output.data.items()}
    return outputs


pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of the kernel's own libraries


def words(svg: str) -> list[str]:
    """All texts of a drawing that is well-formed XML."""
    return [str(element.text) for element in ET.fromstring(svg).iter() if element.tag.endswith("text")]


def test_thoughts_are_a_heat_map(shown: dict[str, dict[str, str]]) -> None:
    seen = shown[CELLS[1]]
    assert set(seen) == {"image/svg+xml", "text/plain"}
    assert {"a", "b", "c", "1", "2", "3"} <= set(words(seen["image/svg+xml"]))
    assert "agents were asked" in seen["text/plain"]


def test_a_position_is_a_board(shown: dict[str, dict[str, str]]) -> None:
    seen = shown[CELLS[2]]
    assert sorted(words(seen["image/svg+xml"])) == ["1", "2", "3", "a", "b", "c"]
    assert "│  x  │  o  │" in seen["text/plain"]


def test_a_refutation_is_a_strip_of_boards(shown: dict[str, dict[str, str]]) -> None:
    seen = shown[CELLS[3]]
    captions = [text for text in words(seen["image/svg+xml"]) if ". " in text]
    assert len(captions) == seen["image/svg+xml"].count("<svg") - 1
    assert sum("to blame" in caption for caption in captions) == 1
    assert "Refuted: moving second" in seen["text/plain"]
    assert set(shown[CELLS[4]]) == {"text/plain"}, "a proof has nothing to draw"


def test_other_results_are_readable_too(shown: dict[str, dict[str, Any]]) -> None:
    assert "With best play the first player wins in 1 ply." in shown[CELLS[5]]["text/plain"]
    assert "image/svg+xml" in shown[CELLS[5]]
    assert "against random at tic-tac-toe: 10 games" in shown[CELLS[6]]["text/plain"]
    assert "image/svg+xml" in shown[CELLS[7]], "the first position where they differ"
