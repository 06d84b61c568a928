// How does the page ask? Posts with the token of this run; long work streams lines of JSON.

const KEPT = "teamplay-token";

// The token comes in the address's fragment, which is never sent, and leaves the address at once.
function findToken() {
  const given = new URLSearchParams(location.hash.slice(1));
  const token = given.get("token");
  if (token) {
    localStorage.setItem(KEPT, token);
    given.delete("token");
    const rest = given.toString();
    history.replaceState(null, "", rest ? `#${rest}` : location.pathname);
  }
  return token || localStorage.getItem(KEPT) || "";
}

const token = findToken();

export class Refusal extends Error {
  constructor(status, said) {
    super(said.error || "The studio did not answer.");
    this.status = status;
    this.changed = Boolean(said.changed);
  }
}

async function post(path, body, signal) {
  const headers = { "content-type": "application/json", "x-teamplay-token": token };
  try {
    return await fetch(`/api/${path}`, { method: "POST", headers, body: JSON.stringify(body), signal });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refusal(0, { error: "The studio does not answer; is it still running?" });
  }
}

async function read(answer) {
  const text = await answer.text();
  let said;
  try {
    said = JSON.parse(text);
  } catch {
    said = { error: text };
  }
  if (!answer.ok || said.error) throw new Refusal(answer.status, said);
  return said;
}

export async function ask(question, body = {}) {
  return read(await post(question, body));
}

// Start a job: `told` hears every line but the last, `result` is a promise of that. `stop` asks for what is known by now;
// `drop` wants nothing more of it: the server ends it at once, and `result` is rejected with an AbortError.
export function work(kind, body, told = () => {}) {
  let number = null;
  let stopped = false;
  const dropped = new AbortController();
  async function run() {
    const answer = await post(`job/${kind}`, body, dropped.signal);
    if (!answer.headers.get("content-type")?.includes("ndjson")) await read(answer);
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let left = "";
    let result = null;
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      const lines = (left + value).split("\n");
      left = lines.pop();
      for (const line of lines.filter(Boolean)) {
        const said = JSON.parse(line);
        if (said.job) {
          number = said.job;
          if (stopped) stop();
        }
        if (said.error) throw new Refusal(200, said);
        if (said.result) result = said.result;
        else told(said);
      }
    }
    if (!result) throw new Refusal(0, { error: "The work was ended before it came to a result." });
    return result;
  }
  function stop() {
    stopped = true;
    if (number !== null) ask("stop", { job: number }).catch(() => {});
  }
  return { result: run(), stop, drop: () => dropped.abort() };
}
