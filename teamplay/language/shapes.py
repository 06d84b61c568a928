"""What a pattern means on a board: how many of each mark a line must hold, or what lies ahead and behind."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from teamplay.errors import closest
from teamplay.game import Game
from teamplay.language.diagnostics import Fault, Span
from teamplay.language.features import Arms, Counted, OrderedCount, Step, UnorderedCount
from teamplay.language.formatter import format_expression, format_pattern
from teamplay.language.rulebook import Reach
from teamplay.language.tree import Arithmetic, Count, Expression, Name, Number, Pattern, Piece

LONGEST_ARM = 1000
MOST_CELLS = 100_000  # that the patterns of one table may name: a short file must not fill the memory

Pieces = tuple[Piece, ...]


def unknown_mark(game: Game, mark: str, span: Span) -> Fault:
    """A mark that the game does not have."""
    marks = {"x": "x (mine)", "o": "o (theirs)", "b": "b (blank)"}
    known = [marks.get(known, known) for known in game.visible_marks]
    swapped = mark.swapcase()
    help = f"write `{swapped}`" if swapped in game.visible_marks else f"the marks are {', '.join(known)}"
    return Fault("T006", span, f"`{mark[:40]}` is not a mark of {game.name}", "here", help)


@dataclass
class Shapes:
    """The patterns of one table on one board."""

    game: Game
    reach: Reach
    names: dict[str, tuple[Pieces, ...]] = field(default_factory=dict)  # from `let`
    cells: int = 0  # named by all patterns so far

    def define(self, name: str, pattern: Pattern) -> None:
        """Give a pattern its name; a wrong one keeps its name and no meaning, for its uses are not to blame."""
        self.names[name] = ()
        self.counted(Count("n", pattern, span=pattern.span))
        self.names[name] = self._marks(pattern)

    def counted(self, node: Count) -> Counted:
        """What a count counts on this board; nothing at all where its pattern fits no line."""
        alternatives = self._marks(node.pattern)
        if not alternatives:
            return UnorderedCount(())
        starred = [any(piece.mark == "*" for piece in pieces) for pieces in alternatives]
        if any(starred) != all(starred):
            message = "either all alternatives have a `*`, or none"
            raise Fault("T007", node.pattern.span, message, "here", "split it into two counts and add them")
        if node.kind == "size" and not any(piece.plus for pieces in alternatives for piece in pieces):
            raise Fault("T007", node.span, "size(…) adds up runs, and this has none", "here", "mark a run: o+")
        if any(starred):
            fitting = [pieces for pieces in alternatives if not self._too_long_for(pieces)]
            return OrderedCount(_distinct(self._arms(pieces, node) for pieces in fitting), node.kind == "size")
        return UnorderedCount(tuple(dict.fromkeys(self._needs(pieces, node) for pieces in alternatives)))

    def _marks(self, pattern: Pattern) -> tuple[Pieces, ...]:
        """The alternatives of a pattern, a name from `let` looked up, every mark known."""
        if pattern.name in self.names:
            return self.names[pattern.name]
        for pieces in pattern.alternatives:
            for piece in pieces:
                if piece.mark not in (*self.game.visible_marks, "?", "*"):
                    raise self._unknown(pattern, piece)
        return pattern.alternatives

    def _unknown(self, pattern: Pattern, piece: Piece) -> Fault:
        """A word that is no pattern's name, or else a mark that the game does not have."""
        near = closest(pattern.name[:40], self.names)
        marks = set(pattern.name + pattern.name.swapcase()) & set(self.game.visible_marks)
        if not near and (marks or len(pattern.name) < 2):
            return unknown_mark(self.game, piece.mark, piece.span)
        help = f"write `{near}`" if near else f"define it: let {pattern.name[:40]} = …"
        return Fault("T004", pattern.span, f"no pattern is called `{pattern.name[:40]}`", "here", help)

    def _needs(self, pieces: Pieces, node: Count) -> tuple[tuple[str, int], ...]:
        """How many of each mark a line must hold, `?` left out."""
        if any(piece.plus for piece in pieces):
            raise Fault("T007", node.span, "a run needs a `*` to say where the agent stands", help="write n(*o+x)")
        if not self.game.k:
            message = f"{self.game.name} has no line length to count lines of"
            raise Fault("T007", node.span, message, help="say where the agent stands with `*`, as in n(*o+x)")
        needs: Counter[str] = Counter()
        for piece in pieces:
            needs[piece.mark] += self._times(piece)
        length, wanted = needs.total(), self.game.k - 1
        if length != wanted:
            message = f"a line of {self.game} has {wanted} other cells; this pattern names {length}"
            help = "name every other cell of the line, `?` for any mark, or say where you stand with `*`"
            raise Fault("T007", node.pattern.span, message, "here", help)
        if self._is_far(wanted, node):
            message = f"lines of {self.game.k} cells reach further than the table's sight"
            raise Fault("T008", node.span, message, f"an agent sees {self.reach}", f"declare `sight {self.game.k}`")
        return tuple(sorted((mark, times) for mark, times in needs.items() if mark != "?" and times))

    def _too_long_for(self, pieces: Pieces) -> bool:
        """Whether a row is meant for longer lines than this game's: `x{k-4}` where k is 3."""
        return any(piece.repeat is not None and self._repeat(piece.repeat) < 0 for piece in pieces)

    def _arms(self, pieces: Pieces, node: Count) -> Arms:
        stars = [i for i, piece in enumerate(pieces) if piece.mark == "*"]
        if len(stars) > 1:
            raise Fault("T007", pieces[stars[1]].span, "`*` is the agent's own cell; it has only one", help="use one")
        ahead = self._steps(pieces[stars[0] + 1 :], node)
        behind = self._steps(tuple(reversed(pieces[: stars[0]])), node)
        if not ahead and not behind:
            raise Fault("T007", node.span, "`*` alone matches nothing", help="name the cells beside it: n(S*S)")
        return Arms(ahead, behind)

    def _steps(self, pieces: Pieces, node: Count) -> tuple[Step, ...]:
        times = [self._times(piece) for piece in pieces]
        length = sum(times)
        self.cells += length
        if length > LONGEST_ARM or self.cells > MOST_CELLS:
            message = f"a pattern looks at most {LONGEST_ARM:,} cells away, and all of a table name {MOST_CELLS:,}"
            raise Fault("T003", node.pattern.span, message, "here", "use smaller repeats, or fewer")
        if self._is_far(length, node):
            message = f"`{format_pattern(node.pattern)}` looks {length} cells away"
            label = f"an agent sees {self.reach}"
            raise Fault("T008", node.span, message, label, f"declare `sight {length + 1}`")
        steps = (Step(piece.mark, piece.plus) for piece in pieces)
        return tuple(step for step, often in zip(steps, times, strict=True) for _ in range(often))

    def _is_far(self, cells: int, node: Count) -> bool:
        """Whether a pattern looks further along its line than an agent sees; from another cell it looks elsewhere."""
        return node.at is None and self.reach.kind != "all" and cells > self.reach.cells

    def _times(self, piece: Piece) -> int:
        """How often a sign is repeated on this board."""
        if piece.repeat is None:
            return 1
        times = self._repeat(piece.repeat)
        if not 0 <= times <= LONGEST_ARM:
            text = format_expression(piece.repeat).replace(" ", "")
            message = f"`{{{text}}}` is {times} here, which is no number of times"
            raise Fault("T007", piece.repeat.span, message, "here", f"repeat from 0 to {LONGEST_ARM:,} times")
        return times

    def _repeat(self, node: Expression) -> int:
        match node:
            case Number(value):
                return value
            case Name():
                if self.game.k is None:
                    raise Fault("T004", node.span, f"{self.game.name} has no line length `k`", "here", "write a number")
                return self.game.k
            case Arithmetic(sign, left, right):
                a, b = self._repeat(left), self._repeat(right)
                return a + b if sign == "+" else a - b if sign == "-" else a * b
        raise TypeError(f"{node} does not repeat")  # the parser lets none through


def _distinct(alternatives: Iterable[Arms]) -> tuple[Arms, ...]:
    """Every pattern once: read both ways, `b*x` and `x*b` are the same."""
    found: list[Arms] = []
    for arms in alternatives:
        if arms not in found and Arms(arms.behind, arms.ahead) not in found:
            found.append(arms)
    return tuple(found)
