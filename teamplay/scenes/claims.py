"""Does a claim about a whole table hold? Proofs by `verify`, games by seeded play, comparison by enumeration."""

from collections.abc import Iterator
from itertools import islice

from teamplay.arena.playing import chooser, played_out
from teamplay.game import SEATS, Game, Position
from teamplay.luck import Luck
from teamplay.players import Player
from teamplay.proof.blame import blame, positions_of
from teamplay.proof.compare import compare
from teamplay.proof.goals import PROVED, REFUTED
from teamplay.proof.oracle import oracle_for
from teamplay.proof.verify import INTERRUPTED, Bounds, Verdict, verify
from teamplay.scenes.findings import Failure, Seen, TestResult, pictured
from teamplay.scenes.script import Beats, GoalClaim
from teamplay.show.words import counted, listed, move_name
from teamplay.statistics import wilson
from teamplay.team import Team

MOST_SEEN = 20_000  # positions of one claim that coverage looks at
MOST_FOR_BLAME = 200_000  # positions that it may cost to learn where a game was lost


def prove(claim: GoalClaim, team: Team, bounds: Bounds, seen: Seen) -> TestResult:
    """Every reply and every tie, in every seat that the claim is about."""
    notes = []
    for seat in claim.seats:
        verdict = verify(team, team.game, seat, claim.goal, bounds)
        if verdict.bound == INTERRUPTED:
            raise KeyboardInterrupt
        _show(verdict.explorer.met(), seen)
        if verdict.verdict != ("proved" if claim.holds else "refuted"):
            return TestResult("", _unproved(claim, team, verdict))
        notes.append(_note(verdict) if len(claim.seats) == 1 else f"moving {SEATS[seat]} {_note(verdict)}")
    return TestResult("; ".join(notes))


def _show(positions: Iterator[Position], seen: Seen) -> None:
    """Let coverage look at the positions of a claim, up to a bound."""
    if seen:
        for position in islice(positions, MOST_SEEN):
            seen(position)


def _note(verdict: Verdict) -> str:
    if verdict.game is not None:
        return f"in {counted(len(verdict.game), 'move')}"
    return f"proved, {counted(verdict.positions, 'position')}"


def _unproved(claim: GoalClaim, team: Team, verdict: Verdict) -> Failure:
    moving = f"Moving {SEATS[verdict.seat]} at {team.game}, {team.name}"
    if verdict.verdict == "undecided":
        wanted = (PROVED if claim.holds else REFUTED)[claim.goal]
        return Failure(
            (
                f"{moving}: not decided whether it {wanted}; the bound was {verdict.bound}.",
                f"Every game of up to {counted(verdict.plies, 'move')} was seen, and none breaks the goal.",
            )
        )
    if verdict.game is None:
        return Failure((f"{moving} {PROVED[claim.goal]}: proved, with {counted(verdict.positions, 'position')}.",))
    moves = " ".join(team.game.format_move(move) for move in verdict.game)
    said = f"{moving} {REFUTED[claim.goal]}: {moves} is a shortest game."
    return _blamed(team, verdict, said)


def _blamed(team: Team, verdict: Verdict, said: str) -> Failure:
    """The choice that lost the game, on its board."""
    moves = verdict.game or ()
    found = blame(team.game, moves, verdict.seat, verdict.goal, oracle_for(team.game, MOST_FOR_BLAME))
    if found.ply is None:
        return Failure((said, "No choice is to blame: perfect play would do no better."))
    position, move = positions_of(team.game, moves)[found.ply], moves[found.ply]
    better = listed([move_name(team.game, other) for other in found.better], joint="or")
    why = f"To blame is move {found.ply + 1}, {move_name(team.game, move)}" + (
        f"; {better} would keep the goal." if found.certain else ", or one before it."
    )
    return Failure((said, why), pictured(team, position, move, 0), (move.cell,))


def play(claim: Beats, team: Team, rival: Player, seed: int, seen: Seen) -> TestResult:
    """Play the games of a claim with seeds of their own, seats alternating; a draw is no win."""
    wins = 0
    ours, theirs = chooser(team), chooser(rival)
    for number in range(claim.games):
        seat = number % 2
        choosers = (ours, theirs) if seat == 0 else (theirs, ours)
        moves, winner, _ = played_out(team.game, team.game.start, choosers, Luck((seed << 32) + number))
        wins += winner == seat
        if seen:
            met = positions_of(team.game, moves)[:-1]
            _show((position for position in met if position.seat == seat), seen)
    share = wilson(wins, claim.games)
    said = f"{wins:,} of {counted(claim.games, 'game')} won, 95% interval {share.low:.1%} to {share.high:.1%}"
    if 100 * wins >= claim.percent * claim.games:
        return TestResult(said)
    wanted = f"{float(claim.percent):g}%"
    return TestResult("", Failure((f"{team.name} should win {wanted} against {rival.name}; {said} (seed {seed}).",)))


def alike(team: Team, other: Player, seen: Seen) -> TestResult:
    """Do both name the same set of moves in every position?"""
    found = compare(team, other, team.game)
    if found is None:
        problem = f"The positions of {team.game} are too many to compare, or {other.name} can't name its moves."
        return TestResult("", Failure((f"Not decided. {problem}",)))
    _show(_all(team.game), seen)
    if not found.different:
        return TestResult(f"the same in {counted(found.positions, 'position')}")
    assert found.first and found.choices
    ours, theirs = ([move_name(team.game, move) for move in moves] for moves in found.choices)
    count = f"{found.different:,} of {counted(found.positions, 'position')}"
    return TestResult(
        "",
        Failure(
            (f"{team.name} and {other.name} choose differently in {count}; this is the first.",),
            pictured(team, found.first, found.choices[0][0], 0),
            (found.choices[0][0].cell,),
            chosen=listed(ours, joint="or"),
            expected=f"{listed(theirs, joint='or')}, as {other.name} does",
        ),
    )


def _all(game: Game) -> Iterator[Position]:
    """Every position that goes on, those with the fewest marks first."""
    return (position for layer in game.layers() for position in layer)
