// Share: the state as a link, a command line, a drawing, or a page that needs nothing else.

import { useState } from "preact/hooks";
import { copy, download, html } from "./parts.js";
import { ask, work } from "./server.js";
import { game, question, report, say, seat, seed, seen, selected, stateText, table, view } from "./state.js";

const quoted = (text) => (/^[\w./=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

export function command() {
  const parts = ["teamplay", "show", quoted(table.value.name)];
  if (game.value) parts.push("--game", quoted(game.value));
  if (seen.value) parts.push("--board", quoted(seen.value.drawing));
  if (seat.value) parts.push("--seat", seat.value);
  if (seed.value) parts.push("--seed", String(seed.value));
  return parts.join(" ");
}

export function Share() {
  const [shown, show] = useState("");
  const give = async (what, text) => {
    show(text);
    say((await copy(text)) ? `The ${what} is copied.` : `Copy the ${what} below.`);
  };
  const link = () => give("link", `${location.origin}/#state=${stateText()}`);
  const drawing = async (save) => {
    try {
      const { svg } = await ask("svg", question({ view: view.value, cell: selected.value }));
      if (save) download("board.svg", svg, "image/svg+xml");
      else give("drawing", svg);
    } catch (error) {
      report(error);
    }
  };
  const page = async () => {
    try {
      const title = `${table.value.name} at ${seen.value.game}`;
      const made = await work("page", question({ title, moves: [], position: true })).result;
      download("position.html", made.html, "text/html");
    } catch (error) {
      report(error);
    }
  };
  return html`<details class="menu" id="share">
    <summary>Share</summary>
    <div class="menu-body">
      <button type="button" onClick=${link}>Copy a link</button>
      <button type="button" onClick=${() => give("command", command())}>Copy the command line</button>
      <button type="button" onClick=${() => drawing(false)}>Copy as SVG</button>
      <button type="button" onClick=${() => drawing(true)}>Download the SVG</button>
      <button type="button" onClick=${page}>Download as one HTML file</button>
      ${shown && html`<textarea readonly rows="3" aria-label="copied" value=${shown} onFocus=${(event) => event.target.select()}></textarea>`}
      <p class="quiet">A link holds the table and the board; it opens in a studio on this machine.</p>
    </div>
  </details>`;
}
