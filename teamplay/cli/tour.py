"""take a guided tour of one minute through the shipped files"""

import argparse

from rich.console import Console
from rich.text import Text

from teamplay.arena.playing import turns
from teamplay.cli.explain import print_reason
from teamplay.game import BLANK, Game, Position
from teamplay.game_file import load_game
from teamplay.luck import Luck
from teamplay.players import load_player, team
from teamplay.show.paste import put_options
from teamplay.show.picture import Picture, think
from teamplay.show.reasons import reason
from teamplay.show.terminal import MARKS, console, plain, put, put_heat_map, put_table, say
from teamplay.show.words import cell_name, consequence, counted, ending, heading, listed, sight, verdict
from teamplay.team import Team

THREAT = ".oo/.x./..."  # the opponent is about to fill the upper row
ATTACK = "o../xxo/..."  # the opponent could make two threats at once in cell 3
FIGURES = ("6", "9", "11", "13", "15")
WORST = {1: "it always wins", 0: "it never loses", -1: "it may lose"}
# A game, the folder of its tables, and how many random moves go before the team is asked.
OTHERS = (("mnk(m=6,n=5,k=4)", "mnk/generic", 7), ("sos", "sos/safe", 8), ("reversi(n=6)", "reversi/corners", 6))
NEXT = (
    ("teamplay play", "play against figure 15; `?` shows what its agents think"),
    ("teamplay show mnk/generic --game gomoku --svg board.svg", "a heat map, and a picture for a paper"),
    ("teamplay explain tic-tac-toe/figure-15 --why-not 9 --board o../.x./...", "why not there?"),
    ("teamplay verify tic-tac-toe/competent", "a proof that it never loses; of figure 15, a lost game"),
    ("teamplay games", "what can be played"),
    ("teamplay rules", "all tables; copy one, change it, and give its path instead of a name"),
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """The tour asks for nothing."""


def run(args: argparse.Namespace) -> int:
    screen = console()
    for stop in (_idea, _reason, _growth, _game, _others, _next):
        stop(screen)
    return 0


def _title(screen: Console, text: str) -> None:
    dash = "-" if plain(screen) else "─"
    say(screen)
    say(screen, f"{dash * 2} {text} ".ljust(min(screen.width, 80), dash), "bold")
    say(screen)


def _figure(number: str) -> Team:
    return team(f"tic-tac-toe/figure-{number}", None)


def _thought(team: Team, board: str) -> Picture:
    return think(team, team.game.position(board), seed=0)


def _idea(screen: Console) -> None:
    """One agent per cell, one table, a manager that knows no game."""
    _title(screen, "One idea")
    picture = _thought(_figure("6"), THREAT)
    say(screen, "On every cell of a board sits an agent. A table says how urgent its move would be, 1 the most:")
    say(screen)
    for rule in picture.team.book.rules(0):
        say(screen, f"    {rule.text}", "bold")
    say(screen)
    say(
        screen,
        "That is a whole table, the paper's figure 6; n(oo) counts my lines with two marks of the opponent.",
    )
    say(screen)
    put_heat_map(screen, picture)
    put_options(screen, picture.game, picture.position)
    say(screen)
    say(screen, f"{sight(picture)} The manager knows no game; it takes the smallest number. {verdict(picture)}")


def _reason(screen: Console) -> None:
    """Every answer can be explained."""
    _title(screen, "Every answer has a reason")
    picture = _thought(_figure("11"), THREAT)
    say(screen, "Figure 11 knows more. Why does its agent in cell 1 answer as it does in the same position?")
    say(screen)
    print_reason(screen, picture, reason(picture, 0))


def _growth(screen: Console) -> None:
    """The paper's tables, one after the other, in one position; the last column is searched to the end."""
    _title(screen, "A table grows")
    last = _thought(_figure(FIGURES[-1]), ATTACK)
    say(screen, "Now the opponent, o, could make two threats at once in cell 3. The paper's tables, one after another:")
    say(screen)
    rows = []
    for number in FIGURES:
        picture = _thought(_figure(number), ATTACK)
        rules = {rule.span.line for _, rules in picture.team.book.sections for rule in rules}
        cells = listed([cell_name(picture.game.grid, cell) for cell in picture.tied])
        worst = WORST[_worst(picture.team, picture.position, picture.position.seat)]
        rows.append((f"figure {number}", counted(len(rules), "rule"), cells, worst))
    put_table(screen, ("table", "size", "takes one of", "from here on"), rows)
    say(screen)
    put_heat_map(screen, last)
    put_options(screen, last.game, last.position)
    say(screen)
    say(
        screen,
        "The board shows figure 15's answers; the last column tried every tie and every reply to the end.",
    )


def _worst(team: Team, position: Position, seat: int) -> int:
    """What the team gets at least, whatever its ties and its opponent do: 1, 0 or -1."""
    game = team.game
    if over := game.outcome(position):
        return 0 if over.winner is None else 1 if over.winner == seat else -1
    moves = team.moves(position) if position.seat == seat else game.moves(position)
    return min(_worst(team, game.after(position, move), seat) for move in moves)


def _game(screen: Console) -> None:
    """A short game against random moves."""
    _title(screen, "A game")
    team = _figure("15")
    game = team.game
    choosers = team.choose, load_player("random", game).choose
    positions = [game.after(position, move) for position, move in turns(game, game.start, choosers, Luck(0))]
    strip = [_small(game, position) for position in positions]
    over = game.outcome(positions[-1])
    assert over
    say(screen, "Figure 15 (x) begins against random moves (o). ( ) is the last move, [ ] the line that wins.")
    say(screen)
    across = max(1, min(screen.width, 80) // 11)
    for start in range(0, len(strip), across):
        put(screen, _beside(strip[start : start + across]))
        say(screen)
    say(screen, ending(game, positions[-1], over, {0: "figure 15", 1: "random"}))


def _small(game: Game, position: Position) -> list[Text]:
    """A board with three characters per cell."""
    over = game.outcome(position)
    line = over.line if over else ()
    width = game.grid.shape[-1]
    cells = []
    for cell, mark in enumerate(position.marks):
        left, right = "[]" if cell in line else "()" if position.last and cell == position.last.cell else "  "
        cells.append(Text(f"{left}{mark}{right}", "dim" if mark == BLANK else MARKS.get(mark, "bold")))
    return [Text.assemble(*cells[i : i + width]) for i in range(0, len(cells), width)]


def _beside(boards: list[list[Text]]) -> list[Text]:
    """Boards side by side."""
    return [Text("  ").join(rows) for rows in zip(*boards, strict=True)]


def _others(screen: Console) -> None:
    """The same manager, the same agents: other boards and other tables."""
    _title(screen, "Other games, the same manager")
    for spec, table, moves in OTHERS:
        game = load_game(spec)
        position, luck = game.start, Luck(1)
        for _ in range(moves):
            position = game.after(position, luck.choice(game.moves(position)))
        picture = think(team(table, game), position, seed=0)
        if spec != OTHERS[0][0]:
            say(screen)
        say(screen, f"{heading(picture)}, after {moves} random moves:", "bold")
        say(screen)
        put_heat_map(screen, picture)
        put_options(screen, picture.game, picture.position)
        say(screen)
        assert picture.chosen
        say(screen, f"{verdict(picture)} {consequence(game, position, picture.chosen)}")


def _next(screen: Console) -> None:
    _title(screen, "What to try next")
    for command, meaning in NEXT:
        say(screen, f"    {command}", "bold")
        say(screen, f"        {meaning}")
