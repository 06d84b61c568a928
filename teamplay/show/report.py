"""What does `show` print? What is shown, the board, what follows, and the legend."""

from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.text import Text

from teamplay.grid import Cell
from teamplay.show.chart import By, LegendEntry
from teamplay.show.paste import put_options
from teamplay.show.picture import Picture
from teamplay.show.terminal import GLUE, MARKS, Signs, clean, heat_map, plain, put, say
from teamplay.show.words import counted, heading, sight, surroundings, verdict


def show_picture(screen: Console, picture: Picture, by: By | None = None, agent: Cell | None = None) -> None:
    """The whole answer to `show`: what is shown, the board, what follows, the legend."""
    signs = Signs(picture, screen.width, plain(screen), by, agent, pointers=True)
    say(screen, heading(picture), "bold")
    say(screen, sight(picture))
    say(screen)
    put(screen, heat_map(signs))
    say(screen)
    put_options(screen, picture.game, picture.position)
    say(screen, verdict(picture) if agent is None else surroundings(picture, agent), "bold")
    for line in legend(signs):
        say(screen, line)


def legend(signs: Signs) -> Iterator[Text]:
    """What the signs mean, as far as they occur, and how many cells gave each answer."""
    picture, chart = signs.picture, signs.chart
    words = [words for entry in chart.legend if (words := _words(signs, entry))]
    if words:
        yield Text(", ").join(words)
    fills = [entry for entry in chart.legend if entry.sign == "fill"]
    if fills:
        yield Text.assemble(f"{chart.scale}: ", *_counts(signs, fills))
    if chart.by == "rank" and not signs.by:
        yield Text("Ranks stand for priorities, which are long here; --by priority shows them.", "italic")
    if picture.team.manager.restless:
        yield Text(f"Some rules have a chance; these are the coins of seed {picture.seed}, another's may differ.")


def _words(signs: Signs, entry: LegendEntry) -> Text | None:
    """An entry of the legend that is a sign; None for those that are colours."""
    sample = signs.answer(signs.picture.chosen.cell) if signs.picture.chosen else entry.sample
    match entry.sign:
        case "own" | "other":
            return Text(entry.sample, MARKS[entry.sample]) + f" {entry.text}"
        case "line" | "agent":
            return Text("[ ]", "bold") + f" {entry.text}"
        case "last" if signs.agent is None:  # what is hatched can't be fenced
            return Text(f"({entry.sample})", "bold") + f" {entry.text}"
        case "seen":
            return Text(signs.hatch) + f" {entry.text}"
        case "chosen" if len(signs.picture.tied) > 1:
            return Text(f"{{{sample}}}", "bold") + f" {entry.text}"
        case "chosen" | "tied":
            return Text(f"[{sample}]", "bold") + f" {entry.text}"
        case "silent":
            return Text(f"{signs.silence} {entry.text}")
        case "letter":
            return Text(f"{entry.sample} {entry.text}")
        case "closed":
            return Text(entry.text)
    return None


def _counts(signs: Signs, fills: Sequence[LegendEntry]) -> Iterator[Text]:
    """`4` in its colour, and how many cells said it."""
    for place, entry in enumerate(fills):
        number = f"{entry.sample} " if signs.chart.by == "rule" and signs.texts is signs.chart.texts else ""
        yield Text(", " if place else "")
        yield Text(f"{number}{clean(entry.text)}".replace(" ", GLUE), signs.style(entry.fill))
        if entry.cells is not None:
            yield Text(f": {counted(entry.cells, 'cell')}".replace(" ", GLUE))
