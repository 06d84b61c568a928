"""Other people's programs as players, and players as programs: GTP and Gomocup, both sides, with their quirks."""

import gc
import os
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from teamplay.arena.playing import played_out
from teamplay.errors import BadSpec, Forfeit
from teamplay.game import Game, Position
from teamplay.game_file import load_game
from teamplay.interop.gomocup_server import GomocupServer
from teamplay.interop.gtp_server import GtpServer
from teamplay.interop.pace import GtpClock, Pace
from teamplay.luck import Luck
from teamplay.players import load_player, parse_player, refuse_code
from teamplay.protocols import gomocup, gtp
from teamplay.protocols.history import moves_between, moves_to

REVERSI, GOMOKU = load_game("reversi"), load_game("gomoku")
OURS = f"{sys.executable} -m teamplay"


def program(folder: Path, text: str) -> str:
    """A command that runs a small program."""
    path = folder / "program.py"
    path.write_text(textwrap.dedent(text), "utf-8")
    return f"{sys.executable} -u {path}"


def gtp_program(folder: Path, genmove: str, prefix: str = "") -> str:
    """A GTP program that knows the moves so far and answers `genmove` by an expression."""
    return program(
        folder,
        f"""
        import sys, time
        from teamplay.game_file import load_game
        from teamplay.game import Move
        {prefix}
        game = load_game("reversi(n=4)")
        for line in sys.stdin:
            words = line.split()
            if words[0] == "genmove":
                answer = {genmove}
                print("= " + answer + "\\n", flush=True)
            elif words[0] == "quit":
                break
            else:
                print("=\\n", flush=True)
        """,
    )


def children() -> set[str]:
    """The processes that were started here and are still there, or were not waited for."""
    done = subprocess.run(["ps", "--ppid", str(os.getpid()), "-o", "pid="], capture_output=True, text=True, check=False)
    started = done.stdout.split()
    return {pid for pid in started if Path(f"/proc/{pid}").exists()}  # `ps` itself has gone


@pytest.fixture(autouse=True)
def _no_child_is_left() -> Iterator[None]:
    """Whatever a program does, it ends with its player: other tests may have players of their own that go on."""
    before = children()
    yield
    if not children() <= before:
        gc.collect()  # a player that is forgotten ends its program; this takes a second late in a long run
    assert children() <= before


# Specs


def test_text_behind_a_colon_is_the_command() -> None:
    assert parse_player("gomocup:./a.out -x (y=1)") == ("gomocup", {"command": "./a.out -x (y=1)"})
    assert parse_player("my.module:Name") == ("my.module:Name", {})
    assert load_player("gtp(seconds=2):edax -gtp", REVERSI).name == "gtp(seconds=2):edax -gtp"


def test_a_file_can_not_start_a_program() -> None:
    with pytest.raises(BadSpec, match="would run a program, which a scene must not"):
        refuse_code("gtp:rm -rf x", "a scene")


@pytest.mark.parametrize(
    ("spec", "game", "said"),
    [
        ("gtp:", "reversi", "not a spec|missing"),
        ("gtp(rows=left):x", "reversi", "`rows` is auto, top or bottom"),
        ("gtp(seconds=0):x", "reversi", "`seconds` is a number above 0"),
        ("gtp:x", "sos", "with a colour for each player"),
        ("gtp:x", "mnk(m=6,n=5,k=4)", "square boards"),  # `boardsize` has one number
        ("gomocup:x", "mnk", "five in a row"),
        ("gomocup(style=odd):x", "gomoku", "`style` is new or old"),
        ("gtp:'x", "reversi", "is not a command line"),
    ],
)
def test_bad_specs_are_told_in_a_sentence(spec: str, game: str, said: str) -> None:
    with pytest.raises(BadSpec, match=said):
        load_player(spec, load_game(game))


# Vertices and histories


@pytest.mark.parametrize("rows", ["top", "bottom"])
@pytest.mark.parametrize("skips_i", [False, True])
def test_vertices_round_trip(rows: gtp.Rows, skips_i: bool) -> None:
    vertices = gtp.Vertices(GOMOKU, rows, skips_i)
    texts = [vertices.format(cell) for cell in GOMOKU.grid.cells]
    assert [vertices.parse(text.lower()) for text in texts] == list(GOMOKU.grid.cells)
    assert any("I" in text for text in texts) != skips_i


@pytest.mark.parametrize("spec", ["reversi(n=4)", "reversi(n=6)", "gomoku(n=7)", "mnk(m=6,n=5,k=4)"])
def test_some_game_leads_to_every_position(spec: str) -> None:
    game, luck = load_game(spec), Luck(5)
    for _ in range(10):
        position = game.start
        for _ in range(luck.randint(0, 9)):
            if not game.outcome(position):
                before, position = position, game.after(position, luck.choice(game.moves(position)))
                assert moves_between(game, before, position) == [position.last]
        found = game.start
        for move in moves_to(game, position):
            found = game.after(found, move)
        assert found == position


# Players as programs, programs as players


def games(game: Game, spec: str, other: str, number: int = 2) -> list[tuple[int | None, str]]:
    players = [load_player(spec, game), load_player(other, game)]
    found = []
    for seed in range(number):
        ended = played_out(game, game.start, [player.choose for player in players], Luck(seed))
        found.append((ended.winner, ended.forfeit))
    players[0].close()  # type: ignore[attr-defined]
    return found


@pytest.mark.parametrize(
    ("client", "server", "game"),
    [
        ("gtp", "gtp random --game 'reversi(n=6)'", "reversi(n=6)"),
        ("gtp", "gtp random --game 'reversi(n=6)' --rows bottom", "reversi(n=6)"),
        ("gtp(skip_i=true,rows=bottom)", "gtp random --game gomoku --rows bottom --skip-i", "gomoku(n=9)"),
        ("gomocup", "gomocup random", "gomoku(n=8)"),
        ("gomocup", "gomocup mnk/generic", "mnk(m=9,n=7,k=5)"),
    ],
)
def test_both_sides_play_whole_games(client: str, server: str, game: str) -> None:
    for _, forfeit in games(load_game(game), f"{client}:{OURS} {server}", "random"):
        assert forfeit == ""


def test_the_program_plays_as_the_player_would() -> None:
    """Over GTP and in this process a table without ties makes the same moves."""
    game = load_game("reversi(n=6)")
    engine, player = (
        load_player(f"gtp:{OURS} gtp 'minimax(depth=2)' --game 'reversi(n=6)'", game),
        load_player("minimax(depth=2)", game),
    )
    for position, move in _walk(game):
        assert engine.choose(position, Luck(0)) in player.moves(position)  # type: ignore[attr-defined]
        assert move
    engine.close()  # type: ignore[attr-defined]


def _walk(game: Game) -> list[tuple[Position, object]]:
    luck, position, found = Luck(3), game.start, []
    while not game.outcome(position) and len(found) < 12:
        move = luck.choice(game.moves(position))
        found.append((position, move))
        position = game.after(position, move)
    return found


def test_a_crash_names_the_program_and_its_last_words(tmp_path: Path) -> None:
    command = program(tmp_path, "import sys\nsys.exit('out of coffee')")
    ((winner, forfeit),) = games(REVERSI, f"gtp:{command}", "random", 1)
    assert winner == 1 and "program.py` ended early" in forfeit and "out of coffee" in forfeit
    ((winner, forfeit),) = games(GOMOKU, f"gomocup:{command}", "random", 1)
    assert winner == 1 and "ended early" in forfeit


def test_a_silent_program_loses_in_time(tmp_path: Path) -> None:
    command = program(tmp_path, "print('OK', flush=True)\nimport time\ntime.sleep(60)")
    ((winner, forfeit),) = games(GOMOKU, f"gomocup(seconds=0.2):{command}", "random", 1)
    assert winner == 1 and "did not answer in time" in forfeit


def test_an_illegal_move_loses(tmp_path: Path) -> None:
    game = load_game("reversi(n=4)")
    ((winner, forfeit),) = games(game, f"gtp(rows=top):{gtp_program(tmp_path, repr('A1'))}", "random", 1)
    assert winner == 1 and "answered `A1`" in forfeit
    ((winner, forfeit),) = games(game, f"gtp(rows=top):{gtp_program(tmp_path, repr('PASS'))}", "random", 1)
    assert winner == 1 and "passed, though it has a move" in forfeit


def test_quirks_are_forgiven(tmp_path: Path) -> None:
    """Blank lines, chatter, ids, comments in between, a banner, and commands that are refused."""
    command = program(
        tmp_path,
        """
        import sys
        print("Welcome to Quirk 3000", flush=True)
        moves = iter(["a2", "PA"])
        for line in sys.stdin:
            if line.startswith(("name", "set_game", "time_settings")):
                print("?7 unknown command\\n\\n", flush=True)
            elif line.startswith("genmove"):
                print("\\nthinking…\\n=12 " + next(moves) + "  \\n", flush=True)
            else:
                print("=\\r\\n\\r\\n", end="", flush=True)
        """,
    )
    engine = load_player(f"gtp(rows=top):{command}", load_game("reversi(n=4)"))
    game = load_game("reversi(n=4)")
    assert engine.choose(game.start, Luck(0)).cell == 4
    with pytest.raises(Forfeit, match="passed, though it has a move"):
        engine.choose(game.start, Luck(0))


def test_old_style_programs_talk_through_files(tmp_path: Path) -> None:
    command = program(
        tmp_path,
        """
        import pathlib
        board = pathlib.Path("PLOCHA.DAT").read_text().split()
        mark = pathlib.Path("TAH.DAT").read_text().strip()
        assert mark in "xo" and len(board) == 9 and "timeout_turn" in pathlib.Path("INFO.DAT").read_text()
        row, column = next((r, c) for r, line in enumerate(board) for c, sign in enumerate(line) if sign == "-")
        pathlib.Path("TAH.DAT").write_text(f"{column},{row}\\n")
        """,
    )
    found = games_old(f"gomocup(style=old):{command}")
    assert found == ""


def games_old(spec: str) -> str:
    game = load_game("gomoku(n=9)")
    players = [load_player(spec, game), load_player("random", game)]
    return played_out(game, game.start, [player.choose for player in players], Luck(1)).forfeit


def test_an_old_style_program_that_leaves_no_move_loses(tmp_path: Path) -> None:
    assert "left `x` as its move" in games_old(f"gomocup(style=old):{program(tmp_path, 'print(1)')}")


def test_a_log_holds_both_sides(tmp_path: Path) -> None:
    log = tmp_path / "log.txt"
    games(load_game("gomoku(n=6)"), f"gomocup(log={log}):{OURS} gomocup random", "random", 1)
    text = log.read_text("utf-8")
    assert "> START 6" in text and "< OK" in text and "> END" in text


# Sessions


def test_a_gtp_session() -> None:
    server = GtpServer("random", load_game("reversi(n=4)"))
    said = list(
        server.answers(
            [
                "1 protocol_version\n",
                "# a comment\n",
                "\n",
                "play black a2",
                "2 known_command genmove",
                "play black b1",
                "genmove white\n",
                "fly",
                "final_score",
                "undo",
                "undo",
                "undo",
                "boardsize 99",
                "boardsize 6",
                "quit",
                "name",
            ]
        )
    )
    assert said[0] == "=1 2\n\n" and said[1] == "=\n\n" and said[2] == "=2 true\n\n"
    assert said[3] == "? illegal move\n\n" and said[4].startswith("= ") and said[5] == "? unknown command\n\n"
    assert said[6:] == [
        "? cannot score\n\n",
        "=\n\n",
        "=\n\n",
        "? cannot undo\n\n",
        "? unacceptable size\n\n",
        *["=\n\n"] * 2,
    ]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("play", "syntax error"),
        ("play green a1", "`green` is no colour"),
        ("play black e9", "illegal move"),
        ("genmove", "syntax error"),
        ("boardsize x", "unacceptable size"),
        ("boardsize 5", "unacceptable size"),  # reversi has even sides
        ("time_left", "syntax error"),
        ("time_left black 1", "syntax error"),
        ("time_settings -1 0 0", "syntax error"),
        ("set_game Go", "unsupported game"),
    ],
)
def test_wrong_gtp_input_gets_a_reason_and_the_session_goes_on(line: str, said: str) -> None:
    server = GtpServer("random", load_game("reversi(n=4)"))
    refused, name = server.answers([line, "7 name"])
    assert refused.startswith(f"? {said}") and name == "=7 teamplay random\n\n"


def test_a_gomocup_session() -> None:
    """As the protocol's description shows one: a game, another size, a board to go on from, a move taken back."""
    server = GomocupServer("mnk/generic")
    lines = "BEGIN|START 20|INFO timeout_turn 5000|TURN 10,10|TURN 10,10|TURN x|TAKEBACK 10,10|RESTART|BEGIN|RESTART"
    lines += "|BOARD|10,10,1|10,11,2|11,11,1|9,10,2|DONE|FLY|ABOUT|START 3|RECTSTART 9,6|BEGIN|END|ABOUT"
    said = [line.strip() for line in server.answers(lines.split("|"))]
    assert said[0].startswith("ERROR") and said[1] == "OK"
    assert said[2] in {f"{x},{y}" for x in range(20) for y in range(20)} - {"10,10"}
    assert said[3].startswith("ERROR") and said[4].startswith("ERROR") and said[5:7] == ["OK", "OK"]
    assert gomocup.parse_cell(load_game("mnk(m=20,n=20,k=5)"), said[7]) >= 0
    assert said[8] == "OK" and said[9].count(",") == 1 and said[10].startswith("UNKNOWN")
    assert said[11].startswith('name="teamplay mnk/generic"') and said[12].startswith("ERROR") and said[13] == "OK"
    assert len(said) == 15


@pytest.mark.parametrize("size", [5, 20, 40])
def test_a_table_answers_on_every_size(size: int) -> None:
    said = list(GomocupServer("mnk/generic").answers([f"START {size}", "BEGIN", "END"]))
    assert said[0] == "OK\n" and gomocup.parse_cell(load_game(f"mnk(m={size},n={size},k=5)"), said[1]) >= 0


def said_to(server: GomocupServer, lines: str) -> list[str]:
    return [line.strip() for line in server.answers(lines.split("|"))]


def test_the_examples_of_the_gomocup_protocol() -> None:
    """The exchanges that its public description prints, with the CR LF that managers send."""
    server = GomocupServer("mnk/generic")
    assert said_to(server, "START 20\r\n|INFO timeout_match 300000\r\n|INFO max_memory 83886080\r\n") == ["OK"]
    board = "BOARD\r\n|10,10,1\r\n|10,11,2\r\n|11,11,1\r\n|9,10,2\r\n|DONE\r\n"
    (move,) = said_to(server, board)
    assert gomocup.parse_cell(load_game("mnk(m=20,n=20,k=5)"), move) >= 0
    assert said_to(server, "RESTART|TURN 10,15|TAKEBACK 10,15") == ["OK", server_move(server), "OK"]
    assert said_to(server, "RECTSTART 30,20|PLAY 12,10|RECTSTART 3,50") == [
        "OK",
        "12,10",
        "ERROR unsupported size; sides are 5 to 40",
    ]
    assert said_to(server, "SWAP2BOARD|DONE|END|ABOUT") == ["UNKNOWN command SWAP2BOARD", "UNKNOWN command DONE"]


def server_move(server: GomocupServer) -> str:
    """The stone that is left on its board: its own answer."""
    assert server._position
    (cell,) = [cell for cell, mark in enumerate(server._position.marks) if mark == "o"]
    return gomocup.format_cell(server.game, cell)


def test_what_is_wrong_with_a_board_is_said_once_when_it_is_done() -> None:
    said = said_to(GomocupServer("random"), "START 9|BOARD|1,1,1|77,1,2|x|1,1,2|DONE|BOARD|1,1,1|1,1,2|DONE|BEGIN")
    assert said[:3] == [
        "OK",
        "ERROR `77,1` is no cell of a board of 9x9",
        "ERROR two stones are on 1,1",
    ]
    assert len(said) == 4 and "," in said[3]


@pytest.mark.parametrize("begin", ["INFO rule 1|START 7", "START 7|INFO rule 1"])
def test_six_in_a_row_are_no_five_where_the_manager_says_so(begin: str) -> None:
    six = "|".join(["BOARD", *(f"{x},0,1" for x in range(6)), *(f"{x},{2 + x % 2 * 3},2" for x in range(6)), "DONE"])
    assert said_to(GomocupServer("random"), f"START 7|{six}")[1:] == ["ERROR the game is over"]
    (ok, move) = said_to(GomocupServer("random"), f"{begin}|{six}")
    assert ok == "OK" and "," in move
    (ok, refused) = said_to(GomocupServer("random"), "START 7|INFO rule 4|BEGIN")
    assert refused.startswith("ERROR rule 4 is not known")


def test_a_player_by_time_keeps_the_managers_time() -> None:
    """It would think for an hour."""
    said = said_to(GomocupServer("mcts(seconds=3600)"), "START 5|INFO timeout_turn 0|BEGIN|END")
    assert said[0] == "OK" and "," in said[1]


def test_how_long_a_served_player_may_think() -> None:
    game = load_game("notakto")
    pace = Pace(load_player("mcts(seconds=50)", game))
    for allowed, kept in ((1000.0, 50.0), (5.0, 4.9), (-3.0, 0.01)):
        pace.allow(allowed)
        assert pace.player.seconds == kept  # type: ignore[attr-defined]
    server = GtpServer("random", load_game("reversi"))
    start = server.position
    for line, allowed in (
        ("time_settings 600 0 0", 20.0),  # 30 moves are its share of the blanks
        ("time_settings 0 10 2", 5.0),
        ("time_settings 600 10 0", float("inf")),  # no limit
        ("time_settings 600 10 2", 20.0),
        ("time_left black 60 0", 5.0),  # a move of overtime is longer than a share of what is left
        ("time_left black 9 3", 3.0),
    ):
        assert list(server.answers([line])) == ["=\n\n"]
        assert server.clock and server.clock.allowed(start) == allowed
    assert list(server.answers(["time_left black", "time_settings x y z"])) == ["? syntax error\n\n"] * 2


def test_overtime_begins_when_the_main_time_is_over() -> None:
    clock = GtpClock(10, 6, 2)
    for spent, left in ((9.0, (1.0, 0)), (2.0, (6, 2)), (1.0, (5.0, 1)), (1.0, (6, 2))):
        clock.spend(0, spent)
        assert clock.left[0] == left


@pytest.mark.parametrize(("command", "asked"), [("gtp", b"name\n\xff\xfe\nquit\n"), ("gomocup", b"ABOUT\n\xff\nEND\n")])
def test_bytes_that_are_no_text_do_not_end_a_session(command: str, asked: bytes) -> None:
    done = subprocess.run([*OURS.split(), command, "random"], input=asked, capture_output=True, check=True)
    assert b"teamplay random" in done.stdout and b"unknown command" in done.stdout.lower()
