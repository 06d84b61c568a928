"""What a table means: every point of the language as a claim, and all of it against a second, naive reader."""

from collections import Counter
from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teamplay.game import Game
from teamplay.game_file import load_game
from teamplay.grid import Grid
from teamplay.language import Rulebook, Source, bind, parse_table, read_rulebook
from teamplay.language.features import OrderedCount
from teamplay.language.formatter import format_table
from teamplay.language.tree import Rule, Section, Table
from teamplay.luck import Luck
from teamplay.team import Team
from teamplay.team.consult import consult, priority
from teamplay.team.view import View
from tests import naive_table
from tests.strategies import positions, tables

ROW = "mnk(m=5,n=1,k=3)"  # a single row of five cells


def book(text: str, game: str = "tic-tac-toe") -> Rulebook:
    return read_rulebook(Source("test.team", text), load_game(game))


def measured(rulebook: Rulebook, cell: int, marks: str) -> int | None:
    """What the agent on a cell answers when the board holds these marks; its own cell counts as blank."""
    view = View(rulebook, cell)
    for other in view.marks:
        view.notice(other, marks[other])
    rule = consult(rulebook.rules(cell), view, lambda rule: True)
    return None if rule is None else priority(rule, view)


def counted(pattern: str, drawing: str, game: str = ROW, kind: str = "n", head: str = "") -> int | None:
    """What n(pattern) is for the agent on the cell drawn as `*`."""
    cell = drawing.index("*")
    return measured(book(f"{head}return {kind}({pattern})", game), cell, drawing.replace("*", "b"))


def said(text: str, drawing: str, game: str = "tic-tac-toe", seed: int = 0) -> dict[int, int | None]:
    """The priority of every active agent, by cell from 1."""
    rulebook = book(text, game)
    answers = Team(rulebook).answers(rulebook.game.position(drawing), Luck(seed))
    return {answer.sender + 1: answer.priority for answer in answers}


# Patterns without `*`: lines of the game's length through my cell


def test_n_counts_the_lines_that_hold_exactly_these_other_marks() -> None:
    board = "oo. / .x. / ..o"
    answers = said("return n(oo) * 100 + n(ox) * 10 + n(ob)", board)
    # Cell 3: oo in its row, bo in its column, xb on its diagonal. Cell 8: ox in its column, bo in its row.
    assert answers == {3: 101, 4: 1, 6: 1, 7: 2, 8: 11}


def test_the_order_of_marks_does_not_matter() -> None:
    board = "xo. / ... / ..x"
    assert said("return n(xo)", board) == said("return n(ox)", board) == {3: 1, 4: 0, 5: 0, 6: 0, 7: 0, 8: 0}


def test_lines_are_windows_of_the_games_length() -> None:
    assert counted("bb", "bb*bb") == 3
    assert counted("xb", "xb*bb") == 1
    assert counted("xb", "bx*bb") == 2
    assert counted("bb", "*bbbb") == 1


def test_a_question_mark_is_any_cell_on_the_board_and_none_off_it() -> None:
    assert counted("??", "*bbbb") == 1  # one window fits, not three
    assert counted("??", "xo*bx") == 3
    assert counted("x?", "xo*bx") == 2
    assert counted("x?", "xx*xx") == 3


def test_alternatives_count_a_line_once() -> None:
    assert counted("x? | ?x | xx", "xx*bb") == 2
    assert counted("bb | bb", "bb*bb") == 3


def test_repeats_follow_the_length_of_the_line() -> None:
    for k in (2, 3, 4, 5):
        game = f"mnk(m=5,n=1,k={k})"
        assert counted("x{k-1}", "*xxxx", game) == 1
        assert counted("x{k-2} b", "*" + "x" * (k - 2) + "b" * (6 - k), game) == 1
    assert counted("x{2}", "*xxbb") == counted("xx", "*xxbb") == 1
    assert counted("b{0}xx", "*xxbb") == 1


def test_an_ordered_row_for_longer_lines_fits_nothing() -> None:
    for k, fits in ((2, 0), (3, 0), (4, 1), (5, 1)):
        drawing = f"b*{'x' * (k - 4)}bbbbb"[:6]
        assert counted("b*x{k-4}b", drawing, f"mnk(m=6,n=1,k={k})") == fits
    assert counted("b*x{k-4}b | *x", "b*xbb") == 1  # the other alternative still does


@pytest.mark.parametrize(
    ("pattern", "mirrors"), [("b*b | b*bb", True), ("bx*xb | b*bxb", True), ("x*x | ?*x", False), ("x*x | *x+o", False)]
)
def test_a_palindrome_beside_others_tells_no_line_from_its_mirror_image_if_they_have_other_lengths(
    pattern: str, mirrors: bool
) -> None:
    (feature,) = book(f"sight 5\nreturn n({pattern})", ROW).features
    assert isinstance(feature, OrderedCount) and feature.mirrors == mirrors
    drawings = ["".join([*marks[:2], "*", *marks[2:]]) for marks in product("xob", repeat=4)]
    read = [counted(pattern, line, head="sight 5\n") for line in drawings]
    same = read == [counted(pattern, line[::-1], head="sight 5\n") for line in drawings]
    assert same or not mirrors


def test_let_names_a_pattern_and_a_name_may_stand_for_a_name() -> None:
    head = "let ee = bb | ox\nlet calm = ee\n"
    assert counted("ee", "ox*bb", head=head) == counted("calm", "ox*bb", head=head) == counted("bb | ox", "ox*bb") == 2


# Patterns with `*`: ordered, seen from my cell


def test_order_matters_with_a_star() -> None:
    assert counted("*xo", "bb*xo") == 1
    assert counted("*ox", "bb*xo") == 0
    assert counted("x*o", "bx*ob") == 1


def test_an_ordered_pattern_is_read_both_ways() -> None:
    assert counted("*xo", "ox*bb") == 1
    assert counted("*xo", "ox*xo") == 2
    assert counted("o*x", "bx*ob") == 1


def test_a_palindrome_counts_once() -> None:
    assert counted("x*x", "bx*xb") == 1
    assert counted("x?*?x", "xo*bx", head="sight 3\n") == 1


def test_a_pattern_and_its_mirror_image_are_one_alternative() -> None:
    assert counted("x*o | o*x", "bx*ob") == 1
    assert counted("*xo | ox*", "ox*xo") == 2


def test_a_patterns_own_length_says_how_far_it_looks() -> None:
    assert counted("*x", "bb*xo") == 1
    assert counted("*x???", "*xobx", head="sight all\n") == 1
    assert counted("*x????", "*xobx", head="sight all\n") == 0  # runs off the board


def test_a_question_mark_beside_a_star_is_a_cell_on_the_board() -> None:
    assert counted("*?", "*bbbb") == 1
    assert counted("?*?", "*bbbb") == 0
    assert counted("?*?", "b*bbb") == 1


def test_plus_takes_the_whole_run() -> None:
    assert counted("*o+x", "*ooox", head="sight all\n") == 1
    assert counted("*o+x", "*oobx", head="sight all\n") == 0
    assert counted("*o+o", "*ooox", head="sight all\n") == 0  # nothing is left of the run
    assert counted("*o+", "*obob", head="sight all\n") == 1


def test_size_adds_up_the_runs_of_all_matches() -> None:
    assert counted("*o+x", "xo*ox", kind="size", head="sight all\n") == 2
    assert counted("*o+x", "*ooox", kind="size", head="sight all\n") == 3
    assert counted("x+*o+", "xx*oo", kind="size", head="sight all\n") == 4
    assert counted("*o+x", "*ooob", kind="size", head="sight all\n") == 0


def test_size_is_the_number_of_stones_that_reversi_would_turn() -> None:
    game = load_game("reversi(n=6)")
    team, chance = Team(book("return size(*o+x)", "reversi(n=6)")), Random(5)
    for _ in range(4):
        position = game.start
        while not game.outcome(position):
            answers = {answer.sender: answer.priority for answer in team.answers(position, Luck(0))}
            move = chance.choice(game.moves(position))
            mine = game.marks[position.seat]
            after = game.after(position, move)
            assert after.marks.count(mine) - position.marks.count(mine) - 1 == answers[move.cell]
            position = after


def test_a_run_is_whole_only_as_far_as_the_agent_sees() -> None:
    assert counted("*o+", "*oooo", kind="size", head="sight 3\n") == 2
    assert counted("*o+x", "*ooxb", head="sight 3\n") == 0


# Numbers, names and cells


def test_count_is_of_the_cells_in_sight_without_my_own() -> None:
    assert said("return count(b)", "... / ... / ...") == {1: 6, 2: 4, 3: 6, 4: 4, 5: 8, 6: 4, 7: 6, 8: 4, 9: 6}
    assert said("return count(o)", "o.. / ..o / ...")[8] == 0
    assert said("sight all\nreturn count(o)", "o.. / ..o / ...")[8] == 2


def test_names_of_numbers() -> None:
    assert said("return 10 * row + col", "... / ... / ...") == {1 + i: 11 + i % 3 + i // 3 * 10 for i in range(9)}
    assert measured(book("return 100 * k + 10 * rows + cols", "mnk(m=7,n=6,k=4)"), 0, "b" * 42) == 467
    solid = book("return layer * 100 + row * 10 + col + 1000 * layers", "tic-tac-toe-3d")
    assert [measured(solid, cell, "b" * 27) for cell in (0, 13, 26)] == [3111, 3222, 3333]


def test_arithmetic() -> None:
    assert said("return 2 + 3 * -count(b) - -1", "... / ... / ...")[2] == 2 - 12 + 1


def test_a_named_cell_is_tested_by_its_mark() -> None:
    text = "corner: if center = o then return 1 if cell(2,2) = b then return 2 return 3"
    assert said(text, "... / .o. / ...")[1] == 1
    assert said(text, "... / ... / ...")[1] == 2
    assert said(text, "... / .x. / .o.")[1] == 3


def test_my_own_cell_is_blank_while_i_think() -> None:
    assert said("center: if center = b and at(0,0) = b then return 1", "... / ... / ...")[5] == 1


def test_a_step_off_the_board_meets_no_mark_at_all() -> None:
    text = "if at(-1,0) = b or at(-1,0) = x or at(-1,0) = o then return 1\nif at(-1,0) != x then return 2"
    assert said(text, "... / ... / ...") == {cell: 2 if cell <= 3 else 1 for cell in range(1, 10)}


def test_steps_count_rows_downwards_and_columns_to_the_right() -> None:
    assert said("if at(+1,0) = o then return 1 if at(0,+1) = o then return 2 return 9", ".o. / ... / o..") == {
        **dict.fromkeys((3, 5, 6, 8, 9), 9),
        1: 2,
        4: 1,
    }


# Rules, sections, roles


def test_the_first_rule_that_holds_answers() -> None:
    assert set(said("return 5 return 1", "... / ... / ...").values()) == {5}
    assert said("if n(oo) = 1 then return 7 if n(oo) >= 1 then return 1 return 8", "oo. / ... / ...")[3] == 7


def test_where_no_rule_holds_an_agent_is_silent_and_if_all_are_they_tie() -> None:
    text = "if n(oo) >= 1 then return 1"
    assert said(text, "oo. / ... / ...") == {3: 1, **dict.fromkeys(range(4, 10))}
    rulebook = book(text)
    assert len(Team(rulebook).moves(rulebook.game.start)) == 9
    assert [move.cell for move in Team(rulebook).moves(rulebook.game.position("oo. / ... / ..x"))] == [2]


def test_all_sections_that_speak_to_an_agent_are_read_from_the_top() -> None:
    text = "everyone: if n(oo) = 1 then return 1\ncorner: return 2\nothers: return 3"
    assert said(text, "... / ... / ...") == {1: 2, 2: 3, 3: 2, 4: 3, 5: 3, 6: 3, 7: 2, 8: 3, 9: 2}
    assert said(text, "oo. / ... / ...")[3] == 1
    below = "corner: return 2\neveryone: return 1"
    assert said(below, "... / ... / ...") == {1: 2, 2: 1, 3: 2, 4: 1, 5: 1, 6: 1, 7: 2, 8: 1, 9: 2}


def test_others_are_the_roles_that_no_heading_names() -> None:
    text = "corner, center: return 1\nothers: return 2"
    assert [cell for cell, priority in said(text, "... / ... / ...").items() if priority == 2] == [2, 4, 6, 8]
    wherever = "others: return 2\ncorner: return 1\ncenter: return 1"
    assert said(wherever, "... / ... / ...") == said(text, "... / ... / ...")


@pytest.mark.parametrize(
    ("shape", "roles"),
    [
        ((3, 3), {"center": 1, "corner": 4, "edge": 4}),
        ((4, 4), {"corner": 4, "edge": 8, "inner": 4}),
        ((5, 5), {"center": 1, "corner": 4, "edge": 12, "inner": 8}),
        ((1, 5), {"center": 1, "corner": 2, "inner": 2}),
        ((2, 2), {"corner": 4}),
        ((3, 3, 3), {"center": 1, "corner": 8, "edge": 12, "face": 6}),
        ((4, 4, 4), {"corner": 8, "edge": 24, "face": 24, "inner": 8}),
    ],
)
def test_roles(shape: tuple[int, ...], roles: dict[str, int]) -> None:
    grid = Grid(shape)
    assert Counter(grid.role(cell) for cell in grid.cells) == roles
    assert all(grid.role(cell) == naive_table.role(shape, grid.coordinates(cell)) for cell in grid.cells)


def test_labels_name_rules_and_others_go_by_their_place() -> None:
    rulebook = book("corner, edge: win: return 1 return 2\ncenter: return 3")
    assert [rule.name for rule in rulebook.rules(0)] == ["win", "corner, edge 2"]
    assert [rule.name for rule in rulebook.rules(4)] == ["center 1"]


def test_letters_default_to_all_and_doubles_count_once() -> None:
    rulebook = book("corner: return 1 play O\nedge: return 1 play S or O or S\nothers: return 1", "sos(n=3)")
    assert [rulebook.rules(cell)[0].letters for cell in (0, 1, 4)] == [("O",), ("S", "O"), ("S", "O")]


# Chance


def lucky(text: str, seed: int) -> frozenset[int]:
    """The cells whose coin came up."""
    return frozenset(cell for cell, priority in said(text, "... / ... / ...", seed=seed).items() if priority == 1)


def test_no_chance_and_full_chance() -> None:
    for seed in range(20):
        assert not lucky("return 1 with chance 0% return 2", seed)
        assert len(lucky("return 1 with chance 100% return 2", seed)) == 9


def test_chance_depends_on_the_seed_and_on_nothing_else() -> None:
    text = "return 1 with chance 50% return 2"
    assert [lucky(text, seed) for seed in range(20)] == [lucky(text, seed) for seed in range(20)]
    assert len({lucky(text, seed) for seed in range(20)}) > 10


@pytest.mark.parametrize(
    "edited",
    [
        "corner: luck: return 1 with chance 50% return 2\nedge: return 7 return 8\ncenter: return 9",
        "corner: if n(oo) = 2 then return 5 luck: return 1 with chance 50% return 2",
        "let ee = bb | ox\ncorner: if n(ee) = 9 then return 3 with chance 50% luck: return 1 with chance 50% return 4",
        "others: return 3 with chance 50%\ncorner: luck: if n(bb) >= 0 then return 1 with chance 50% return 2",
    ],
)
def test_an_edit_elsewhere_does_not_touch_a_rules_luck(edited: str) -> None:
    for seed in range(50):
        assert lucky(edited, seed) == lucky("corner: luck: return 1 with chance 50% return 2", seed)


def test_chance_comes_up_about_as_often_as_it_says() -> None:
    """10,800 coins with a chance of 25%: five standard deviations are 2.1 points."""
    rulebook = book("return 1 with chance 25% return 2")
    team, start = Team(rulebook), rulebook.game.start
    tossed = [said.priority for seed in range(1200) for said in team.answers(start, Luck(seed))]
    assert len(tossed) == 10_800
    assert abs(tossed.count(1) / len(tossed) - 0.25) < 0.021


# Against the naive reader

PATTERNS = ["xo", "x?", "??", "bb | ox", "x{k-1}", "b{k-2} ? | oo", "xb | bo | xx"]
STARRED = ["*x", "x*", "*xo", "o*x", "x*x", "?*x", "*?x", "*o+x", "*b+", "x+*b", "o+*o+", "?+*", "*x | *o", "x*b | b*x"]
STARRED += ["*o+x | *ox", "*xx | *x", "?*x | x*b", "b{2}*", "*?o", "*x{k-1}", "o*?+", "*o+b | *o+x"]


@pytest.mark.parametrize("pattern", PATTERNS + STARRED)
def test_every_pattern_on_every_row_of_five(pattern: str) -> None:
    exhausted(load_game(ROW), pattern, ["".join(marks) for marks in product("xob", repeat=5)])


@pytest.mark.parametrize("pattern", PATTERNS + STARRED)
def test_every_pattern_on_some_boards_of_nine(pattern: str) -> None:
    chance = Random(9)
    exhausted(load_game("tic-tac-toe"), pattern, ["".join(chance.choices("xobb", k=9)) for _ in range(30)])


def exhausted(game: Game, pattern: str, boards: list[str]) -> None:
    """Both readers count the same on these boards, for every agent."""
    kinds = ["n", "size"] if "+" in pattern else ["n"]
    for kind in kinds:
        source = Source("test.team", f"return {kind}({pattern})")
        table = parse_table(source)
        rulebook = bind(table, source, game)
        for marks in boards:
            for cell, reader in enumerate(naive_table.readers(table, game, marks)):
                if marks[cell] != "b":
                    continue
                priority = table.sections[0].rules[0].priority
                assert measured(rulebook, cell, marks) == reader.value(priority), (marks, cell, kind)


SPECS = ["tic-tac-toe", "misere", "mnk(m=5,n=4,k=3)", "mnk(m=4,n=6,k=4)", "sos(n=4)", "sos-line(n=7)", "sos-corners"]
SPECS += ["reversi(n=6)", "tic-tac-toe-3d", "connect-four(columns=5,rows=4)"]


@settings(deadline=None, derandomize=True, max_examples=25)
@pytest.mark.parametrize("spec", SPECS)
@given(data=st.data())
def test_a_team_answers_as_the_naive_reader_does(spec: str, data: st.DataObject) -> None:
    game = load_game(spec)
    table, position, seed = data.draw(tables(game)), data.draw(positions(game)), data.draw(st.integers(0, 9))
    text = format_table(table)
    team = Team(bind(table, Source("test.team", text), game))
    answers: dict[int, list[tuple[int | None, str]]] = {}
    for answer in team.answers(position, Luck(seed)):
        answers.setdefault(answer.sender, []).append((answer.priority, answer.letter))
    active = {move.cell for move in game.moves(position)}
    for cell, reader in enumerate(naive_table.readers(table, game, game.seen(position))):
        assert answers.get(cell) == (_naive(table, reader, cell, seed) if cell in active else None), text


def _naive(table: Table, reader: naive_table.Reader, cell: int, seed: int) -> list[tuple[int | None, str]]:
    """The answers of one agent by the naive reader, with the coins of this seed."""
    game, turn = reader.game, sum(mark != "b" for mark in reader.marks.values())

    def coin(section: Section, place: int, rule: Rule) -> bool:
        assert rule.chance is not None
        return Luck(seed).coin(rule.chance, turn, cell, f"{', '.join(section.roles)}/{rule.label or place}")

    rule = reader.answer(coin)
    letters = [letter.text for letter in rule.letters] if rule else []
    priority = reader.value(rule.priority) if rule else None
    return [(priority, letter) for letter in letters or (game.marks if game.shared else [""])]
