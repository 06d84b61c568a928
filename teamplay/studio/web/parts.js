// Small parts that several views share.

import htm from "htm";
import { cloneElement, h } from "preact";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { createBoard } from "./board.js";
import { ask, work } from "./server.js";
import { files, named, report, start, table } from "./state.js";

export const html = htm.bind(h);

// The board module in a component: its handlers may change, its elements stay.
export function Board({ state, label, ...handlers }) {
  const host = useRef(null);
  const board = useRef(null);
  const now = useRef(handlers);
  now.current = handlers;
  useLayoutEffect(() => {
    const each = (name) => (...given) => now.current[name]?.(...given);
    board.current = createBoard(host.current, { press: each("press"), select: each("select"), type: each("type"), paste: each("paste") });
  }, []);
  useLayoutEffect(() => {
    if (state) board.current.update(state);
  }, [state]);
  const wide = state && (state.shape.length > 2 || state.shape.at(-1) > 8);
  return html`<div class=${`board-host ${wide ? "board-large" : ""}`} ref=${host} aria-label=${label}></div>`;
}

// Tabs as a screen reader expects them: one stop, arrows between them, Home and End.
export function TabList({ label, name, tabs, value, onChange }) {
  const keys = (event) => {
    const at = tabs.findIndex(([key]) => key === value);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const [next] = tabs.at(to % tabs.length);
    onChange(next);
    event.currentTarget.querySelector(`#${name}-${next}`).focus();
  };
  return html`<div class=${name} role="tablist" aria-label=${label} onKeyDown=${keys}>
    ${tabs.map(
      ([key, shown]) => html`<button type="button" role="tab" id=${`${name}-${key}`} aria-selected=${value === key} aria-controls=${`${name}-panel`} tabindex=${value === key ? 0 : -1} onClick=${() => onChange(key)}>${shown}</button>`,
    )}
  </div>`;
}

export function Choice({ label, name, value, options, onChange }) {
  return html`<fieldset class="choice">
    <legend>${label}</legend>
    <div class="segments">
      ${options.map(
        ([key, shown, title]) => html`<label title=${title}>
          <input type="radio" name=${name} value=${key} checked=${value === key} onChange=${() => onChange(key)} /><span data-shown=${shown}>${shown}</span>
        </label>`,
      )}
    </div>
  </fieldset>`;
}

export function Field({ label, children, wide }) {
  const id = useId();
  return html`<div class=${wide ? "field wide" : "field"}><label for=${id}>${label}</label>${cloneElement([children].flat()[0], { id })}</div>`;
}

// A text that counts when it is finished; what is half typed survives a repaint.
export function Typed({ value, onCommit, ...rest }) {
  const [draft, set] = useState(null);
  const commit = (event) => {
    set(null);
    onCommit(event.target.value.trim());
  };
  return html`<input ...${rest} value=${draft ?? value} onInput=${(event) => set(event.target.value)} onChange=${commit} />`;
}

function specOf(name, options) {
  const given = Object.entries(options).filter(([, value]) => value !== "").map(([key, value]) => `${key}=${value}`);
  return given.length ? `${name}(${given.join(",")})` : name;
}

// A spec in two parts: a name, and options that differ from the usual ones.
function parsed(spec) {
  const found = /^(.*?)(?:\(([^()]*)\))?$/.exec(spec);
  const pairs = (found[2] || "").split(",").filter(Boolean).map((part) => part.split("="));
  return [found[1], Object.fromEntries(pairs)];
}

export function Parameters({ known, given, onChange }) {
  const names = Object.keys(known);
  return names.map(
    (key) => html`<label class="field small" key=${key}><span>${key}</span>
      ${typeof known[key] === "boolean"
        ? html`<select value=${given[key] ?? String(known[key])} onChange=${(event) => onChange({ ...given, [key]: event.target.value })}>
            <option>false</option><option>true</option></select>`
        : html`<${Typed}
            type=${typeof known[key] === "number" ? "number" : "text"}
            value=${given[key] ?? ""}
            placeholder=${String(known[key])}
            onCommit=${(text) => onChange({ ...given, [key]: text })}
          />`}
    </label>`,
  );
}

// Who can play a game; null as long as that is not known.
export function useSuited(spec) {
  const [found, set] = useState(null);
  const { name } = named.value;
  useEffect(() => {
    let gone = false;
    ask("suited", { game: spec, table: named.peek() })
      .then((answer) => !gone && set({ ...answer, spec }))
      .catch(() => !gone && set(null)); // the game itself is wrong, and whoever asks for it hears so
    return () => { gone = true; };
  }, [spec, name]);
  return found?.spec === spec ? found : null;
}

// Players with others in place of those who can't play the game.
export function fitting(specs, suited) {
  const { players, tables } = start.peek();
  const own = table.peek().name;
  const never = [...players.map((each) => each.name), ...tables, own].filter((each) => ![...suited.players, ...suited.tables, suited.own ? own : ""].includes(each));
  const others = [...suited.tables, ...suited.players].filter((each) => !specs.includes(each));
  return specs.map((spec) => (never.includes(parsed(spec)[0]) ? others.shift() ?? "random" : spec));
}

// Any player by a list: this table, others, centralized players with their options; those that can play the game.
export function PlayerPicker({ label, value, onChange, suited, person = false }) {
  const [name, options] = parsed(value);
  const own = table.value.name;
  const players = start.value.players.filter((each) => !suited || each.name === name || suited.players.includes(each.name));
  const tables = suited ? suited.tables : start.value.tables;
  const mine = files.value.team ?? [];
  const player = players.find((each) => each.name === name);
  const group = (title, names) => names.length > 0 && html`<optgroup label=${title}>${names.map((each) => html`<option value=${each}>${each}</option>`)}</optgroup>`;
  return html`<div class="picker">
    <${Field} label=${label} wide>
      <select value=${name} onChange=${(event) => onChange(event.target.value)}>
        ${person && html`<option value="you">you</option>`}
        ${(!suited || suited.own || name === own) && html`<option value=${own}>${own} (this table)</option>`}
        ${group("players", players.map((each) => each.name))} ${group("tables", tables.filter((each) => each !== own))}
        ${group("your folder", mine.filter((each) => each !== own))}
        ${![own, "you", ...tables, ...mine].includes(name) && !player && html`<option value=${name}>${name}</option>`}
      </select>
    <//>
    ${player && html`<${Parameters} known=${player.options} given=${options} onChange=${(given) => onChange(specOf(name, given))} />`}
  </div>`;
}

export function GamePicker({ value, onChange, own }) {
  const [name, options] = parsed(value);
  const known = start.value.games.find((each) => each.name === name);
  return html`<div class="picker">
    <${Field} label="game" wide>
      <select value=${name} onChange=${(event) => onChange(event.target.value)}>
        ${own !== undefined && html`<option value="">${own ? `the table's: ${own}` : "the table's own"}</option>`}
        ${start.value.games.map((each) => html`<option value=${each.name} title=${each.about}>${each.name}</option>`)}
        ${(start.value.files.toml || []).map((each) => html`<option value=${each}>${each}</option>`)}
      </select>
    <//>
    ${known && html`<${Parameters} known=${known.parameters} given=${options} onChange=${(given) => onChange(specOf(name, given))} />`}
  </div>`;
}

// A job with its progress: `run(kind, question)` starts it, `stop` asks for what is known, `drop` forgets it.
export function useJob(told) {
  const [state, set] = useState({ running: false, text: "", share: null, pid: null });
  const job = useRef(null);
  const drop = () => {
    job.current?.drop();
    job.current = null;
    set((now) => ({ ...now, running: false }));
  };
  const run = async (kind, question) => {
    job.current?.drop();
    set({ running: true, text: "working …", share: null, pid: null });
    const mine = work(kind, question, (said) => {
      if (job.current !== mine) return;
      if (said.pid) set((now) => ({ ...now, pid: said.pid }));
      if (said.advance) {
        const { text, done, total } = said.advance;
        set((now) => ({ ...now, text, share: total ? done / total : null }));
      }
      told?.(said);
    });
    job.current = mine;
    try {
      return await mine.result;
    } catch (error) {
      report(error);
      return null;
    } finally {
      if (job.current === mine) set((now) => ({ ...now, running: false }));
    }
  };
  useEffect(() => drop, []);
  return { ...state, run, stop: () => job.current?.stop(), drop };
}

export function Progress({ job, what }) {
  if (!job.running) return null;
  return html`<div class="progress" role="status" data-pid=${job.pid}>
    <progress value=${job.share ?? undefined} max="1" aria-label=${what}></progress>
    <span>${job.text}</span>
    <button type="button" class="stop" onClick=${job.stop}>Cancel</button>
  </div>`;
}

const ICONS = {
  first: "M5 4v12M16 4l-8 6 8 6z",
  back: "M14 4l-8 6 8 6z",
  ahead: "M6 4l8 6-8 6z",
  last: "M15 4v12M4 4l8 6-8 6z",
};

export function Icon({ name }) {
  return html`<svg class="glyph" viewBox="0 0 20 20" aria-hidden="true"><path d=${ICONS[name]} /></svg>`;
}

// The positions of a game: buttons, a list of moves, arrow keys.
// `wanted` is where the last key led, `ply` what is shown: keys that come faster than the positions add up.
export function Steps({ ply, wanted, last, go, moves, blame }) {
  const keys = (event) => {
    const to = { ArrowLeft: wanted - 1, ArrowRight: wanted + 1, Home: 0, End: last }[event.key];
    if (to === undefined || event.target.closest("[role=grid], input, select, textarea")) return;
    event.preventDefault();
    go(Math.max(0, Math.min(last, to)));
  };
  // At the end a button is not disabled, which would lose the focus and with it the arrow keys.
  const step = (to, sign, label) => html`<button type="button" aria-label=${label} title=${label} aria-disabled=${to < 0 || to > last || to === wanted} onClick=${() => go(Math.max(0, Math.min(last, to)))}><${Icon} name=${sign} /></button>`;
  return html`<div class="steps" onKeyDown=${keys}>
    <div class="step-bar">
      ${step(0, "first", "first position")} ${step(wanted - 1, "back", "previous position")} ${step(wanted + 1, "ahead", "next position")} ${step(last, "last", "last position")}
      <span class="ply" aria-live="polite">${ply} of ${last}</span>
    </div>
    <ol class="move-list">
      ${moves.map(
        (move, at) => html`<li class=${blame === at + 1 ? "guilty" : ""}>
          <button type="button" aria-current=${ply === at + 1 ? "step" : undefined} onClick=${() => go(at + 1)}>
            <span class="ply-number">${at + 1}.</span> ${move}${blame === at + 1 ? html` <em>to blame</em>` : ""}
          </button>
        </li>`,
      )}
    </ol>
  </div>`;
}

// A move as people say it: the letter, if there is one, and the name of its cell.
export function moveName(move, names) {
  const found = /^([A-Z]?)(\d+)$/.exec(move);
  return found && names ? `${found[1] ? `${found[1]} ` : ""}${names[Number(found[2]) - 1]}` : move;
}

export function Code({ text }) {
  return text.split(/(`[^`]*`)/).map((part) => (part.startsWith("`") ? html`<code>${part.slice(1, -1)}</code>` : part));
}

export function download(name, text, kind) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: kind }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
