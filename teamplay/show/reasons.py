"""Why a cell answers as it does: every rule it tried, what it measured, and what it would have needed."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from teamplay.errors import IllegalMove
from teamplay.game import BLANK, Move
from teamplay.grid import Cell
from teamplay.language.expressions import Constant, format_bound
from teamplay.language.rulebook import BoundRule
from teamplay.luck import Luck
from teamplay.show.picture import Answer, Picture
from teamplay.show.words import cell_name, counted, listed, role_name, verdict
from teamplay.team.consult import Measure, Tried, nearest_miss

TEST = re.compile(r"(.+) (>=|<=|!=|=|<|>) (\S+)")
NEEDS = {">=": "", "=": "", "!=": "not ", "<=": "at most ", "<": "less than ", ">": "more than "}


@dataclass(frozen=True)
class Reason:
    """One cell's answer and how it came about."""

    cell: Cell
    barred: str  # a sentence where the agent is not asked at all, else nothing
    answer: Answer | None
    tried: tuple[Tried, ...] = ()
    unread: tuple[BoundRule, ...] = ()  # the rules below the one that answered

    @property
    def fired(self) -> Tried | None:
        """The rule that answered."""
        return next((attempt for attempt in self.tried if attempt.fired), None)

    @property
    def miss(self) -> Tried | None:
        """Of the rules that did not hold, the one that came nearest."""
        return nearest_miss(self.tried)


def reason(picture: Picture, cell: Cell) -> Reason:
    """Why this cell answers as it does in the position of a picture."""
    answer = picture.answers.get(cell)
    if answer is None:
        return Reason(cell, _barred(picture, cell), None)
    tried = picture.team.trace(picture.position, cell, Luck(picture.seed))
    rules = picture.team.book.rules(cell)
    return Reason(cell, "", answer, tuple(tried), rules[len(tried) :])


def _barred(picture: Picture, cell: Cell) -> str:
    """Why the manager does not ask this agent."""
    game, name = picture.game, cell_name(picture.game.grid, cell)
    if picture.outcome:
        return verdict(picture)
    mark = picture.marks[cell]
    if mark != BLANK:
        owner = "" if game.shared else ", the team's own" if mark == "x" else ", the opponent's"
        return f"Cell {name} is taken by {mark}{owner}: its agent has nothing more to say."
    try:
        game.after(picture.position, Move(cell, game.marks[0 if game.shared else picture.position.seat]))
    except IllegalMove as illegal:
        return f"{illegal} So its agent is not asked."
    raise AssertionError(f"cell {name} can be played and was not asked")


def needed(why: Reason, wanted: int) -> Tried | None:
    """What a cell came nearest to among the rules that would have been urgent enough; among ties the least urgent."""
    enough = [attempt for attempt in why.tried if attempt.possible and not attempt.fired and attempt.priority <= wanted]
    return min(enough, key=lambda attempt: (attempt.missing, -attempt.priority), default=None)


def shadowed(why: Reason, wanted: int) -> BoundRule | None:
    """A rule that would have been urgent enough but stands below the one that answered."""
    below = (rule for rule in why.unread if isinstance(rule.priority, Constant) and rule.priority.value <= wanted)
    return next(below, None)


def question(rule: BoundRule) -> str:
    """What a rule asks."""
    return format_bound(rule.condition) if rule.condition else "always"


def measured(attempt: Tried) -> str:
    """What a rule measured, beside each test whether it held, or what it needs; and what its answer is made of.

    A test of numbers that are fixed on this board, such as `k <= 4`, measures nothing; it is named if it fails.
    """
    measures = [measure for measure in attempt.measures if measure.sides or not measure.held]
    if len(measures) == 1 and measures[0].held == attempt.held:
        tests = [f"{measures[0].measured}{'' if attempt.held else _needs(measures[0])}"]
    else:
        tests = [f"{measure.measured or measure.text} {'yes' if measure.held else 'no'}" for measure in measures]
    return ", ".join(filter(None, [*tests, *(attempt.counts if attempt.fired else ())]))


def _needs(measure: Measure) -> str:
    """`(needs 2)`, where one side of the test is fixed."""
    match = TEST.fullmatch(measure.text)
    if not match or measure.sides != 1:
        return ""
    return f" (needs {NEEDS[match[2]]}{match[3]})"


def result(attempt: Tried) -> str:
    """What came of a rule: the answer, `no`, or a coin that failed."""
    if not attempt.held:
        return "no"
    if not attempt.lucky:
        return f"holds, but its coin ({attempt.rule.chance}%) failed"
    coin = f" (its coin, {attempt.rule.chance}%, came up)" if attempt.rule.chance is not None else ""
    return f"{attempt.priority}{_play(attempt.rule.letters)}{coin}"


def _play(letters: Sequence[str]) -> str:
    return f" play {' or '.join(letters)}" if letters else ""


def summary(why: Reason) -> str:
    """How the answer came about, the part that a table leaves unsaid included: none of the rules above held."""
    fired = why.fired
    if fired is None:
        return f"No rule answers, so the agent stays silent ({counted(len(why.tried), 'rule')} tried)."
    above = {1: "it is the first", 2: "the rule above it does not"}.get(len(why.tried))
    if any(attempt.held for attempt in why.tried[:-1]):
        above = "no rule above it answers, for a coin failed"
    holds = "always holds" if fired.rule.condition is None else "holds"
    said = f"`{fired.rule.name}` answers {result(fired)}: it {holds}, and "
    said += f"{above or f'none of the {len(why.tried) - 1} rules above it does'}."
    if why.unread:
        said += f" Below it, not read here: {listed([f'`{rule.name}`' for rule in why.unread])}."
    return said


def standing(picture: Picture, why: Reason) -> str:
    """How a cell's answer compares with the most urgent."""
    if why.cell not in picture.tied:
        best = [cell_name(picture.game.grid, cell) for cell in picture.tied]
        return f"More urgent: {listed(best)}, with {picture.number(picture.tied[0])}."
    others = len(picture.tied) - 1
    if not others:
        return "No answer is as urgent: the manager takes it."
    return f"It ties with {counted(others, 'other cell')} as the most urgent."


def comparison(picture: Picture, why: Reason) -> list[str]:
    """Why not this cell: its own answer, the winner's rule, and what it would have needed."""
    if why.barred:
        return [why.barred]
    assert picture.chosen
    fired = why.fired
    name = cell_name(picture.game.grid, why.cell)
    said = [f"Cell {name} {f'answers {result(fired)} by `{fired.rule.name}`' if fired else 'stays silent'}."]
    if picture.chosen.cell == why.cell:
        return [*said, f"It is the choice. {standing(picture, why)}"]
    said.append(f"The manager takes {_winner(picture, picture.chosen.cell)}.")
    return [*said, standing(picture, why) if why.cell in picture.tied else _lack(picture, why)]


def _winner(picture: Picture, cell: Cell) -> str:
    """The chosen cell, with the rule that made it urgent."""
    name = cell_name(picture.game.grid, cell)
    fired = reason(picture, cell).fired
    if fired is None:
        return name
    counts = measured(fired)
    where = f", where {counts}" if counts else ""
    return f"{name}, which answers {result(fired)} by `{fired.rule.name}`: {question(fired.rule)}{where}"


def _lack(picture: Picture, why: Reason) -> str:
    """What the cell would have needed to be as urgent as the winners."""
    wanted = picture.answers[picture.tied[0]].priority
    assert wanted is not None  # where all are silent, all tie
    missed, below = needed(why, wanted), shadowed(why, wanted)
    if missed and missed.held:
        return f"Its rule `{missed.rule.name}` holds and is urgent enough ({missed.priority}), but its coin failed."
    if missed:
        return (
            f"To be as urgent it would have needed `{missed.rule.name}`, which answers {missed.priority}: "
            f"{question(missed.rule)}, but {measured(missed)}."
        )
    if below:
        return f"Its rule `{below.name}` would be urgent enough, but it stands below the one that answered."
    where = role_name(picture.game.grid, why.cell)
    return f"None of its rules (it is {where}) answers {wanted} or less here."


def reason_json(picture: Picture, why: Reason) -> dict[str, Any]:
    """One cell's reason for scripts."""
    return {
        "cell": why.cell + 1,
        "state": picture.states[why.cell],
        "because": why.barred or summary(why),
        "priority": why.answer.priority if why.answer else None,
        "rule": why.fired.rule.name if why.fired else None,
        "tried": [attempt_json(attempt) for attempt in why.tried],
        "nearest_miss": why.miss.rule.name if why.miss else None,
        "unread": [rule.name for rule in why.unread],
    }


def attempt_json(attempt: Tried) -> dict[str, Any]:
    """One rule that was tried, for scripts."""
    return {
        "rule": attempt.rule.name,
        "line": attempt.rule.span.line,
        "test": question(attempt.rule),
        "held": attempt.held,
        "chance": attempt.rule.chance,
        "lucky": attempt.lucky,
        "priority": attempt.priority,
        "letters": list(attempt.rule.letters),
        "missing": attempt.missing,
        "measured": [
            {"test": each.text, "measured": each.measured, "held": each.held, "missing": each.missing}
            for each in attempt.measures
        ],
    }
