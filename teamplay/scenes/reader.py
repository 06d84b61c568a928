"""Text -> the tree of a scene file, line by line: an error never spreads to the next line."""

import re
from dataclasses import dataclass, field
from fractions import Fraction

from teamplay.errors import closest
from teamplay.game import SEATS
from teamplay.grid import ROLES
from teamplay.language.complaints import refuse_the_strange
from teamplay.language.diagnostics import Diagnostic, Fault, Span
from teamplay.proof.goals import ProofGoal
from teamplay.scenes.script import (
    Ask,
    Beats,
    DrawnRow,
    Entry,
    ExpectedAnswer,
    GoalClaim,
    Mention,
    Mood,
    Note,
    SameChoice,
    Scene,
    Script,
    Statement,
)

MOST_LINES = 5000
MOST_GAMES = 1_000_000
KEYWORDS = ("table", "game", "scene", "expect", "ask", "claim", "todo", "skip")
MOODS: tuple[Mood, ...] = ("todo", "skip")
BEFORE = "`todo` and `skip` stand before one of these"
CLAIMS = "never loses, always wins, wins if possible, can lose, beats … or same choice as …"
# In words: the goal of `verify`, and whether it should hold.
GOAL_CLAIMS: dict[str, tuple[ProofGoal, bool]] = {
    "never loses": ("never-loses", True),
    "always wins": ("always-wins", True),
    "wins if possible": ("wins-if-possible", True),
    "can lose": ("never-loses", False),
}


@dataclass
class Words:
    """The words of one line from left to right, each with its column."""

    code: str
    number: int
    at: int = 0

    def __post_init__(self) -> None:
        found = re.finditer(r'"[^"]*"|->|(?:(?!->)[^\s"])+|"', self.code)
        self.words = [(match[0], match.start() + 1) for match in found]

    @property
    def next(self) -> str:
        """The next word, or nothing at the end."""
        return self.words[self.at][0] if self.at < len(self.words) else ""

    def span(self, since: int | None = None) -> Span:
        """Where the next word stands; with `since`, all from that word up to the next."""
        if since is not None:
            last, column = self.words[self.at - 1]
            return Span(self.number, self.words[since][1], column + len(last))
        if self.at < len(self.words):
            word, column = self.words[self.at]
            return Span(self.number, column, column + len(word))
        return Span(self.number, len(self.code) + 1, len(self.code) + 2)

    def fault(self, wanted: str, help: str = "", code: str = "T001") -> Fault:
        found = f"`{self.next[:40]}`" if self.next else "the end of the line"
        return Fault(code, self.span(), f"expected {wanted}, found {found}", "here", help)

    def word(self, wanted: str, help: str = "") -> str:
        """The next word, whatever it is."""
        if not self.next:
            raise self.fault(wanted, help)
        self.at += 1
        return self.words[self.at - 1][0]

    def take(self, phrase: str) -> bool:
        """Go past some words if they follow."""
        wanted = phrase.split()
        if [word for word, _ in self.words[self.at : self.at + len(wanted)]] != wanted:
            return False
        self.at += len(wanted)
        return True

    def need(self, phrase: str, help: str) -> None:
        if not self.take(phrase):
            raise self.fault(f"`{phrase}`", help)

    def rest(self, wanted: str, until: str = "") -> Mention:
        """All words up to the end or to a word, as they stand in the line; `wanted` says what they are."""
        first = self.at
        while self.next and self.next != until:
            self.at += 1
        if self.at == first:
            raise self.fault(wanted, "name one")
        span = self.span(first)
        return Mention(self.code[span.column - 1 : span.end - 1], span)

    def end(self, help: str = "a comment begins with #") -> None:
        if self.next:
            raise self.fault("the end of the line", help)


def read_script(text: str) -> tuple[Script, list[Diagnostic]]:
    """As much of a scene file as can be read, and what is wrong with the rest."""
    reading = _SceneReading()
    lines = text.removesuffix("\n").split("\n")
    if len(lines) > MOST_LINES:
        message = f"a scene file of {len(lines):,} lines is too long; {MOST_LINES:,} are the most"
        raise Fault("T003", Span(MOST_LINES + 1, 1, 2), message, help="make several files of it")
    for number, line in enumerate(lines, 1):
        code = _without_comment(line)
        try:
            reading.read(code, number, commented=len(code) < len(line.rstrip()))
        except Fault as fault:
            reading.diagnostics.append(fault.diagnostic)
            if reading.scene:
                reading.scene.whole = False  # one mistake is reported once
    return reading.script, reading.diagnostics


def _without_comment(line: str) -> str:
    """A line up to its `#`, unless that stands in a name."""
    match = re.match(r'(?:[^"#]|"[^"]*"|")*', line)
    return (match[0] if match else line).rstrip()


@dataclass
class _SceneReading:
    """Gathers statements; the one place with state."""

    script: Script = field(default_factory=Script)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    scene: Scene | None = None  # the last one, as long as nothing but its own parts has followed
    drawing: bool = False  # may rows follow?
    attached: bool = False  # does an `ask` belong to the scene? An empty line separates them.

    def read(self, code: str, number: int, commented: bool) -> None:
        """Take in one line, or raise what is wrong with it."""
        if not code.strip():
            self.attached &= commented
            return
        refuse_the_strange(re.sub(r'"[^"]*"', lambda name: "-" * len(name[0]), code.replace("·", ".")), number)
        first = code.split()[0]
        if code[0].isspace() and first not in KEYWORDS:
            self._row(code, number, first)
            return
        words = Words(code, number)
        match words.word("a statement"):
            case "table":
                self._only(self.script.table, words, "`table`")
                self.script.table = words.rest("a table such as figure-15.team")
            case "game":
                self._only(self.script.game, words, "`game`")
                self.script.game = words.rest("a game such as mnk(m=4,n=4,k=4)")
            case "expect":
                self._expect(words)
            case "todo" | "skip" as mood:
                self._entry(words, mood)
            case _:
                words.at = 0
                self._entry(words, "")

    def _only(self, before: Mention | None, words: Words, what: str) -> None:
        if before:
            message = f"{what} is said twice; it stands already in line {before.span.line}"
            raise Fault("T012", words.span(0), message, "again here", "take one of them out, or make two files")

    def _row(self, code: str, number: int, first: str) -> None:
        near = closest(first[:40], KEYWORDS) if len(first) > 3 else None
        if self.scene is None or not self.drawing or near:
            span = Span(number, code.index(first) + 1, code.index(first) + 1 + len(first))
            help = f"write `{near}`" if near else 'a drawing follows a line such as `scene "takes the win"`'
            raise Fault("T001", span, f"`{first[:40]}` is no statement, and no drawing is begun here", "here", help)
        self.scene.rows.append(DrawnRow(code, number))
        self.attached = True

    def _expect(self, words: Words) -> None:
        if self.scene is None:
            raise Fault("T014", words.span(0), "`expect` belongs to a drawing", "here", "draw a scene above it")
        if self.scene.expected:
            raise Fault("T012", words.span(0), "a scene has one `expect`", "again here", "put both on one line")
        self.drawing, self.attached = False, True
        self.scene.expected = _answer(words, in_scene=True)

    def _entry(self, words: Words, mood: Mood) -> None:
        """A scene, a question or a claim."""
        first = words.at
        match words.word("scene, ask or claim", BEFORE):
            case "scene":
                self._scene(words, mood)
                return
            case "ask":
                ask = _ask(words)
                if self.scene and self.attached and mood:
                    help = f"write `{mood}` before the scene, or separate them by an empty line"
                    raise Fault("T001", words.span(0), f"`{mood}` is for a whole scene", "here", help)
                if self.scene and self.attached:
                    self.drawing = False
                    self.scene.asks.append(ask)
                    return
                statement: Statement = ask
            case "claim":
                statement = _claim(words)
            case name if mood == "todo" and name.startswith('"') and name.endswith('"'):
                words.end()
                self._add(Entry(name.strip('"'), words.span(first), Note(), mood))
                return
            case word:
                words.at -= 1
                near = closest(word[:40], [other for other in KEYWORDS if other != word])
                self._recover(near, words)
                help = f"write `{near}`" if near else BEFORE if mood else "indent the rows of a drawing"
                raise words.fault("scene, ask or claim" if mood else "a statement such as scene, ask or claim", help)
        words.end()
        span = words.span(first)
        self._add(Entry(re.sub(r"\s+", " ", words.code[span.column - 1 : span.end - 1]), span, statement, mood))

    def _recover(self, meant: str | None, words: Words) -> None:
        """What a misspelt word begins is read all the same, so that the lines below are not blamed for it."""
        if meant == "scene":
            self.scene, self.drawing, self.attached = Scene(""), True, True
        elif meant == "table" and words.at + 1 < len(words.words) and not self.script.table:
            self.script.table = Words(words.code, words.number, at=words.at + 1).rest("a table")

    def _scene(self, words: Words, mood: Mood) -> None:
        first = words.at - 1
        help = 'write `scene "takes the win"`'
        name = words.word("a name in quotes", help)
        scene = Scene(name.strip('"'))
        self.scene, self.drawing, self.attached = scene, True, True  # its drawing follows, whatever the rest says
        if len(name) < 3 or not (name.startswith('"') and name.endswith('"')):
            words.at -= 1
            raise words.fault("a name in quotes", help)
        while words.next:
            if words.take("in all symmetries"):
                scene.symmetric = True
            elif words.take("moving"):
                scene.seat = _seat(words)
            elif words.take("unreachable"):
                scene.unreachable = True
            else:
                wanted = "`in all symmetries`, `moving first` or `unreachable`"
                raise words.fault(wanted, "a comment begins with #")
        before = next((entry for entry in self.script.entries if entry.name == scene.name), None)
        if before:
            message = f'the scene "{scene.name}" stands already in line {before.span.line}'
            raise Fault("T012", words.span(first), message, "again here", "give it another name")
        entry = Entry(scene.name, words.span(first), scene, mood)
        self._add(entry)
        self.scene = scene

    def _add(self, entry: Entry) -> None:
        self.scene = None
        self.script.entries.append(entry)


def _seat(words: Words) -> int:
    for seat, name in enumerate(SEATS):
        if words.take(name):
            return seat
    raise words.fault("`first` or `second`", "the seat that the team plays")


def _integer(words: Words) -> int | None:
    """A priority, if one follows."""
    if not re.fullmatch(r"-?\d{1,10}", words.next, re.ASCII):
        return None
    return int(words.word("a number"))


def _answer(words: Words, in_scene: bool) -> ExpectedAnswer:
    """`6`, `silence`, `10 play S or O by score`; in a scene also `at every *`."""
    first = words.at
    help = "write a priority as in `1`, `silence`, `by win`, or both as in `1 by win`"
    silent = words.take("silence")
    priority = None if silent else _integer(words)
    letters: list[str] = []
    if not silent and words.take("play"):
        letters.append(words.word("a letter", "write `play S` or `play S or O`"))
        while words.take("or"):
            letters.append(words.word("a letter", "write `play S` or `play S or O`"))
    label = ""
    if not silent and words.take("by"):
        label = words.word("the label of a rule", help)
        if re.fullmatch(r"\d{1,4}", words.next):  # a rule without a label goes by its heading and place
            label = f"{label} {words.word('a number')}"
    every = in_scene and words.take("at every *")
    if words.at == first:
        raise words.fault("an answer", help)
    words.end(help)
    return ExpectedAnswer(words.span(first), priority, silent, tuple(letters), label, every)


def _ask(words: Words) -> Ask:
    help = "write `ask edge b1 -> 6`"
    role = None
    if words.next.isalpha():
        role = Mention(words.next, words.span())
        if role.spec not in ROLES:
            near = closest(role.spec[:40], ROLES)
            way_out = f"write `{near}`" if near else f"the roles are {', '.join(ROLES)}"
            raise Fault("T005", role.span, f"`{role.spec[:40]}` is not a role", "here", way_out)
        words.at += 1
    cell = words.rest("a cell", until="->")
    words.need("->", help)
    return Ask(cell, role, _answer(words, in_scene=False))


def _claim(words: Words) -> Statement:
    for phrase, (goal, holds) in GOAL_CLAIMS.items():
        if words.take(phrase):
            seats = (_seat(words),) if words.take("moving") else (0, 1)
            words.end("write `moving first`, `moving second`, or nothing for both")
            return GoalClaim(goal, seats, holds)
    if words.take("same choice as"):
        return SameChoice(words.rest("a table such as figure-13.team"))
    if words.take("beats"):
        return _beats(words)
    phrases = {
        phrase.split()[0]: phrase for phrase in (*GOAL_CLAIMS, "same choice as", "beats random at least 95% of …")
    }
    near = closest(words.next[:40], phrases)
    raise words.fault("a claim", f"write `{phrases[near]}`" if near else f"the claims are {CLAIMS}")


def _beats(words: Words) -> Beats:
    help = "write `claim beats random at least 95% of 1000 games`"
    player = words.rest("a player such as random", until="at")
    words.need("at least", help)
    where = words.span()
    percent = re.fullmatch(r"(\d{1,3}(?:\.\d{1,6})?)%?", words.word("a percentage", help), re.ASCII)
    if not percent:
        words.at -= 1
        raise words.fault("a percentage", help)
    words.take("%")
    words.need("of", help)
    there = words.span()
    games = re.fullmatch(r"\d[\d,_]{0,12}", words.word("a number of games", help), re.ASCII)
    if not games:
        words.at -= 1
        raise words.fault("a number of games", help)
    if not words.take("game"):
        words.need("games", help)
    found = Beats(player, Fraction(percent[1]), int(re.sub(r"\D", "", games[0])))
    if not 0 < found.percent <= 100:
        raise Fault("T013", where, f"{percent[0]} is out of range", "here", "write more than 0 and at most 100%")
    if not 1 <= found.games <= MOST_GAMES:
        raise Fault("T013", there, f"{games[0]} is out of range", "here", f"write 1 to {MOST_GAMES:,}")
    return found
