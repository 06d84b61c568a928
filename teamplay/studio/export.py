"""How are positions and games given to somebody without teamplay? As one HTML file with the board module inside."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from teamplay.game import Game, Move
from teamplay.studio.bundle import WEB

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<title>{title}</title>
<style>
{css}
</style>
</head>
<body class="tp-export">
<main class="tp-film"><h1>{title}</h1><div id="film"></div></main>
<noscript>This page draws boards with a small script, which is switched off here.</noscript>
<script type="application/json" id="games">{games}</script>
<script type="module">
{script}
showFilms(document.getElementById("film"), JSON.parse(document.getElementById("games").textContent));
</script>
</body>
</html>
"""
POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'"
SAME = ("shape", "layer", "names", "letters")  # of every position of a game
NEEDED = ("state", "priority", "rank", "tier", "rule", "letter")  # of a cell, where a team thinks


@dataclass(frozen=True)
class Frame:
    """One position: a board as teamplay/studio/boards.py makes it, and what is said below it."""

    board: dict[str, Any]
    said: str


@dataclass(frozen=True)
class Film:
    """The positions of a game and the moves between them; a single position is a game without moves."""

    title: str
    frames: Sequence[Frame]
    moves: Sequence[str] = ()
    blame: int | None = None  # the number of a move, from 1


def film_page(title: str, films: Sequence[Film]) -> str:
    """A page that steps through games; its policy forbids every request, whatever the texts in it say."""
    games = json.dumps([_film_json(film) for film in films], ensure_ascii=False, separators=(",", ":"))
    # Inside a script element only these signs could end it or begin a comment.
    safe = games.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
    script = (WEB / "board.js").read_text("utf-8").replace("export ", "")
    css = (WEB / "board.css").read_text("utf-8")
    return PAGE.format(title=escape(title), policy=POLICY, css=css, games=safe, script=script)


def short_name(game: Game, move: Move) -> str:
    """A move in a list: its cell, behind the letter where both players place the same ones."""
    cell = game.grid.format_cell(move.cell)
    return f"{move.mark} {cell}" if game.shared else cell


def _film_json(film: Film) -> dict[str, Any]:
    """What is the same in all positions stands once."""
    frames = [{**_slim(frame.board), "said": frame.said} for frame in film.frames]
    same = {key: film.frames[0].board[key] for key in SAME}
    return {"title": film.title, "same": same, "frames": frames, "moves": list(film.moves), "blame": film.blame}


def _slim(board: dict[str, Any]) -> dict[str, Any]:
    shown = {key: value for key, value in board.items() if key not in (*SAME, "legends")}
    if shown["cells"]:
        shown["cells"] = [{key: cell[key] for key in NEEDED} for cell in shown["cells"]]
    return shown
