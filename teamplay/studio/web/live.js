// A live team, where there is one: who has joined, where its agents sit, how fast its hosts answer, what went wrong.

import { useEffect } from "preact/hooks";
import { Board, html } from "./parts.js";
import { ask } from "./server.js";
import { live } from "./state.js";

const SOON = 1500; // milliseconds between two looks while somebody watches
const LATER = 15000; // and while nobody does: is there a team by now?

// Look again and again, as long as the component lives and the page is in view.
export function useLive(watched) {
  useEffect(() => {
    let gone = false;
    let timer = 0;
    const read = async () => {
      if (!document.hidden) {
        const found = await ask("live").catch(() => null);
        if (gone || !found) return; // a server that is gone is not asked again and again
        live.value = found;
      }
      timer = setTimeout(read, watched ? SOON : LATER);
    };
    read();
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [watched]);
}

const areas = (host) => host.area.slice(0, 3).map(([first, last]) => (first === last ? first : `${first}–${last}`)).join(", ") + (host.area.length > 3 ? " …" : "");
const counts = (counted) => Object.entries(counted).sort().map(([kind, count]) => `${count.toLocaleString("en")} ${kind}`).join(", ");

export function Live() {
  const { broker, teams, why } = live.value;
  return html`<div class="live">
    <p class="quiet">At <code>${broker}</code>, as <code>teamplay live status</code> shows it; looked at again every few seconds.</p>
    ${why && html`<p class="wrong" role="status">${why}</p>`}
    ${!why && !teams.length && html`<p class="empty">Nobody has joined. <code>teamplay host TABLE --join ${broker}</code> starts a host.</p>`}
    ${teams.map((team) => html`<${Team} key=${team.team} team=${team} />`)}
  </div>`;
}

function Team({ team: { team, hosts, manager, board } }) {
  return html`<section class="live-team" aria-label=${`team ${team}`}>
    <h2>${team} <span class="quiet">${manager ? manager.game : "no manager is there"}</span></h2>
    ${manager &&
    html`<dl class="facts">
      ${[["rounds", manager.rounds.toLocaleString("en")], ["cells seated", `${manager.covered.toLocaleString("en")} of ${manager.cells.toLocaleString("en")}`], ["choices", counts(manager.choices) || "none yet"]].map(
        ([name, value]) => html`<div><dt>${name}</dt><dd data-fact=${name}>${value}</dd></div>`,
      )}
    </dl>`}
    <div class="live-columns">
      ${board && html`<figure><${Board} state=${board} label="who seats which cell" /><figcaption class="quiet">Who seats which cell</figcaption></figure>`}
      <div class="scroll"><table class="numbers hosts">
        <thead><tr><th scope="col">host</th><th scope="col">agents</th><th scope="col">cells</th><th scope="col">state</th><th scope="col">latency</th><th scope="col">faults</th></tr></thead>
        <tbody>${hosts.map(
          (host, number) => html`<tr data-host=${host.name} data-state=${host.state}>
            <th scope="row"><span class="tp-board"><span class=${`swatch tp-rule-${number % 7}`} aria-hidden="true"></span></span> ${host.name}</th>
            <td>${host.agents.toLocaleString("en")}</td><td class="words">${areas(host)}</td>
            <td class="words"><span class=${`state ${host.state}`}>${host.state}</span></td>
            <td>${host.latency_ms === null ? "" : `${host.latency_ms.toFixed(1)} ms`}</td>
            <td class="words">${counts(host.faults) || "none"}</td></tr>`,
        )}</tbody>
      </table></div>
    </div>
  </section>`;
}
