"""How is a position or a game given to somebody without teamplay? As one HTML file with the board module inside."""

import json
from collections.abc import Sequence
from html import escape
from typing import Any

from teamplay.studio.bundle import WEB

PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<title>{title}</title>
<style>
{css}
</style>
<body class="tp-export">
<main class="tp-film"><h1>{title}</h1><div id="film"></div></main>
<script type="application/json" id="state">{state}</script>
<script type="module">
{script}
showFilm(document.getElementById("film"), JSON.parse(document.getElementById("state").textContent));
</script>
"""


POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'"


def film_page(title: str, frames: Sequence[dict[str, Any]], moves: Sequence[str], blame: object = None) -> str:
    """A page that steps through the positions of a game; a single position is a game without moves."""
    state = json.dumps({"frames": list(frames), "moves": list(moves), "blame": blame}, ensure_ascii=False)
    # Inside a script element only these signs could end it or begin a comment.
    safe = state.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
    script = (WEB / "board.js").read_text("utf-8").replace("export ", "")
    css = (WEB / "board.css").read_text("utf-8")
    return PAGE.format(title=escape(title), policy=POLICY, css=css, state=safe, script=script)
