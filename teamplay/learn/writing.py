"""A learned table as a person would write it: sections, labels, small numbers, a comment that says what is proved."""

import re
from collections.abc import Sequence
from dataclasses import replace

from teamplay.game import Game
from teamplay.grid import ROLES
from teamplay.learn.classes import ClassBook
from teamplay.learn.template import EVERYONE, NEVER, OTHERS, SILENT, LearnedRule, Levels, RuleTest, Template

WIDTH = 118
COUNT = re.compile(r"n\(([^)]*)\) (>=|=|<=) (\d+)")


def numbered(rules: Sequence[LearnedRule], template: Template) -> tuple[LearnedRule, ...]:
    """The same choices with numbers that a person would take: 1, 2, 3 for constants, no answer below 1."""
    if not any(rule.slope for rule in rules):
        ranks = {priority: i + 1 for i, priority in enumerate(sorted({rule.priority for rule in rules}))}
        return tuple(replace(rule, priority=ranks[rule.priority]) for rule in rules)
    by, priority = template.answers(rules)
    least = min((int(found) for found in priority[by >= 0]), default=1)
    return tuple(replace(rule, priority=rule.priority + max(0, 1 - least)) for rule in rules)


def answers(rules: Sequence[LearnedRule], template: Template) -> int:
    """How many distinct answers a table gives in the classes that were met, silence being one."""
    return len(set(template.answers(rules)[1].tolist()))


def table_text(rules: Sequence[LearnedRule], template: Template, games: Sequence[Game], comment: str = "") -> str:
    """The table as a file."""
    game = games[0]
    lines = [*comment_lines(comment), f"game {', '.join(dict.fromkeys(map(str, games)))}"]
    if template.book.vocabulary.sight:
        lines.append(template.book.vocabulary.sight)
    taken: set[str] = set()
    heading = ""
    for rule in _plainly_headed(numbered(rules, template), template):
        if rule.heading != heading:
            heading, taken = rule.heading, set()
            lines += ["", f"{heading}:"]
        label = _label(rule, game, taken)
        taken.add(label)
        lines.append(f"    {f'{label}: ' if label else ''}{_rule(rule, game)}")
    return "\n".join(lines) + "\n"


def _plainly_headed(rules: Sequence[LearnedRule], template: Template) -> list[LearnedRule]:
    """`others` by its name where that is one role."""
    rest = set(template.roles) - {rule.heading for rule in rules}
    name = next(iter(rest)) if len(rest) == 1 else OTHERS
    return [replace(rule, heading=name) if rule.heading == OTHERS else rule for rule in rules]


def comment_lines(comment: str) -> list[str]:
    """Sentences as comment lines."""
    lines: list[str] = []
    for paragraph in comment.splitlines():
        line = "#"
        for word in paragraph.split():
            if len(line) + 1 + len(word) > WIDTH:
                lines.append(line)
                line = "#"
            line += f" {word}"
        lines.append(line)
    return lines


def _rule(rule: LearnedRule, game: Game) -> str:
    condition = " and ".join(test.text for test in _readable(rule.tests))
    priority = f"{rule.priority} - {rule.slope.text}" if rule.slope else str(rule.priority)
    letters = f" play {' or '.join(game.marks[letter] for letter in rule.letters)}" if rule.letters else ""
    return f"{f'if {condition} then ' if condition else ''}return {priority}{letters}"


def _readable(tests: Sequence[RuleTest]) -> list[RuleTest]:
    """Wins and blocks first, tests that something is absent last."""
    return sorted(tests, key=lambda test: (test.sign == "<=" or (test.sign == "=" and test.number == 0), test.word))


def _label(rule: LearnedRule, game: Game, taken: set[str]) -> str:
    """A name from what a rule does, if it can be told."""
    found = next((label for test in _readable(rule.tests) if (label := deed(test, game))), "")
    if not rule.tests:
        found = "rest" if rule.heading == EVERYONE else "take"
    if found in ROLES or not found:
        return ""
    number = 2
    label = found
    while label in taken:
        label, number = f"{found}-{number}", number + 1
    return label


def deed(test: RuleTest, game: Game) -> str:
    """What an agent does for whom a count holds."""
    match = COUNT.fullmatch(test.text)
    if not match or not game.k:
        return ""
    pattern, sign, number = match[1], match[2], int(match[3])
    if game.goal.kind == "word":
        return {"S*S": "between", "*OS": "end"}.get(pattern, "") if number and sign != "<=" else _safe(pattern)
    marks = _expanded(pattern, game.k)
    if sign == "<=" or (sign == "=" and number == 0) or "*" in marks:
        return ""
    x, o, b = (marks.count(mark) for mark in "xob")
    loses = game.goal.effect == "loses"
    if x == game.k - 1:
        return "avoid" if loses else "win"
    if o == game.k - 1:
        return "leave" if loses else "block"
    if x and not o and b == 1:
        return "fork" if number >= 2 else "threaten"
    if o and not x and b == 1:
        return "unfork" if number >= 2 else "preempt"
    return "open" if b == game.k - 1 else ""


def _safe(pattern: str) -> str:
    return "safe" if pattern in ("S*b", "*Ob", "*bS") else ""


def _expanded(pattern: str, k: int) -> str:
    """A pattern with its repeats written out."""

    def repeated(match: re.Match[str]) -> str:
        less = int(match[2] or 0)
        return match[1] * max(0, k - less)

    return re.sub(r"(.)\{k(?:-(\d+))?\}", repeated, pattern).replace(" ", "")


def listed(levels: Levels, book: ClassBook, template: Template, met: set[int]) -> list[LearnedRule]:
    """A rule for every class that some game meets: what is left where no short table was found.

    Classes that come last stay silent, which spares their rules.
    """
    letters = template.letters
    ranks = sorted({int(level) for level in levels if level < SILENT})
    rules = []
    for number in met:
        level = int(levels[number * letters : (number + 1) * letters].min())
        played = tuple(letter for letter in range(letters) if levels[number * letters + letter] == level)
        values = [int(template.values[word, number]) for word in range(len(template.values))]
        tests = tuple(
            next(test for test in template.exact if test.word == word and test.number == value)
            for word, value in enumerate(values)
            if (template.values[word] != value).any()
        )
        if level < NEVER - 1:
            role = template.roles[int(template.role[number])]
            letters_played = played if letters > 1 else ()
            rules.append(LearnedRule(role, tests, ranks.index(level) + 1, None, letters_played))
    return sorted(rules, key=lambda rule: (template.roles.index(rule.heading), rule.priority))
