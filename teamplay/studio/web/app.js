// The page: a table on the left, and on the right what can be done with it.

import { render } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Arena } from "./arena.js";
import { createEditor, goTo } from "./editor.js";
import { TabList, html } from "./parts.js";
import { Live, useLive } from "./live.js";
import { Play } from "./play.js";
import { Prove } from "./prove.js";
import { See } from "./see.js";
import { ask } from "./server.js";
import { Share } from "./share.js";
import {
  begin, broken, dirty, edit, failure, files, findings, live, named, newTable, openTable, report, saveTable, scheme, start, tab, table, tests, toast, yours,
} from "./state.js";
import { Tests } from "./tests.js";

const ALWAYS = [["board", "Board", See], ["tests", "Test", Tests], ["prove", "Prove", Prove], ["play", "Play", Play], ["arena", "Arena", Arena]];
const LIVE = ["live", "Live", Live];

function Header() {
  const { tables } = start.value;
  const { name } = table.value;
  const mine = files.value.team || [];
  const open = (event) => {
    const to = event.target.value;
    if (dirty.peek() && !window.confirm(`${name} is not saved. Open ${to} all the same?`)) {
      event.target.value = name;
      return;
    }
    openTable(to);
  };
  const fresh = () => {
    if (!dirty.peek() || window.confirm(`${name} is not saved. Begin a new table all the same?`)) newTable();
  };
  const save = () => {
    let to = name;
    if (!yours.peek()) {
      to = window.prompt("Save as (below your folder):", `${name.split("/").pop().replace(/\.team$/, "")}.team`);
      if (!to) return;
      if (!to.endsWith(".team")) to += ".team";
    }
    saveTable(to);
  };
  const layout = async () => {
    try {
      edit((await ask("layout", { table: named.peek() })).text);
    } catch (error) {
      report(error);
    }
  };
  const schemes = { auto: ["light", "◐", "follow the system"], light: ["dark", "☀", "light"], dark: ["auto", "☾", "dark"] };
  const [next, sign, words] = schemes[scheme.value];
  return html`<header class="top">
    <h1><span class="logo" aria-hidden="true"><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i></span>teamplay <span>studio</span></h1>
    <label class="table-picker"><span class="sr">table</span>
      <select value=${name} onChange=${open}>
        ${!mine.includes(name) && !tables.includes(name) && html`<option value=${name}>${name}</option>`}
        <optgroup label="your folder">${mine.map((each) => html`<option value=${each}>${each}</option>`)}</optgroup>
        <optgroup label="shipped">${tables.map((each) => html`<option value=${each}>${each}</option>`)}</optgroup>
      </select>
      ${dirty.value && html`<span class="unsaved" title="not saved">●<span class="sr">not saved</span></span>`}
    </label>
    <div class="actions">
      <button type="button" onClick=${fresh} title="a table that says hardly anything, for this game">New</button>
      <button type="button" id="save" onClick=${save}>${yours.value ? "Save" : "Save as …"}</button>
      <button type="button" onClick=${layout} disabled=${broken.value} title="lay the table out as teamplay fmt does">Format</button>
      <${Share} />
      <button type="button" class="icon" aria-label=${`colours: ${words}`} title=${`colours: ${words}`} onClick=${() => (scheme.value = next)}>${sign}</button>
    </div>
  </header>`;
}

function Editor() {
  const host = useRef(null);
  useEffect(() => {
    const view = createEditor(host.current);
    const go = (event) => goTo(view, event.detail);
    document.addEventListener("goto", go);
    return () => {
      document.removeEventListener("goto", go);
      view.destroy();
    };
  }, []);
  const errors = findings.value.filter((one) => one.level === "error").length;
  const others = findings.value.length - errors;
  const words = [errors && `${errors} error${errors === 1 ? "" : "s"}`, others && `${others} finding${others === 1 ? "" : "s"}`].filter(Boolean);
  const first = findings.value.find((one) => one.level === "error") ?? findings.value[0];
  return html`<section class="editor" aria-label="table">
    <div class="cm-host" ref=${host}></div>
    <p class=${`problems ${errors ? "bad" : ""}`} role="status">
      ${first ? html`<b>${words.join(", ")}</b> <button type="button" class="link" onClick=${() => document.dispatchEvent(new CustomEvent("goto", { detail: first.line }))}>line ${first.line}</button> ${first.message}` : "No errors, nothing found."}
    </p>
  </section>`;
}

function Tabs() {
  const elsewhere = useRef(false); // once there was a live team, its tab stays
  useLive(tab.value === "live");
  elsewhere.current ||= Boolean(live.value?.asked || live.value?.teams.length);
  const known = elsewhere.current ? [...ALWAYS, LIVE] : ALWAYS;
  const failed = tests.value.result?.failed ?? 0;
  const [now, , View] = known.find(([key]) => key === tab.value) ?? known[0];
  const tabs = known.map(([key, shown]) => [key, key === "tests" && failed > 0 ? html`${shown} <span class="count">${failed} failed</span>` : shown]);
  return html`<section class="work">
    <${TabList} label="what to do" name="tabs" tabs=${tabs} value=${now} onChange=${(key) => (tab.value = key)} />
    <div class="panel" role="tabpanel" id="tabs-panel" aria-labelledby=${`tabs-${now}`}><${View} /></div>
  </section>`;
}

// A note goes by itself, an error stays until it is closed or another comes.
function Toast() {
  const shown = toast.value;
  useEffect(() => {
    if (!shown || shown.kind === "error") return undefined;
    const timer = setTimeout(() => (toast.value = null), 8000);
    return () => clearTimeout(timer);
  }, [shown]);
  return html`<div class="toasts" role=${shown?.kind === "error" ? "alert" : "status"} aria-live="polite">
    ${shown && html`<p class=${`toast ${shown.kind}`}>${shown.text} <button type="button" aria-label="close" onClick=${() => (toast.value = null)}>✕</button></p>`}
  </div>`;
}

function App() {
  if (failure.value) return html`<main class="failed-start"><h1>teamplay studio</h1><p>${failure.value}</p></main>`;
  if (!start.value || !table.value.name) return html`<p class="loading">Opening the studio …</p>`;
  return html`<${Header} /><main class="columns"><${Editor} /><${Tabs} /></main><${Toast} />`;
}

window.addEventListener("beforeunload", (event) => {
  if (dirty.peek() && !sessionStorage.getItem("teamplay-state")) event.preventDefault();
});
document.addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll("details.menu[open]")) if (!menu.contains(event.target)) menu.open = false;
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") for (const menu of document.querySelectorAll("details.menu[open]")) menu.open = false;
});

document.getElementById("app").replaceChildren();
render(html`<${App} />`, document.getElementById("app"));
begin();
