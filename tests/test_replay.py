"""`replay`: recorded games can be stepped through, printed and written as a page; a file of them is untrusted."""

import json
import re
import sys
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

import pytest

from teamplay.arena import recorded
from teamplay.arena.recorded import GameRecord, RecordedGames, game_line
from teamplay.cli import main
from teamplay.errors import BadFile
from teamplay.game_file import load_game
from tests.test_play import Typed
from tests.test_progress import Screen
from tests.test_show import cells_of

Capture = pytest.CaptureFixture[str]
FIGURE, OTHER = "tic-tac-toe/figure-15", "tic-tac-toe/figure-9"
WON = {"number": 1, "game": "tic-tac-toe", "first": FIGURE, "second": "random", "moves": [1, 4, 2, 5, 3]}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def games(capsys: Capture) -> Path:
    """Four games of two teams, seats alternating."""
    assert main(["match", FIGURE, OTHER, "--games", "4", "--record", "games.jsonl"]) == 0
    capsys.readouterr()
    return Path("games.jsonl")


def told(**changes: object) -> str:
    return json.dumps({**WON, **changes}) + "\n"


# In a pipe.


def test_every_ply_is_printed_where_nobody_sits_at_a_terminal(games: Path, capsys: Capture) -> None:
    assert main(["replay", str(games), "--game", "2"]) == 0
    record = json.loads(games.read_text().splitlines()[1])
    shown = capsys.readouterr().out
    plies = re.split(r"^Game 2 of 4, after ", shown, flags=re.MULTILINE)[1:]
    assert len(plies) == len(record["moves"]) + 1
    rules = load_game("tic-tac-toe")
    position = rules.start
    for ply, move in enumerate(record["moves"]):
        cells = cells_of(plies[ply])
        marks = [cell.strip("()") for cell in cells]
        assert [mark if mark in "xo" else "." for mark in marks] == list(position.marks)  # x is always the first seat
        assert cells[move - 1] in (f"[{record['priorities'][ply]}]", f"{{{record['priorities'][ply]}}}")
        words = " ".join(plies[ply].split())
        assert f"priority {record['priorities'][ply]} by `{record['rules'][ply]}`" in words
        assert f'--board "{rules.drawn(position)}"' in plies[ply]
        position = rules.after(position, rules.parse_move(str(move), position.seat))
    assert "The game is over" in plies[-1] and f'--moves "{" ".join(map(str, record["moves"]))}"' in plies[-1]
    assert main(["replay", str(games)]) == 0
    shown = capsys.readouterr().out
    assert all(f"Game {number} of 4, after 0 of" in shown for number in range(1, 5))


def test_json_holds_what_show_says_at_each_ply(games: Path, capsys: Capture) -> None:
    assert main(["replay", str(games), "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["number"] for line in lines] == [1, 2, 3, 4]
    ply = lines[0]["plies"][1]
    assert main(["show", OTHER, "--board", ply["board"], "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert ply["picture"]["priorities"] == shown["priorities"] and ply["move"] in shown["best"]
    assert lines[0]["plies"][-1]["move"] is None


def test_random_plies_of_an_opening_are_nobodys_thoughts(capsys: Capture) -> None:
    Path("g").write_text(told(opening=2))
    assert main(["replay", "g", "--json"]) == 0
    plies = json.loads(capsys.readouterr().out)["plies"]
    assert [ply["picture"] is not None for ply in plies] == [False, False, True, False, True, False]
    assert main(["replay", "g"]) == 0
    assert capsys.readouterr().out.count("a random ply of the opening") == 2


@pytest.mark.parametrize(
    ("a", "game"),
    [
        ("sos/safe", "sos(n=3)"),
        ("reversi/corners", "reversi(n=4)"),
        ("connect-four/careful", "connect-four"),
        ("mnk/generic", "mnk(m=5,n=5,k=4)"),
        ("misere/basic", "misere"),
    ],
)
def test_games_of_every_kind(a: str, game: str, capsys: Capture) -> None:
    assert main(["match", a, "random", "--game", game, "--games", "2", "--record", "g"]) == 0
    assert main(["replay", "g"]) == 0 and main(["replay", "g", "--html", "g.html"]) == 0
    assert capsys.readouterr().out.count("The game is over") == 2


# At a terminal.


Step = Callable[..., str]


@pytest.fixture
def stepped(monkeypatch: pytest.MonkeyPatch) -> Step:
    """Step through a file with these lines typed, and see what the screen shows."""

    class Terminal(Typed):
        def isatty(self) -> bool:
            return True

    def step(lines: list[str], *arguments: str) -> str:
        screen = Screen()
        monkeypatch.setattr(sys, "stdin", Terminal("".join(f"{line}\n" for line in lines)))
        monkeypatch.setattr(sys, "stdout", screen)
        assert main(["replay", *arguments]) == 0
        return re.sub("\x1b\\[[0-9;]*m", "", screen.getvalue())

    return step


def test_a_person_steps_forth_and_back(games: Path, stepped: Step) -> None:
    typed = ["", "next", "n", "back", "b", "last", "next", "first", "b", "2", "99", "quit"]
    shown = stepped(typed, str(games))
    end = len(json.loads(games.read_text().splitlines()[0])["moves"])
    plies = list(map(int, re.findall(r"Game 1 of 4, after (\d+) of", shown)))
    assert plies == [0, 1, 2, 3, 2, 1, end, 0, 2]
    assert "There is no move before the first." in shown and shown.count("`game 2` shows the next.") == 2


def test_a_person_asks_why_and_for_another_game(games: Path, stepped: Step) -> None:
    shown = stepped(
        ["why", "why b2", "1", "why", "last", "why", "moves", "game 3", "game", "game 9", "x", "help"], "games.jsonl"
    )
    assert "`win` answers 1" in shown and "Cell 5 (b2), the center" in shown
    assert "In its own view the team is x" in shown and "No team moves next here" in shown
    assert shown.count("Moves: ") == 2 and "Game 3 of 4, after 0 of" in shown
    assert "Name a game by its number, 1 to 4" in shown and "holds 4 games; there is no game 9" in shown
    assert "`x` is not known; write next" in shown and "first, last" in shown
    assert "after 0 of" in stepped(["^C"], "games.jsonl", "--game", "2")


# A page.


class Links(HTMLParser):
    """Everything in a page that could make a request."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        wanted = {"src", "href", "srcset", "data", "action", "poster"}
        self.found += [(tag, name) for name, _ in attrs if name in wanted]


def test_a_page_holds_everything_and_asks_for_nothing(games: Path, capsys: Capture) -> None:
    assert main(["replay", str(games), "--html", "games.html"]) == 0
    assert "Wrote 4 games to games.html." in capsys.readouterr().out
    page = Path("games.html").read_text("utf-8")
    links = Links()
    links.feed(page)
    assert not links.found and "default-src 'none'" in page and "@import" not in page and "url(" not in page
    data = re.search(r'<script type="application/json" id="games">(.*?)</script>', page, re.DOTALL)
    assert data
    held = json.loads(data[1])
    records = [json.loads(line) for line in games.read_text().splitlines()]
    assert [len(game["frames"]) for game in held] == [len(record["moves"]) + 1 for record in records]
    for game, record in zip(held, records, strict=True):
        for ply, move in enumerate(record["moves"]):
            frame = game["frames"][ply]
            assert frame["next"] == move - 1 and move - 1 in frame["best"] and frame["marks"][move - 1] == "."
            assert frame["cells"][move - 1]["priority"] == record["priorities"][ply]
            assert frame["said"].endswith("tie.") or "Next: " in frame["said"]
        assert "The game is over" in game["frames"][-1]["said"] and game["frames"][-1]["cells"] is None
    assert main(["replay", str(games), "--html", "games.html"]) == 2
    assert "games.html exists already; --force overwrites it." in capsys.readouterr().err
    assert main(["replay", str(games), "--html", "games.html", "--game", "2", "--force"]) == 0
    assert "Wrote 1 game to games.html." in capsys.readouterr().out


def test_a_page_can_hold_only_so_much(games: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("teamplay.cli.replay.MOST_FRAMES", 20)
    assert main(["replay", str(games), "--html", "games.html"]) == 0
    assert "Wrote 2 games of 4, as many as a page holds" in " ".join(capsys.readouterr().out.split())
    monkeypatch.setattr("teamplay.cli.replay.MOST_FRAMES", 5)
    assert main(["replay", str(games), "--html", "games.html", "--force"]) == 2
    assert "positions, and a page holds 5 at most" in capsys.readouterr().err


def test_a_page_shows_ranks_where_priorities_are_long() -> None:
    assert main(["match", "mnk/generic", "random", "--game", "mnk(m=7,n=7,k=5)", "--games", "2", "--record", "g"]) == 0
    assert main(["replay", "g", "--html", "g.html"]) == 0
    held = re.search(r'id="games">(.*?)</script>', Path("g.html").read_text("utf-8"), re.DOTALL)
    assert held
    first = json.loads(held[1])[0]["frames"][0]
    assert first["view"] == "rank" and first["cells"][24]["rank"] == 1
    assert "The board shows ranks: #1 is 8" in first["said"]


def test_what_a_file_says_never_becomes_part_of_a_page(capsys: Capture) -> None:
    evil = "</script><img src=x onerror=alert(1)>"
    Path("g").write_text(told(second=evil, rules=[evil] * 5, priorities=[1] * 5))
    assert main(["replay", "g", "--html", "g.html"]) == 0
    page = Path("g.html").read_text("utf-8")
    assert "<img" not in page and page.count("</script>") == 2


# Files that are odd.


def test_results_of_a_tournament_are_no_recorded_games(capsys: Capture) -> None:
    assert main(["tournament", "random", FIGURE, "--games", "2", "--results", "r"]) == 0
    assert main(["replay", "r"]) == 2
    assert "`teamplay results` shows the results of a tournament." in capsys.readouterr().err


ODD = {
    "no file": (None, "cannot be read: No such file"),
    "an empty file": ("\n\n", "holds no game"),
    "no JSON": ("moves: 1 2 3\n", "game 1 is not a line of JSON"),
    "a list": ("[1, 2]\n", "can't be replayed: it is not an object"),
    "no players": ('{"game": "misere", "moves": [1]}\n', "`game`, `first` and `second` must be texts"),
    "moves that are no moves": (told(moves=[1.5]), "`moves` must be a list of cells"),
    "an illegal move": (told(moves=[1, 1]), "Cell 1 is taken by x"),
    "a cell off the board": (told(moves=[77]), "no cell"),
    "moves after the end": (told(moves=[1, 4, 2, 5, 3, 6]), "The game is over"),
    "no such game": (told(game="chess"), "There is no game named `chess`"),
    "reasons that don't fit": (told(rules=["a"]), "must have an entry for each move"),
    "a priority that is none": (told(priorities=["a"] * 5), "whole numbers or null"),
    "a rule that is none": (told(rules=[1] * 5), "names or null"),
    "a number that is none": (told(number="1"), "must be whole numbers"),
    "a board without end": (told(game="mnk(m=1000,n=1000,k=5)", moves=[1] * 300), "too many to be kept"),
    "nested without end": ("[" * 100_000 + "\n", "is not a line of JSON"),
}


@pytest.mark.parametrize("kind", ODD)
def test_an_odd_file_is_one_sentence(kind: str, capsys: Capture) -> None:
    text, expected = ODD[kind]
    if text is not None:
        Path("g").write_text(text)
    assert main(["replay", "g"]) == 2
    error = capsys.readouterr().err
    assert expected in error and error.count("\n") == 1


def test_lines_and_files_are_bounded(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    Path("g").write_text(told() * 3)
    with pytest.raises(BadFile, match="g holds 3 games; there is no game 4"):
        RecordedGames(Path("g")).game(4)
    monkeypatch.setattr(recorded, "MOST_GAMES", 2)
    with pytest.raises(BadFile, match="more than 2 games"):
        RecordedGames(Path("g"))
    monkeypatch.setattr(recorded, "LONGEST_LINE", 20)
    with pytest.raises(BadFile, match="a line of more than 20 bytes"):
        RecordedGames(Path("g"))
    assert main(["replay", "/dev/zero"]) == 2
    assert main(["replay", "/dev/null"]) == 2
    assert "not an ordinary file" in capsys.readouterr().err


def test_a_recorded_game_runs_no_code(capsys: Capture) -> None:
    Path("trap.py").write_text("raise SystemExit('run')\n")
    Path("g").write_text(told(second="trap:Player"))
    assert main(["replay", "g"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "What trap:Player thought can't be shown: `trap:Player` would run Python code" in shown


def test_a_table_that_is_gone_or_has_changed_is_said(capsys: Capture) -> None:
    Path("own.team").write_text("return row\n")
    assert main(["match", "own.team", "random", "--games", "1", "--record", "g"]) == 0
    Path("own.team").write_text("return 9 - row\n")
    capsys.readouterr()
    assert main(["replay", "g"]) == 0
    assert "The table has changed since: now it would play 7 (a3), 8 (b3) or 9 (c3)." in " ".join(
        capsys.readouterr().out.split()
    )
    Path("own.team").unlink()
    assert main(["replay", "g"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "What own.team thought can't be shown: There is no file own.team." in shown and "priority 1 by" in shown


def test_a_game_of_your_own_is_found_again(capsys: Capture) -> None:
    Path("wide.toml").write_text('about = "wide"\nboard = [3, 4]\n[goal]\nline = 3\n')
    assert main(["match", "random", "random", "--game", "wide.toml", "--games", "1", "--record", "g"]) == 0
    assert json.loads(Path("g").read_text())["game"] == "wide.toml"
    assert main(["replay", "g"]) == 0


def test_what_is_written_is_read_again() -> None:
    game = load_game("sos(n=3)")
    moves = []
    position = game.start
    while not game.outcome(position):
        moves.append(game.moves(position)[-1])
        position = game.after(position, moves[-1])
    reasons = tuple(recorded.MoveReason(None, None) for _ in moves)
    record = GameRecord(7, "sos(n=3)", ("random", "human"), 2, tuple(moves), reasons)
    Path("g").write_text(game_line(record, game) + "\n")
    assert RecordedGames(Path("g")).game(1) == (record, game)
