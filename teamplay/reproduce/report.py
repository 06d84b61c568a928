"""The report: what was published beside what was measured, as Markdown with plots."""

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from teamplay.errors import BadFile
from teamplay.library import save
from teamplay.reproduce import plot
from teamplay.reproduce.replication import EXCLUDED, IMPOSSIBLE, NOT_REPRODUCED, REPRODUCED, Plot, Replication

NAME = "reproduction"
VERDICTS = (REPRODUCED, NOT_REPRODUCED, IMPOSSIBLE, EXCLUDED)


@dataclass
class Paper:
    """A paper and what was found in it so far."""

    name: str
    title: str
    findings: list[Replication] = field(default_factory=list)
    plots: list[Plot] = field(default_factory=list)

    def add(self, result: Replication | Plot) -> None:
        if isinstance(result, Plot):
            self.plots.append(result)
        else:
            self.findings.append(result)


def summary(papers: Sequence[Paper]) -> str:
    """How many claims came to which verdict.

    >>> summary([Paper("a", "A", [Replication("", "", "", "", IMPOSSIBLE), Replication("", "", "", "", REPRODUCED)])])
    '1 reproduced, 1 impossible'
    """
    verdicts = [finding.verdict for paper in papers for finding in paper.findings]
    return ", ".join(f"{verdicts.count(word)} {word}" for word in VERDICTS if word in verdicts)


def write(folder: str, papers: Sequence[Paper], command: str, unfinished: str = "") -> list[Path]:
    """Write the report and its plots into a folder; the files, the report last, so that no plot of it is missing."""
    room = room_for(folder)
    pictures = [(_picture(each), plot.drawn(each)) for paper in papers for each in paper.plots]
    files = [*pictures, (f"{NAME}.md", markdown(papers, command, unfinished))]
    for name, content in files:
        save(str(room / name), content)
    return [room / name for name, _ in files]


def room_for(folder: str) -> Path:
    """The folder that a report goes to, made if it is not there; an error if it can't be used."""
    room = Path(folder).expanduser()
    try:
        room.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadFile(f"{folder} can't be made a folder: {error.strerror or error}.") from None
    if not os.access(room, os.W_OK):
        raise BadFile(f"{folder} can't be written to; choose a folder of your own.")
    return room


def _picture(each: Plot) -> str:
    return f"{NAME}-{each.name}.svg"


def markdown(papers: Sequence[Paper], command: str, unfinished: str = "") -> str:
    """The whole report as a page."""
    lines = ["# The papers, run again", ""]
    lines += [f"<!-- written by `{command}` -->", ""]
    lines += [
        f"Every table and worked number of the papers that teamplay comes from, tried again by `{command}`: "
        f"{summary(papers)}. Intervals are at 95%. A share of games is called not reproduced if it differs from the "
        "published one with more than 99.9% confidence (dozens are compared). *Impossible* is said only of what is "
        "proved: nothing that follows the text can give it.",
        "",
    ]
    if unfinished:
        lines += [f"**{unfinished}**", ""]
    for paper in papers:
        lines += _section(paper)
    return "\n".join(lines)


def _section(paper: Paper) -> list[str]:
    lines = [f"## {paper.name}", "", f"*{paper.title}*", ""]
    lines += ["| where | claim | published | measured | verdict |", "|---|---|---|---|---|"]
    for finding in paper.findings:
        texts = (finding.where, finding.claim, finding.published, finding.measured, f"**{finding.verdict}**")
        lines.append(f"| {' | '.join(map(_cell, texts))} |")
    lines.append("")
    if readings := _told((each.where, each.reading) for each in paper.findings):
        lines += ["Readings, where the text leaves a choice:", "", *readings, ""]
    if notes := _told((each.where, each.note) for each in paper.findings):
        lines += ["What it shows:", "", *notes, ""]
    for each in paper.plots:
        lines += [f"![{each.title}]({_picture(each)})", ""]
    return lines


def _told(remarks: Iterable[tuple[str, str]]) -> list[str]:
    """A line for each remark, with all the places that it is about.

    >>> _told([("Table 1", "so"), ("Table 2", ""), ("Table 3", "so")])
    ['* Table 1, Table 3: so']
    """
    places: dict[str, dict[str, None]] = {}
    for where, text in remarks:
        if text:
            places.setdefault(text, {})[where] = None
    return [f"* {_cell(', '.join(wheres))}: {_cell(text)}" for text, wheres in places.items()]


def _cell(text: str) -> str:
    """Text that stays within a cell of a table."""
    return text.replace("|", "\\|").replace("\n", " ")
