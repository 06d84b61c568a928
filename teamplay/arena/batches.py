"""How are many games of quick players played at once? By the compiled engine, whole chunks at a time.

A chunk's chance comes from the seed of the match and the number of its first game. A random player is a team whose
agents are all silent: then every legal move ties.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from teamplay.arena.match import Chunk, Played, Seated, Tally, line
from teamplay.arena.playing import seed_of
from teamplay.engine.contest import Contest
from teamplay.engine.game_graph import MOST_MOVES, game_graph
from teamplay.engine.playouts import FEW_MOVES, Results, playouts
from teamplay.game import Game, Move
from teamplay.luck import Luck
from teamplay.team import Team


def play_batch(seated: Seated, chunk: Chunk) -> Played:
    """The games of a chunk with player a in the first seat, then those with player b there."""
    sizes = (chunk.games + 1) // 2, chunk.games // 2
    halves = [_half(seated, chunk, second, games) for second, games in enumerate(sizes)]
    one, two = halves
    tally = Tally(one.first, one.draws, one.second, two.second, two.draws, two.first, one.moves + two.moves)
    fixed = Counter[int]()
    for second, games in enumerate(sizes):
        fixed[seated.identity(seated.game.start, second)] += games * seated.forced(second)
    once = tuple(sorted((+fixed).items()))
    if not chunk.recorded:
        return Played(tally, fixed=once)
    numbered = {
        number: moves
        for second, half in enumerate(halves)
        for number, moves in zip(
            range(chunk.start + second, chunk.start + chunk.games, 2), _games(seated.game, half.record), strict=True
        )
    }
    lines = tuple(line(seated, number, 0, numbered[number], Luck(0)) for number in sorted(numbered))
    return Played(tally, lines, once)


def _half(seated: Seated, chunk: Chunk, second: int, games: int) -> Results:
    """The games of a chunk in which player a has one of the seats."""
    seed = seed_of(chunk.match.seed, "chunk", chunk.start, second + 1)
    cells = games * seated.game.grid.size
    recorded, large = cells if chunk.recorded else 0, cells > FEW_MOVES
    teams = [player for player in seated.players if isinstance(player, Team)]
    if not teams:
        return playouts(seated.game, games, seed, recorded, large)
    silent = replace(teams[0].book, sections=())
    one, other = (player.book if isinstance(player, Team) else silent for player in seated.players)
    books = (other, one) if second else (one, other)
    few = chunk.match.games * seated.game.grid.size <= MOST_MOVES
    if few and (graph := game_graph(*books)):
        return graph.play(games, seed, recorded)
    return Contest(*books, large).play(games, seed, recorded)


def _games(game: Game, record: Sequence[Move]) -> Iterator[list[Move]]:
    """The moves of many games, one game after the other, taken apart."""
    position, moves = game.start, []
    for move in record:
        position = game.after(position, move)
        moves.append(move)
        if game.outcome(position):
            yield moves
            position, moves = game.start, []
