"""Where a property of teams must hold: every game on small boards, every shipped table, and some tables of our own."""

from collections.abc import Iterator
from functools import cache

from teamplay import library
from teamplay.game import BLANK, Game, Position
from teamplay.game_file import load_game, parse_spec
from teamplay.language import Rulebook, Source, load_rulebook, load_table, read_rulebook
from teamplay.luck import Luck
from teamplay.players import Player
from teamplay.team import Team

SMALL = (
    "tic-tac-toe",
    "misere",
    "tic-tac-toe-3d",
    "mnk(m=4,n=3,k=3)",
    "mnk(m=3,n=2,k=2)",
    "mnk(m=5,n=5,k=4)",
    "gomoku(n=6)",
    "connect-four(columns=5,rows=5)",
    "sos(n=4)",
    "sos(rows=2,columns=5)",
    "sos-corners(n=4)",
    "sos-line(n=9)",
    "reversi(n=4)",
    "reversi(n=6)",
    "notakto(boards=2)",
    "order-and-chaos(n=4,k=3)",
)

# Tables for any game of a kind: what the shipped ones don't use, such as chance, silence and other sights.
OWN = {
    "coins": (
        ("tic-tac-toe", "misere", "mnk(m=4,n=3,k=3)", "connect-four(columns=5,rows=5)", "tic-tac-toe-3d"),
        """
        everyone:
            win: if n(x{k-1}) >= 1 then return 1 with chance 80%
            near: if n(o?{k-2}) >= 1 then return 2 with chance 50%
            return 2 with chance 30%
        center:
            return 3
        """,
    ),
    "letter coins": (
        ("sos(n=4)", "sos-corners(n=4)", "sos-line(n=9)"),
        """
        everyone:
            if n(S*S) >= 1 then return 1 play O with chance 60%
            if n(*b) >= 1 then return 2 play S with chance 40%
            if n(S*b) = 0 then return 2 play S or O with chance 50%
        """,
    ),
    "some coins": (
        ("sos(n=4)", "sos-corners(n=4)", "sos(rows=2,columns=5)"),
        """
        corner:
            if n(*b) >= 1 then return 2 play S with chance 40%
        others:
            if n(S*S) >= 1 then return 1 play O
            if n(*OS) >= 1 then return 1 play S
            return 3
        """,
    ),
    "neighbours": (
        ("tic-tac-toe", "tic-tac-toe-3d", "gomoku(n=6)", "connect-four(columns=5,rows=5)", "reversi(n=6)"),
        """
        sight radius 1
        everyone:
            if n(*o) >= 1 then return 20 - n(*o) + 2 * n(*x)
            if n(*x) >= 3 then return 1
        """,
    ),
    "whole board": (
        ("tic-tac-toe", "misere", "mnk(m=5,n=5,k=4)", "connect-four(columns=5,rows=5)", "reversi(n=4)"),
        """
        sight all
        everyone:
            if count(x) > count(o) then return 1 + count(b)
        corner, center:
            return 2 + count(o)
        """,
    ),
}

SHIPPED = [
    (name, spec)
    for name in library.names(".team")
    for game in load_table(name)[0].games
    for spec in SMALL
    if parse_spec(spec)[0] == parse_spec(game)[0]
]
EVERYWHERE = [*SHIPPED, *((name, spec) for name, (specs, _) in OWN.items() for spec in specs)]


def team(table: str, spec: str, tie_break: str = "random", only_affected: bool = False, areas: object = None) -> Team:
    """A team for a game by a shipped table or by one of our own."""
    return Team(rulebook(table, spec), tie_break, only_affected, areas)  # type: ignore[arg-type]


@cache
def rulebook(table: str, spec: str) -> Rulebook:
    game = load_game(spec)
    return read_rulebook(Source(table, OWN[table][1]), game) if table in OWN else load_rulebook(table, game)


def positions(game: Game, seed: int, games: int = 1) -> Iterator[Position]:
    """All positions of some random games, their ends left out."""
    luck = Luck(seed)
    for _ in range(games):
        position = game.start
        while moves := game.moves(position):
            yield position
            position = game.after(position, luck.choice(moves))


def game_of(game: Game, players: tuple[Player, Player], luck: Luck) -> Iterator[Position]:
    """All positions of a game between two players, the end included."""
    position = game.start
    yield position
    while not game.outcome(position):
        position = game.after(position, players[position.seat].choose(position, luck))
        yield position


def winner(game: Game, players: tuple[Player, Player], seed: int) -> int | None:
    """Who wins a game between two players: a seat, or None for a draw."""
    *_, last = game_of(game, players, Luck(seed))
    outcome = game.outcome(last)
    assert outcome
    return outcome.winner


def blank_cells(position: Position) -> list[int]:
    return [cell for cell, mark in enumerate(position.marks) if mark == BLANK]
