"""The team: rules read from the top, silence, taken cells, letters, ties, coins, and whole games in either seat."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teamplay.errors import BadSpec
from teamplay.game import Move, Position
from teamplay.game_file import load_game
from teamplay.language import Source, bind, load_rulebook, read_rulebook
from teamplay.luck import Luck
from teamplay.players import load_player
from teamplay.team import Team
from teamplay.team.consult import nearest_miss
from tests import strategies
from tests.everywhere import EVERYWHERE, SHIPPED, SMALL, blank_cells, game_of, positions, team


def made(text: str, spec: str = "tic-tac-toe", tie_break: str = "random") -> Team:
    return Team(read_rulebook(Source("made", text), load_game(spec)), tie_break)


def priorities(players: Team, drawing: str) -> str:
    """The answers to a drawn position, one sign a cell: `.` for a taken cell, `-` for silence."""
    position = players.game.position(drawing)
    said = {answer.sender: answer.priority for answer in players.answers(position, Luck(0))}
    signs = ["." if cell not in said else "-" if said[cell] is None else str(said[cell]) for cell in range(9)]
    return "/".join("".join(signs[row : row + 3]) for row in (0, 3, 6))


def cells(moves: list[Move]) -> list[int]:
    """Cells from 1, as people count."""
    return [move.cell + 1 for move in moves]


# One agent


def test_the_first_rule_that_holds_answers() -> None:
    block, preempt = "if n(oo) >= 1 then return 5", "if n(ob) >= 1 then return 3"
    assert priorities(made(f"{block}\n{preempt}\nreturn 1"), "oo./..o/x..") == "..5/33./.33"
    assert priorities(made(f"{preempt}\n{block}\nreturn 1"), "oo./..o/x..") == "..3/33./.33"
    assert priorities(made(f"return 1\n{preempt}\n{block}"), "oo./..o/x..") == "..1/11./.11"


def test_sections_are_read_from_the_top_too() -> None:
    general_first = made("everyone:\n if n(oo) >= 1 then return 1\ncorner:\n return 2\nothers:\n return 3")
    assert priorities(general_first, "oo./..x/...") == "..1/33./232"
    special_first = made("corner:\n return 2\neveryone:\n if n(oo) >= 1 then return 1\n return 3")
    assert priorities(special_first, "oo./..x/...") == "..2/33./232"


def test_no_rule_holds_and_the_agent_is_silent() -> None:
    players = made("corner:\n if n(oo) >= 1 then return 7\nedge:\n return 8")
    assert priorities(players, "oo./..x/...") == "..7/8-./-8-"
    assert cells(players.moves(players.game.position("oo./..x/..."))) == [3]


def test_where_everybody_is_silent_everybody_is_tied() -> None:
    players = made("if n(xx) >= 9 then return 1")
    position = players.game.position("xo./.x./..o")
    assert priorities(players, "xo./.x./..o") == "..-/-.-/--."
    assert cells(players.moves(position)) == [3, 4, 6, 7, 8]
    assert {players.choose(position, Luck(seed)).cell + 1 for seed in range(50)} == {3, 4, 6, 7, 8}


@pytest.mark.parametrize(("table", "spec"), EVERYWHERE)
def test_taken_cells_do_not_answer_and_every_answer_is_a_legal_move(table: str, spec: str) -> None:
    players = team(table, spec)
    for position in list(positions(players.game, seed=11))[::2]:
        answers = players.answers(position, Luck(1))
        assert {said.sender for said in answers} <= set(blank_cells(position))
        assert {said.sender for said in answers} == {move.cell for move in players.game.moves(position)}
        legal = set(players.game.moves(position))
        assert players.moves(position) and set(players.moves(position)) <= legal
        assert set(players.best(position, Luck(1))) <= set(players.moves(position))
        for agent in players.agents:
            if position.marks[agent.cell] != ".":
                assert agent.respond({agent.cell}, 0) == []


def test_a_cell_that_is_emptied_again_answers_again() -> None:
    """Positions come in any order: back to the start, or from another game."""
    players = made("return 1 + count(x)")
    empty, full = players.game.start, players.game.position("xxo/oox/x..")
    assert len(players.moves(empty)) == 9
    assert cells(players.moves(full)) == [8]
    assert len(players.moves(empty)) == 9


def test_letters_are_the_rules_own_or_all() -> None:
    players = made("corner:\n return 1 play S\nedge:\n return 2 play O or S\ninner:\n return 3", "sos(n=4)")
    said = [
        (a.sender, a.priority, a.letter) for a in players.answers(players.game.start, Luck(0)) if a.sender in (0, 1, 5)
    ]
    assert said == [(0, 1, "S"), (1, 2, "O"), (1, 2, "S"), (5, 3, "S"), (5, 3, "O")]
    assert players.moves(players.game.start) == [Move(cell, "S") for cell in (0, 3, 12, 15)]


def test_silent_agents_place_any_letter() -> None:
    players = made("if n(S*S) >= 1 then return 1 play O", "sos-line(n=3)")
    assert [f"{move.mark}{move.cell}" for move in players.moves(players.game.start)] == [
        "S0",
        "O0",
        "S1",
        "O1",
        "S2",
        "O2",
    ]


def test_agents_may_have_different_tables_and_different_sight() -> None:
    near = made("sight radius 1\nreturn 1 + count(b)")
    lines = made("return 1 + count(b)")
    everything = made("sight all\nreturn 1 + count(b)")
    assert priorities(near, ".../.../...") == "464/696/464"
    assert priorities(lines, ".../.../...") == "757/595/757"
    assert priorities(everything, ".../.../...") == "999/999/999"


def test_a_trace_stops_at_the_rule_that_answered_and_knows_the_nearest_miss() -> None:
    players = load_player("tic-tac-toe/figure-15", load_game("tic-tac-toe"))
    assert isinstance(players, Team)
    tried = players.trace(players.game.position("o../.x./..."), 8, Luck(0))
    assert [attempt.rule.label for attempt in tried] == [
        "win",
        "block",
        "counter",
        "fork",
        "threaten",
        "preempt",
        "calm",
    ]
    assert [attempt.fired for attempt in tried] == [False] * 6 + [True]
    missed = nearest_miss(tried)
    assert missed and missed.rule.label in ("win", "block", "threaten") and missed.missing == 1


@pytest.mark.parametrize(("table", "spec"), SHIPPED[::3])
def test_a_trace_ends_where_the_agent_answers(table: str, spec: str) -> None:
    players, luck = team(table, spec), Luck(3)
    for position in list(positions(players.game, seed=5))[::4]:
        for said in players.answers(position, luck):
            tried = players.trace(position, said.sender, luck)
            fired = [attempt.rule.name for attempt in tried if attempt.fired]
            assert fired == ([said.rule] if said.rule else [])
            assert not any(attempt.missing == 0 for attempt in tried if not attempt.held)
            assert all(attempt.missing == 0 for attempt in tried if attempt.held)


# Ties and coins


def test_a_seed_breaks_the_same_ties_the_same_way() -> None:
    for table, spec in EVERYWHERE[::3]:
        one, other = team(table, spec), team(table, spec)
        assert list(game_of(one.game, (one, one), Luck(9))) == list(game_of(one.game, (other, other), Luck(9)))
    players = team("tic-tac-toe/figure-6", "tic-tac-toe")
    assert len({players.choose(players.game.start, Luck(seed)) for seed in range(200)}) == 9


def test_first_takes_the_first_of_the_tie() -> None:
    for table, spec in SHIPPED:
        players, first = team(table, spec), team(table, spec, "first")
        for position in list(positions(players.game, seed=8))[::5]:
            assert first.moves(position) == players.moves(position)[:1] == [first.choose(position, Luck(1))]


def test_another_tie_break_is_refused() -> None:
    with pytest.raises(BadSpec, match=r"broken by random or first, not `frist`\. Did you mean `first`\?"):
        load_player("tic-tac-toe/figure-6(tie=frist)", load_game("tic-tac-toe"))


class Tossed(Luck):
    """Coins that fall as written, and heads after that; it notes how they fell."""

    def __init__(self, script: tuple[bool, ...]) -> None:
        super().__init__(0)
        self.script, self.fell = script, ()

    def coin(self, percent: int, turn: int, cell: int, reason: str) -> bool:
        if percent in (0, 100):
            return percent == 100
        heads = self.script[len(self.fell)] if len(self.fell) < len(self.script) else True
        self.fell: tuple[bool, ...] = (*self.fell, heads)
        return heads


def every_fall_of_the_coins(players: Team, position: Position) -> set[Move]:
    """The union of the ties (or of the first choices) over everything that coins can do."""
    found: set[Move] = set()
    scripts: list[tuple[bool, ...]] = [()]
    while scripts:
        script = scripts.pop()
        luck = Tossed(script)
        tie = players.best(position, luck)
        found.update(tie[:1] if players.tie_break == "first" else tie)
        scripts += [(*luck.fell[:i], False) for i in range(len(script), len(luck.fell))]
    return found


COINS = {
    "silence": "if n(bb) >= 1 then return 1 with chance 50%",
    "calmer": "return 1 with chance 10%\nreturn 2 with chance 90%\nreturn 3",
    "urgent": "if n(o?) >= 1 then return 3 with chance 50%\nif n(x?) >= 1 then return 1 with chance 50%\nreturn 2",
    "never": "return 1 with chance 0%\nreturn 2 with chance 100%\nreturn 3 with chance 50%",
    "corner": "corner:\n return 2 with chance 50%\nedge:\n return 2\ncenter:\n return 1 with chance 1%",
    "twice": "return 2 with chance 50%\nreturn 2",
}


@pytest.mark.parametrize("tie_break", ["random", "first"])
@pytest.mark.parametrize("name", COINS)
def test_moves_are_what_some_fall_of_the_coins_brings(name: str, tie_break: str) -> None:
    players = made(COINS[name], tie_break=tie_break)
    for drawing in ("xo./.x./..o", "xox/o../.x.", "xox/.../o.x", "oxo/x.x/.o.", "xoo/oxx/x.o"):
        position = players.game.position(drawing)
        moves = players.moves(position)
        assert len(moves) == len(set(moves))
        assert set(moves) == every_fall_of_the_coins(players, position)


@pytest.mark.parametrize("tie_break", ["random", "first"])
@pytest.mark.parametrize("spec", ["tic-tac-toe", "sos-line(n=5)", "reversi(n=4)"])
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_moves_of_random_tables_are_what_some_fall_of_the_coins_brings(
    spec: str, tie_break: str, data: st.DataObject
) -> None:
    game = load_game(spec)
    players = Team(bind(data.draw(strategies.tables(game)), Source("random", ""), game), tie_break)
    position = data.draw(strategies.positions(game))
    active = {move.cell for move in game.moves(position)}
    coins = sum(rule.chance not in (None, 0, 100) for cell in active for rule in players.book.rules(cell))
    if coins <= 9:
        assert set(players.moves(position)) == every_fall_of_the_coins(players, position)


@pytest.mark.parametrize(("table", "spec"), [("coins", "tic-tac-toe"), ("letter coins", "sos(n=4)")])
def test_every_choice_is_one_of_the_moves_and_every_move_is_chosen_by_some_seed(table: str, spec: str) -> None:
    players = team(table, spec)
    position = list(positions(players.game, seed=1))[-3]
    drawn = {players.choose(position, Luck(seed)) for seed in range(600)}
    assert drawn == set(players.moves(position))


@pytest.mark.parametrize("percent", [0, 1, 30, 50, 99, 100])
def test_a_coin_is_as_fair_as_its_chance(percent: int) -> None:
    heads = [Luck(seed).coin(percent, turn, 4, "corner/lucky") for seed in range(100) for turn in range(20)]
    assert abs(sum(heads) - 20 * percent) <= 4 * (2000 * percent * (100 - percent)) ** 0.5 / 100


def test_coins_for_other_seeds_turns_cells_and_rules_are_other_coins() -> None:
    def tossed(turn: int, cell: int, reason: str, shift: int = 0) -> list[bool]:
        return [Luck(seed + shift).coin(50, turn, cell, reason) for seed in range(2000)]

    def falls(seed: int, turn: int) -> tuple[bool, ...]:
        """What all agents of a board toss in one turn of one game."""
        return tuple(Luck(seed).coin(50, turn, cell, "corner/a") for cell in range(64))

    assert len({falls(seed, turn) for seed in range(40) for turn in range(20)}) == 800
    coin = tossed(1, 2, "corner/a")
    assert coin == tossed(1, 2, "corner/a")
    for other in (
        tossed(2, 2, "corner/a"),
        tossed(1, 3, "corner/a"),
        tossed(1, 2, "corner/b"),
        tossed(2, 1, "corner/a"),
    ):
        assert 900 < sum(a == b for a, b in zip(coin, other, strict=True)) < 1100
    assert 900 < sum(a == b for a, b in zip(coin, tossed(1, 2, "corner/a", shift=1), strict=True)) < 1100


def test_the_luck_of_a_rule_survives_edits_of_other_roles() -> None:
    text = "corner:\n lucky: return 1 with chance 50%\n return 3\n"
    before, after = made(f"{text}edge:\n return 2"), made(f"edge:\n hope: return 2 with chance 50%\n return 4\n{text}")
    for seed in range(100):
        corners = [
            {a.sender: a.priority for a in players.answers(players.game.start, Luck(seed)) if a.sender in (0, 2, 6, 8)}
            for players in (before, after)
        ]
        assert corners[0] == corners[1]


# Whole games


@pytest.mark.parametrize("spec", SMALL)
def test_two_teams_play_each_other_to_the_end(spec: str) -> None:
    tables = [table for table, fits in EVERYWHERE if fits == spec]
    for seed, first in enumerate(tables):
        for second in tables[: seed + 1]:
            players = team(first, spec, "first" if seed % 2 else "random"), team(second, spec, only_affected=True)
            *_, last = game_of(players[0].game, players, Luck(seed))
            assert players[0].game.outcome(last)


@pytest.mark.parametrize(("table", "spec"), EVERYWHERE)
def test_one_team_may_sit_in_both_seats(table: str, spec: str) -> None:
    """It sees its own pieces as x whichever seat it plays, and plays as two teams of the same table would."""
    both, first, second = (team(table, spec, only_affected=only) for only in (True, False, False))
    alone = list(game_of(both.game, (both, both), Luck(3)))
    assert alone == list(game_of(both.game, (first, second), Luck(3)))


def test_either_seat_sees_its_own_pieces_as_x() -> None:
    players = made("if n(xx) >= 1 then return 1\nreturn 2")
    assert cells(players.moves(Position("xx.oo....", 0))) == [3]
    assert cells(players.moves(Position("xx.oo.x..", 1))) == [6]


@pytest.mark.parametrize("spec", SMALL)
@settings(max_examples=4, deadline=None)
@given(data=st.data())
def test_random_tables_play_alike_with_only_the_affected_asked(spec: str, data: st.DataObject) -> None:
    game = load_game(spec)
    book = bind(data.draw(strategies.tables(game)), Source("random", ""), game)
    everyone, affected = Team(book), Team(book, only_affected=True)
    seed = data.draw(st.integers(0, 99))
    for position in game_of(game, (everyone, load_player("random", game)), Luck(seed)):
        if not game.outcome(position) and position.seat == 0:
            assert everyone.choose(position, Luck(seed)) == affected.choose(position, Luck(seed))
            assert affected.asked <= everyone.asked
            assert everyone.moves(position) == affected.moves(position)


def test_a_game_that_is_over_leaves_no_moves() -> None:
    for table, spec in SHIPPED:
        players = team(table, spec)
        *_, last = game_of(players.game, (players, players), Luck(1))
        assert players.moves(last) == []


def test_a_team_is_called_by_its_table() -> None:
    assert Team(load_rulebook("tic-tac-toe/figure-15")).name == "tic-tac-toe/figure-15"
