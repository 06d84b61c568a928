// The board beside the table: what every cell thinks, and why.

import { useMemo } from "preact/hooks";
import { Board, Choice, Code, Field, GamePicker, Typed, html } from "./parts.js";
import { ask } from "./server.js";
import {
  answered, board, broken, cursorLine, files, game, look, problem, question, report, runTests, say, seat, seed, seen, selected,
  setDrawing, setGame, setMark, tool, view, yours,
} from "./state.js";

const VIEWS = [
  ["priority", "priority", "how urgent each cell is; 1 is the most urgent"],
  ["rank", "rank", "the order of the answers, 1 first"],
  ["rule", "rule", "which rule answered"],
  ["sight", "sight", "what the selected agent sees"],
  ["ties", "ties", "the most urgent cells alone"],
];

export function See() {
  const answer = seen.value;
  const state = useMemo(() => {
    if (!answer) return null;
    const why = answer.why;
    const sight = view.value === "sight" && selected.value !== null && why?.cell === selected.value + 1 ? why.sight : null;
    return { ...answer.board, view: view.value, selected: selected.value, sight, marked: answered.value };
  }, [answer, view.value, selected.value, answered.value]);
  if (!answer) return html`<p class="empty">${problem.value || (broken.value ? "The table can't be read yet; its errors are marked." : "…")}</p>`;
  const letters = answer.board.letters;
  const tools = [["look", "look", "select a cell to see why it answers so"], ...(letters.length ? letters : ["x", "o"]).map((each) => [each, each, `place ${each}`]), [".", "erase", "empty a cell"]];
  const select = (cell) => {
    selected.value = cell;
    cursorLine.value = 0;
    look();
  };
  const press = (cell) => {
    if (tool.value !== "look") setMark(cell, answer.board.marks[cell] === tool.value ? "." : tool.value);
    else select(cell);
  };
  return html`<div class="see">
    <div class="bar">
      <${Choice} label="show" name="view" value=${view.value} options=${VIEWS} onChange=${(key) => (view.value = key)} />
      <${Choice} label="click" name="tool" value=${tool.value} options=${tools} onChange=${(key) => (tool.value = key)} />
    </div>
    ${(problem.value || broken.value) && html`<p class="stale" role="status">${problem.value || "The table has an error; this is what it said before."}</p>`}
    <div class="see-columns">
      <div>
        <${Board} state=${state} press=${press} select=${select} type=${setMark} paste=${setDrawing} />
        <p class="verdict" role="status" aria-live="polite">${answer.verdict} ${answer.consequence}</p>
        ${answer.flaw && html`<p class="quiet flaw">No game leads to this position: ${answer.flaw}.</p>`}
        <${Legend} answer=${answer} />
      </div>
      <${Why} answer=${answer} />
    </div>
    <${Position} answer=${answer} />
  </div>`;
}

function Legend({ answer }) {
  const { legends, best, chosen } = answer.board;
  const kind = view.value === "rule" ? "rule" : "tier";
  const entries = legends[view.value] ?? legends.priority;
  const shown = view.value === "ties" ? entries.filter((each) => each.fill === 0).slice(0, 1) : entries;
  return html`<ul class="legend tp-board" aria-label="legend">
    ${shown.map((each) => html`<li><span class=${`swatch tp-${kind}-${each.fill}`}></span> ${each.text}</li>`)}
    ${answer.silent > 0 && html`<li><span class="swatch">·</span> ${answer.silent} silent</li>`}
    ${best.length > 0 && html`<li><span class="swatch tp-best"></span> most urgent</li>`}
    ${chosen !== null && html`<li><span class="swatch tp-chosen"></span> taken with this seed</li>`}
    ${view.value === "sight" && html`<li><span class="swatch tp-seen"></span> in sight</li>`}
  </ul>`;
}

function Why({ answer }) {
  const why = answer.why;
  if (!why || selected.value === null) {
    return html`<section class="why why-empty" aria-label="why">
      <p>Select a cell to see its rules, what each measured, and why the manager took another.</p>
      <p class="quiet">${answer.sight}</p>
    </section>`;
  }
  return html`<section class="why" aria-label="why">
    <h2>${why.name}<span class="quiet"> ${why.role}</span></h2>
    ${why.tried.length > 0 &&
    html`<table class="tried">
      <thead><tr><th scope="col">rule</th><th scope="col">test, and what was measured</th><th scope="col">answer</th></tr></thead>
      <tbody>
        ${why.tried.map(
          (each) => html`<tr class=${each.fired ? "fired" : each.rule === why.nearest_miss ? "miss" : ""}>
            <th scope="row"><button type="button" class="link" onClick=${() => document.dispatchEvent(new CustomEvent("goto", { detail: each.line }))}>${each.rule}</button></th>
            <td><code>${each.test}</code><br />${each.found}</td>
            <td>${each.answer}${each.fired ? html`<b> answers</b>` : each.rule === why.nearest_miss ? html`<i> nearest miss</i>` : ""}</td>
          </tr>`,
        )}
        ${why.unread.map((each) => html`<tr class="unread"><th scope="row">${each.rule}</th><td colspan="2">not read: a rule above answered</td></tr>`)}
      </tbody>
    </table>`}
    <p class="because"><${Code} text=${why.because} /></p>
    ${why.comparison.length > 1
      ? html`<details open=${answer.board.chosen !== why.cell - 1}>
          <summary>${answer.board.chosen === why.cell - 1 ? "why this cell?" : "why not this cell?"}</summary>
          ${why.comparison.map((each) => html`<p><${Code} text=${each} /></p>`)}
        </details>`
      : why.standing && html`<p>${why.standing}</p>`}
  </section>`;
}

function Position({ answer }) {
  const makeScene = async () => {
    const title = window.prompt("A name for the scene:", answer.verdict.replace(/\.$/, ""));
    if (title === null) return;
    try {
      const saved = await ask("scene", question({ title }));
      files.value = await ask("files");
      say(`Added to ${saved.name}.`);
      runTests();
    } catch (error) {
      report(error);
    }
  };
  const clear = () => {
    board.value = "";
    seat.value = null;
    selected.value = null;
    look();
  };
  return html`<section class="position" aria-label="position">
    <div class="form">
      <${GamePicker} value=${game.value} own=${game.value ? "" : answer.game} onChange=${setGame} />
      <${Field} label="to move">
        <select value=${seat.value || ""} onChange=${(event) => { seat.value = event.target.value || null; look(); }}>
          <option value="">by count (${answer.seat})</option><option value="first">first seat</option><option value="second">second seat</option>
        </select>
      <//>
      <label class="field small"><span>seed</span><input type="number" value=${seed.value} onInput=${(event) => { seed.value = Math.trunc(Number(event.target.value)) || 0; look(); }} /></label>
    </div>
    <div class="form">
      <label class="field wide"><span>drawing</span>
        <${Typed} type="text" spellcheck="false" class="drawing" value=${answer.drawing} onCommit=${setDrawing} /></label>
      <button type="button" onClick=${clear}>Start position</button>
      <button type="button" onClick=${makeScene} disabled=${!yours.value} title=${yours.value ? "append it to the scenes of this table" : "save the table in your folder first"}>Make a scene of it</button>
    </div>
    <p class="quiet">${answer.about} ${answer.board.letters.length ? "" : "x is the team, o the opponent."}</p>
  </section>`;
}
