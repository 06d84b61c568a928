"""Does the team choose as a drawing says, and do its agents answer as they should?

Every tie and every random outcome counts.
"""

from collections.abc import Iterable, Iterator, Sequence

from teamplay.game import Move
from teamplay.grid import Cell
from teamplay.scenes.binder import Image, Staged
from teamplay.scenes.findings import Failure, Seen, TestResult, pictured
from teamplay.scenes.script import ExpectedAnswer
from teamplay.show.words import cell_name, counted, listed
from teamplay.team import Team
from teamplay.team.messages import Response

Problem = tuple[str, Cell]  # what is wrong, and with whom


def act(staged: Staged, team: Team, seed: int, seen: Seen) -> TestResult:
    """Try every image of a scene; the first that fails is reported."""
    failed: list[tuple[Image, list[Problem]]] = []
    for image in staged.images:
        if seen:
            seen(image.position)
        if problems := list(_problems(image, staged.expected, team)):
            failed.append((image, problems))
    total = len(staged.images)
    if not failed:
        return TestResult(counted(total, "image") if total > 1 else "")
    image, problems = failed[0]
    how_often = [f"It fails in {len(failed)} of {total} images; this is the first."] if total > 1 else []
    return TestResult("", _failure(image, problems, staged.expected, team, seed, how_often))


def _failure(
    image: Image, problems: list[Problem], expected: ExpectedAnswer | None, team: Team, seed: int, how_often: list[str]
) -> Failure:
    grouped: dict[str, list[Cell]] = {}
    for problem, cell in problems:
        grouped.setdefault(problem, []).append(cell)
    sentences = [f"{_names(team, cells)} {problem}." for problem, cells in grouped.items()]
    candidates = team.candidates(image.position)
    blamed = problems[0][1]
    missed = sorted(image.may - {said.sender for said in candidates})
    mark = next((said.letter for said in candidates if said.sender == blamed), "")
    move = Move(blamed, mark or team.game.own_mark(image.position.seat))
    return Failure(
        problems=(*sentences, *how_often),
        picture=pictured(team, image.position, move, seed),
        explained=tuple(dict.fromkeys([blamed, *missed[:1]])),
        chosen=_chosen(team, candidates) if image.may or image.must_not or expected else "",
        expected=_expected(team, image, expected),
    )


def _problems(image: Image, expected: ExpectedAnswer | None, team: Team) -> Iterator[Problem]:
    """Everything that is not as the scene says, choices first."""
    if image.may or image.must_not or expected:
        yield from _choice_problems(image, expected, team)
    team.broadcast(team.game.seen(image.position))
    for cell, answer in image.asks:
        for said in team.agents[cell].possible_responses():
            letters = {each.letter for each in said}
            if answer.letters and letters != set(answer.letters):
                yield f"would play {' or '.join(sorted(letters))}, not {' or '.join(answer.letters)}", cell
            elif wrong := _unlike(answer, said[0]):
                yield f"should answer {format_answer(answer)}, but {wrong}", cell


def _choice_problems(image: Image, expected: ExpectedAnswer | None, team: Team) -> Iterator[Problem]:
    candidates = team.candidates(image.position)
    for said in candidates:
        if said.sender in image.must_not:
            yield "may be chosen in spite of the !", said.sender
        elif image.may and said.sender not in image.may:
            yield "may be chosen without a *", said.sender
        elif expected and expected.letters and said.letter not in expected.letters:
            yield f"may be chosen with {said.letter}, not {' or '.join(expected.letters)}", said.sender
        elif expected and (wrong := _unlike(expected, said)):
            yield f"may be chosen, but {wrong}", said.sender
    if expected and expected.every:
        for cell in sorted(image.may - {said.sender for said in candidates}):
            yield "can't be chosen in spite of the *", cell


def _unlike(answer: ExpectedAnswer, said: Response) -> str:
    """In what an answer differs from the one that is wanted."""
    if said.priority is None:
        return "" if answer.silent else "is silent"
    if answer.silent or (answer.priority is not None and answer.priority != said.priority):
        return f"answers {said.priority} by `{said.rule}`"
    if answer.label and answer.label != said.rule:
        return f"answers by `{said.rule}`"
    return ""


def format_answer(answer: ExpectedAnswer) -> str:
    """An answer as a scene file writes it."""
    parts = ["silence"] if answer.silent else []
    parts += [str(answer.priority)] if answer.priority is not None else []
    parts += [f"play {' or '.join(answer.letters)}"] if answer.letters else []
    parts += [f"by `{answer.label}`"] if answer.label else []
    return " ".join(parts)


def _expected(team: Team, image: Image, expected: ExpectedAnswer | None) -> str:
    parts = []
    if image.may:
        joint = "and" if expected and expected.every else "or"
        parts.append(_names(team, sorted(image.may), joint))
    if image.must_not:
        parts.append(f"not {_names(team, sorted(image.must_not), 'or')}")
    if expected and (said := format_answer(expected)):
        parts.append(f"with {said}" if expected.priority is not None else said)
    parts += [f"{_names(team, [cell])} answers {format_answer(answer)}" for cell, answer in image.asks]
    return ", ".join(parts)


def _chosen(team: Team, candidates: Sequence[Response]) -> str:
    """The choices, those with the same answer by the same rule together."""
    groups: dict[tuple[int | None, str, str], list[Cell]] = {}
    for said in candidates:
        groups.setdefault((said.priority, said.rule, said.letter), []).append(said.sender)
    return "; ".join(
        f"{_names(team, cells, 'or')}{_play(letter)}, "
        + ("all agents silent" if priority is None else f"with {priority} by `{rule}`")
        for (priority, rule, letter), cells in groups.items()
    )


def _play(letter: str) -> str:
    return f" with {letter}" if letter else ""


def _names(team: Team, cells: Iterable[Cell], joint: str = "and") -> str:
    return listed([cell_name(team.game.grid, cell) for cell in cells], joint=joint)
