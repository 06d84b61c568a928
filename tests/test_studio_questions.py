"""The page computes nothing: what it is told is what the commands print."""

import asyncio
import json
import re
import socket
from pathlib import Path
from typing import Any

import pytest

from teamplay.cli import main
from teamplay.game import SEATS
from teamplay.game_file import load_game
from teamplay.library import names
from teamplay.players import load_player
from teamplay.show.colours import RULE_FILLS, TIER_FILLS
from teamplay.studio.boards import board_json
from teamplay.studio.bundle import WEB
from teamplay.studio.elsewhere import Elsewhere, seating
from teamplay.studio.export import Film, Frame, film_page
from teamplay.studio.folder import Folder
from teamplay.studio.questions import QUESTIONS
from teamplay.studio.sources import reading
from tests.studio import MINE, README_BOARD


@pytest.fixture
def ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A question as the server hands it on."""
    monkeypatch.chdir(tmp_path)
    folder = Folder(tmp_path.resolve())

    def answered(name: str, **question: Any) -> Any:
        with reading(question, folder.root):
            return json.loads(json.dumps(QUESTIONS[name](question, folder)))

    return answered


def table(name: str) -> dict[str, str]:
    from teamplay.language import load_source

    return {"name": name, "text": load_source(name).text}


def told(capsys: pytest.CaptureFixture[str], *command: str) -> Any:
    capsys.readouterr()
    main([*command, "--json"])
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("name", names(".team"))
def test_the_board_shows_what_show_prints(name: str, ask: Any, capsys: pytest.CaptureFixture[str]) -> None:
    seen, said = ask("see", table=table(name), cell=0), told(capsys, "show", name)
    cells = seen["board"]["cells"]
    assert [cell["priority"] for cell in cells] == said["priorities"]
    assert [cell["rule"] for cell in cells] == said["rules"]
    assert [cell["state"] for cell in cells] == said["states"]
    assert seen["drawing"] == said["board"] and seen["seat"] == said["seat"]
    last = {str(move).lstrip("SOX") for move in said["best"]}
    assert {str(cell + 1) for cell in seen["board"]["best"]} == last


def test_a_cell_explains_itself_as_explain_does(ask: Any, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "mine.team").write_text(MINE)
    for cell in range(9):
        why = ask("see", table={"name": "mine.team", "text": MINE}, board=README_BOARD, cell=cell)["why"]
        said = told(capsys, "explain", "mine.team", str(cell + 1), "--board", README_BOARD)
        assert {key: why[key] for key in ("cell", "because", "rule", "nearest_miss")} == {
            key: said[key] for key in ("cell", "because", "rule", "nearest_miss")
        }


def test_the_line_of_a_rule_is_where_it_stands(ask: Any) -> None:
    seen = ask("see", table={"name": "mine.team", "text": MINE}, board=README_BOARD)
    lines = MINE.split("\n")
    for cell in seen["board"]["cells"]:
        if cell["rule"]:
            label = cell["rule"] if ":" in lines[cell["line"] - 1] else "everyone 4"
            assert cell["rule"] == label and (label in lines[cell["line"] - 1] or label == "everyone 4")


def test_an_error_comes_with_its_fix_and_an_unsaved_text_counts(ask: Any, tmp_path: Path) -> None:
    (tmp_path / "mine.team").write_text(MINE)
    (found,) = ask("see", table={"name": "mine.team", "text": MINE.replace("return 4", "retrun 4")})["findings"]
    assert (found["line"], found["level"]) == (7, "error") and found["fix"]
    seen = ask("see", table={"name": "mine.team", "text": MINE.replace("return 4", "return 9")})
    assert seen["board"]["cells"][0]["priority"] == 9


def test_a_table_for_another_game_is_an_error_of_the_table(ask: Any) -> None:
    (found,) = ask("see", table={"name": "mine.team", "text": MINE}, game="reversi")["findings"]
    assert "this table is for tic-tac-toe, not for reversi" in found["message"]


@pytest.mark.parametrize("name", names(".toml"))
def test_every_game_can_be_played_on_the_page(name: str, ask: Any) -> None:
    """To its end, always the first move that is open; the board and the game agree at each step."""
    game, moves = load_game(name), []
    for _ in range(2 * game.grid.size):
        now = ask("play", game=name, moves=moves)
        if now["outcome"]:
            break
        assert sorted({move.cell for move in game.moves(game.start)}) == now["board"]["open"] or moves
        letter = now["board"]["letters"][:1]
        moves = ask("play", game=name, moves=moves, answer=f"{''.join(letter)}{now['board']['open'][0] + 1}")["moves"]
    assert now["outcome"]["text"].startswith("The game is over")
    last = ask("frame", game=name, moves=moves, ply=len(moves), players={})
    assert last["outcome"] == now["outcome"] and last["board"]["next"] is None


def test_a_drop_needs_only_a_column(ask: Any) -> None:
    assert ask("play", game="connect-four", moves=[], answer="d")["moves"] == ["39"]


def test_a_frame_shows_what_the_team_said_before_its_move(ask: Any) -> None:
    sitting = {"second": "tic-tac-toe/figure-15"}
    frame = ask("frame", game="tic-tac-toe", moves=[1, 3], ply=1, players=sitting)
    assert frame["board"]["marks"] == "x........" and frame["board"]["next"] == 2
    assert frame["verdict"] == "By `win`, priority 1, one of 4 moves that tie."
    assert frame["board"]["cells"][2]["priority"] == 1 and frame["board"]["chosen"] == 2
    assert ask("frame", game="tic-tac-toe", moves=[1, 3], ply=0, players=sitting)["board"]["cells"] is None


@pytest.mark.parametrize("name", [name for name in names(".team") if "3d" not in name])
def test_a_scene_made_of_a_position_holds(
    name: str, ask: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = table(name)["text"]
    (tmp_path / "own.team").write_text(text)
    made = ask("scene", table={"name": "own.team", "text": text}, title='the "start"')
    assert (tmp_path / made["name"]).read_text() == made["text"]
    assert main(["test", "own.scene"]) == 0, capsys.readouterr().out
    ask("scene", table={"name": "own.team", "text": text}, title="again")
    assert main(["test", "own.scene"]) == 0 and "2 passed" in capsys.readouterr().out


def test_a_position_that_no_game_leads_to_is_told_and_makes_a_scene_all_the_same(ask: Any, tmp_path: Path) -> None:
    (tmp_path / "own.team").write_text(MINE)
    asked = {"table": {"name": "own.team", "text": MINE}, "board": "xx./.../..."}
    assert ask("see", **asked)["flaw"] == "x has 2 pieces and o has 0, with x to move"
    assert ask("see", **asked | {"board": README_BOARD})["flaw"] is None
    assert " unreachable\n" in ask("scene", **asked)["text"]
    assert main(["test", "own.scene"]) == 0


def test_the_colours_of_the_page_are_those_of_paper_and_screen() -> None:
    css = (WEB / "board.css").read_text()
    light, dark = (
        re.findall(r"--tp-heat-\d: (#\w+);", part) for part in css.split("@media (prefers-color-scheme: dark)")
    )
    assert light == [fill.ground for fill in TIER_FILLS["light"]]
    assert dark == 2 * [fill.ground for fill in TIER_FILLS["dark"]], "once for the system, once for the switch"
    rules = re.findall(r"\.tp-rule-\d \{\s*background: (#\w+);", css)
    assert rules == [fill.ground for fill in RULE_FILLS]


def test_an_exported_page_holds_nothing_that_runs_but_its_own(ask: Any) -> None:
    board = board_json(game := load_game("tic-tac-toe"), game.start)
    evil = "</script><script>alert(1)</script>"
    page = film_page(evil, [Film(evil, [Frame(board, "</script>&<!--")], ["<b>"])])
    assert page.count("<script") == 2 and page.count("</script>") == 2
    assert "alert(1)</script>" not in page and "http" not in page.replace("http://www.w3.org/2000/svg", "").replace(
        "http-equiv", ""
    )


@pytest.mark.parametrize("name", names(".toml"))
def test_whoever_is_offered_for_a_game_can_play_it(name: str, ask: Any) -> None:
    game = load_game(name)
    found = ask("suited", game=name, table={"name": "mine.team", "text": MINE})
    assert found["own"] == (name == "tic-tac-toe") and found["tables"] and "random" in found["players"]
    for spec in (*found["tables"], *found["players"]):
        assert load_player(spec, game).name
    assert not {"gtp", "gomocup", "human"} & set(found["players"])


def test_without_a_broker_the_page_hears_why_there_is_no_live_team() -> None:
    with socket.socket() as taken:  # bound, and nobody listens
        taken.bind(("127.0.0.1", 0))
        url = f"nats://127.0.0.1:{taken.getsockname()[1]}"
        said = asyncio.run(Elsewhere(url).status())
    assert said == {"asked": True, "broker": url, "teams": [], "why": f"No broker answers at {url}."}


def test_the_board_of_a_live_team_shows_who_seats_which_cell_and_reads_no_file(tmp_path: Path) -> None:
    hosts = [{"name": "left", "area": [[1, 2], [5, 5]]}, {"name": "right", "area": [[9, 9999]]}]
    board = seating({"game": "tic-tac-toe"}, hosts)
    assert board and board["groups"] == {0: 0, 1: 0, 4: 0, 8: 1} and board["notes"][8] == "right"
    file = tmp_path / "mine.toml"
    file.write_text('about = "mine"\nboard = [3, 3]\ngoal = { line = 3 }\n')
    for game in (str(file), "mnk(m=900,n=900,k=5)", "chess", "tic-tac-toe("):
        assert seating({"game": game}, hosts) is None, "whoever is at the broker says this"
    assert seating(None, hosts) is None


def test_words_for_both_seats(ask: Any) -> None:
    for seat in SEATS:
        seen = ask("see", table={"name": "mine.team", "text": MINE}, board=README_BOARD, seat=seat)
        assert seen["seat"] == seat and seen["board"]["marks"] == README_BOARD.replace("/", "")
