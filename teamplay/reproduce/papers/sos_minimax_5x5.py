"""The 5x5 SOS project: its sample games counted again, what its two searches see, and how strong they are."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice, product
from math import factorial
from statistics import mean

from teamplay.game import BLANK, Game, Move, Position
from teamplay.players import _sos
from teamplay.reproduce.lab import Lab, shares
from teamplay.reproduce.replication import EXCLUDED, Curve, Plot, Replication, held, proved
from teamplay.reproduce.sos import DOUBT, Played, board, counted, games, open_player, words, written
from teamplay.statistics import as_unlikely

TITLE = "SOS Game: a 5x5 board with minimax and two heuristics (a course project)"
PRINTED = ("h1", "h2")  # AI1 or easy, AI2 or hard
REPAIRED = "owned-minimax"
DEPTH = "depth 4, as printed"
FEW_BLANKS = 4  # from here the printed depth reaches the end of the game, and so does plain recursion
MOST_ENDS = 200  # enough to see that they differ


@dataclass(frozen=True)
class Sample:
    """A game of the paper: its last board, the scores, and the last move where it is shown, with its points."""

    name: str
    drawing: str
    scores: tuple[int, int]
    last: str = ""
    points: int = 0


SAMPLES = (
    Sample("two people", "SSSOS/SOOSO/SOSOS/OOOOO/SOSOS", (10, 6), "O 3,2", 1),
    Sample("a person and easy", "SSOSS/SSSOS/SOSSO/SOSOS/SOSOS", (10, 5), "O 3,5", 1),
    Sample("a person and hard", "SSSOS/SOSOS/SSOOO/OOSOS/SSSOS", (9, 5), "O 4,4", 1),
    Sample("AI1 and AI2, sample 1", "SSSOS/SOSSO/OSOSS/SSSOS/SOSOS", (6, 6)),
    Sample("AI1 and AI2, sample 2", "SOSSS/OOOOO/SSSSS/OOOOS/SSSSS", (13, 7), "S 1,5", 2),
    Sample("AI1 and AI2, sample 3", "SOSSS/SOSOO/SOSSS/SSOOO/SOSSS", (8, 8), "O 5,2", 1),
)
BETWEEN_AIS = SAMPLES[3:]
# The openings shown: what stood there, the answer, and who gave it.
OPENINGS = (("AI1, sample 1", "", "O 3,3"), ("AI1, sample 3", "", "O 4,5"), ("easy", "S 2,1", "O 2,4"))


@cache
def corners() -> Game:
    """The paper's game: the turn passes even after scoring."""
    return board("sos-corners")


def results(lab: Lab) -> Iterator[Replication | Plot]:
    """The samples, the program, and how strong it is."""
    yield _turns(lab)
    yield from map(_total, SAMPLES)
    yield from (_last(sample) for sample in SAMPLES if sample.last)
    yield from _openings()
    yield _diagonals()
    played = list(games(lab, *PRINTED, corners(), lab.games(100, 1000)))
    yield from _results(played)
    yield _letters(played)
    yield _owners(played)
    yield _harder(lab)
    yield _challenging(lab)
    yield _repaired(lab)
    people = "; ".join(f"{sample.name} {_score(sample.scores)}" for sample in SAMPLES[1:3])
    yield Replication(
        "4. Samples 1 and 2", "results of people", people, "not tried", EXCLUDED, "", "boards counted above"
    )


def _score(scores: tuple[int, int]) -> str:
    return f"{scores[0]}-{scores[1]}"


# The sample games


def _turns(lab: Lab) -> Replication:
    """Who makes the last move, by the two rules that the text has."""
    free, number = corners().beginning.count(BLANK), lab.games(100, 1000)
    again = games(lab, "random", "random", replace(corners(), again=True), number)
    first = sum(played[-1][0].seat == 0 for played, _ in again)
    return Replication(
        "1, 3.1, play_game",
        "the turn passes after an SOS (section 1), or the scorer moves again (section 3.1)",
        f"player 1 makes the last move in all {len(SAMPLES)} samples",
        f"{free} cells are free: if the turn passes player {1 if free % 2 else 2} always makes the last move; if the "
        f"scorer moves again player 1 does in {first} of {number} random games",
        proved(free % 2 == 1),
        "the turn passes: so section 1, the printed program, and the samples; section 3.1 is wrong",
    )


def _total(sample: Sample) -> Replication:
    found = words(corners(), corners().position(sample.drawing).marks)
    published = sum(sample.scores)
    return Replication(
        f"Sample: {sample.name}",
        "SOS on the last board, and the scores added up",
        f"{_score(sample.scores)}, in all {published}",
        str(found),
        proved(found == published),
    )


def _last(sample: Sample) -> Replication:
    """The last move: its points, and between programs whether it is one of the player's own."""
    game = corners()
    move = game.parse_move(sample.last, 0)
    marks = game.position(sample.drawing).marks
    before = Position(f"{marks[: move.cell]}{BLANK}{marks[move.cell + 1 :]}", 0)
    found = _sos.points(game, before.marks, move)
    measured, fits = f"{found}", found == sample.points and marks[move.cell] == move.mark
    if sample in BETWEEN_AIS:
        sets = {name: open_player(name, game).moves(before) for name in PRINTED}
        fits = fits and move in sets["h1"]
        measured += "; " + ", ".join(f"{name} would play {written(game, moves)}" for name, moves in sets.items())
    claim = f"points of the last move, {game.format_move(move)}"
    return Replication(f"Sample: {sample.name}", claim, str(sample.points), measured, proved(fits))


def _openings() -> Iterator[Replication]:
    game = corners()
    easy, hard = (open_player(name, game) for name in PRINTED)
    for who, shown, answer in OPENINGS:
        position = game.after(game.start, game.parse_move(shown, 0)) if shown else game.start
        move, choices = game.parse_move(answer, position.seat), easy.moves(position)
        yield Replication(
            f"Sample: {who}",
            f"the first move, {'after ' + game.format_move(position.last) if position.last else 'from the start'}",
            game.format_move(move),
            f"one of {len(choices)} in h1's set ({_letters_of(choices)})"
            if move in choices
            else written(game, choices),
            proved(move in choices),
            DEPTH,
            f"h2 would have {len(hard.moves(position))} moves ({_letters_of(hard.moves(position))})",
        )


def _letters_of(moves: list[Move]) -> str:
    return ", ".join(f"{number} with {letter}" for letter, number in sorted(Counter(m.mark for m in moves).items()))


# The program


def _diagonals() -> Replication:
    """h1's conditions, cell by cell, against a count of lines, on every full board of 4x3."""
    game = board("sos(rows=4,columns=3)")
    boards = ["".join(letters) for letters in product(_sos.LETTERS, repeat=game.grid.size)]
    same = sum(_as_printed(game, marks) == words(game, marks) for marks in boards)
    return Replication(
        "h1",
        "counts the SOS on the board; its test of diagonals has a further part for the top row",
        "the number of SOS",
        f"the same on {same:,} of {len(boards):,} full boards of 4x3",
        proved(same == len(boards)),
        "",
        "the further part repeats the first, so nothing is counted twice; whose SOS they are is not counted at all",
    )


def _as_printed(game: Game, marks: str) -> int:
    """Down, across, down a diagonal (also if the row is the top one and the same holds), up a diagonal."""
    rows, columns = game.grid.shape
    found = 0
    for row, column in product(range(rows), range(columns)):

        def reads(down: int, across: int, row: int = row, column: int = column) -> bool:
            places = [(row + down * step, column + across * step) for step in range(3)]
            inside = all(0 <= r < rows and 0 <= c < columns for r, c in places)
            return inside and "".join(marks[r * columns + c] for r, c in places) == _sos.WORD

        diagonal = reads(1, 1) or (row == 0 and reads(1, 1))
        found += reads(1, 0) + reads(0, 1) + diagonal + reads(-1, 1)
    return found


def _letters(played: list[tuple[Played, Position]]) -> Replication:
    """The printed search against the same with both letters at every node, where both reach the end of the game."""
    game = corners()
    ends = (at for moves, _ in played for at, _ in moves if at.marks.count(BLANK) == FEW_BLANKS)
    last = list(islice(ends, MOST_ENDS))
    differ = {
        name: sum(set(open_player(name, game).moves(at)) != _with_both(game, at, penalty) for at in last)
        for penalty, name in enumerate(PRINTED)
    }
    return Replication(
        "minimax",
        "explores the potential moves up to its depth",
        "all",
        f"with {FEW_BLANKS} blanks 2 of {2**FEW_BLANKS} letterings of each of {factorial(FEW_BLANKS)} orders; with all "
        + " and ".join(f"{name} chooses otherwise in {number} of {len(last)}" for name, number in differ.items())
        + " positions",
        proved(not any(differ.values())),
        "below the first move each side has one letter: they the one that they began with, the opponent the other",
        "a defect: in the game both may place both",
    )


def _with_both(game: Game, position: Position, penalty: int) -> set[Move]:
    """What the paper's search chooses if every node tries both letters; to the end of the game."""

    def worth(marks: str, move: Move, maximizing: bool) -> int:
        after = f"{marks[: move.cell]}{move.mark}{marks[move.cell + 1 :]}"
        gained = _sos.points(game, marks, move) - penalty * (move.mark == "O")
        best: Callable[..., int] = max if maximizing else min
        return gained + best((worth(after, reply, not maximizing) for reply in _sos.blank_moves(after)), default=0)

    values = {move: worth(position.marks, move, False) for move in _sos.blank_moves(position.marks)}
    better = {
        cell: max(_sos.LETTERS, key=lambda letter: (values[Move(cell, letter)], letter == "O"))
        for cell in {move.cell for move in values}
    }
    kept = {Move(cell, letter) for cell, letter in better.items()}
    return {move for move in kept if values[move] == max(values.values())}


def _owners(played: list[tuple[Played, Position]]) -> Replication:
    """How often each takes a point that it could have."""
    game = corners()
    could, did = Counter[str](), Counter[str]()
    for moves, _ in played:
        for position, move in moves:
            if _sos.scoring(game, position.marks):
                name = PRINTED[position.seat]
                could[name] += 1
                did[name] += _sos.points(game, position.marks, move) > 0
    return Replication(
        "4.2, 5.2",
        "makes intelligent moves: takes a point where it can",
        "scores as many SOS as possible",
        ", ".join(f"{name} in {did[name]} of {could[name]} positions" for name in PRINTED),
        held(did == could),
        f"in the games of the two against each other, {DEPTH}",
        "what is counted are the SOS on the board, whoever makes them, so a point now is worth no more than one that "
        "the opponent will make",
    )


# How strong it is


def _results(played: list[tuple[Played, Position]]) -> Iterator[Replication | Plot]:
    """The three sample games beside many."""
    ends = [end.scores for _, end in played]
    samples = [sample.scores for sample in BETWEEN_AIS]
    published = _counts(samples)
    found = _counts(ends)
    chance = as_unlikely(published, tuple(count / len(ends) for count in found))
    reading = f"AI1 is h1 and begins, AI2 is h2; {DEPTH}"
    yield Replication(
        "5. AI vs AI",
        "AI1 against AI2",
        counted(published),
        f"{shares(found)}, {sum(found)} games; {100 * chance:.1f}% of threes are as unlikely as the samples",
        held(chance >= DOUBT),
        reading,
    )
    ranges = [(min(side), mean(side), max(side)) for side in zip(*ends, strict=True)]
    low, high = min(map(sum, ends)), max(map(sum, ends))
    inside = sum(
        all(least <= score <= most for score, (least, _, most) in zip(sample.scores, ranges, strict=True))
        for sample in BETWEEN_AIS
    )
    yield Replication(
        "5. AI vs AI",
        "scores of the samples among those of many games",
        ", ".join(_score(sample.scores) for sample in BETWEEN_AIS),
        f"{inside} of {len(BETWEEN_AIS)} within what was seen: "
        + ", ".join(
            f"AI{i} {least} to {most}, {middle:.1f} on average" for i, (least, middle, most) in enumerate(ranges, 1)
        )
        + f"; {low} to {high} SOS on the board",
        held(inside == len(BETWEEN_AIS)),
        reading,
    )
    leads = [mine - theirs for mine, theirs in samples + ends]
    span = range(min(leads), max(leads) + 1)
    yield Plot(
        "sos-minimax-5x5",
        "How far AI1 is ahead of AI2 at the end",
        "points ahead",
        "% of games",
        (
            Curve("published, 3 games", _leads(samples, span)),
            Curve(f"measured, {len(ends)} games", _leads(ends, span)),
        ),
    )


def _counts(scores: list[tuple[int, int]]) -> tuple[int, int, int]:
    """Won, drawn and lost by who begins."""
    signs = Counter((mine > theirs) - (mine < theirs) for mine, theirs in scores)
    return signs[1], signs[0], signs[-1]


def _leads(scores: list[tuple[int, int]], span: range) -> tuple[tuple[float, float], ...]:
    leads = Counter(mine - theirs for mine, theirs in scores)
    return tuple((lead, 100 * leads[lead] / len(scores)) for lead in span)


def _match(player: str, opponent: str, lab: Lab, quick: int, whole: int) -> tuple[int, int, int]:
    tally = lab.match(player, opponent, "sos-corners", lab.games(quick, whole))
    return tally.wins, tally.draws, tally.losses


def _ahead(counts: tuple[int, int, int]) -> bool:
    return counts[0] > counts[2]


def _harder(lab: Lab) -> Replication:
    found = _match("h2", "h1", lab, 100, 1000)
    return Replication(
        "4. Easy and Hard",
        "hard (h2) is stronger than easy (h1)",
        "harder",
        f"h2 against h1: {shares(found)}, {sum(found)} games",
        held(_ahead(found)),
        f"seats alternate; {DEPTH}",
        "an O on the board costs h2 a point, whoever placed it and whatever it completes",
    )


def _challenging(lab: Lab) -> Replication:
    found = {
        (name, opponent): _match(name, opponent, lab, 20, 400) for name in PRINTED for opponent in ("random", "greedy")
    }
    return Replication(
        "6. Conclusion",
        "the searches are challenging opponents",
        "challenging",
        "; ".join(f"{name} against {opponent}: {counted(counts)}" for (name, opponent), counts in found.items()),
        held(all(map(_ahead, found.values()))),
        "they beat who moves at random, and who looks at nothing but its own points of one move",
    )


def _repaired(lab: Lab) -> Replication:
    """The same depth, with owners and both letters."""
    found = {opponent: _match(REPAIRED, opponent, lab, 20, 200) for opponent in (*PRINTED, "greedy", "random")}
    return Replication(
        "6. Conclusion",
        f"the same once repaired ({REPAIRED}): points have an owner, both letters are tried everywhere",
        "challenging",
        "; ".join(f"against {opponent}: {counted(counts)}" for opponent, counts in found.items()),
        held(all(map(_ahead, found.values()))),
        f"not in the paper; {DEPTH}",
    )
