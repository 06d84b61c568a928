"""A table that does it already, so that only shorter ones are of interest. Is it one over the vocabulary?"""

from collections.abc import Sequence

from teamplay.errors import BadSpec
from teamplay.game import Game
from teamplay.language import Source, read_rulebook
from teamplay.learn.vocabulary import Vocabulary


def refuse_foreign(source: Source, games: Sequence[Game], vocabulary: Vocabulary) -> None:
    """Refuse a table that measures what the vocabulary does not hold: agents of one class might answer differently.

    Only what can come to be asked counts: a table for every k may have rules that another k needs.
    """
    for game in games:
        known = vocabulary.measures(game).book.features
        foreign = [feature for feature in read_rulebook(source, game).asked_features if feature not in known]
        if foreign and not vocabulary.cells:
            words = ", ".join(vocabulary.texts) or "the role alone"
            raise BadSpec(
                f"{source.path} measures more than the vocabulary ({words}) at {game}; name that with --vocabulary too."
            )


def rules_in(source: Source, game: Game) -> int:
    """How many rules a table has."""
    return sum(len(rules) for _, rules in read_rulebook(source, game).sections)
