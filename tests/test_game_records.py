"""Recorded games in other people's formats: read, written, round-tripped, and refused where they are broken."""

import json
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teamplay.cli import main
from teamplay.errors import BadFile, TeamplayError
from teamplay.game import Position
from teamplay.game_file import load_game
from teamplay.interop.convert import position_in, read_games, written_games
from teamplay.interop.ggf import read_ggf, write_ggf
from teamplay.interop.lines import read_lines, write_lines
from teamplay.interop.sgf import parse, read_sgf, write_sgf
from teamplay.interop.tree import GameTree, TurnNode
from teamplay.luck import Luck

BRANCHED = r"""(;FF[4]GM[4]SZ[15]PB[A \] B]C[A comment
over two lines];B[hh];W[ih](;B[gg]C[good];W[ii])(;B[ig];W[hg](;B[aa])(;B[bb]N[odd])))"""
OTHELLO = "(;GM[Othello]PC[GGS]DT[2004.09.18]PB[one]PW[two]RE[+0.00]TI[15:00]TY[8]BO[8 -------- -------- -------- "
OTHELLO += "---O*--- ---*O--- -------- -------- -------- *]B[d3//1.23]W[c5/0.12/2]B[D6];)"


def structure(node: TurnNode) -> object:
    return node.move, node.properties, [structure(child) for child in node.children]


def test_sgf_keeps_variations_comments_and_unknown_properties() -> None:
    (tree,) = read_sgf(BRANCHED, "a.sgf")
    assert str(tree.game) == "gomoku" and tree.root.text("PB") == "A ] B" and tree.variations() == 2
    assert [move.cell for move in tree.moves] == [7 * 15 + 7, 7 * 15 + 8, 6 * 15 + 6, 8 * 15 + 8]
    (again,) = read_sgf(write_sgf([tree]), "b.sgf")
    assert structure(again.root)[2] == structure(tree.root)[2]  # type: ignore[index]
    assert set(tree.root.properties) <= set(again.root.properties)
    assert write_sgf([again]) == write_sgf(read_sgf(write_sgf([again]), "c.sgf"))


def test_sgf_takes_both_ways_to_write_a_point_and_set_up_stones() -> None:
    (letters,), (numbers,) = (read_sgf(f"(;GM[4]SZ[15];B[{p}])", "x") for p in ("hc", "h3"))
    assert letters.moves == numbers.moves
    (set_up,) = read_sgf("(;GM[4]SZ[9]AB[aa:ac]AW[ba][bb]PL[W];W[bc])", "x")
    assert set_up.start.marks.count("x") == 3 and set_up.start.seat == 1
    (again,) = read_sgf(write_sgf([set_up]), "x")
    assert again.start == set_up.start and again.moves == set_up.moves


def test_sgf_of_othello_has_passes_that_are_no_moves() -> None:
    (tree,) = read_sgf("(;GM[2]SZ[8];B[d3];W[c5];B[];W[];B[d6])", "x")
    assert str(tree.game) == "reversi" and len(tree.moves) == 3
    (again,) = read_sgf(write_sgf([tree]), "x")
    assert structure(again.root)[2] == structure(tree.root)[2]  # type: ignore[index]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("hello", "holds no game"),
        ("(;GM[4]SZ[15];B[hh]", "a `\\)` is missing"),
        ("(;GM[4]SZ[15];B[hh", "a `]` is missing"),
        ("(;GM[4]\nSZ[15];B[hh];W[hh])", "move 2, 113, is illegal"),
        ("(;GM[1]SZ[19])", "GM\\[1\\]"),
        ("(;GM[4]SZ[big])", "no board size"),
        ("(;GM[4]SZ[15];B[zz])", "is no point"),
        ("(;GM[4]SZ[15];B)", "has no value"),
        ("(;GM[4]SZ[15]!)", "is not the name of a property"),
        ("(;GM[4]SZ[15](B[aa]))", "begins with `\\(;`"),
        ("(;GM[4]SZ[99999])", "no board size|sides"),
    ],
)
def test_a_broken_sgf_file_is_told_in_a_sentence(text: str, said: str) -> None:
    with pytest.raises(TeamplayError, match=said):
        read_sgf(text, "broken.sgf")


def test_deep_nesting_is_no_danger() -> None:
    deep = "(;GM[4]SZ[15]" + "(;C[x]" * 20_000 + ")" * 20_001
    (tree,) = read_sgf(deep, "deep.sgf")
    assert tree.variations() == 0 and write_sgf([tree]).count("C[x]") == 20_000


def test_many_nodes_after_a_long_comment_are_read_quickly() -> None:
    """A node knows its line, which is not counted from the start of the file for each of them."""
    comment, nodes = f"C[{'x' * 1_000_000}]", ";" * 100_000
    spent = []
    for text in (f"(;{comment})", f"(;{nodes})", f"(;{comment}{nodes}\n;B[hh])"):
        begun = time.process_time()
        (node,) = parse(text, "long.sgf")
        spent.append(time.process_time() - begun)
    assert spent[2] < 4 * (spent[0] + spent[1])
    while node.children:
        (node,) = node.children
    assert node.line == 2


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="();[]\\BWCGM48SZ15aht: \n", max_size=60))
def test_no_text_crashes_the_reader(text: str) -> None:
    for tried in (text, f"(;GM[4]SZ[15]{text}", OTHELLO[:100] + text):
        for read in (lambda t: parse(t, "x"), lambda t: read_sgf(t, "x"), lambda t: read_ggf(t, "x")):
            try:
                read(tried)
            except TeamplayError as error:
                assert str(error).strip()


def test_ggf_round_trips() -> None:
    (tree,) = read_ggf(OTHELLO, "a.ggf")
    assert tree.start == load_game("reversi").start and len(tree.moves) == 3
    (again,) = read_ggf(write_ggf([tree]), "b.ggf")
    assert again.moves == tree.moves and dict(again.root.properties)["PB"] == ("one",)
    assert "W[C5/0.12/2]" in write_ggf([tree]) and write_ggf([again]) == write_ggf([tree])


def test_a_ggf_game_may_begin_anywhere() -> None:
    text = OTHELLO.replace("-------- *]", "-------O *]").replace("B[d3//1.23]W[c5/0.12/2]B[D6]", "B[d3]")
    (tree,) = read_ggf(text, "a.ggf")
    assert tree.start.marks[63] == "o" and read_ggf(write_ggf([tree]), "b")[0].start == tree.start


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "holds no game"),
        ("(;GM[Chess];)", "GM\\[Chess\\]"),
        ("(;GM[Othello]TY[8]B[d3]", "the end `;\\)`"),
        ("(;GM[Othello]BO[8 --- *];)", "64 of the signs"),
        ("(;GM[Othello]TY[8]B[a1];)", "illegal"),
        ("(;GM[Othello]TY[8]B[z9];)", "no vertex"),
    ],
)
def test_a_broken_ggf_file_is_told_in_a_sentence(text: str, said: str) -> None:
    with pytest.raises(BadFile, match=said):
        read_ggf(text, "broken.ggf")


def random_tree(spec: str, seed: int) -> GameTree:
    """A game at random with a branch or two."""
    game, luck = load_game(spec), Luck(seed)
    root = TurnNode(None, (("PB", ("a",)), ("PW", ("b",))))
    waiting: list[tuple[TurnNode, Position]] = [(root, game.start)]
    while waiting:
        node, position = waiting.pop()
        if game.outcome(position):
            continue
        for move in luck.sample(moves := game.moves(position), min(len(moves), 2 if luck.random() < 0.03 else 1)):
            child = TurnNode(move, (("C", (f"[{seed}] \\ :",)),) if luck.random() < 0.2 else ())
            node.children.append(child)
            waiting.append((child, game.after(position, move)))
    return GameTree(game, game.start, root)


@pytest.mark.parametrize("spec", ["gomoku", "mnk(m=7,n=6,k=5)", "reversi", "reversi(n=6)"])
@pytest.mark.parametrize("seed", range(5))
def test_random_trees_survive_sgf(spec: str, seed: int) -> None:
    tree = random_tree(spec, seed)
    (again,) = read_sgf(write_sgf([tree]), "x")
    assert again.game.grid == tree.game.grid
    assert structure(again.root)[2] == structure(tree.root)[2]  # type: ignore[index]


def test_json_lines_round_trip_through_sgf(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines, sgf, back = tmp_path / "a.jsonl", tmp_path / "a.sgf", tmp_path / "b.jsonl"
    assert main(["match", "mnk/generic", "random", "--game", "gomoku", "--games", "3", "--record", str(lines)]) == 0
    assert main(["convert", str(lines), str(sgf)]) == 0
    assert main(["convert", str(sgf), str(back)]) == 0
    before, after = ([json.loads(line) for line in path.read_text("utf-8").splitlines()] for path in (lines, back))
    assert [{k: v for k, v in each.items() if k != "opening"} for each in before] == [
        {k: v for k, v in each.items() if k != "opening"} for each in after
    ]
    assert main(["convert", str(sgf), str(back)]) == 2 and "exists already" in capsys.readouterr().err


def test_what_a_format_can_not_hold_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "a.sgf"
    source.write_text(BRANCHED, "utf-8")
    assert main(["convert", str(source), str(tmp_path / "a.jsonl")]) == 0
    assert "no place for 2 variations" in capsys.readouterr().err
    assert main(["convert", str(source), str(tmp_path / "a.ggf")]) == 2
    assert "GGF is for Othello" in capsys.readouterr().err
    assert main(["convert", str(source), str(tmp_path / "a.pgn")]) == 2
    assert ".sgf, .ggf, .jsonl" in capsys.readouterr().err


def test_games_with_letters_stay_json_lines() -> None:
    tree = random_tree("sos(n=3)", 1)
    assert read_lines(write_lines([tree]), "x")[0].moves == tree.moves
    with pytest.raises(BadFile, match="SGF has no place for sos"):
        written_games([tree], "x.sgf")


def test_a_position_is_taken_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "g.sgf"
    path.write_text(BRANCHED, "utf-8")
    (tree,) = read_games(str(path))
    assert position_in(f"{path}#2") == tree.position(2) and position_in(str(path)) == tree.position(4)
    assert position_in(f"{path}#1:3") == tree.position(3) and position_in("xo./.x./..o") is None
    for place, said in (
        (f"{path}#9", "no position after 9"),
        (f"{path}#2:1", "no game 2"),
        (f"{path}#x", "names no position"),
    ):
        with pytest.raises(TeamplayError, match=said):
            position_in(place)


def test_a_name_may_hold_the_sign_before_the_number(tmp_path: Path) -> None:
    path = tmp_path / "game #1.sgf"
    path.write_text(BRANCHED, "utf-8")
    (tree,) = read_games(str(path))
    assert position_in(f"{path}#2") == tree.position(2) and position_in(str(path)) == tree.position(4)


@pytest.mark.parametrize(
    ("name", "text", "game", "said"),
    [
        ("a.sgf", "(;GM[4]SZ[9];B[aa])", "gomoku", r"another game than gomoku: it says GM\[4\]SZ\[9\]"),
        ("a.sgf", "(;GM[2];B[d3])", "gomoku", r"it says GM\[2\]"),
        ("a.sgf", "(;B[aa])", "tic-tac-toe-3d", "SGF has no place for tic-tac-toe-3d"),
        ("a.ggf", OTHELLO, "gomoku", "holds a game of reversi there, not of gomoku"),
        ("a.ggf", OTHELLO, "reversi(n=6)", "not of reversi\\(n=6\\)"),
        ("a.jsonl", '{"game": "mnk(m=9,n=9,k=5)", "moves": [1, 2]}', "gomoku", "not of gomoku"),
    ],
)
def test_a_position_of_another_game_is_refused(tmp_path: Path, name: str, text: str, game: str, said: str) -> None:
    (tmp_path / name).write_text(text, "utf-8")
    with pytest.raises(BadFile, match=said):
        position_in(f"{tmp_path / name}#1", load_game(game))


def test_a_position_serves_another_name_of_its_game(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"game": "gomoku(n=9)", "moves": [1, 2]}', "utf-8")
    found = position_in(f"{path}#1", load_game("mnk(m=9,n=9,k=5)"))
    assert found and found.marks.startswith("x..")


@pytest.mark.parametrize("written", ["", "tt", "pass"])
def test_a_pass_stays_as_it_was_written(written: str) -> None:
    """Black has no move after these; a pass is no move of ours, but a file keeps it."""
    text = f"(;GM[2]SZ[4];B[b1];W[c1];B[d3];W[a1];B[{written}]C[none];W[a3])"
    (tree,) = read_sgf(text, "x")
    assert [move.cell for move in tree.moves] == [1, 2, 11, 0, 8] and tree.position(5).last == tree.moves[-1]
    assert f";B[{written}]C[none];W[a3]" in write_sgf([tree])


@pytest.mark.parametrize(
    ("nodes", "said"),
    [
        (";B[hh]W[hg]", "line 2: a node has moves of both colours"),
        (";B[hh];AW[aa]", "line 2: AW sets up a position within a game"),
        (";B[hh];PL[B]", "line 2: PL sets up"),
    ],
)
def test_what_would_be_read_wrongly_is_refused(nodes: str, said: str) -> None:
    with pytest.raises(BadFile, match=said):
        read_sgf(f"(;GM[4]SZ[15]\n{nodes})", "a.sgf")
