// Prove: verify with live progress, step through a refutation, compare with another table.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Board, Choice, Code, Field, Icon, PlayerPicker, Progress, Steps, download, fitting, html, moveName, useJob, useSuited } from "./parts.js";
import { ask } from "./server.js";
import { game, named, report, seen, showPosition, start, table } from "./state.js";

export function Prove() {
  const [seat, setSeat] = useState("both");
  const [goal, setGoal] = useState("never-loses");
  const [tie, setTie] = useState("all");
  const [found, set] = useState(null);
  const job = useJob();
  const question = () => ({ table: named.peek(), game: game.peek(), player: table.peek().name, seat, goal, tie });
  const verify = async () => {
    set(null);
    const asked = question();
    const result = await job.run("verify", asked);
    if (result) set({ ...result, asked });
  };
  const certificate = async () => {
    const made = await job.run("certificate", found.asked);
    if (made) download(`${table.peek().name.replaceAll("/", "-").replace(/\.team$/, "")}.certificate`, made.text, "text/plain");
  };
  return html`<div class="prove">
    <section aria-label="verify">
      <div class="bar">
        <${Choice} label="seat" name="prove-seat" value=${seat} options=${[["first", "first"], ["second", "second"], ["both", "both"]]} onChange=${setSeat} />
        <${Choice} label="goal" name="prove-goal" value=${goal} options=${start.value.goals.map((each) => [each, each.replaceAll("-", " ")])} onChange=${setGoal} />
        <${Choice} label="ties" name="prove-tie" value=${tie} options=${[["all", "every tie"], ["first", "the first"]]} onChange=${setTie} />
        <button type="button" class="primary" onClick=${verify} disabled=${job.running}>Verify</button>
      </div>
      <${Progress} job=${job} what="verify" />
      ${found && html`<div role="status">${Object.values(found.seats).map((verdict) => html`<${Verdict} key=${verdict.seat} verdict=${verdict} found=${found} />`)}</div>`}
      ${found && Object.values(found.seats).some((verdict) => verdict.verdict !== "undecided") && html`<p>
        <button type="button" onClick=${certificate} disabled=${job.running}>Download the certificate</button>
        <span class="quiet"> <code>teamplay recheck</code> checks it with the reference rules alone.</span></p>`}
    </section>
    <${Compare} />
  </div>`;
}

function Verdict({ verdict, found }) {
  return html`<article class=${`verdict-card ${verdict.verdict}`} data-seat=${verdict.seat}>
    <h2><span class="badge">${verdict.verdict}</span> moving ${verdict.seat}</h2>
    <p><${Code} text=${verdict.sentence} /></p>
    <dl class="facts">
      ${[["positions", verdict.positions], ["won ends", verdict.wins], ["drawn ends", verdict.draws], ["lost ends", verdict.losses], ["seconds", Number(verdict.seconds.toFixed(verdict.seconds < 10 ? 2 : 0))]].map(
        ([name, value]) => html`<div><dt>${name}</dt><dd data-fact=${name}>${value.toLocaleString("en")}</dd></div>`,
      )}
    </dl>
    ${verdict.game && html`<${Film} game=${found.asked.game} table=${found.asked.table} moves=${verdict.game.map(String)} blame=${verdict.blame?.ply}
      players=${{ [verdict.seat]: found.asked.player }} title=${`${found.player} moving ${verdict.seat} at ${found.game}`} />
      <p class="blamed"><${Code} text=${verdict.blamed} /></p>`}
  </article>`;
}

// A game that was played, position by position, with the heat map before each move of a team; another game is another reel.
export function Film(game) {
  return html`<${Reel} key=${JSON.stringify([game.game, game.moves, game.players, game.table?.text])} ...${game} />`;
}

function Reel({ game, table, moves, players, blame, title }) {
  const [wanted, go] = useState(0);
  const [frame, set] = useState(null); // with its ply, which is that of the last answer
  const known = useRef(new Map());
  const job = useJob();
  useEffect(() => {
    let gone = false;
    const have = known.current.get(wanted);
    if (have) {
      set(have);
      return undefined;
    }
    ask("frame", { game, table, moves, players, ply: wanted })
      .then((answer) => {
        const found = { ...answer, ply: wanted };
        known.current.set(wanted, found);
        if (!gone) set(found);
      })
      .catch((error) => !gone && report(error));
    return () => { gone = true; };
  }, [wanted]);
  const ply = frame?.ply ?? 0;
  const state = useMemo(() => frame && { ...frame.board, view: "priority", blame: blame === ply + 1 ? frame.board.next : null }, [frame]);
  const names = moves.map((move) => moveName(move, frame?.board.names));
  const save = async () => {
    const page = await job.run("page", { game, table, moves, players, title, blame: blame ?? null });
    if (page) download("game.html", page.html, "text/html");
  };
  return html`<div class="film" data-ply=${ply}>
    <div class="film-board"><${Board} state=${state} /></div>
    <div class="film-side">
      <${Steps} ply=${ply} wanted=${wanted} last=${moves.length} go=${go} moves=${names} blame=${blame} />
      ${frame && html`<p class="verdict" aria-live="polite">
        ${ply < moves.length ? html`Next, move ${ply + 1}: <b>${names[ply]}</b>${blame === ply + 1 ? html` <em class="guilt">to blame</em>` : ""}. ` : ""}
        <${Code} text=${frame.verdict} />${" "}
        ${frame.scores.length ? `Score ${frame.scores.join(" : ")}. ` : ""}${frame.outcome ? html`<b class="outcome">${frame.outcome.text}</b>` : ""}</p>`}
      <div class="step-bar">
        <button type="button" onClick=${() => frame && showPosition({ game, board: frame.drawing, seat: frame.seat })} title="open this position beside the table">Open on the board</button>
        <button type="button" onClick=${save} disabled=${job.running} title="one file that needs nothing else">Save as HTML</button>
      </div>
    </div>
  </div>`;
}

function Compare() {
  const [other, setOther] = useState(table.peek().name === "tic-tac-toe/competent" ? "tic-tac-toe/figure-15" : "tic-tac-toe/competent");
  const [found, set] = useState(null);
  const [at, go] = useState(0);
  const job = useJob();
  const suited = useSuited(game.value || seen.value?.spec || "");
  useEffect(() => {
    if (suited) setOther((now) => fitting([now], suited)[0]);
  }, [suited]);
  const run = async () => {
    set(null);
    go(0);
    const asked = { table: named.peek(), game: game.peek(), player: table.peek().name, other, games: 200 };
    set(await job.run("compare", asked));
  };
  const apart = found?.positions_apart ?? [];
  const shown = apart[at];
  const state = useMemo(() => {
    if (!shown) return null;
    const marks = shown.board.replaceAll("/", "");
    const notes = {};
    for (const [sign, cells] of [["A", shown.a], ["B", shown.b]]) for (const cell of cells) notes[cell] = `${notes[cell] ?? ""}${sign}`;
    return { ...found.board, marks, notes, open: [...marks].flatMap((mark, cell) => (mark === "." ? [cell] : [])) };
  }, [shown]);
  const names = (cells) => cells.map((cell) => found.board.names[cell]).join(", ");
  return html`<section aria-label="compare">
    <h2>Compare with another</h2>
    <div class="bar"><${PlayerPicker} label="other" suited=${suited} value=${other} onChange=${setOther} />
      <button type="button" onClick=${run} disabled=${job.running}>Compare</button></div>
    <${Progress} job=${job} what="compare" />
    ${found && html`<p role="status"><b>${found.sentence}</b></p>`}
    ${state && html`<div class="film">
      <div class="film-board"><${Board} state=${state} /></div>
      <div class="film-side">
        <div class="step-bar">
          <button type="button" aria-label="previous difference" aria-disabled=${at === 0} onClick=${() => go(Math.max(0, at - 1))}><${Icon} name="back" /></button>
          <button type="button" aria-label="next difference" aria-disabled=${at === apart.length - 1} onClick=${() => go(Math.min(apart.length - 1, at + 1))}><${Icon} name="ahead" /></button>
          <span class="ply">difference ${at + 1} of ${apart.length}${apart.length < found.different ? ` (of ${found.different.toLocaleString("en")})` : ""}</span>
        </div>
        <p>x is to move, in the ${shown.seat} seat.</p>
        <dl class="choices"><dt>A: ${found.a}</dt><dd>${names(shown.a)}</dd><dt>B: ${found.b}</dt><dd>${names(shown.b)}</dd></dl>
        <button type="button" onClick=${() => showPosition({ board: shown.board, seat: shown.seat })}>Open on the board</button>
      </div>
    </div>`}
  </section>`;
}
