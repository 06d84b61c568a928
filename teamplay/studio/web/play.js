// Play against any player, or watch two of them. Going back loses nothing: other moves become variations.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Board, Choice, GamePicker, PlayerPicker, download, fitting, html, moveName, useJob, useSuited } from "./parts.js";
import { ask } from "./server.js";
import { game as chosenGame, named, report, seen, showPosition, table } from "./state.js";

const ROOT = { id: 0, move: null, parent: null };
const EMPTY = { nodes: [ROOT], at: 0 };
const PAUSE = 350; // milliseconds between two moves that are watched

function path(nodes, id) {
  const line = [];
  for (let node = nodes[id]; node.parent !== null; node = nodes[node.parent]) line.unshift(node);
  return line;
}

export function Play() {
  const own = table.value.name;
  const [spec, setSpec] = useState(chosenGame.peek() || seen.peek()?.spec || "tic-tac-toe");
  const [seats, setSeats] = useState({ first: "you", second: own });
  const [seed, setSeed] = useState(0);
  const [{ nodes, at }, setTree] = useState(EMPTY);
  const [now, setNow] = useState(null);
  const [letter, setLetter] = useState(null);
  const [hints, setHints] = useState(false);
  const [wrong, setWrong] = useState("");
  const [running, setRunning] = useState(false); // may the players move without being asked?
  const suited = useSuited(spec);
  const job = useJob();
  const placing = useRef(false); // a move of the person is under way
  const turns = useRef(new Map()); // whose turn it was in each position
  const line = useMemo(() => path(nodes, at), [nodes, at]);
  const moves = line.map((node) => node.move);
  const base = { game: spec, table: named.value, seed };
  const key = JSON.stringify([spec, moves]);
  const latest = useRef(key);
  latest.current = key;

  useEffect(() => {
    let gone = false;
    ask("play", { ...base, moves, hint: hints ? own : null })
      .then((answer) => {
        if (gone) return;
        setNow({ ...answer, key });
        turns.current.set(at, answer.seat);
        if (answer.board.letters.length && !answer.board.letters.includes(letter)) setLetter(answer.board.letters[0]);
      })
      .catch((error) => !gone && setWrong(error.message));
    return () => { gone = true; };
  }, [key, hints && named.value.text]);

  useEffect(() => {
    if (!suited) return;
    setSeats((now) => {
      const [first, second] = fitting([now.first, now.second], suited);
      return { first, second };
    });
  }, [suited]);

  const add = (parent, move) =>
    setTree((tree) => {
      const same = tree.nodes.find((node) => node.parent === parent && node.move === move);
      if (same) return { ...tree, at: same.id };
      const made = { id: tree.nodes.length, move, parent };
      return { nodes: [...tree.nodes, made], at: made.id };
    });

  // The player whose turn it is moves, if the game is running; a step elsewhere makes its answer void.
  const mover = now && !now.outcome ? seats[now.seat] : null;
  const current = now?.key === key;
  useEffect(() => {
    if (!running || !current || !mover || mover === "you") return undefined;
    let gone = false;
    const both = seats.first !== "you" && seats.second !== "you";
    const timer = setTimeout(async () => {
      const answer = await job.run("reply", { ...base, player: mover, moves });
      if (gone) return;
      if (answer) add(at, answer.move);
      else setRunning(false);
    }, both ? PAUSE : 0);
    return () => {
      gone = true;
      clearTimeout(timer);
      job.drop();
    };
  }, [running, current, mover, key]);

  const go = (id) => {
    setWrong("");
    setRunning(false);
    setTree((tree) => ({ ...tree, at: id }));
  };
  const begin = (next = spec, run = true) => {
    setSpec(next);
    setWrong("");
    setTree(EMPTY);
    setRunning(run);
  };
  const place = async (cell, typed) => {
    setWrong("");
    if (!now || !current || job.running || placing.current) return;
    if (!now.outcome && mover !== "you") {
      setWrong(`It is the turn of ${mover}; “Go on” lets it move.`);
      return;
    }
    const name = now.board.names[cell];
    let answer = String(cell + 1);
    if (now.board.letters.length) answer = `${typed || letter}${cell + 1}`;
    else if (now.drops && now.board.shape.length === 2) answer = name.replace(/\d+$/, "");
    placing.current = true;
    try {
      const after = await ask("play", { ...base, moves, answer });
      if (latest.current !== key) return; // the person has gone elsewhere meanwhile
      add(at, after.moves[after.moves.length - 1]);
      setRunning(true);
    } catch (error) {
      setWrong(error.message);
    } finally {
      placing.current = false;
    }
  };
  const type = (cell, key) => {
    const found = now?.board.letters.find((each) => each.toLowerCase() === key.toLowerCase());
    if (found) {
      setLetter(found);
      place(cell, found);
    }
  };
  const person = seats.first === "you" || seats.second === "you";
  // Back to where the person moved last; who was to move when is the game's affair, and was noted as it came.
  const undo = () => {
    const before = [ROOT, ...line].slice(0, -1);
    const mine = before.filter((node) => seats[turns.current.get(node.id)] === "you");
    go((mine.at(-1) ?? before.at(-1) ?? ROOT).id);
  };
  const state = useMemo(() => (now ? { ...now.board, view: "priority" } : null), [now]);
  const save = async () => {
    const players = Object.fromEntries(Object.entries(seats).filter(([, each]) => each !== "you"));
    const title = `${seats.first} against ${seats.second} at ${now.game}`;
    const page = await job.run("page", { ...base, moves, players, title });
    if (page) download("game.html", page.html, "text/html");
  };
  return html`<div class="play">
    <div class="form">
      <${GamePicker} value=${spec} onChange=${(next) => begin(next, false)} />
      <${PlayerPicker} label="first" person suited=${suited} value=${seats.first} onChange=${(first) => { setSeats({ ...seats, first }); setRunning(false); }} />
      <${PlayerPicker} label="second" person suited=${suited} value=${seats.second} onChange=${(second) => { setSeats({ ...seats, second }); setRunning(false); }} />
      <label class="field small"><span>seed</span><input type="number" value=${seed} onInput=${(event) => setSeed(Math.trunc(Number(event.target.value)) || 0)} /></label>
      <button type="button" class="primary" onClick=${() => begin()}>New game</button>
    </div>
    <div class="film">
      <div class="film-board">
        ${now?.board.letters.length > 1 && person && html`<${Choice} label="place" name="letter" value=${letter} options=${now.board.letters.map((each) => [each, each])} onChange=${setLetter} />`}
        <${Board} state=${state} press=${place} type=${type} />
      </div>
      <div class="film-side">
        <p class="verdict turn" role="status" aria-live="polite">
          ${!current ? "…" : now.outcome ? html`<b class="outcome">${now.outcome.text}</b>` : job.running ? `${mover} is thinking …` : html`${mover === "you" ? "Your move" : `${mover} to move`}${now.board.letters.length ? "" : now.seat === "first" ? " (x)" : " (o)"}.${now.again ? " Another turn after scoring." : ""}${now.passed ? " The other side had to pass." : ""}`}
          ${now?.scores.length > 0 && html` <span class="score">Score ${now.scores.join(" : ")}.</span>`}
          ${now?.said && html` <span class="quiet">${now.said}</span>`}
        </p>
        ${wrong && html`<p class="wrong" role="alert">${wrong}</p>`}
        <div class="step-bar">
          <button type="button" onClick=${undo} disabled=${!moves.length}>Undo</button>
          ${!running && mover && mover !== "you" && html`<button type="button" onClick=${() => setRunning(true)}>Go on</button>`}
          ${running && !person && !now?.outcome && html`<button type="button" onClick=${() => go(at)}>Pause</button>`}
          ${job.running && html`<button type="button" class="stop" onClick=${() => go(at)}>Cancel</button>`}
          <label class="check"><input type="checkbox" checked=${hints} onChange=${(event) => setHints(event.target.checked)} /> hints</label>
        </div>
        <${Tree} nodes=${nodes} line=${line} at=${at} go=${go} names=${now?.board.names} />
        <div class="step-bar">
          <button type="button" disabled=${!now} onClick=${() => showPosition({ game: spec, board: now.drawing, seat: now.seat })}>Open on the board</button>
          <button type="button" disabled=${!moves.length || job.running} onClick=${save}>Save as HTML</button>
        </div>
      </div>
    </div>
  </div>`;
}

// The line that is shown, and beside each of its moves the others that were tried in its place.
function Tree({ nodes, line, at, go, names }) {
  const last = (id) => {
    let here = id;
    for (let next = nodes.find((node) => node.parent === here); next; next = nodes.find((node) => node.parent === here)) here = next.id;
    return here;
  };
  const ahead = [];
  for (let next = nodes.find((node) => node.parent === at); next; next = nodes.find((node) => node.parent === next.id)) ahead.push(next);
  return html`<ol class="move-list" aria-label="moves">
    <li><button type="button" aria-current=${at === 0 ? "step" : undefined} onClick=${() => go(0)}>start</button></li>
    ${[...line, ...ahead].map((node, ply) => {
      const others = nodes.filter((each) => each.parent === node.parent && each.id !== node.id);
      return html`<li class=${ply >= line.length ? "ahead" : ""} key=${node.id}>
        <button type="button" aria-current=${node.id === at ? "step" : undefined} onClick=${() => go(node.id)}><span class="ply-number">${ply + 1}.</span> ${moveName(node.move, names)}</button>
        ${others.map((each) => html`<button type="button" class="variation" title="another move that was tried here" onClick=${() => go(last(each.id))}>or ${moveName(each.move, names)}</button>`)}
      </li>`;
    })}
  </ol>`;
}
