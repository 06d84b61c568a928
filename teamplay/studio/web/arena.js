// Matches and tournaments as they are played, results that another process writes, and recorded games.

import { useEffect, useState } from "preact/hooks";
import { Field, GamePicker, PlayerPicker, Progress, TabList, Typed, fitting, html, useJob, useSuited } from "./parts.js";
import { Film } from "./prove.js";
import { ask } from "./server.js";
import { files, game as chosenGame, named, report, seen, table } from "./state.js";

const MOST_LISTED = 200;

export function Arena() {
  const [what, choose] = useState("match");
  const tabs = [["match", "Match"], ["tournament", "Tournament"], ["files", "Results and records"]];
  return html`<div class="arena">
    <${TabList} label="arena" name="subtabs" tabs=${tabs} value=${what} onChange=${choose} />
    <div role="tabpanel" id="subtabs-panel" aria-labelledby=${`subtabs-${what}`}>${what === "match" ? html`<${Match} />` : what === "tournament" ? html`<${Tournament} />` : html`<${Files} />`}</div>
  </div>`;
}

const current = () => chosenGame.peek() || seen.peek()?.spec || "tic-tac-toe";
const number = (event) => Math.max(0, Math.trunc(Number(event.target.value)) || 0);

function Numbers({ values, set }) {
  const field = (key, title) => html`<label class="field small" title=${title}><span>${key}</span><input type="number" min="0" value=${values[key]} onInput=${(event) => set({ ...values, [key]: number(event) })} /></label>`;
  const opening = (text) => set({ ...values, opening: text === "" ? null : Math.max(0, Math.trunc(Number(text)) || 0) });
  return [
    field("games", "of each pairing"),
    html`<label class="field small" title="random plies before each pair of games; by default some where neither player has luck"><span>opening</span><${Typed} type="number" min="0" placeholder="auto" value=${values.opening ?? ""} onCommit=${opening} /></label>`,
    field("seed", "all chance comes from this"),
  ];
}

function Match() {
  const [spec, setSpec] = useState(current());
  const [a, setA] = useState(table.value.name);
  const [b, setB] = useState("random");
  const suited = useSuited(spec);
  useEffect(() => {
    if (!suited) return;
    setA((now) => fitting([now, b], suited)[0]);
    setB((now) => fitting([a, now], suited)[1]);
  }, [suited]);
  const [numbers, setNumbers] = useState({ games: 100, opening: null, seed: 0 });
  const [live, setLive] = useState(null);
  const [result, setResult] = useState(null);
  const [games, setGames] = useState([]);
  const [shown, show] = useState(null);
  const job = useJob((said) => {
    if (said.state) setLive(said.state);
    if (said.recorded) setGames((before) => [...before, ...said.recorded]);
  });
  const run = async () => {
    setLive(null);
    setResult(null);
    setGames([]);
    show(null);
    const found = await job.run("match", { table: named.peek(), game: spec, a, b, ...numbers });
    if (found) setResult(found);
  };
  const tally = result?.games ? result : live && sums(live.tally);
  return html`<section aria-label="match">
    <div class="form">
      <${GamePicker} value=${spec} onChange=${setSpec} />
      <${PlayerPicker} label="A" suited=${suited} value=${a} onChange=${setA} /><${PlayerPicker} label="B" suited=${suited} value=${b} onChange=${setB} />
      <${Numbers} values=${numbers} set=${setNumbers} />
      <button type="button" class="primary" onClick=${run} disabled=${job.running}>Play the match</button>
    </div>
    <${Progress} job=${{ ...job, text: live ? `${live.played} of ${live.games} games` : job.text, share: live ? live.played / live.games : null }} what="match" />
    ${tally && html`<div role="status"><${Bars} tally=${tally} /></div>`}
    ${result?.elo && html`<p>Elo of ${result.a} over ${result.b}: <b>${signed(result.elo.value)}</b> (95%: ${signed(result.elo.low)} to ${signed(result.elo.high)}).${result.complete ? "" : " Stopped before the end."}${result.distinct < result.games ? ` Only ${result.distinct} of the games are different; the intervals count each once.` : ""}</p>`}
    <${Games} games=${games} shown=${shown} show=${show} />
  </section>`;
}

function sums(tally) {
  const both = (name) => tally[`first_${name}`] + tally[`second_${name}`];
  return { wins: both("wins"), draws: both("draws"), losses: both("losses") };
}

const signed = (value) => Math.round(value).toLocaleString("en", { signDisplay: "exceptZero" }).replace("-", "−");
const percent = (interval) => (interval ? ` (${(100 * interval.low).toFixed(1)} to ${(100 * interval.high).toFixed(1)}%)` : "");

function Bars({ tally }) {
  const all = tally.wins + tally.draws + tally.losses || 1;
  return html`<dl class="bars">
    ${[["wins", "won"], ["draws", "drawn"], ["losses", "lost"]].map(
      ([key, word]) => html`<div class=${key}><dt>${word}</dt>
        <dd><span class="share" aria-hidden="true"><i style=${{ width: `${(100 * tally[key]) / all}%` }}></i></span><span><b data-count=${key}>${tally[key]}</b><span class="quiet">${percent(tally.intervals?.[key])}</span></span></dd></div>`,
    )}
  </dl>`;
}

function Games({ games, shown, show }) {
  if (!games.length) return null;
  const first = Math.max(0, games.length - MOST_LISTED);
  return html`<div class="games">
    <h2>Games <span class="quiet">${games.length}${first ? `, the last ${MOST_LISTED} shown` : ""}</span></h2>
    <ol class="game-list" start=${first + 1}>
      ${games.slice(first).map((each) => html`<li><button type="button" aria-current=${shown?.number === each.number ? "true" : undefined} onClick=${() => show(each)}>
        <span class="ply-number">${each.number}.</span> <span class="names">${each.first} – ${each.second}</span> <b>${each.winner ? (each.winner === "first" ? "1–0" : "0–1") : "½–½"}</b></button></li>`)}
    </ol>
    ${shown && html`<${Recorded} game=${shown} />`}
  </div>`;
}

function Recorded({ game }) {
  const winner = game.winner ? `${game[game.winner]} (${game.winner}) wins: ${game.reason}.` : `A draw: ${game.reason}.`;
  return html`<article class="recorded" aria-label="recorded game">
    <p><b>Game ${game.number}</b>, ${game.first} against ${game.second}. <b class="winner">${winner}</b></p>
    <${Film} game=${game.game} table=${named.peek()} moves=${game.moves.map(String)} players=${{ first: game.first, second: game.second }} title=${`${game.first} against ${game.second} at ${game.game}`} />
  </article>`;
}

function Tournament() {
  const [spec, setSpec] = useState(current());
  const [players, setPlayers] = useState([...new Set([table.value.name, "tic-tac-toe/competent", "random"])]);
  const [numbers, setNumbers] = useState({ games: 100, opening: null, seed: 0 });
  const suited = useSuited(spec);
  useEffect(() => {
    if (suited) setPlayers((now) => fitting(now, suited));
  }, [suited]);
  const [kind, setKind] = useState("round-robin");
  const [keep, setKeep] = useState("");
  const [found, set] = useState(null);
  const job = useJob((said) => said.state && set(said.state));
  const run = async () => {
    set(null);
    const results = keep ? (keep.endsWith(".results") ? keep : `${keep}.results`) : null;
    const result = await job.run("tournament", { table: named.peek(), game: spec, players, kind, results, ...numbers });
    if (result) set(result);
    files.value = await ask("files").catch(() => files.value);
  };
  const change = (at, next) => setPlayers(players.map((each, place) => (place === at ? next : each)));
  return html`<section aria-label="tournament">
    <div class="form">
      <${GamePicker} value=${spec} onChange=${setSpec} />
      <${Field} label="kind"><select value=${kind} onChange=${(event) => setKind(event.target.value)}><option value="round-robin">everybody against everybody</option><option value="gauntlet">the first against all others</option></select><//>
      <${Numbers} values=${numbers} set=${setNumbers} />
      <${Field} label="keep results in"><${Typed} type="text" placeholder="not kept" value=${keep} onCommit=${setKeep} /><//>
    </div>
    <ul class="entrants">
      ${players.map((each, at) => html`<li key=${at}><${PlayerPicker} label=${`player ${at + 1}`} suited=${suited} value=${each} onChange=${(next) => change(at, next)} />
        <button type="button" class="remove" aria-label=${`remove player ${at + 1}`} disabled=${players.length < 3} onClick=${() => setPlayers(players.filter((_, place) => place !== at))}>✕</button></li>`)}
    </ul>
    <div class="step-bar">
      <button type="button" onClick=${() => setPlayers([...players, "random"])}>Add a player</button>
      <button type="button" class="primary" onClick=${run} disabled=${job.running}>Play the tournament</button>
    </div>
    <${Progress} job=${{ ...job, text: found ? `${found.played} games played` : job.text }} what="tournament" />
    ${found && html`<${Crosstable} found=${found} />`}
  </section>`;
}

function points(pairing, player) {
  const [won, lost] = pairing.a === player ? [pairing.wins, pairing.losses] : [pairing.losses, pairing.wins];
  return { won: won + pairing.draws / 2, games: won + lost + pairing.draws };
}

const halves = (value) => (value % 1 ? `${value > 1 ? Math.floor(value) : ""}½` : String(value));

export function Crosstable({ found }) {
  const order = found.players.map((each) => each.player);
  const met = (one, other) => found.pairings.find((each) => [each.a, each.b].includes(one) && [each.a, each.b].includes(other));
  return html`<div class="scroll" role="status"><table class="crosstable numbers">
    <caption>${found.game}, ${found.games.toLocaleString("en")} games a pairing, seed ${found.seed}: ${found.played.toLocaleString("en")} played${found.complete ? "" : " so far"}</caption>
    <thead><tr><td></td><th scope="col">player</th><th scope="col">Elo</th><th scope="col">95%</th><th scope="col">points</th>${order.map((_, rank) => html`<th scope="col">${rank + 1}</th>`)}</tr></thead>
    <tbody>${found.players.map((each, rank) => html`<tr data-player=${each.player}>
      <td>${rank + 1}</td><th scope="row">${each.player}</th>
      <td data-elo>${each.elo ? signed(each.elo.value) : ""}</td><td class="quiet">${each.elo ? `${signed(each.elo.low)} to ${signed(each.elo.high)}` : ""}</td>
      <td data-points>${halves(each.points ?? 0)}/${each.games}</td>
      ${order.map((other) => {
        const pairing = other === each.player ? null : met(each.player, other);
        return html`<td>${pairing ? (pairing.games ? halves(points(pairing, each.player).won) : "") : "–"}</td>`;
      })}</tr>`)}</tbody>
  </table></div>`;
}

function Files() {
  const { results = [], jsonl = [] } = files.value;
  const [name, choose] = useState("");
  const [found, set] = useState(null);
  const [games, setGames] = useState([]);
  const [shown, show] = useState(null);
  useEffect(() => {
    ask("files").then((now) => (files.value = now)).catch(report);
  }, []);
  // A file that another process writes is looked at again and again.
  useEffect(() => {
    set(null);
    setGames([]);
    show(null);
    if (!name) return undefined;
    let gone = false;
    const read = async () => {
      try {
        const answer = await ask(name.endsWith(".jsonl") ? "games" : "results", { name });
        if (gone) return; // another file was chosen meanwhile
        if (name.endsWith(".jsonl")) setGames(answer.games);
        else set(answer);
      } catch (error) {
        if (!gone) report(error);
        return;
      }
      timer = setTimeout(read, 1000);
    };
    let timer = setTimeout(read, 0);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [name]);
  if (!results.length && !jsonl.length) return html`<p class="empty">There are no results (<code>*.results</code>) or recorded games (<code>*.jsonl</code>) in this folder. <code>teamplay tournament</code> writes the first, <code>teamplay match --record games.jsonl</code> the second.</p>`;
  return html`<section aria-label="files">
    <${Field} label="file" wide><select value=${name} onChange=${(event) => choose(event.target.value)}>
      <option value="">choose …</option>
      <optgroup label="results">${results.map((each) => html`<option>${each}</option>`)}</optgroup>
      <optgroup label="recorded games">${jsonl.map((each) => html`<option>${each}</option>`)}</optgroup>
    </select><//>
    ${found && html`<${Crosstable} found=${found} />`}
    <${Games} games=${games} shown=${shown} show=${show} />
  </section>`;
}
