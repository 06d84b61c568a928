"""How does a browser show recorded games? One page with all drawings in it: no request, a few keys, light or dark."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from html import escape


@dataclass(frozen=True)
class Frame:
    """One position: the board and what a team thinks as SVG (empty where none does), how it came, what comes next."""

    board: str
    thought: str
    made: str
    following: str


@dataclass(frozen=True)
class PageGame:
    """A game with a position for each ply."""

    title: str
    frames: tuple[Frame, ...]


def replay_page(title: str, games: Sequence[PageGame]) -> str:
    """The whole page; the content policy forbids every request, whatever the texts of the games say."""
    data = json.dumps([asdict(game) for game in games], ensure_ascii=False).replace("<", "\\u003c")
    options = "".join(f"<option>{escape(game.title)}</option>" for game in games)
    return PAGE.replace("{title}", escape(title)).replace("{options}", options).replace("{data}", data)


PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy"
 content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>{title}</title>
<style>
:root { color-scheme: light dark; --paper: #fff; --ink: #1c1c1c; --quiet: #666; --line: #ccc; --mark: #e6eefc; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #181818; --ink: #e6e6e6; --quiet: #a0a0a0; --line: #444; --mark: #2a3650; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 88rem; background: var(--paper); color: var(--ink);
  font: 16px/1.45 system-ui, sans-serif; }
h1 { font-size: 1.2rem; margin: 0 0 .75rem; }
select, button { font: inherit; color: inherit; background: transparent; border: 1px solid var(--line);
  border-radius: .3rem; padding: .3rem .7rem; max-width: 100%; }
button:disabled { color: var(--quiet); opacity: .5; }
nav { display: flex; flex-wrap: wrap; gap: .4rem; align-items: center; margin: .75rem 0; }
nav output { margin-left: .4rem; color: var(--quiet); font-variant-numeric: tabular-nums; }
main { display: grid; grid-template-columns: minmax(0, 1fr) 20rem; gap: 1.5rem; align-items: start; }
@media (max-width: 50rem) { main { grid-template-columns: minmax(0, 1fr); } }
.boards { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(15rem, 100%), 1fr)); gap: 1rem; }
figure { margin: 0; max-width: 36rem; }
figure svg { display: block; width: 100%; height: auto; max-height: 75vh; border-radius: .3rem; }
figcaption { color: var(--quiet); font-size: .85rem; margin-top: .3rem; }
ol { margin: 0; padding: 0; list-style: none; max-height: 30rem; overflow-y: auto; font-size: .9rem; }
ol button { display: block; width: 100%; text-align: left; border: 0; padding: .15rem .5rem; }
ol button[aria-current=true] { background: var(--mark); }
p { margin: .25rem 0; }
</style>
</head>
<body>
<h1>{title}</h1>
<select id="games" aria-label="game">{options}</select>
<nav>
<button id="first">First</button><button id="back">Back</button><button id="next">Next</button
><button id="last">Last</button>
<output id="place"></output>
</nav>
<p id="made"></p>
<p id="following"></p>
<main>
<div class="boards">
<figure><div id="board"></div><figcaption>The board after this move</figcaption></figure>
<figure id="thinking"><div id="thought"></div>
<figcaption>What the cells of the team to move answer;<br>in its own view the team is x</figcaption></figure>
</div>
<ol id="moves"></ol>
</main>
<p><small>Keys: ← and → step, Home and End jump, ↑ and ↓ change the game.</small></p>
<noscript>This page steps through games with a small script, which is switched off here.</noscript>
<script type="application/json" id="data">{data}</script>
<script>
"use strict";
const games = JSON.parse(document.getElementById("data").textContent);
const part = Object.fromEntries([...document.querySelectorAll("[id]")].map(each => [each.id, each]));
let game = 0, ply = 0;

function show() {
  const frames = games[game].frames, frame = frames[ply];
  part.board.innerHTML = frame.board;
  part.thought.innerHTML = frame.thought;
  part.thinking.style.visibility = frame.thought ? "visible" : "hidden";
  part.made.textContent = frame.made;
  part.following.textContent = frame.following;
  part.place.textContent = `${ply} of ${frames.length - 1}`;
  part.first.disabled = part.back.disabled = ply === 0;
  part.last.disabled = part.next.disabled = ply === frames.length - 1;
  [...part.moves.children].forEach((item, at) => item.firstChild.setAttribute("aria-current", at === ply));
  const item = part.moves.children[ply], top = item.offsetTop - part.moves.offsetTop;
  const hidden = top < part.moves.scrollTop || top + item.offsetHeight > part.moves.scrollTop + part.moves.clientHeight;
  if (hidden) part.moves.scrollTop = top - part.moves.clientHeight / 2;
  location.replace(`#${game + 1}.${ply}`);
}

function step(to) {
  ply = Math.max(0, Math.min(games[game].frames.length - 1, to));
  show();
}

function open(number, at = 0) {
  game = Math.max(0, Math.min(games.length - 1, number));
  part.games.selectedIndex = game;
  part.moves.replaceChildren(...games[game].frames.map((frame, at) => {
    const item = document.createElement("li"), button = document.createElement("button");
    button.textContent = frame.made;
    button.onclick = () => step(at);
    item.append(button);
    return item;
  }));
  step(at);
}

part.first.onclick = () => step(0);
part.back.onclick = () => step(ply - 1);
part.next.onclick = () => step(ply + 1);
part.last.onclick = () => step(Infinity);
part.games.onchange = () => open(part.games.selectedIndex);
const keys = {
  ArrowLeft: () => step(ply - 1), ArrowRight: () => step(ply + 1), Home: () => step(0), End: () => step(Infinity),
  ArrowUp: () => open(game - 1), ArrowDown: () => open(game + 1),
};
document.addEventListener("keydown", event => {
  if (!keys[event.key] || event.target === part.games || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  keys[event.key]();
});
const [number, at] = location.hash.slice(1).split(".").map(Number);
open((number || 1) - 1, at || 0);
</script>
</body>
</html>
"""
