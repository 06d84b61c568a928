"""A table that lists views: what an agent must see, mark by mark, to answer; for the vocabulary `cells`."""

from collections.abc import Iterator, Mapping

from teamplay.engine.keys import symmetries
from teamplay.game import Game
from teamplay.grid import Cell
from teamplay.learn.classes import ClassBook
from teamplay.learn.template import SILENT, Levels
from teamplay.learn.writing import comment_lines

View = tuple[Cell, tuple[tuple[Cell, int], ...]]  # the agent's cell, and the number of the mark in each cell it sees


class Views:
    """The views that some games meet, each with its answer, and a rule for every one that is not silent.

    A rule tests only the marks that distinguish its view from others in the same cell with another answer.
    """

    def __init__(self, levels: Levels, book: ClassBook, met: set[int], game: Game) -> None:
        self.book, self.game = book, game
        letters = len(game.marks) if game.shared else 1
        ranks = sorted({int(level) for level in levels if level < SILENT})
        answers: dict[View, str] = {}
        for number in sorted(met):
            mine = levels[number * letters : (number + 1) * letters]
            level = int(mine.min())
            played = [game.marks[letter] for letter in range(letters) if mine[letter] == level] if letters > 1 else []
            letter = f" play {' or '.join(played)}" if played else ""
            spoken = f"return {ranks.index(level) + 1}{letter}" if level < SILENT else ""
            code = book.described[number][1]
            assert isinstance(code, int)
            answers |= dict.fromkeys(self._images(code), spoken)
        self.rules = list(dict.fromkeys(self._rules(answers)))

    def table(self, comment: str = "") -> str:
        """The text of the table."""
        sight = self.book.vocabulary.sight
        head = [*comment_lines(comment), f"game {self.game}", *([sight] if sight else [])]
        return "\n".join([*head, "", "everyone:", *(f"    {rule}" for rule in self.rules)]) + "\n"

    def _images(self, code: int) -> Iterator[View]:
        """The view of a class in every orientation."""
        size = self.game.grid.size
        home = code >> 2 * size
        seen = self.book.games[0][1].book.sight(home)
        for turn in symmetries(self.game):
            yield turn[home], tuple(sorted((turn[cell], code >> 2 * cell & 3) for cell in seen))

    def _rules(self, answers: Mapping[View, str]) -> Iterator[str]:
        for (home, marks), answer in answers.items():
            if answer:
                others = [dict(seen) for (cell, seen), said in answers.items() if cell == home and said != answer]
                yield f"if {' and '.join(self._tests(home, dict(marks), others))} then {answer}"

    def _tests(self, home: Cell, marks: dict[Cell, int], others: list[dict[Cell, int]]) -> Iterator[str]:
        """Where the agent is, and marks that no other view has all of; each time the one that rules out most."""
        grid, names = self.game.grid, ("b", *self.game.visible_marks[:-1])
        at = grid.coordinates(home)
        axes = ("layer", "row", "col")[-len(grid.shape) :]
        yield from (f"{axis} = {here + 1}" for axis, here in zip(axes, at, strict=True))
        while others:
            best = max(sorted(marks), key=lambda cell: sum(other[cell] != marks[cell] for other in others))
            others = [other for other in others if other[best] == marks[best]]
            there = grid.coordinates(best)
            steps = ",".join(f"{to - here:+d}" if to != here else "0" for here, to in zip(at, there, strict=True))
            yield f"at({steps}) = {names[marks[best]]}"
