// The editor of the table: CodeMirror, with what the server finds in the text.

import { acceptCompletion, autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching, foldGutter, foldKeymap, indentUnit } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState, RangeSet, StateEffect, StateField } from "@codemirror/state";
import {
  Decoration, EditorView, GutterMarker, drawSelection, gutter, highlightActiveLine, highlightActiveLineGutter,
  highlightSpecialChars, hoverTooltip, keymap, lineNumbers,
} from "@codemirror/view";
import { effect } from "@preact/signals";
import { colours, completion, folding, language } from "./language.js";
import { ask } from "./server.js";
import { answering, coverage, cursorLine, edit, findings, named, saveTable, start, table, yours } from "./state.js";

const setRule = StateEffect.define();
const ruleField = StateField.define({
  create: () => Decoration.none,
  update(lines, transaction) {
    for (const each of transaction.effects) if (each.is(setRule)) return each.value;
    return lines.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

class Count extends GutterMarker {
  constructor(rule) {
    super();
    this.rule = rule;
  }
  eq(other) {
    return JSON.stringify(other.rule) === JSON.stringify(this.rule);
  }
  toDOM() {
    const made = document.createElement("span");
    made.className = this.rule.cold ? "cov cov-cold" : "cov cov-warm";
    made.textContent = this.rule.cold ? "✗" : this.rule.fired > 999 ? "999+" : String(this.rule.fired);
    made.title = this.rule.cold ? `${this.rule.rule} never answered: ${this.rule.why}` : `${this.rule.rule} answered ${this.rule.fired} times`;
    return made;
  }
}
const setCounts = StateEffect.define();
const countField = StateField.define({
  create: () => RangeSet.empty,
  update(set, transaction) {
    for (const each of transaction.effects) if (each.is(setCounts)) return each.value;
    return set.map(transaction.changes);
  },
});

// The language counts characters from 1, the editor counts UTF-16 units from 0.
export function offset(doc, line, column) {
  if (line > doc.lines) return doc.length;
  const found = doc.line(line);
  const head = [...found.text].slice(0, column - 1).join("");
  return Math.min(found.from + head.length, found.to);
}

function place(doc, at) {
  const line = doc.lineAt(at);
  return [line.number, [...line.text.slice(0, at - line.from)].length + 1];
}

function diagnostic(doc, one) {
  const from = offset(doc, one.line, one.column);
  const to = Math.max(offset(doc, one.line, one.end), from);
  const parts = [one.message, one.label !== "here" ? one.label : "", ...one.notes, one.help ? `help: ${one.help}` : ""];
  const apply = (view) => {
    const changes = one.fix.map((each) => ({
      from: offset(view.state.doc, each.line, each.column),
      to: offset(view.state.doc, each.end_line, each.end),
      insert: each.text,
    }));
    view.dispatch({ changes });
  };
  return {
    from,
    to,
    severity: one.level === "note" ? "info" : one.level,
    source: one.code,
    message: parts.filter(Boolean).join("\n"),
    actions: one.fix ? [{ name: "Fix it", apply }] : [],
  };
}

// Markdown of a hint: paragraphs, lists, `code` and **bold**.
function written(text) {
  const made = document.createElement("div");
  made.className = "hint";
  for (const block of text.split(/\n/)) {
    if (!block.trim()) continue;
    const line = document.createElement("p");
    if (block.startsWith("- ")) line.className = "hint-item";
    for (const part of block.replace(/^- /, "").split(/(`[^`]*`|\*\*[^*]*\*\*)/)) {
      const tag = part.startsWith("`") ? "code" : part.startsWith("**") ? "strong" : "span";
      const piece = document.createElement(tag);
      piece.textContent = part.replace(/^(`|\*\*)|(`|\*\*)$/g, "");
      line.append(piece);
    }
    made.append(line);
  }
  return made;
}

const hints = hoverTooltip(async (view, at) => {
  const [line, column] = place(view.state.doc, at);
  const said = await ask("hint", { table: named.peek(), line, column }).catch(() => null);
  if (!said?.text) return null;
  const { doc } = view.state;
  return { pos: offset(doc, said.line, said.column), end: offset(doc, said.line, said.end), above: true, create: () => ({ dom: written(said.text) }) };
}, { hoverTime: 350 });

export function createEditor(parent) {
  const known = start.peek();
  const nonce = document.querySelector('meta[name="nonce"]').content;
  const save = () => {
    if (yours.peek()) saveTable();
    else document.getElementById("save").click();
    return true;
  };
  const extensions = [
    EditorView.cspNonce.of(nonce),
    lineNumbers(),
    lintGutter(),
    gutter({ class: "cov-gutter", markers: (view) => view.state.field(countField) }),
    foldGutter(),
    highlightActiveLineGutter(),
    highlightSpecialChars(),
    history(),
    drawSelection(),
    indentUnit.of("    "),
    bracketMatching(),
    closeBrackets(),
    autocompletion({ override: [completion(known)], activateOnTyping: true }),
    highlightActiveLine(),
    highlightSelectionMatches(),
    keymap.of([
      { key: "Mod-s", run: save, preventDefault: true },
      { key: "Tab", run: acceptCompletion },
      ...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...foldKeymap, ...completionKeymap, ...lintKeymap,
    ]),
    language(known.languages.team),
    folding,
    colours,
    hints,
    ruleField,
    countField,
    EditorView.contentAttributes.of({ "aria-label": "table" }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) edit(update.state.doc.toString());
      if (update.selectionSet || update.docChanged || update.focusChanged) {
        cursorLine.value = update.view.hasFocus ? update.state.doc.lineAt(update.state.selection.main.head).number : cursorLine.peek();
      }
    }),
  ];
  const view = new EditorView({ parent, state: EditorState.create({ doc: table.peek().text, extensions }) });

  effect(() => {
    const { text } = table.value;
    if (text !== view.state.doc.toString()) view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
  });
  effect(() => {
    const { doc } = view.state;
    view.dispatch(setDiagnostics(view.state, findings.value.map((one) => diagnostic(doc, one))));
  });
  effect(() => {
    const line = answering.value;
    const { doc } = view.state;
    const shown = line && line <= doc.lines ? Decoration.set([Decoration.line({ class: "cm-answering" }).range(doc.line(line).from)]) : Decoration.none;
    view.dispatch({ effects: setRule.of(shown) });
  });
  effect(() => {
    const { doc } = view.state;
    const rules = (coverage.value?.counts ?? []).filter((rule) => rule.line <= doc.lines).sort((a, b) => a.line - b.line);
    const markers = rules.map((rule) => new Count(rule).range(doc.line(rule.line).from));
    view.dispatch({ effects: setCounts.of(RangeSet.of(markers, true)) });
  });
  return view;
}

export function goTo(view, line) {
  const found = view.state.doc.line(Math.min(line, view.state.doc.lines));
  view.dispatch({ selection: { anchor: found.from }, effects: EditorView.scrollIntoView(found.from, { y: "center" }) });
  view.focus();
}
