"""Counts seen from another cell: what they are after the agent's own move, who may use them, how they are shown."""

from random import Random

import pytest

from teamplay.check.blocks import Cutter
from teamplay.check.report import check
from teamplay.editors.hover import Outline, hover
from teamplay.engine.layers import Layers, symmetric
from teamplay.engine.live import LiveBoard
from teamplay.game_file import load_game
from teamplay.language import Rulebook, Source, TableError, read_rulebook
from teamplay.language.features import CountFrom, UnorderedCount
from teamplay.team import Team, View
from teamplay.team.consult import consult, priority

ROW = "mnk(m=7,n=1,k=3)"  # a single row of seven cells


def book(text: str, game: str) -> Rulebook:
    return read_rulebook(Source("test.team", text), load_game(game))


def said(text: str, marks: str, cell: int, game: str = ROW) -> int | None:
    """What the agent on a cell answers when it sees these marks."""
    rulebook = book(f"sight all\n{text}", game)
    view = View(rulebook, cell)
    for other in view.marks:
        view.notice(other, marks[other])
    rule = consult(rulebook.rules(cell), view, lambda rule: True)
    return None if rule is None else priority(rule, view)


def wrong(text: str, game: str) -> tuple[str, str, str]:
    """The code, the message and the help of the one thing that is wrong."""
    with pytest.raises(TableError) as caught:
        book(text, game)
    (one,) = caught.value.diagnostics
    return one.code, one.message, one.help


# Meaning


def test_my_own_cell_holds_my_mark() -> None:
    assert said("return n(xx) at(0,+1)", "bbxbobb", 0) == 1
    assert said("return n(xx) at(0,+1)", "bbxbobb", 1) == 0
    assert said("return n(*xx) at(0,+1)", "bxbbbbb", 2) == 1


def test_off_the_board_there_is_nothing_to_count() -> None:
    assert [said("return n(b?) at(0,+1)", "bbbbbbb", cell) for cell in (5, 6)] == [1, 0]
    assert said("return n(b?) at(0,-1)", "bbbbbbb", 6) == 2


def test_a_taken_cell_is_counted_from_as_if_it_were_blank() -> None:
    assert [said("return n(xx) at(0,+1)", f"bb{mark}xxbb", 1) for mark in "bxo"] == [2, 2, 2]
    assert [said("return n(b*x) at(0,+1)", f"bb{mark}bbbb", 1) for mark in "bxo"] == [1, 1, 1]


def test_runs_and_sizes_are_seen_from_there_too() -> None:
    assert [said("return size(*o+x) at(0,+1)", "bbooxbb", cell) for cell in (0, 1, 5)] == [2, 1, 0]
    assert [said("return size(*x+b) at(0,+1)", "bbxxbbb", cell) for cell in (0, 1)] == [2, 2]


LETTERS = """\
if n(S*S) at(0,+1) >= 1 then return 1 play S
if n(*OS) at(0,-1) >= 1 then return 2 play O
return 9
"""


def test_the_letter_of_the_rule_is_what_my_cell_holds() -> None:
    assert said(LETTERS, "bbbbbSbbb", 3, "sos(n=3)") == 1
    assert said(LETTERS, "bbbbbSbbb", 4, "sos(n=3)") == 2
    assert said(LETTERS, "bbbbbObbb", 3, "sos(n=3)") == 9


def test_a_name_counts_after_the_move_of_each_rule_that_uses_it() -> None:
    table = (
        "let made = n(S*S) at(0,+1) - 0\nif made >= 1 then return 1 play O\nif made >= 1 then return 2 play S\nreturn 9"
    )
    assert said(table, "bbbbbSbbb", 3, "sos(n=3)") == 2
    features = book(f"sight all\n{table}", "sos(n=3)").features
    assert {feature.mark for feature in features if isinstance(feature, CountFrom)} == {"S", "O"}


# Who may


@pytest.mark.parametrize(
    ("count", "game", "sight"),
    [
        ("n(o{k-1}) at(-1,0)", "connect-four", "`sight radius 4` or `sight all`"),
        ("n(*oo) at(0,+1)", "connect-four", "`sight radius 3` or `sight all`"),
        ("n(*o+x) at(0,+1)", "reversi", "`sight all`"),
        ("n(oo) at(-1,0)", "tic-tac-toe", "`sight all`"),
    ],
)
def test_a_sight_that_is_too_small_is_an_error_and_the_one_it_names_will_do(count: str, game: str, sight: str) -> None:
    code, message, help = wrong(f"return {count}", game)
    assert code == "T008" and count in message and help == f"declare {sight}"
    for declared in sight.split("`")[1::2]:
        assert book(f"{declared}\nreturn {count}", game)
    if "radius" in sight:
        least = int(sight.split()[2].strip("`"))
        assert wrong(f"sight radius {least - 1}\nreturn {count}", game)[0] == "T008"


def test_a_role_may_see_enough_where_others_do_not() -> None:
    assert book("sight radius 1\ncorner: return n(*o) at(0,+1) + n(*o) at(0,-1)\nothers: return 1", "mnk(m=2,n=2,k=2)")
    assert wrong("sight radius 1\nreturn n(*o) at(0,+1)", "mnk(m=5,n=5,k=4)")[0] == "T008"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("sight all\nreturn n(S*S) at(0,+1)", "T014"),
        ("sight all\nreturn n(S*S) at(0,+1) play S or O", "T014"),
        ("sight all\nreturn n(S*S) at(0,0) play S", "T008"),
        ("sight all\nreturn n(S*S) at(9,0) play S", "T008"),
        ("sight all\nreturn n(S*S) at(1) play S", "T008"),
        ("sight all\nreturn n(S*S) cell(1,1) play S", "T001"),
        ("sight all\nreturn count(S) at(0,1) play S", "T001"),
        ("sight all\nreturn n(S*S) at(0,n(S*S)) play S", "T010"),
    ],
)
def test_what_is_no_count_from_another_cell(text: str, code: str) -> None:
    assert wrong(text, "sos(n=4)")[0] == code


# The engine, proofs and checks

LIFTS = """\
sight radius 4
let above = n(o{k-1}) at(-1,0)
win: if n(x{k-1}) >= 1 then return 1
lift: if above >= 1 then return 500
return 100 - n(x{k-2} b) - n(*xx) at(-1,0)
"""


def test_a_live_board_is_kept_up_to_date() -> None:
    game = load_game("connect-four(columns=5,rows=5)")
    rulebook = book(LIFTS.replace("radius 4", "all"), str(game))
    team, live, chance = Team(rulebook), LiveBoard(rulebook, large=False), Random(4)
    for _ in range(4):
        position = game.start
        while not game.outcome(position):
            moves = sorted(team.moves(position))
            assert sorted(live.moves(position)) == moves
            position = game.after(position, chance.choice([*moves, *game.moves(position)]))


def test_a_step_up_stays_a_step_up_in_the_mirror_where_pieces_fall_and_turns_elsewhere() -> None:
    assert symmetric(book("sight all\nreturn n(o{k-1}) at(-1,0)", "connect-four"))
    assert not symmetric(book("sight all\nreturn n(o{k-1}) at(0,-1)", "connect-four"))
    assert not symmetric(book("sight all\nreturn n(o{k-1}) at(-1,0)", "tic-tac-toe"))


@pytest.mark.parametrize("seat", [0, 1])
def test_a_proof_is_the_same_whole_and_up_to_symmetry(seat: int) -> None:
    rulebook = book("sight all\nlift: if n(o{k-1}) at(-1,0) >= 1 then return 9\nreturn 5 - n(x?) at(-1,0)", DROP)
    counted = []
    for mirrored in (False, True):
        layers = Layers(rulebook, seat, mirrored)
        while layers.open:
            assert layers.grow(lambda: True)
        counted.append((layers.positions, layers.outcomes))
    assert counted[0] == counted[1]


DROP = "connect-four(columns=3,rows=4,k=3)"


def test_check_looks_at_whole_views_and_says_how_many() -> None:
    small = check(
        Source("t.team", "sight all\nif n(xx) at(0,+1) >= 9 then return 1\nreturn 2"), load_game("tic-tac-toe")
    )
    assert [one.code for one in small.findings if one.code == "T101"] == ["T101"]
    large = check(Source("t.team", f"game connect-four\n{LIFTS}"))
    assert not large.findings and "as many views" in large.scope[0]


def test_whole_views_of_a_large_board_are_met_in_play() -> None:
    rulebook = book(LIFTS, "connect-four")
    (block,) = Cutter(rulebook, rulebook.features).blocks(38)
    asked = [state for state, count in zip(block.states, block.counts, strict=True) if not count[-1]]
    assert not block.whole and len(asked) > 20
    assert all(state[block.cells.index(31)] == "b" for state in asked)  # nothing hangs above a blank cell


def test_hover_says_when_and_where_from_it_is_counted() -> None:
    found = hover(Outline.of(Source("test.team", f"game connect-four\n{LIFTS}")), 3, 14)
    assert found and "through the cell 1 row up" in found[0] and "once my cell is mine" in found[0]
    rule = hover(Outline.of(Source("t.team", "sight all\nif n(oo) at(-1,0) >= 1 then return 1")), 2, 30)
    assert rule and "once my cell is mine, at least 1 line through the cell 1 row up has 2 of theirs" in rule[0]


def test_the_feature_is_one_count_a_step_and_a_mark() -> None:
    (feature,) = book("sight all\nreturn n(oo) at(-1,0)", "tic-tac-toe").features
    assert feature == CountFrom(UnorderedCount(((("o", 2),),)), (-1, 0), "x")
