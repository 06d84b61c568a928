// The board: one module without a framework, for the page, the notebook and exported files.
//
// createBoard(host, handlers) draws what `update(state)` says. The state is the JSON of teamplay/studio/boards.py, with
// `view`, `selected`, `sight`, `marked`, `notes`, `groups` and `blame` beside it. One channel per meaning: the fill is urgency, the frame
// is the most urgent, the hatch is sight. Cells keep their elements from one update to the next, and so the focus.

const SVG = "http://www.w3.org/2000/svg";
const PIECES = { x: "M22 22L78 78M78 22L22 78", o: "M50 18a32 32 0 1 0 .01 0z" };

export function columnName(column) {
  let name = "";
  for (let left = column + 1; left > 0; left = Math.floor((left - 1) / 26)) {
    name = String.fromCharCode(97 + ((left - 1) % 26)) + name;
  }
  return name;
}

function element(tag, classes, parent, text) {
  const made = document.createElement(tag);
  if (classes) made.className = classes;
  if (text !== undefined) made.textContent = text;
  if (parent) parent.append(made);
  return made;
}

function piece(mark) {
  const drawing = document.createElementNS(SVG, "svg");
  drawing.setAttribute("viewBox", "0 0 100 100");
  drawing.setAttribute("class", `tp-piece tp-${mark}`);
  drawing.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", PIECES[mark]);
  drawing.append(path);
  return drawing;
}

// What one cell shows, says and looks like.
export function face(state, cell) {
  const mark = state.marks[cell];
  const said = state.cells ? state.cells[cell] : null;
  const best = state.best.includes(cell);
  const view = state.view || "priority";
  const classes = ["tp-cell"];
  let text = "";
  let note = "";
  if (said && said.priority !== null) {
    const shown = view === "rank" ? `#${said.rank}${said.letter}` : `${said.priority}${said.letter}`;
    text = shown;
    if (view === "ties" && !best) text = "";
    if (view === "rule") {
      note = said.rule || "";
      text = shown;
    }
    if (view === "rule") classes.push(`tp-rule-${said.fill}`);
    else if (view !== "ties" || best) classes.push(`tp-tier-${said.tier}`);
  } else if (said && said.state === "silent") {
    text = "·";
    classes.push("tp-silent");
  }
  if (state.notes?.[cell]) note = state.notes[cell];
  if (state.groups?.[cell] !== undefined) classes.push(`tp-rule-${state.groups[cell] % 7}`); // cells that belong together
  if (mark !== ".") classes.push("tp-taken");
  else if (state.cells ? said.state === "closed" : !state.open.includes(cell)) classes.push("tp-closed");
  if (best) classes.push("tp-best");
  if (state.chosen === cell) classes.push("tp-chosen");
  if (state.last === cell) classes.push("tp-last");
  if (state.line.includes(cell)) classes.push("tp-line");
  if (state.next === cell) classes.push("tp-next");
  if (state.blame === cell) classes.push("tp-blame");
  if (state.selected === cell) classes.push("tp-selected");
  if (state.sight) classes.push(state.sight.includes(cell) ? "tp-seen" : cell === state.selected ? "" : "tp-unseen");
  if (state.marked && state.marked.includes(cell)) classes.push("tp-marked");
  if (text.length > 2) classes.push("tp-long");
  return { mark, text, note, fenced: best && text && view !== "rule", classes: classes.filter(Boolean).join(" "), label: spoken(state, cell, mark, said, best) };
}

function spoken(state, cell, mark, said, best) {
  const parts = [state.names[cell], mark === "." ? "blank" : mark];
  if (said && said.priority !== null) {
    parts.push(`priority ${said.priority}${said.letter ? ` play ${said.letter}` : ""}`);
    if (said.rule) parts.push(`by ${said.rule}`);
  } else if (said && said.state === "silent") parts.push("silent");
  else if (said && said.state === "closed") parts.push("not playable");
  if (state.notes?.[cell]) parts.push(state.notes[cell]);
  if (best) parts.push(state.best.length > 1 ? `ties with ${state.best.length - 1} as the most urgent` : "the most urgent");
  if (state.chosen === cell) parts.push("the manager takes it");
  if (state.last === cell) parts.push("last move");
  if (state.line.includes(cell)) parts.push("in the deciding line");
  if (state.next === cell) parts.push("played next");
  if (state.blame === cell) parts.push("to blame");
  if (state.sight && state.sight.includes(cell)) parts.push("in sight");
  return parts.join(", ");
}

export function createBoard(host, handlers = {}) {
  let state = null;
  let built = "";
  let cells = [];
  let current = 0; // the one tab stop
  const root = element("div", "tp-board", host);

  function build() {
    const [height, width] = state.shape.slice(-2);
    const layers = state.shape.length === 3 ? state.shape[0] : 1;
    root.replaceChildren();
    root.classList.toggle("tp-deep", layers > 1);
    cells = [];
    for (let layer = 0; layer < layers; layer += 1) {
      const panel = element("div", "tp-layer", root);
      const title = layers > 1 ? `${state.layer} ${layer + 1}` : "";
      if (title) element("div", "tp-title", panel, title);
      const grid = element("div", "tp-grid", panel);
      grid.setAttribute("role", "grid");
      grid.setAttribute("aria-label", `board${title ? `, ${title}` : ""}, ${height} by ${width}`);
      grid.style.setProperty("--tp-columns", width);
      grid.style.setProperty("--tp-rows", height);
      const names = element("div", "tp-row", grid);
      names.setAttribute("aria-hidden", "true");
      element("span", "tp-name", names);
      for (let column = 0; column < width; column += 1) element("span", "tp-name", names, columnName(column));
      for (let row = 0; row < height; row += 1) {
        const line = element("div", "tp-row", grid);
        line.setAttribute("role", "row");
        element("span", "tp-name", line, String(row + 1)).setAttribute("aria-hidden", "true");
        for (let column = 0; column < width; column += 1) {
          const cell = cells.length;
          const made = element("div", "tp-cell", line);
          made.setAttribute("role", "gridcell");
          made.dataset.cell = cell;
          made.dataset.name = state.names[cell];
          made.tabIndex = -1;
          cells.push({ made, shown: "" });
        }
      }
    }
    current = Math.min(current, cells.length - 1);
  }

  function paint(cell) {
    const { made } = cells[cell];
    const { mark, text, note, fenced, classes, label } = face(state, cell);
    const shown = [mark, text, note, classes, label].join("\0");
    if (cells[cell].shown === shown) return;
    cells[cell].shown = shown;
    made.className = classes;
    made.setAttribute("aria-label", label);
    made.setAttribute("aria-selected", String(state.selected === cell));
    made.replaceChildren();
    if (mark === "x" || mark === "o") made.append(piece(mark));
    else if (mark !== ".") element("span", "tp-letter", made, mark);
    else if (text) {
      const number = element("span", "tp-number", made);
      if (fenced) element("span", "tp-fence", number, "["); // where there is room, as on a terminal
      number.append(text);
      if (fenced) element("span", "tp-fence", number, "]");
    }
    if (note) element("span", "tp-note", made, note);
  }

  function stop(cell) {
    if (cells[current]) cells[current].made.tabIndex = -1;
    current = cell;
    cells[current].made.tabIndex = 0;
  }

  function update(next) {
    state = next;
    const shape = JSON.stringify([state.shape, state.layer]);
    const rebuilt = shape !== built;
    const focused = root.contains(document.activeElement);
    if (rebuilt) build();
    built = shape;
    for (let cell = 0; cell < cells.length; cell += 1) paint(cell);
    stop(state.selected ?? current);
    if (rebuilt && focused) cells[current].made.focus();
  }

  function cellOf(event) {
    const found = event.target.closest("[data-cell]");
    return found ? Number(found.dataset.cell) : null;
  }

  function step(cell, key) {
    const [height, width] = state.shape.slice(-2);
    const area = height * width;
    const layer = Math.floor(cell / area);
    const row = Math.floor((cell % area) / width);
    const column = cell % width;
    const moves = {
      ArrowUp: [layer, row - 1, column],
      ArrowDown: [layer, row + 1, column],
      ArrowLeft: [layer, row, column - 1],
      ArrowRight: [layer, row, column + 1],
      Home: [layer, row, 0],
      End: [layer, row, width - 1],
      PageUp: [layer - 1, row, column],
      PageDown: [layer + 1, row, column],
    };
    if (!moves[key]) return null;
    const [deep, down, across] = moves[key];
    const inside = deep >= 0 && deep < cells.length / area && down >= 0 && down < height && across >= 0 && across < width;
    return inside ? deep * area + down * width + across : cell;
  }

  root.addEventListener("click", (event) => {
    const cell = cellOf(event);
    if (cell === null) return;
    stop(cell);
    cells[cell].made.focus();
    handlers.press?.(cell);
  });
  root.addEventListener("keydown", (event) => {
    const cell = cellOf(event);
    if (cell === null || event.ctrlKey || event.metaKey || event.altKey) return;
    const to = step(cell, event.key);
    if (to !== null) {
      stop(to);
      cells[to].made.focus();
      handlers.select?.(to);
    } else if (event.key === "Enter" || event.key === " ") handlers.press?.(cell);
    else if (event.key === "Backspace" || event.key === "Delete") handlers.type?.(cell, ".");
    else if (event.key.length === 1) handlers.type?.(cell, event.key);
    else return;
    event.preventDefault();
  });
  root.addEventListener("paste", (event) => {
    const text = event.clipboardData?.getData("text");
    if (text && handlers.paste) {
      event.preventDefault();
      handlers.paste(text);
    }
  });

  return { update, element: root };
}

// Games, or a single position, to step through: what an exported file shows. The address tells the game and the ply.
export function showFilms(host, films) {
  let film = films[0];
  let ply = 0;
  const picker = films.length > 1 ? element("select", "tp-games", host) : null;
  if (!picker && film.title !== document.title) element("p", "", host, film.title);
  const stage = element("div", "tp-stage", host);
  const board = createBoard(stage);
  const bar = element("div", "tp-steps", host);
  const said = element("p", "tp-said", host);
  said.setAttribute("aria-live", "polite");
  const list = element("ol", "tp-moves", host);
  const last = () => film.frames.length - 1;

  function go(to) {
    ply = Math.max(0, Math.min(last(), to));
    const frame = film.frames[ply];
    const guilty = film.blame !== null && film.blame - 1 === ply;
    board.update({ ...film.same, ...frame, blame: guilty ? frame.next : null });
    said.replaceChildren();
    for (const part of frame.said.split(/(`[^`]*`)/)) element(part.startsWith("`") ? "code" : "span", "", said, part.replaceAll("`", ""));
    place.textContent = `${ply} of ${last()}`;
    steps.forEach(([button, at]) => { button.disabled = at() === ply || at() < 0 || at() > last(); });
    [...list.children].forEach((item, at) => {
      if (at === ply - 1) item.firstChild.setAttribute("aria-current", "step");
      else item.firstChild.removeAttribute("aria-current");
    });
    history.replaceState(null, "", `#${films.indexOf(film) + 1}.${ply}`);
  }

  function open(number, at = 0) {
    film = films[Math.max(0, Math.min(films.length - 1, number))];
    if (picker) picker.selectedIndex = films.indexOf(film);
    bar.hidden = last() === 0;
    list.replaceChildren();
    film.moves.forEach((move, ply) => {
      const guilty = ply + 1 === film.blame;
      const item = element("li", guilty ? "tp-guilty" : "", list);
      const button = element("button", "", item, `${ply + 1}. ${move}${guilty ? " to blame" : ""}`);
      button.type = "button";
      button.addEventListener("click", () => go(ply + 1));
    });
    go(at);
  }

  const steps = [
    ["|◀", "first position", () => 0],
    ["◀", "previous position", () => ply - 1],
    ["▶", "next position", () => ply + 1],
    ["▶|", "last position", () => last()],
  ].map(([sign, label, to]) => {
    const button = element("button", "tp-step", bar, sign);
    button.type = "button";
    button.setAttribute("aria-label", label);
    button.addEventListener("click", () => go(to()));
    return [button, to];
  });
  const place = element("span", "tp-place", bar);
  if (picker) {
    picker.setAttribute("aria-label", "game");
    for (const { title } of films) element("option", "", picker, title);
    picker.addEventListener("change", () => open(picker.selectedIndex));
  }
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.("[role=grid], select")) return;
    const to = { ArrowLeft: ply - 1, ArrowRight: ply + 1, Home: 0, End: last() }[event.key];
    const other = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (to !== undefined) go(to);
    else if (other && picker) open(films.indexOf(film) + other);
    else return;
    event.preventDefault();
  });
  const [number, at] = location.hash.slice(1).split(".").map(Number);
  open((number || 1) - 1, at || 0);
}
