// What does the page know? Signals, and what changes them; everything that is computed is asked of the server.

import { batch, computed, effect, signal } from "@preact/signals";
import { ask, work } from "./server.js";

const KEPT = "teamplay-state";

export const start = signal(null); // games, tables, players, files, words
export const failure = signal(""); // why there is no page
export const files = signal({});
export const table = signal({ name: "", text: "", saved: "", stamp: null });
export const game = signal(""); // a spec, or nothing: the table's own
export const board = signal(""); // the marks of all cells in one row, or nothing: the start
export const seat = signal(null);
export const seed = signal(0);
export const selected = signal(null);
export const view = signal("priority");
export const tool = signal("look");
export const tab = signal("board");
export const seen = signal(null); // the last good answer
export const findings = signal([]);
export const problem = signal(""); // what is wrong with the question itself: the board, the game
export const scope = signal([]);
export const coverage = signal(null);
export const tests = signal({ running: false, text: "", result: null }); // the scenes of the table
export const cursorLine = signal(0); // of the editor
export const live = signal(null); // who plays elsewhere
export const toast = signal(null);
export const scheme = signal(localStorage.getItem("teamplay-scheme") || "auto");

export const dirty = computed(() => table.value.text !== table.value.saved);
export const broken = computed(() => findings.value.some((one) => one.level === "error"));
export const named = computed(() => ({ name: table.value.name, text: table.value.text }));
export const UNTITLED = "untitled.team";
export const yours = computed(() => table.value.name.endsWith(".team") && table.value.name !== UNTITLED);
// The line of the rule that the selected cell answers by.
export const answering = computed(() => seen.value?.why?.line ?? null);
// The cells that answer by the rule under the cursor of the editor.
export const answered = computed(() => {
  const cells = seen.value?.board.cells ?? [];
  return cells.flatMap((cell, at) => (cell.line !== null && cell.line === cursorLine.value ? [at] : []));
});

export function say(text, kind = "note") {
  toast.value = { text, kind, at: Date.now() };
}

export function report(error) {
  if (error.name !== "AbortError") say(error.message, "error");
}

export function question(more = {}) {
  return { table: named.value, game: game.value, board: board.value, seat: seat.value, seed: seed.value, ...more };
}

// One question is under way at a time; of those that come meanwhile only the newest is asked.
let asking = false;
let again = false;
let place = 0; // goes up whenever a board of another table or game is asked for
let shownPlace = -1; // that of the board that is shown

// Requests that replace each other: what `turns()` gives tells a request later whether it is still the newest.
function turns() {
  let last = 0;
  return () => {
    const mine = ++last;
    return () => mine === last;
  };
}
const opening = turns();
const drawing = turns();

function elsewhere() {
  place += 1;
  drawing();
}

export async function look() {
  if (asking) {
    again = true;
    return;
  }
  asking = true;
  do {
    again = false;
    const asked = place;
    try {
      const answer = await ask("see", question({ cell: selected.value }));
      if (again) continue;
      if (answer.board) shownPlace = asked;
      batch(() => {
        problem.value = "";
        if (answer.board) {
          seen.value = answer;
          findings.value = findings.value.filter((one) => one.level !== "error");
        } else findings.value = answer.findings;
      });
    } catch (error) {
      if (!again) problem.value = error.message;
    }
  } while (again);
  asking = false;
}

let checking = null;
let pause = 0;

// What takes longer is looked for when nobody has typed for a while.
export function checkSoon() {
  clearTimeout(pause);
  checking?.drop();
  checking = null;
  pause = setTimeout(() => {
    if (broken.value) return;
    const text = table.value.text;
    const take = (said) => {
      if (said.findings && text === table.value.text && !broken.value) findings.value = said.findings;
    };
    checking = work("check", { table: named.value }, take);
    checking.result
      .then((result) => {
        take(result);
        if (text === table.value.text) scope.value = result.scope || [];
      })
      .catch(() => {});
  }, 700);
}

let testing = null;

// The scenes of the table, as it is typed now.
export async function runTests() {
  testing?.drop();
  const mine = work("test", { table: named.peek(), seed: seed.peek() }, (said) => {
    if (said.advance && testing === mine) tests.value = { ...tests.peek(), text: said.advance.text };
  });
  testing = mine;
  tests.value = { ...tests.peek(), running: true, text: "working …" };
  try {
    const result = await mine.result;
    if (testing !== mine) return;
    tests.value = { running: false, text: "", result };
    coverage.value = result.coverage[0] ?? null;
  } catch (error) {
    if (testing !== mine) return;
    tests.value = { running: false, text: "", result: null };
    report(error);
  }
}

export function stopTests() {
  testing?.stop();
}

export function edit(text) {
  if (text === table.value.text) return;
  table.value = { ...table.value, text };
  look();
  checkSoon();
}

export async function openTable(name, spec = "") {
  const newest = opening();
  try {
    const opened = await ask("open", { name });
    if (newest()) await begun({ ...opened, saved: opened.text }, spec);
  } catch (error) {
    report(error);
  }
}

// A table that says hardly anything, for the game at hand.
export async function newTable() {
  const newest = opening();
  try {
    const { text } = await ask("new", { game: game.peek() || seen.peek()?.spec || "" });
    if (newest()) await begun({ name: UNTITLED, text, saved: null, stamp: null });
  } catch (error) {
    report(error);
  }
}

async function begun(next, spec = "") {
  elsewhere();
  batch(() => {
    table.value = next;
    game.value = spec;
    board.value = "";
    seat.value = null;
    selected.value = null;
    coverage.value = null;
    testing?.drop();
    testing = null;
    tests.value = { running: false, text: "", result: null };
    findings.value = [];
    scope.value = [];
  });
  await look();
  checkSoon();
}

export async function saveTable(name = table.value.name, force = false) {
  const { name: before, text } = table.value;
  try {
    const saved = await ask("save", { name, text, stamp: name === before ? table.value.stamp : null, force });
    files.value = await ask("files");
    if (table.value.name !== before) return true; // another one was opened meanwhile
    table.value = { ...table.value, name, saved: text, stamp: saved.stamp };
    say(`Saved ${name}.`);
    runTests();
    return true;
  } catch (error) {
    if (error.changed && !force) {
      const how = `${error.message}\n\nOverwrite it?`;
      return window.confirm(how) ? saveTable(name, true) : false;
    }
    report(error);
    return false;
  }
}

export function setMark(cell, mark) {
  if (shownPlace !== place) return; // this board is about to be replaced by another
  drawing();
  const now = board.value || seen.value.board.marks;
  const letters = seen.value.board.letters;
  const known = letters.length ? letters : ["x", "o"];
  const meant = known.find((each) => each.toLowerCase() === mark.toLowerCase()) ?? (".-_b ".includes(mark) ? "." : null);
  if (meant === null) {
    say(`\`${mark}\` is not a mark of this game; ${known.join(", ")} and . are.`, "error");
    return;
  }
  board.value = now.slice(0, cell) + meant + now.slice(cell + 1);
  look();
}

// A drawing comes in many shapes; the server reads it, and answers with all of its marks.
export async function setDrawing(text) {
  const newest = drawing();
  try {
    const answer = await ask("see", { ...question(), board: text });
    if (answer.board && newest()) {
      board.value = answer.board.marks;
      look();
    }
  } catch (error) {
    report(error);
  }
}

export function setGame(spec) {
  elsewhere();
  batch(() => {
    game.value = spec;
    board.value = "";
    seat.value = null;
    selected.value = null;
  });
  return look();
}

export function showPosition(position) {
  elsewhere();
  batch(() => {
    if (position.game !== undefined) game.value = position.game;
    board.value = position.board.replace(/[/\s]/g, "");
    seat.value = position.seat ?? null;
    selected.value = null;
    tab.value = "board";
  });
  look();
  // What was pressed is gone with its tab; the focus goes where the page went.
  requestAnimationFrame(() => document.getElementById("tabs-board")?.focus());
}

// The state as a link: everything that a person would have to type again.
export function stateText() {
  const { name, text } = table.value;
  const kept = { name, text, game: game.value, board: board.value, seat: seat.value, seed: seed.value, view: view.value };
  const bytes = new TextEncoder().encode(JSON.stringify({ ...kept, cell: selected.value }));
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

// What a link holds; null where it was cut short or is no link of ours.
export function readState(text) {
  try {
    const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    const state = JSON.parse(new TextDecoder().decode(Uint8Array.from(binary, (sign) => sign.charCodeAt(0))));
    return typeof state.name === "string" && typeof state.text === "string" ? state : null;
  } catch {
    return null;
  }
}

function take(kept) {
  batch(() => {
    table.value = { name: kept.name, text: kept.text, saved: kept.saved ?? null, stamp: kept.stamp ?? null };
    game.value = kept.game || "";
    board.value = kept.board || "";
    seat.value = kept.seat ?? null;
    seed.value = kept.seed || 0;
    view.value = kept.view || "priority";
    selected.value = kept.cell ?? null;
    if (kept.tab) tab.value = kept.tab;
  });
}

export async function begin() {
  try {
    const known = await ask("start");
    start.value = known;
    files.value = known.files;
    const shared = new URLSearchParams(location.hash.slice(1)).get("state");
    const kept = JSON.parse(sessionStorage.getItem(KEPT) || "null");
    const linked = shared && readState(shared);
    if (shared) history.replaceState(null, "", location.pathname);
    if (linked) take(linked);
    else if (kept && kept.folder === known.folder) take(kept);
    else await openTable(known.table, known.game);
    if (shared && !linked) say("The link can't be read; it is not whole.", "error");
    if (!seen.value) {
      await look();
      checkSoon();
    }
    effect(() => {
      const { name, text, saved, stamp } = table.value;
      const rest = { game: game.value, board: board.value, seat: seat.value, seed: seed.value, view: view.value };
      const state = { name, text, saved, stamp, ...rest, tab: tab.value, cell: selected.value };
      sessionStorage.setItem(KEPT, JSON.stringify({ ...state, folder: known.folder }));
    });
  } catch (error) {
    failure.value = error.message;
  }
}

effect(() => {
  if (scheme.value === "auto") delete document.documentElement.dataset.scheme;
  else document.documentElement.dataset.scheme = scheme.value;
  localStorage.setItem("teamplay-scheme", scheme.value);
});
