"""The feasible greedy paper: its examples, the no option condition, whether it can lose, table I, how fast it is."""

from collections.abc import Iterator
from math import ceil, log10
from time import thread_time

from teamplay.arena.playing import played_out
from teamplay.engine.solver import Solver
from teamplay.game import SEATS, Game, Move, Position
from teamplay.luck import Luck
from teamplay.players import _sos
from teamplay.reproduce.chances import Chances
from teamplay.reproduce.lab import Lab, agree, examined, shares
from teamplay.reproduce.replication import EXCLUDED, Curve, Plot, Replication, held, proved
from teamplay.reproduce.sos import (
    DOUBT,
    areas,
    board,
    counted,
    duel,
    fits,
    open_player,
    play,
    written,
)
from teamplay.statistics import as_unlikely, together

TITLE = "Playing the SOS Game Using Feasible Greedy Strategy"
PLAYER = "feasible-greedy"

# Won, drawn and lost of 200, by the side of the board; the paper prints the draws last.
TABLE_1 = {
    3: {"random": (123, 77, 0), "greedy": (101, 99, 0)},
    4: {"random": (195, 5, 0), "greedy": (196, 4, 0)},
    5: {"random": (200, 0, 0), "greedy": (200, 0, 0)},
    6: {"random": (200, 0, 0), "greedy": (200, 0, 0)},
    7: {"random": (200, 0, 0), "greedy": (200, 0, 0)},
    8: {"random": (200, 0, 0), "greedy": (200, 0, 0)},
}
TABLE_2 = {3: (0, 200, 0), 4: (88, 28, 84), 5: (103, 3, 94), 6: (118, 0, 82), 7: (135, 0, 65), 8: (147, 0, 53)}
QUICK_GAMES = {4: 200, 5: 80, 6: 40, 7: 20, 8: 20}  # about as long each
WHOLE_GAMES = {3: 1000, 4: 1000, 5: 1000, 6: 1000, 7: 400, 8: 400}

READING = (
    "what is bad is blacklisted, as the text says (the printed loop has no list); `board size × 2` draws are twice the "
    "cells; the first score met is taken; a random move has either letter; seats alternate"
)
# The agent and the pure greedy opponent of each reading.
READINGS = {
    "with a blacklist, either letter": (PLAYER, "greedy"),
    "no blacklist, as the loop is printed": ("feasible-greedy(blacklist=false)", "greedy"),
    "no blacklist, and draws are twice the side": ("feasible-greedy(blacklist=false,limit=side)", "greedy"),
    "the agent draws the letter that the printed loop ends with, always O": ("feasible-greedy(letter=last)", "greedy"),
    "pure greedy draws that letter, always O": ("feasible-greedy", "greedy(letter=last)"),
}
READING_GAMES = {3: 4000, 4: 1000}
TRIES = 2000  # games until a lost one is found
LONGEST = 100  # milliseconds a move


def square(side: int) -> Game:
    return board(f"sos(n={side})")


def results(lab: Lab) -> Iterator[Replication | Plot]:
    """Section by section."""
    yield _states()
    yield _draw()
    yield from _first_moves()
    yield _worked_example()
    yield from _no_option(lab)
    lab.say("all games on 3x3")
    small, facing = duel(open_player(PLAYER, square(3)), open_player("random", square(3)), square(3))
    yield from _never_loses_on_3x3(small, facing, lab)
    yield _loses_on_4x4(lab)
    yield from _table_1(small, lab)
    if lab.whole:  # a few games would agree with anything
        for what, players in READINGS.items():
            yield _reading(what, *players, lab)
    yield _speed(lab)
    yield _table_2(lab)


def _states() -> Replication:
    """Every board is met: cells are filled in any order with any letter. Walked where that is quick."""
    tiny = board("sos(rows=2,columns=3)")
    met = sum(map(len, tiny.layers(alike=lambda position: position.marks, ends=True)))
    states, cells = len(square(5).visible_marks), square(5).grid.size
    return Replication(
        "II. A",
        "states of a 5x5 board",
        "3^25",
        f"{states}^{cells} = {states**cells:,}; all {met} = {states}^{tiny.grid.size} boards of 2x3 can be met",
        proved((states, cells) == (3, 25) and met == states**tiny.grid.size),
        "boards with blanks, whose turn and what score it may be left aside; boards that are full are fewer, 2^25",
    )


def _draw() -> Replication:
    value = Solver(square(3)).value(square(3).start)
    return Replication(
        "I", "best result on 3x3 against perfect play", "a draw", f"value {value}", proved(value == 0), "", "solved"
    )


def _first_moves() -> Iterator[Replication]:
    """What the text says of 5x5: who begins may do anything; a single S; two of them."""
    game = square(5)
    player = open_player(PLAYER, game)
    first = player.moves(game.start)
    yield Replication(
        "III",
        "who begins makes a random move, for none can be bad",
        "random",
        f"{len(first)} of {len(game.moves(game.start))} moves",
        proved(first == game.moves(game.start)),
    )
    alone = game.after(game.start, Move(12, "S"))
    safe = player.moves(alone)
    yield Replication(
        "Figure 1",
        "with S in 13, O in 1 is a safe place",
        "safe",
        f"{'safe' if Move(0, 'O') in safe else 'not safe'}; {len(safe)} of {len(game.moves(alone))} moves are",
        proved(Move(0, "O") in safe),
    )
    yield _near(game, safe)
    pair = game.after(alone, Move(0, "S"))
    taken = player.moves(pair)
    yield Replication(
        "III", "with S in 1 and 13, the agent takes", "O7", written(game, taken), proved(taken == [Move(6, "O")])
    )


def _near(game: Game, safe: list[Move]) -> Replication:
    """Which letters may stand how near to an S in the middle."""
    rays = [game.grid.ray(12, way, 2) for way in game.grid.directions]
    kept = {
        (letter, steps): sum(Move(ray[steps - 1], letter) in safe for ray in rays)
        for letter in _sos.LETTERS
        for steps in (1, 2)
    }
    return Replication(
        "II. A, B",
        "an O or an S near an S gives a point away; an O near it blocks",
        "both",
        f"of {len(rays)} places: O beside it {kept['O', 1]} safe, O two away {kept['O', 2]}; "
        f"S beside it {kept['S', 1]}, S two away {kept['S', 2]}",
        proved(kept["O", 1] == 0 and kept["O", 2] == len(rays) and kept["S", 2] == 0),
        "an O must not stand beside the S but blocks two away; an S must not stand two away",
        "taken together the two sentences contradict each other; they hold for different distances",
    )


def _worked_example() -> Replication:
    game = square(3)
    player, position = open_player(PLAYER, game), game.position("O../.../..S")
    after = game.after(position, Move(5, "O"))
    replies = _sos.scoring(game, after.marks)
    avoided = Move(5, "O") not in player.moves(position)
    return Replication(
        "II. B",
        "O in 6 is bad, because the opponent takes 3 with S, and is not chosen",
        "S3, along 3, 6 and 9",
        f"{written(game, tuple(replies))}; O6 is {'not ' if avoided else ''}chosen",
        proved(set(replies) == {Move(2, "S")} and avoided),
        "the printed list lost its blanks; it has O in 1 and S in 9, as the two lists after it show",
        f"S in 6 is {'still chosen' if Move(5, 'S') in player.moves(position) else 'not chosen either'}: "
        "the state is blacklisted, not the place",
    )


def _no_option(lab: Lab) -> Iterator[Replication]:
    """Every board of 3x3 and of 4x4."""
    lab.say("the no option condition on every board")
    small, large = areas(square(3)), areas(square(4))
    found = [sum(each.boards.values()) for each in (small, large)]
    where = "III, figure 6"
    yield Replication(
        where,
        "the smallest square board with a no option condition",
        "4x4",
        f"{found[0]:,} of {3**9:,} boards of 3x3, {found[1]:,} of {3**16:,} boards of 4x4",
        proved(found[0] == 0 and found[1] > 0),
        "nobody can score, and every move of those that are left lets the opponent score",
    )
    smallest = large.smallest
    example = " and ".join(str(cell + 1) for cell in sorted(smallest[0]))
    yield Replication(
        where,
        "conditions on 4x4, found alone or together",
        "9",
        f"{len(smallest)} smallest areas (as {example}; {large.kinds(smallest)} kinds up to symmetry), "
        f"{len(large.boards)} areas in all ({large.kinds(list(large.boards))} kinds)",
        held(len(smallest) == 9),
        "an area is a set of blanks; the drawing is lost",
        "the smallest areas are the two cells between two S in four cells of a row, column or diagonal",
    )


def _never_loses_on_3x3(small: Chances, facing: list[Position], lab: Lab) -> Iterator[Replication]:
    game = square(3)
    player, greedy = open_player(PLAYER, game), open_player("greedy", game)
    free = sum(set(greedy.moves(at)) == set(game.moves(at)) for at in facing)
    all_free = free == len(facing)
    yield Replication(
        "III",
        "on 3x3 random and pure greedy have no chance to win",
        "no chance",
        f"{100 * float(small.lost):g}% over every reply and every tie; in {free:,} of the {len(facing):,} "
        "positions that its opponent meets pure greedy has nothing to take",
        proved(not small.lost and all_free),
        READING,
        "so against this player pure greedy is the random player on 3x3, and the two columns of table I are samples "
        "of the same chances"
        if all_free
        else "",
    )
    seats = (0, 1) if lab.whole else (1,)
    moving = " and ".join(SEATS[seat] for seat in seats)
    lab.say("is it perfect on 3x3?")
    found = [examined(player, game, seat, goal="wins-if-possible") for seat in seats]
    yield Replication(
        "IV",
        f"on 3x3 it plays optimally, moving {moving}",
        "optimal",
        f"{', '.join(each.verdict for each in found)}: {sum(each.losses for each in found)} lost ends, in "
        f"{sum(each.positions for each in found):,} positions",
        proved(all(each.verdict == "proved" and not each.losses for each in found)),
        "it never lets a win or a draw go that perfect play would have; how many points it makes is left aside",
    )
    lab.say("without a blacklist")
    found = [examined(open_player(f"{PLAYER}(blacklist=false)", game), game, seat) for seat in seats]
    yield Replication(
        "Algorithm 2",
        f"the same as printed, without a blacklist, moving {moving}",
        "never loses",
        f"{', '.join(each.verdict for each in found)}: as {written(game, found[0].game or ())}",
        proved(all(each.verdict == "proved" for each in found)),
        "every draw may be bad, however unlikely that is",
    )


def _loses_on_4x4(lab: Lab) -> Replication:
    """A lost game against moves that greedy, and so random too, might make."""
    lab.say("looking for a lost game on 4x4")
    game = square(4)
    player, greedy, thinker = (open_player(name, game) for name in (PLAYER, "greedy", "considerate-greedy"))
    lost = None
    for seed in range(TRIES):
        played, end = play(game, thinker, player, lab.seed + seed)
        possible = all(move in greedy.moves(at) for at, move in played if at.seat == 0)
        if possible and end.scores[0] > end.scores[1]:
            lost = [move for _, move in played], end.scores
            break
    measured = f"no lost game among {TRIES:,}"
    if lost:
        measured = (
            f"can lose: {written(game, lost[0])}, {lost[1][1]} to {lost[1][0]}; every move of the other side is one "
            "that pure greedy and random might make"
        )
    return Replication(
        "Abstract, III",
        "it never loses against random and pure greedy, from 4x4 on",
        "never loses",
        measured,
        proved(False) if lost else held(True),
        READING,
        "what the paper saw is that a loss is rare (table I); the no option condition makes it possible",
    )


def _table_1(small: Chances, lab: Lab) -> Iterator[Replication | Plot]:
    curves: dict[str, list[tuple[float, float]]] = {}
    lost = games = 0
    for side, row in TABLE_1.items():
        for opponent, published in row.items():
            where, claim = f"Table I, {side}x{side}", f"against {opponent}"
            if side == 3:
                won, measured, right = float(small.won), f"{small} (exact)", fits(published, small)
            else:
                tally = lab.match(PLAYER, opponent, str(square(side)), lab.games(QUICK_GAMES[side], WHOLE_GAMES[side]))
                found = tally.wins, tally.draws, tally.losses
                won, measured, right = tally.wins / tally.games, shares(found), agree(published, found)
                lost, games = lost + tally.losses, games + tally.games
            yield Replication(where, claim, counted(published), measured, held(right), READING)
            curves.setdefault(f"against {opponent}, published", []).append((side, 100 * published[0] / sum(published)))
            curves.setdefault(f"against {opponent}, measured", []).append((side, 100 * won))
    both = tuple(map(sum, zip(*TABLE_1[3].values(), strict=True)))
    played = sum(sum(counts) for side, row in TABLE_1.items() if side > 3 for counts in row.values())
    reading = "pure greedy never meets anything to take there, so both columns are samples of the same chances"
    yield Replication(
        "Table I, 3x3", "both columns together", counted(both), f"{small} (exact)", held(fits(both, small)), reading
    )
    yield Replication(
        "Table I, 4x4 to 8x8",
        "games lost to random or pure greedy",
        f"0 of {played:,}",
        f"{lost} of {games:,}",
        held(agree((0, played), (lost, games - lost))),
    )
    yield Plot(
        "feasible-greedy",
        "Games won by feasible greedy (table I)",
        "side of the board",
        "% won",
        tuple(Curve(label, tuple(points)) for label, points in curves.items()),
    )


def _reading(what: str, player: str, greedy: str, lab: Lab) -> Replication:
    """Table I where not all games are won: the four counts, one by one and together."""
    rows = {(side, name): counts for side in (3, 4) for name, counts in TABLE_1[side].items()}
    tests, said = [], []
    for (side, name), published in rows.items():
        tally = lab.match(player, greedy if name == "greedy" else name, str(square(side)), READING_GAMES[side])
        found = tally.wins, tally.draws, tally.losses
        tests.append(as_unlikely(published, tuple(count / tally.games for count in found)))
        said.append(f"{side}x{side} against {name} {counted(found)} ({100 * tests[-1]:.2f}%)")
    chance = together(tests)
    return Replication(
        "Table I, 3x3 and 4x4",
        "the four counts, by different readings",
        ", ".join(f"{counts[0]}" for counts in rows.values()) + " won of 200 each",
        f"{'; '.join(said)}; together {100 * chance:.2f}%",
        held(chance >= DOUBT),
        f"{what}; percents say how likely something as unlikely as the published count is",
    )


def _speed(lab: Lab) -> Replication:
    """The slowest move on the largest board, in processor time."""
    lab.say("the slowest move on 8x8")
    game = square(8)
    player, slowest = open_player(PLAYER, game), 0.0
    for seed in range(lab.games(2, 20)):

        def timed(position: Position, luck: Luck) -> Move:
            nonlocal slowest
            begun = thread_time()
            move = player.choose(position, luck)
            slowest = max(slowest, 1000 * (thread_time() - begun))
            return move

        played_out(game, game.start, (timed, timed), Luck(lab.seed + seed))
    bound = 10 ** ceil(log10(slowest))
    return Replication("III", "each move on 8x8", f"below {LONGEST} ms", f"below {bound} ms", held(slowest < LONGEST))


def _table_2(lab: Lab) -> Replication:
    """People can't be tried again; who plays as the paper says that they do can."""
    said = []
    for side in (3, 4, 5):
        tally = lab.match(PLAYER, PLAYER, str(square(side)), lab.games(40, WHOLE_GAMES[side]))
        said.append(f"{side}x{side} {counted((tally.wins, tally.draws, tally.losses))}")
    return Replication(
        "Table II",
        "against people",
        "; ".join(f"{side}x{side} {counted(counts)}" for side, counts in TABLE_2.items()),
        f"not tried; instead against itself: {', '.join(said)}",
        EXCLUDED,
        "a normal player is said to play safely and to move at random where no option is left, as the agent does",
    )
