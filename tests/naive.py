"""A second opinion on the rules: slow, obvious, and made of nothing but a dict of coordinates.

It takes from a `Game` only what the game file declares (sizes, marks, placement, goal, turns, start), never a method:
what both say is not merely what one of them says. Run it to count a table for `tests/perft`:

    python -m tests.naive "reversi(n=4)" 12 [BOARD]
"""

import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, product

from teamplay.game import Game, Position
from teamplay.game_file import load_game

At = tuple[int, ...]
Stones = dict[At, str]  # blank cells are not in it


@dataclass(frozen=True)
class State:
    """The stones on the board, whose turn it is, the points of both, and who placed the last stone."""

    stones: Stones
    player: int
    points: tuple[int, int] = (0, 0)
    mover: int | None = None

    @property
    def key(self) -> object:
        return frozenset(self.stones.items()), self.player, self.points


@lru_cache(maxsize=64)
def places(shape: tuple[int, ...]) -> tuple[At, ...]:
    """All coordinates in reading order: the place of cell i is number i."""
    return tuple(product(*map(range, shape)))


def step(at: At, way: At, times: int = 1) -> At:
    return tuple(here + times * there for here, there in zip(at, way, strict=True))


def ways(shape: tuple[int, ...]) -> list[At]:
    return [way for way in product((-1, 0, 1), repeat=len(shape)) if any(way)]


@lru_cache(maxsize=64)
def runs(shape: tuple[int, ...], length: int) -> tuple[tuple[At, ...], ...]:
    """Every straight run of so many places, in both directions."""
    board = set(places(shape))
    walks = (tuple(step(at, way, i) for i in range(length)) for at in places(shape) for way in ways(shape))
    return tuple(walk for walk in walks if board.issuperset(walk))


def made(game: Game, stones: Stones) -> set[frozenset[At]]:
    """The lines or words that stand on the board; one that reads alike both ways is still one."""
    if game.goal.length is None:
        return set()
    flat = [run for run in runs(game.grid.shape, game.goal.length) if not game.grid.separate or run[0][0] == run[1][0]]
    texts = ((run, "".join(stones.get(at, " ") for at in run)) for run in flat)
    if game.goal.kind == "word":
        return {frozenset(run) for run, text in texts if text == game.goal.word}
    return {
        frozenset(run)
        for run, text in texts
        if " " not in text and len(set(text)) == 1 and not (game.goal.exact and longer(stones, run))
    }


def longer(stones: Stones, run: tuple[At, ...]) -> bool:
    """Whether a run of equal stones goes on at the end that it runs to; its mirror image asks for the other end."""
    way = step(run[1], run[0], -1)
    return stones[run[0]] in (stones.get(step(run[-1], way)), stones.get(step(run[0], way, -1)))


def closed(game: Game, stones: Stones) -> set[int]:
    """Of several boards those with a line."""
    return {min(line)[0] for line in made(game, stones)} if game.grid.separate else set()


def captured(game: Game, stones: Stones, at: At, player: int) -> list[At]:
    """The opponent's stones between a new stone and the next one of the same player, in every direction."""
    found: list[At] = []
    for way in ways(game.grid.shape):
        between: list[At] = []
        here = step(at, way)
        while stones.get(here) == game.marks[1 - player]:
            between.append(here)
            here = step(here, way)
        if stones.get(here) == game.marks[player]:
            found += between
    return found


def usable(game: Game, stones: Stones, player: int) -> list[At]:
    """The blank places that the placement rule allows."""
    shut = closed(game, stones)
    blank = [at for at in places(game.grid.shape) if at not in stones and at[0] not in shut]
    if game.placement == "drop":
        lowest = {(*at[:-2], at[-1]): at for at in blank}  # a later row is a lower one
        return sorted(lowest.values())
    if game.placement == "flank":
        return [at for at in blank if captured(game, stones, at, player)]
    return blank


def result(game: Game, state: State) -> int | str | None:
    """The winner, `draw`, or None while the game goes on."""
    decided = not game.grid.separate or len(closed(game, state.stones)) == game.grid.shape[0]
    if decided and game.goal.owner is not None and made(game, state.stones):
        return game.goal.owner
    if decided and game.goal.effect != "scores":
        for line in made(game, state.stones):
            maker = state.mover  # of several boards the last to be closed decides
            if game.goal.kind == "line" and not game.shared and not game.grid.separate:
                maker = game.marks.index(state.stones[min(line)])
            if maker is not None:
                return maker if game.goal.effect == "wins" else 1 - maker
    if usable(game, state.stones, state.player):
        return None
    if game.goal.owner is not None:
        return 1 - game.goal.owner
    first, second = state.points
    if game.goal.kind == "majority":
        count = Counter(state.stones.values())
        first, second = count[game.marks[0]], count[game.marks[1]]
    return "draw" if first == second else 0 if first > second else 1


def legal(game: Game, state: State) -> list[tuple[At, str]]:
    """Every place and mark that may be played."""
    if result(game, state) is not None:
        return []
    marks = list(game.marks) if game.shared else [game.marks[state.player]]
    return [(at, mark) for at in usable(game, state.stones, state.player) for mark in marks]


def handed_on(game: Game, stones: Stones, mover: int) -> int:
    """Whose turn it is after a turn of `mover`: in flanking games a player who can't move is passed over."""
    passes = game.placement == "flank" and not usable(game, stones, 1 - mover) and usable(game, stones, mover)
    return mover if passes else 1 - mover


def stones_of(game: Game, marks: str) -> Stones:
    return {at: mark for at, mark in zip(places(game.grid.shape), marks, strict=True) if mark in game.marks}


def begin(game: Game) -> State:
    """The state before the first move."""
    stones = stones_of(game, game.beginning)
    return State(stones, handed_on(game, stones, mover=1))


def drawn(game: Game, position: Position) -> State:
    """The state that a position shows."""
    return State(stones_of(game, position.marks), position.seat, position.scores, mover=1 - position.seat)


def play(game: Game, state: State, at: At, mark: str) -> State:
    """The state after a legal move."""
    turned = captured(game, state.stones, at, state.player) if game.placement == "flank" else []
    stones = {**state.stones, at: mark, **dict.fromkeys(turned, mark)}
    gain = len(made(game, stones)) - len(made(game, state.stones)) if game.goal.effect == "scores" else 0
    points = list(state.points)
    points[state.player] += gain
    follows = state.player if game.again and gain else handed_on(game, stones, state.player)
    return State(stones, follows, (points[0], points[1]), mover=state.player)


def layers(game: Game, state: State) -> Iterator[list[tuple[State, int]]]:
    """Ply by ply, the different states and how many sequences of moves lead to each."""
    layer = [(state, 1)]
    while True:
        following: dict[object, tuple[State, int]] = {}
        for state, times in layer:
            for at, mark in legal(game, state):
                after = play(game, state, at, mark)
                _, before = following.get(after.key, (None, 0))
                following[after.key] = after, before + times
        if not following:
            return
        layer = list(following.values())
        yield layer


def main(spec: str, depth: int, board: str = "") -> None:
    """Print a table for `tests/perft`."""
    game = load_game(spec)
    state = drawn(game, game.position(board)) if board else begin(game)
    counted = list(islice(layers(game, state), depth))
    print(f'[[table]]\ngame = "{spec}"')
    if board:
        print(f'board = "{board}"')
    print('source = "tests/naive.py"')
    print(f"sequences = {[sum(times for _, times in layer) for layer in counted]}")
    print(f"positions = {[len(layer) for layer in counted]}")
    if all(result(game, state) is not None for state, _ in counted[-1]):
        ends: Counter[int | str | None] = Counter()
        for layer in counted:
            for state, times in layer:
                ends[result(game, state)] += times
        print(f"games = {{ first = {ends[0]}, second = {ends[1]}, draw = {ends['draw']} }}")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), *sys.argv[3:])
