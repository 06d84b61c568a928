"""Turn or reflect the board, and the answers turn with it: priorities, letters, and the tie that is broken."""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass

import pytest

from teamplay.game import Game, Move, Position
from teamplay.game_file import load_game
from teamplay.language import Source, load_table, read_rulebook
from teamplay.language.tree import Name, Place
from teamplay.luck import Luck
from teamplay.team import Team
from tests.everywhere import OWN, SHIPPED, positions, team

Symmetry = tuple[int, ...]  # where each cell goes

# They speak of rows, columns or neighbours, but of all sides alike.
ALIKE = {"misere/basic", "reversi/corners", "reversi/quiet"}
# Gravity: left and right are alike, up and down are not.
MIRRORED = {"connect-four/careful", "connect-four/two-above"}


def parts(node: object) -> Iterator[object]:
    """A syntax tree, and everything below it."""
    yield node
    if is_dataclass(node):
        for field in fields(node):
            yield from parts(getattr(node, field.name))
    elif isinstance(node, tuple):
        for child in node:
            yield from parts(child)


def speaks_of_sides(name: str) -> bool:
    """Whether a table names rows, columns, cells or neighbours; if not, it is symmetric by construction."""
    table, _ = load_table(name)
    return any(
        isinstance(part, Place) or (isinstance(part, Name) and part.text in ("layer", "row", "col"))
        for part in parts(table)
    )


def moved(marks: str, symmetry: Symmetry) -> str:
    image = [""] * len(marks)
    for cell, mark in enumerate(marks):
        image[symmetry[cell]] = mark
    return "".join(image)


def answers(players: Team, marks: str) -> list[list[tuple[int | None, str]]]:
    """What every agent would say of a board, legal or not: priority and letter."""
    players.broadcast(marks)
    said = (agent.respond({agent.cell}, 0) for agent in players.agents)
    return [[(response.priority, response.letter) for response in responses] for responses in said]


def broken(players: Team, marks: str, symmetry: Symmetry) -> list[int]:
    """The cells whose answers do not turn with the board."""
    before, after = answers(players, marks), answers(players, moved(marks, symmetry))
    return [cell for cell in players.game.grid.cells if before[cell] != after[symmetry[cell]]]


def scenes(game: Game) -> list[Position]:
    found = list(positions(game, seed=4))
    return Luck(5).sample(found, min(4, len(found)))


def turns(game: Game) -> list[Symmetry]:
    """All symmetries of a flat board, and some of the 48 of a cube."""
    found = list(game.grid.symmetries)
    return found if len(found) <= 8 else Luck(8).sample(found, 8)


def mirrors(game: Game) -> list[Symmetry]:
    """The symmetries that leave every cell in its row."""
    width = game.grid.shape[-1]
    return [way for way in game.grid.symmetries if all(way[cell] // width == cell // width for cell in game.grid.cells)]


def test_every_table_that_speaks_of_sides_is_looked_at() -> None:
    assert {name for name, _ in SHIPPED if speaks_of_sides(name)} == ALIKE | MIRRORED


@pytest.mark.parametrize(("table", "spec"), [case for case in SHIPPED if case[0] not in MIRRORED])
def test_answers_turn_with_the_board(table: str, spec: str) -> None:
    players = team(table, spec)
    assert len(players.game.grid.symmetries) >= 2
    for position in scenes(players.game):
        for symmetry in turns(players.game):
            assert broken(players, players.game.seen(position), symmetry) == []


@pytest.mark.parametrize(("name", "spec"), [(name, spec) for name, (specs, _) in OWN.items() for spec in specs])
def test_answers_of_our_own_tables_turn_as_well(name: str, spec: str) -> None:
    """Chance left out: every cell has coins of its own."""
    text = "\n".join(line.partition(" with chance")[0] for line in OWN[name][1].split("\n"))
    players = Team(read_rulebook(Source(name, text), load_game(spec)))
    for position in scenes(players.game):
        for symmetry in turns(players.game):
            assert broken(players, players.game.seen(position), symmetry) == []


@pytest.mark.parametrize(("table", "spec"), SHIPPED)
def test_the_tie_turns_with_the_board(table: str, spec: str) -> None:
    """As far as the game itself is symmetric: where pieces drop, only left and right are alike."""
    players = team(table, spec)
    game = players.game
    for position in scenes(game):
        before = players.moves(position)
        for symmetry in mirrors(game) if game.placement == "drop" else turns(game):
            image = Position(moved(position.marks, symmetry), position.seat, position.scores)
            assert set(players.moves(image)) == {Move(symmetry[move.cell], move.mark) for move in before}


@pytest.mark.parametrize("table", sorted(MIRRORED))
def test_gravity_breaks_all_symmetries_but_the_mirror(table: str) -> None:
    spec = "connect-four(columns=5,rows=5)"
    players = team(table, spec)
    game = players.game
    boards = [game.seen(position) for position in positions(game, seed=6, games=4)]
    assert len(mirrors(game)) == 2
    for symmetry in game.grid.symmetries:
        alike = not any(broken(players, marks, symmetry) for marks in boards)
        assert alike == (symmetry in mirrors(game))


@pytest.mark.parametrize(
    "rule",
    ["if row = 1 then return 1", "return 1 + col", "if at(0,+1) = x then return 1", "if cell(1,3) = x then return 1"],
)
def test_a_table_that_prefers_a_side_is_found_out(rule: str) -> None:
    game = load_game("tic-tac-toe")
    players = Team(read_rulebook(Source("one-sided", f"sight all\n{rule}\nreturn 9"), game))
    boards = [game.seen(position) for position in positions(game, seed=7, games=5)]
    assert any(broken(players, marks, symmetry) for marks in boards for symmetry in game.grid.symmetries)
