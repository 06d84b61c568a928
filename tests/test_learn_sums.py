"""Games of points whose boards are numbered: the class game by three ways, and weighted sums that `verify` proves."""

from functools import cache

import numpy as np
import pytest

from teamplay.game import Game, Position
from teamplay.game_file import load_game
from teamplay.language import Source, read_rulebook
from teamplay.learn.classes import ClassBook, Classifier
from teamplay.learn.formula import Budget
from teamplay.learn.graph import build
from teamplay.learn.numbered import Numbered, can_be_numbered
from teamplay.learn.sums import Sums, SumSearch, can_be_summed
from teamplay.learn.vocabulary import parse_vocabulary
from teamplay.proof.verify import verify
from teamplay.team import Team
from teamplay.team.view import View


@cache
def numbered(name: str, words: str = "counts") -> tuple[Numbered, ClassBook]:
    game = load_game(name)
    book = ClassBook(parse_vocabulary(words, [game]))
    classifier = Classifier(book, game, large=False)
    assert can_be_numbered(classifier)
    return Numbered(classifier, lambda _: None), book


def boards_of(keys: np.ndarray, game: Game) -> np.ndarray:
    """The numbers of the boards of some keys."""
    digits = len(game.marks) + 1
    return sum((keys >> 2 * cell & 3) * digits**cell for cell in game.grid.cells)  # type: ignore[return-value]


@pytest.mark.parametrize("name", ["sos(n=3)", "sos(rows=1,columns=8)", "sos-corners(n=3)"])
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("goal", ["never-loses", "always-wins"])
def test_the_class_game_on_numbers_is_that_of_the_graph(name: str, seat: int, goal: str) -> None:
    found, book = numbered(name)
    game = found.game
    graph = build(book, game, (seat,), goal, lambda _: None)[0]  # type: ignore[arg-type]
    boards = boards_of(graph.keys, game)
    first = (graph.keys >> 2 * game.grid.size + 1) - 128
    ahead = first if seat == 0 else -first
    value = np.where(graph.mine, found.values.team[boards], found.values.other[boards])
    needed = 1 if goal == "always-wins" else 0
    assert np.array_equal(value + ahead >= needed, graph.held)
    assert found.held(seat, needed) == graph.held[0]


def test_the_class_game_on_numbers_is_what_plain_recursion_finds() -> None:
    """With the reference rules and views, and no symmetry."""
    found, book = numbered("sos(rows=2,columns=3)")
    game, measures = found.game, book.vocabulary.measures(found.game)

    def look(position: Position, cell: int) -> tuple[object, ...]:
        view, seen = View(measures.book, cell), game.seen(position)
        for other in view.marks:
            if seen[other] != "b":
                view.notice(other, seen[other])
        return (game.grid.role(cell), *measures.values(view))

    @cache
    def value(position: Position, seat: int) -> int:
        """The points that the team is ahead in the end."""
        if game.outcome(position):
            return position.scores[seat] - position.scores[1 - seat]
        after = [(move, value(left, seat)) for move, left in game.successors(position)]
        if position.seat != seat:
            return min(worth for _, worth in after)
        worst: dict[object, int] = {}
        for move, worth in after:
            key = (look(position, move.cell), move.mark)
            worst[key] = min(worth, worst.get(key, worth))
        return max(worst.values())

    assert value(game.start, 0) == found.values.team[found.start]
    assert value(game.start, 1) == found.values.other[found.start]


def test_a_team_is_followed_as_in_the_graph() -> None:
    """Whether something fails; where nothing does, the same boards with as few points are met, full ones left aside."""
    found, book = numbered("sos(n=3)")
    graph = build(book, found.game, (1,), "never-loses", lambda _: None)[0]
    random = np.random.default_rng(0)
    codes = len(book.numbers) * found.letters
    sums = SumSearch(found, book, (1,), 0).run(Budget())
    assert sums is not None
    for levels in (sums.levels(), *(random.permutation(codes).astype(np.int32) for _ in range(3))):
        met, play = found.met(levels, 1, 0), graph.play(levels)
        assert (met.failures == 0) == (len(play.failures) == 0)
        if not met.failures:
            keys = graph.keys[play.reached & graph.mine]
            behind = (keys >> 2 * found.game.grid.size + 1) - 128  # the team moves second
            most: dict[int, int] = {}
            for board, points in zip(boards_of(keys, found.game).tolist(), behind.tolist(), strict=True):
                most[board] = max(points, most.get(board, points))
            full = np.array([all(board // 3**cell % 3 for cell in range(9)) for board in met.boards.tolist()])
            assert dict(zip(met.boards[~full].tolist(), met.needed[~full].tolist(), strict=True)) == most


def test_sums_are_learned_and_proved() -> None:
    found, book = numbered("sos(n=3)")
    search = SumSearch(found, book, (0, 1), 0)
    sums = search.run(Budget())
    assert sums is not None
    text = search.plainer(sums, Budget()).text()
    team = Team(read_rulebook(Source("sums.team", text), found.game))
    assert all(verify(team, found.game, seat, "never-loses").verdict == "proved" for seat in (0, 1))


def test_levels_of_sums_are_what_the_text_answers() -> None:
    found, book = numbered("sos(rows=2,columns=4)", "n(S*S), n(*OS)")
    random = np.random.default_rng(0)
    roles = len({each[0] for each in book.described})
    for _ in range(5):
        sums = Sums(book, found.game, random.integers(-9, 9, (roles, 2, 3))).lifted()
        team = Team(read_rulebook(Source("sums.team", sums.text()), found.game))
        lost = not found.held(1, 0) or found.met(sums.levels(), 1, 0).failures
        assert (verify(team, found.game, 1).verdict == "proved") == (not lost)


def test_marks_and_games_without_points_are_not_summed() -> None:
    for name, words in (
        ("tic-tac-toe", "counts"),
        ("sos(n=3)", "counts+center"),
        ("sos(n=5)", "counts"),
        ("sos-line(n=8)", "counts"),
    ):
        game = load_game(name)
        classifier = Classifier(ClassBook(parse_vocabulary(words, [game])), game, large=False)
        assert not can_be_summed(classifier)
