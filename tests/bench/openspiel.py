"""`python -m tests.bench.openspiel`: our searches against OpenSpiel's Monte Carlo bot at equal time; extra `bench`.

Time is CPU time, so that a busy machine favours nobody. OpenSpiel's bot knows only simulations and the wall clock, so
both sides count: before each move a side gets as many nodes, playouts or simulations as it made in the budget at the
rate of its last move. What each side really used is measured and printed beside the result. A search that proves its
result ends early: of `minimax` the nodes are known that it visited up to there, of the others only how many they might.
"""

import argparse
import json
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from teamplay.arena.playing import after_all, opening, played_out, seed_of
from teamplay.game import Game, Move, Position
from teamplay.game_file import load_game
from teamplay.luck import Luck
from teamplay.players import load_player
from teamplay.statistics import wilson

PAGE = Path(__file__).parents[2] / "docs" / "interop.md"
MARKS = "<!-- measured: python -m tests.bench.openspiel --write -->", "<!-- end -->"
GAMES = {"connect four": "connect-four", "gomoku 15x15": "mnk(m=15,n=15,k=5)", "Othello 8x8": "reversi"}
OURS = {"minimax": "minimax(nodes=1000)", "mcts": "mcts(playouts=1000)"}
THEIRS = "openspiel:mcts(simulations=100)"
OPENING = (2, 4)  # random plies before each pair of games
WANTED = 0.7
WARM_UP, WORTH_COMPILING = 12, 1000  # moves before a match, and what they count at least


def set_nodes(player: Any, count: int) -> None:
    player.nodes = count


def set_playouts(player: Any, count: int) -> None:
    player.playouts = count


def set_simulations(player: Any, count: int) -> None:
    player.options["simulations"] = count


@dataclass
class Paced:
    """A player that gets so much to count that it uses up a CPU time for each move."""

    player: Any
    allow: Callable[[Any, int], None]
    budget: float
    rate: float = 1000.0  # what it counts in a second
    moves: int = 0
    spent: float = 0.0

    def choose(self, position: Position, luck: Luck) -> Move:
        count = max(1, int(self.rate * self.budget))
        self.allow(self.player, count)
        begun = time.process_time()
        move: Move = self.player.choose(position, luck)
        used = time.process_time() - begun
        self.moves, self.spent = self.moves + 1, self.spent + used
        # A search that proved its result ended early, and says little of its rate. A hiccup must not change it much.
        if used > self.budget / 4:
            counted = getattr(self.player, "searched", count)
            self.rate = min(2 * self.rate, max(self.rate / 2, counted / used))
        return move

    def warm_up(self, position: Position) -> None:
        """Load the compiler and find the rate, before anything is measured."""
        for seed in range(WARM_UP):
            self.rate = max(self.rate, WORTH_COMPILING / self.budget)
            before = self.spent
            self.choose(position, Luck(seed))
            self.rate *= 2 if self.spent - before < self.budget / 4 else 1
        self.moves, self.spent = 0, 0.0

    @property
    def mean(self) -> float:
        """CPU seconds for a move."""
        return self.spent / max(1, self.moves)


@dataclass
class Encounter:
    """What came of one pairing."""

    game: str
    player: str
    wins: int = 0
    draws: int = 0
    losses: int = 0
    ours: float = 0.0  # CPU seconds for a move
    theirs: float = 0.0
    lengths: list[int] = field(default_factory=list)


def play(title: str, player: str, games: int, budget: float, seed: int) -> Encounter:
    """Some games, two from each opening with the seats exchanged."""
    game = load_game(GAMES[title])
    ours = Paced(load_player(OURS[player], game), set_nodes if player == "minimax" else set_playouts, budget)
    theirs = Paced(load_player(THEIRS, game), set_simulations, budget)
    for each in (ours, theirs):
        each.warm_up(game.start)
    found = Encounter(title, player)
    for number in range(games):
        one_game(game, [ours, theirs], number, seed, found)
    found.ours, found.theirs = ours.mean, theirs.mean
    return found


def one_game(game: Game, sides: list[Paced], number: int, seed: int, found: Encounter) -> None:
    """Play a game and count it."""
    pair, second = divmod(number, 2)
    start = after_all(game, opening(game, Luck(seed_of(seed, pair, 0)), *OPENING))
    seated = sides[::-1] if second else sides
    ended = played_out(game, start, [side.choose for side in seated], Luck(seed_of(seed, pair, second + 1)))
    assert not ended.forfeit, ended.forfeit
    found.wins += ended.winner == second
    found.draws += ended.winner is None
    found.losses += ended.winner == 1 - second
    found.lengths.append(len(ended.moves))


HEAD = [
    "game",
    "ours",
    "won-drawn-lost",
    f"won, 95% interval ({100 * WANTED:.0f}% wanted)",
    "our CPU a move",
    "theirs",
    "wanted CPU, seed",
]


def row(found: Encounter, budget: float, seed: int) -> list[str]:
    """The result of a pairing, the share of wins with its interval, and the times."""
    share = wilson(found.wins, found.wins + found.draws + found.losses)
    won = f"{100 * share.value:.0f}% ({100 * share.low:.0f} to {100 * share.high:.0f})"
    missed = "" if share.value >= WANTED else " (missed)"
    ours, theirs, wanted = (f"{1000 * seconds:.0f} ms" for seconds in (found.ours, found.theirs, budget))
    result = f"{found.wins}-{found.draws}-{found.losses}"
    return [found.game, f"`{found.player}`", result, won + missed, ours, theirs, f"{wanted}, {seed}"]


def write(rows: list[list[str]]) -> None:
    """Put rows into the table of the page, in place of those of the same pairings."""
    before, _, rest = PAGE.read_text("utf-8").partition(MARKS[0])
    block, _, after = rest.partition(MARKS[1])
    kept = [[cell.strip() for cell in line.strip("|").split("|")] for line in block.splitlines() if "`" in line]
    known = {tuple(cells[:2]): cells for cells in [*kept, *rows]}
    order = [(title, f"`{player}`") for title in GAMES for player in OURS]
    table = [HEAD, ["---"] * len(HEAD), *(known[pairing] for pairing in order if pairing in known)]
    text = "\n".join(f"| {' | '.join(cells)} |" for cells in table)
    PAGE.write_text(f"{before}{MARKS[0]}\n\n{text}\n\n{MARKS[1]}{after}", "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.openspiel", description=__doc__)
    parser.add_argument("--games", type=int, default=40, help="of each pairing (default: 40)")
    parser.add_argument("--seconds", type=float, default=0.1, help="CPU time for a move (default: 0.1)")
    parser.add_argument("--seed", type=int, default=1, help="(default: 1)")
    parser.add_argument("--only", default="", metavar="WORD", help="pairings whose game or player has this word")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--write", action="store_true", help=f"write the rows into {PAGE.name}")
    args = parser.parse_args()
    pairings = [(title, player) for title in GAMES for player in OURS if args.only in f"{title} {player}"]
    rows, encounters = [], []
    for title, player in pairings:
        encounters.append(play(title, player, args.games, args.seconds, args.seed))
        rows.append(row(encounters[-1], args.seconds, args.seed))
        print(f"| {' | '.join(rows[-1])} |", file=sys.stderr if args.json else sys.stdout, flush=True)
    if args.json:
        print(json.dumps([asdict(each) for each in encounters], indent=2))
    if args.write:
        write(rows)


if __name__ == "__main__":
    main()
