"""What does the page ask that is answered at once? Each function is a question; the library does the thinking."""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from teamplay import __version__, library, players
from teamplay.api.thinking import think
from teamplay.api.tournaments import read_standing, standing_json
from teamplay.check.formats import finding_json
from teamplay.check.report import check
from teamplay.editors import keywords
from teamplay.editors.hover import Outline, hover
from teamplay.errors import BadSpec, TeamplayError
from teamplay.game import SEATS, Game, Position
from teamplay.game_file import LARGEST_FILE, WIDEST_TEXT, load_game
from teamplay.language import TableError, load_source, load_table
from teamplay.language.layout import laid_out
from teamplay.language.line import COUNTS, PLACES
from teamplay.players.human import parse_answer
from teamplay.proof.goals import GOALS
from teamplay.reachable import flaw
from teamplay.scenes.binder import MAY
from teamplay.scenes.findings import pictured
from teamplay.scenes.writing import rows
from teamplay.show import words
from teamplay.show.chart import BYS
from teamplay.show.picture import Picture
from teamplay.show.reasons import comparison, measured, reason, reason_json, result, standing
from teamplay.show.svg import drawn
from teamplay.studio.boards import board_json, picture_json, rule_line
from teamplay.studio.folder import Folder
from teamplay.studio.sources import (
    Question,
    game_of,
    moves_of,
    number_of,
    player_of,
    position_of,
    source_of,
    team_of,
    text_of,
)
from teamplay.team import Team

NEW = "# A table: the first rule that holds answers, and 1 is the most urgent.\ngame {}\n\neveryone:\n    return 1\n"


def start(question: Question, folder: Folder) -> dict[str, Any]:
    """What the page has to know at its beginning: games, tables, players, files, the words of the language."""
    return {
        "version": __version__,
        "folder": str(folder.root),
        "files": folder.files(),
        "games": [_game_json(name) for name in library.names(".toml")],
        "tables": library.names(".team"),
        "players": [{"name": name, "options": players.options_of(name)} for name in _players()],
        "goals": GOALS,
        "languages": {"team": _language(keywords.TABLE), "scene": _language(keywords.SCENES)},
        "words": {
            "declaring": keywords.DECLARING,
            "answering": keywords.ANSWERING,
            "logic": keywords.LOGIC,
            "role": keywords.ROLES,
            "value": keywords.VALUES,
            "function": [*COUNTS, *PLACES],
        },
    }


def _players() -> list[str]:
    """The players that the page offers: not a person at a terminal, and nobody who would run a program."""
    return [name for name in players.names() if name != "human" and not players.takes_text(name)]


def suited(question: Question, folder: Folder) -> dict[str, Any]:
    """Who can play a game: players, shipped tables, and whether the table of the question can."""
    game = game_of(question)
    tables = [name for name in library.names(".team") if game.name in _games_of_table(name)]
    return {
        "players": [name for name in _players() if _plays(name, game)],
        "tables": tables,
        "own": _plays(text_of(question["table"], "name"), game) if question.get("table") else False,
    }


@cache
def _games_of_table(name: str) -> tuple[str, ...]:
    return load_table(name)[0].games or (load_game("tic-tac-toe").name,)


def _plays(spec: str, game: Game) -> bool:
    try:
        return bool(player_of(spec, game))
    except TeamplayError:
        return False


def _game_json(name: str) -> dict[str, Any]:
    declared = library.read_toml(library.find(name, ".toml"), "game", LARGEST_FILE, WIDEST_TEXT).get("parameters", {})
    return {"name": name, "about": load_game(name).about, "parameters": declared}


def _language(rules: tuple[keywords.Token | keywords.Region, ...]) -> list[dict[str, Any]]:
    """The words and signs of a language, for an editor that reads a line at a time."""
    return [
        {"pattern": rule.pattern, "kinds": rule.kinds}
        if isinstance(rule, keywords.Token)
        else {
            "pattern": rule.begin.pattern,
            "kinds": rule.begin.kinds,
            "end": rule.end,
            "inside": _language(rule.inside),
        }
        for rule in rules
    ]


def files(question: Question, folder: Folder) -> dict[str, Any]:
    return folder.files()


def open_table(question: Question, folder: Folder) -> dict[str, Any]:
    """A table: a shipped one by its name, or a file of the folder; also scenes and games of the folder."""
    name = text_of(question, "name")
    if name in library.names(".team"):
        return {"name": name, "text": load_source(name).text, "stamp": None}
    return folder.open(name)


def new_table(question: Question, folder: Folder) -> dict[str, Any]:
    """The text of a table that says hardly anything."""
    return {"text": NEW.format(game_of(question))}


def save(question: Question, folder: Folder) -> dict[str, Any]:
    known = question.get("stamp")
    if known is not None and not isinstance(known, str):
        raise BadSpec("`stamp` must be a text.")
    name = text_of(question, "name")
    if question.get("force"):
        known = folder.stamp_of(name)
    return folder.save(name, text_of(question, "text"), known)


def see(question: Question, folder: Folder) -> dict[str, Any]:
    """What every cell thinks; with `cell` also why. An error in the table comes back as findings with their fixes."""
    try:
        team = team_of(question)
    except TableError:
        found = check(source_of(question), None, thorough=False).findings
        if not any(one.severity == "error" for one in found):  # the text is sound, the chosen game is not its own
            found = check(source_of(question), game_of({**question, "table": None}), thorough=False).findings
        return {"findings": [finding_json(one) for one in found]}
    picture = think(team, position_of(question, team.game), number_of(question, "seed"))
    return _seen(picture, question.get("cell"))


def _seen(picture: Picture, cell: object) -> dict[str, Any]:
    game, position = picture.game, picture.position
    shown: dict[str, Any] = {
        "findings": [],
        "game": str(game),
        "spec": game.spec,
        "about": game.about,
        "seat": SEATS[position.seat],
        "drawing": game.drawn(position),
        "board": picture_json(picture),
        "flaw": flaw(game, position),
        "sight": words.sight(picture),
        "verdict": words.verdict(picture),
        "consequence": words.consequence(game, position, picture.chosen) if picture.chosen else "",
        "silent": picture.silent,
    }
    if type(cell) is int and 0 <= cell < game.grid.size:
        shown["why"] = _why(picture, cell)
    return shown


def _why(picture: Picture, cell: int) -> dict[str, Any]:
    """Every rule that a cell tried, what it measured, and why it was not taken."""
    why = reason(picture, cell)
    book = picture.team.book
    shown = reason_json(picture, why)
    for attempt, written in zip(why.tried, shown["tried"], strict=True):
        written |= {"found": measured(attempt), "answer": result(attempt), "fired": attempt.fired}
    return shown | {
        "name": words.cell_name(picture.game.grid, cell),
        "role": words.role_name(picture.game.grid, cell),
        "standing": standing(picture, why) if why.answer and not why.barred else "",
        "comparison": comparison(picture, why),
        "sight": sorted(book.sight(cell)),
        "line": rule_line(book, cell, shown["rule"]),
        "unread": [{"rule": rule.name, "line": rule.span.line} for rule in why.unread],
    }


def hint(question: Question, folder: Folder) -> dict[str, Any]:
    """What stands under the cursor of the editor, in words."""
    said = hover(Outline.of(source_of(question)), number_of(question, "line", 1), number_of(question, "column", 1))
    if not said:
        return {"text": ""}
    text, span = said
    return {"text": text, "line": span.line, "column": span.column, "end": span.end}


def layout(question: Question, folder: Folder) -> dict[str, Any]:
    """The table as `teamplay fmt` would write it."""
    return {"text": laid_out(source_of(question))}


def svg(question: Question, folder: Folder) -> dict[str, Any]:
    """The position as a drawing for paper, in the view that is shown."""
    team, cell = team_of(question), question.get("cell")
    picture = think(team, position_of(question, team.game), number_of(question, "seed"))
    by = question.get("view") if question.get("view") in BYS else None
    if by == "sight" and type(cell) is not int:
        by = None
    return {"svg": drawn(picture, by, cell if by == "sight" else None)}


def play(question: Question, folder: Folder) -> dict[str, Any]:
    """A game so far: the position, what may be played, what the last move did; an illegal move is an error."""
    game = game_of(question)
    moves, positions = moves_of(game, question.get("moves", []))
    if answer := question.get("answer"):
        move = parse_answer(game, positions[-1], str(answer))
        positions.append(game.after(positions[-1], move))
        moves.append(move)
    shown = _played(game, [game.format_move(move) for move in moves], positions)
    if question.get("hint") and not shown["outcome"]:
        player = player_of(question["hint"], game)
        if isinstance(player, Team):
            shown["board"] = picture_json(think(player, positions[-1], number_of(question, "seed")), absolute=True)
    return shown | {"said": words.consequence(game, positions[-2], moves[-1]) if moves else ""}


def _played(game: Game, moves: list[str], positions: list[Position]) -> dict[str, Any]:
    now, over = positions[-1], game.outcome(positions[-1])
    before = positions[-2] if len(positions) > 1 else None
    scored = before is not None and now.scores != before.scores
    return {
        "game": str(game),
        "spec": game.spec,
        "about": game.about,
        "moves": moves,
        "seat": SEATS[now.seat],
        "drawing": game.drawn(now),
        "scores": list(_scores(game, now)),
        "passed": before is not None and now.seat == before.seat and not scored and not over,
        "again": before is not None and now.seat == before.seat and scored and not over,
        "outcome": _outcome(game, now),
        "drops": game.placement == "drop",
        "board": board_json(game, now),
    }


def _scores(game: Game, position: Position) -> tuple[int, ...]:
    """Points, or marks where the majority counts; nothing in other games."""
    if game.goal.effect == "scores":
        return position.scores
    if game.goal.kind == "majority":
        return tuple(position.marks.count(mark) for mark in game.marks)
    return ()


def _outcome(game: Game, position: Position) -> dict[str, Any] | None:
    over = game.outcome(position)
    if over is None:
        return None
    names = {0: "the first player", 1: "the second player"}
    winner = None if over.winner is None else SEATS[over.winner]
    return {"winner": winner, "reason": over.reason, "text": words.ending(game, position, over, names)}


def frame(question: Question, folder: Folder) -> dict[str, Any]:
    """One position of a game that was played: the board, and before a team's move what its agents said."""
    game = game_of(question)
    moves, positions = moves_of(game, question.get("moves", []))
    ply = number_of(question, "ply")
    if not 0 <= ply < len(positions):
        raise BadSpec(f"A game of {len(moves)} moves has no position {ply}.")
    sitting = question.get("players") or {}
    spec = sitting.get(SEATS[positions[ply].seat]) if ply < len(moves) and isinstance(sitting, dict) else None
    player = player_of(spec, game) if spec else None
    picture = pictured(player, positions[ply], moves[ply], 0) if isinstance(player, Team) else None
    board = picture_json(picture, absolute=True) if picture else board_json(game, positions[ply])
    board |= {"next": moves[ply].cell, "chosen": moves[ply].cell} if ply < len(moves) else {"next": None}
    return {
        "game": str(game),
        "board": board,
        "seat": SEATS[positions[ply].seat],
        "scores": list(_scores(game, positions[ply])),
        "outcome": _outcome(game, positions[ply]),
        "drawing": game.drawn(positions[ply]),
        "verdict": _said(picture, moves[ply].cell) if picture else "",
    }


def _said(picture: Picture, cell: int) -> str:
    """By which rule a cell was played, and how many tied with it."""
    answer, ties = picture.answers[cell], len(picture.best)
    tied = "" if ties == 1 else f", one of {words.counted(ties, 'move')} that tie"
    if answer.priority is None:
        return f"Every agent is silent{tied}."
    return f"By `{answer.rule}`, priority {answer.priority}{tied}."


def games_of(question: Question, folder: Folder) -> dict[str, Any]:
    """The recorded games of a file."""
    found = []
    for line in folder.record(text_of(question, "name")):
        try:
            found.append(json.loads(line))
        except ValueError:
            raise TeamplayError(f"{question['name']} is not a file of recorded games.") from None
    return {"games": found}


def results(question: Question, folder: Folder) -> dict[str, Any]:
    """A tournament as far as its file of results holds it, also while another process writes it."""
    return standing_json(read_standing(folder.path(text_of(question, "name"), (".results",))))


def append_scene(question: Question, folder: Folder) -> dict[str, Any]:
    """Make a scene of a position: what the team does there now is what is expected from then on."""
    team = team_of(question)
    table = text_of(question["table"], "name")
    if not table.endswith(".team") or not folder.path(table).exists():
        raise BadSpec("Save the table in your folder first; a scene stands in a file beside it.")
    picture = think(team, position_of(question, team.game), number_of(question, "seed"))
    if picture.outcome:
        raise BadSpec("The game is over in this position, so there is nothing to expect.")
    name = str(Path(table).with_suffix(".scene"))
    file = folder.path(name)
    before: dict[str, Any] = {"text": f"table {Path(table).name}\n", "stamp": None}
    if file.exists():
        before = folder.open(name)
    text = f"{before['text'].rstrip()}\n\n{scene(picture, str(question.get('title') or 'a position'))}"
    return folder.save(name, text, before["stamp"]) | {"text": text, "line": before["text"].rstrip().count("\n") + 3}


def scene(picture: Picture, title: str) -> str:
    """The lines of a scene that holds as the table is now."""
    drawing = rows(picture.game, picture.position, dict.fromkeys(picture.tied, MAY))
    clean = title.replace('"', "'").replace("\n", " ")[:80]
    answer = picture.answers[picture.tied[0]]
    expected = "silence" if answer.priority is None else f"{answer.priority}"
    rules = {picture.answers[cell].rule for cell in picture.tied}
    if answer.priority is not None and len(rules) == 1:
        expected += f" by {answer.rule}"
    out = " unreachable" if flaw(picture.game, picture.position) else ""
    return f'scene "{clean}" moving {SEATS[picture.position.seat]}{out}\n{drawing}\nexpect {expected}\n'


QUESTIONS: dict[str, Callable[[Question, Folder], dict[str, Any]]] = {
    "start": start,
    "suited": suited,
    "files": files,
    "open": open_table,
    "new": new_table,
    "save": save,
    "see": see,
    "hint": hint,
    "layout": layout,
    "svg": svg,
    "play": play,
    "frame": frame,
    "games": games_of,
    "results": results,
    "scene": append_scene,
}
