"""A table with coins as tables without: what its agents may answer, whatever the coins say."""

from dataclasses import replace

from teamplay.engine.arrays import roles_of
from teamplay.language.rulebook import BoundRule, Rulebook


def without_coins(book: Rulebook) -> list[Rulebook]:
    """Tables without chance whose answers, taken together, are all that each agent of a table with chance may say.

    In the one with number t the first t coins of the table fail and all others come up. An agent that may answer by
    some rule does so in the table in which the coins before it fail, and in no other way may it answer.
    """
    there = set(roles_of(book.game))
    spoken = tuple((roles & there, rules) for roles, rules in book.sections if roles & there)
    coins = sum(_tossed(rule) for _, rules in spoken for rule in rules)
    return [_settled(replace(book, sections=spoken), failing) for failing in range(coins + 1)]


def _tossed(rule: BoundRule) -> bool:
    return rule.chance is not None and 0 < rule.chance < 100


def _settled(book: Rulebook, failing: int) -> Rulebook:
    """A table in which the first coins fail and the others come up."""
    sections = []
    for roles, rules in book.sections:
        kept: list[BoundRule] = []
        for rule in rules:
            if _tossed(rule):
                failing -= 1
            if rule.chance != 0 and not (_tossed(rule) and failing >= 0):
                kept.append(replace(rule, chance=None))
        sections.append((roles, tuple(kept)))
    return replace(book, sections=tuple(sections))
