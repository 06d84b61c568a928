// Check, scenes, coverage: what is suspicious, what fails, which rules were never needed.

import { useEffect } from "preact/hooks";
import { Code, Progress, html } from "./parts.js";
import { broken, coverage, dirty, findings, runTests, scope, showPosition, stopTests, table, tests } from "./state.js";

export function Tests() {
  const { running, text, result } = tests.value;
  const name = table.value.name;
  useEffect(() => {
    if (!tests.peek().result && !tests.peek().running) runTests();
  }, [name]);
  const job = { running, text, share: null, stop: stopTests };
  return html`<div class="tests">
    <section aria-label="findings">
      <h2>Findings</h2>
      ${findings.value.length
        ? html`<ul class="findings">${findings.value.map((one) => html`<li class=${one.level}>
            <button type="button" class="link" onClick=${() => document.dispatchEvent(new CustomEvent("goto", { detail: one.line }))}>line ${one.line}</button>
            <span class="level">${one.level} ${one.code}</span> <${Code} text=${one.message} />
            ${one.help && html`<span class="quiet"> <${Code} text=${one.help} /></span>`}
            ${one.exact === false && html`<span class="quiet"> (not everything was looked at)</span>`}
          </li>`)}</ul>`
        : html`<p>Nothing found.</p>`}
      ${scope.value.map((each) => html`<p class="quiet">Looked at ${each}.</p>`)}
    </section>
    <section aria-label="scenes">
      <div class="row"><h2>Scenes</h2>
        <button type="button" onClick=${runTests} disabled=${running || broken.value}>Run the scenes</button>
        ${dirty.value && html`<span class="quiet">They also run when you save.</span>`}
      </div>
      <${Progress} job=${job} what="scenes" />
      ${result && html`<${Scenes} result=${result} />`}
    </section>
    ${coverage.value && html`<${Coverage} found=${coverage.value} />`}
  </div>`;
}

function Scenes({ result }) {
  if (!result.files.length) return html`<p>There is no scene file beside this table. “Make a scene of it” on the board starts one.</p>`;
  return html`<p class="tally" role="status"><b class="passed">${result.passed} passed</b>${result.failed > 0 && html`, <b class="failed">${result.failed} failed</b>`}${result.todo > 0 && `, ${result.todo} to do`}${result.skipped > 0 && `, ${result.skipped} skipped`}</p>
    ${result.files.map((file) => html`<div class="scene-file">
      <h3>${file.file.replace(/^.*\/rules\//, "")}</h3>
      ${file.error && html`<pre class="failed">${file.error}</pre>`}
      <ul class="scenes">${file.tests.map((test) => html`<${Scene} test=${test} game=${file.game} />`)}</ul>
    </div>`)}`;
}

function Scene({ test, game }) {
  const failure = test.status === "failed" ? test.failure : null;
  return html`<li class=${test.status}>
    <span class="status">${{ passed: "ok", failed: "FAILED", todo: "todo", skipped: "skipped" }[test.status]}</span> ${test.name} <span class="quiet">${test.note}</span>
    ${failure && html`<div class="failure">
      ${failure.problems.map((each) => html`<p><b><${Code} text=${each} /></b></p>`)}
      ${failure.board && html`<pre class="drawn">${failure.board.replaceAll("//", "\n\n").replaceAll("/", "\n").replace(/(.)/g, "$1 ")}</pre>`}
      ${failure.chosen && html`<p>chosen: <${Code} text=${failure.chosen} /></p>`}
      ${failure.expected && html`<p>expected: <${Code} text=${failure.expected} /></p>`}
      ${failure.board && html`<button type="button" onClick=${() => showPosition({ game: game, board: failure.board, seat: failure.seat })}>Open on the board</button>`}
    </div>`}
  </li>`;
}

function Coverage({ found }) {
  return html`<section aria-label="coverage">
    <h2>Coverage <span class="quiet">${found.percent}% of the rules answered in ${found.positions} positions</span></h2>
    <div class="scroll"><table class="numbers">
      <thead><tr><th scope="col">rule</th><th scope="col">asked</th><th scope="col">true</th><th scope="col">fired</th><th scope="col">chosen</th></tr></thead>
      <tbody>${found.counts.map((rule) => html`<tr class=${rule.cold ? "cold" : ""}>
        <th scope="row"><button type="button" class="link" onClick=${() => document.dispatchEvent(new CustomEvent("goto", { detail: rule.line }))}>${rule.rule}</button></th>
        <td>${rule.asked}</td><td>${rule.true}</td><td>${rule.fired}</td><td>${rule.chosen}</td></tr>
        ${rule.cold && html`<tr class="why-cold"><td colspan="5">cold: <${Code} text=${rule.why} /></td></tr>`}`)}</tbody>
    </table></div>
  </section>`;
}
