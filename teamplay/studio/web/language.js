// How is a table coloured, completed and folded? By the words that the server sends, which are the language's own.

import { HighlightStyle, StreamLanguage, foldService, syntaxHighlighting } from "@codemirror/language";
import { Tag } from "@lezer/highlight";

const KINDS = [
  "comment", "declaring", "answering", "logic", "operator", "number", "punctuation", "wrong",
  "game", "role", "label", "function", "value", "name", "mark", "own", "repeat", "string",
];
const TAGS = Object.fromEntries(KINDS.map((kind) => [kind, Tag.define()]));
export const colours = syntaxHighlighting(
  HighlightStyle.define(KINDS.map((kind) => ({ tag: TAGS[kind], class: `tk-${kind}` }))),
);

function compiled(rules) {
  return rules.map((rule) => ({
    pattern: new RegExp(rule.pattern, "y"),
    kinds: rule.kinds,
    end: rule.end ? new RegExp(rule.end, "y") : null,
    inside: rule.inside ? compiled(rule.inside) : null,
  }));
}

export function language(rules) {
  const top = compiled(rules);
  return StreamLanguage.define({
    name: "teamplay",
    startState: () => ({ region: null, waiting: [] }),
    copyState: ({ region, waiting }) => ({ region, waiting: [...waiting] }),
    tokenTable: TAGS,
    languageData: { commentTokens: { line: "#" } },
    token(stream, state) {
      if (stream.sol()) {
        state.region = null;
        state.waiting = [];
      }
      if (state.waiting.length) return pieces(stream, state);
      if (state.region && matched(state.region.end, stream)) state.region = null;
      for (const rule of state.region ? state.region.inside : top) {
        const found = matched(rule.pattern, stream);
        if (!found || (!found[0] && !rule.inside)) continue;
        if (rule.inside) state.region = rule;
        const groups = rule.kinds.length === 1 && found.length === 1 ? [found[0]] : found.slice(1);
        state.waiting = groups.map((text, at) => [text ? text.length : 0, rule.kinds[at] || null]);
        if (rule.kinds.length === 1) state.waiting = [[found[0].length, rule.kinds[0] || null]];
        return pieces(stream, state);
      }
      if (!stream.eatSpace()) stream.next();
      return null;
    },
  });
}

function matched(pattern, stream) {
  pattern.lastIndex = stream.pos;
  return pattern.exec(stream.string);
}

function pieces(stream, state) {
  while (state.waiting.length) {
    const [length, kind] = state.waiting.shift();
    if (length) {
      stream.pos += length;
      return kind;
    }
  }
  if (!stream.eatSpace()) stream.next();
  return null;
}

// A heading folds the rules below it.
export const folding = foldService.of((state, from) => {
  const line = state.doc.lineAt(from);
  if (!/^[a-z][\w, -]*:\s*(#.*)?$/i.test(line.text)) return null;
  let last = line;
  for (let at = line.number + 1; at <= state.doc.lines; at += 1) {
    const next = state.doc.line(at);
    if (/^\S/.test(next.text) && !next.text.startsWith("#")) break;
    if (next.text.trim()) last = next;
  }
  return last.number > line.number ? { from: line.to, to: last.to } : null;
});

export function completion(known) {
  const option = (type) => (label) => ({ label, type });
  const words = [
    ...known.words.answering.map(option("keyword")),
    ...known.words.logic.map(option("keyword")),
    ...known.words.value.map(option("variable")),
    ...known.words.function.map((label) => ({ label, type: "function", apply: `${label}(` })),
  ];
  const beginning = [
    ...known.words.declaring.map(option("keyword")),
    ...known.words.role.map((label) => ({ label, type: "class", apply: `${label}:` })),
  ];
  return (context) => {
    const line = context.state.doc.lineAt(context.pos);
    const before = line.text.slice(0, context.pos - line.from);
    const word = context.matchBefore(/[\w-]+/);
    if (before.includes("#") || (!word && !context.explicit)) return null;
    const from = word ? word.from : context.pos;
    if (/^\s*game\s/.test(before)) return { from, options: known.games.map(({ name, about }) => ({ label: name, detail: about, type: "type" })) };
    const text = context.state.doc.toString();
    const lets = [...text.matchAll(/^\s*let\s+(\w+)/gm)].map((found) => ({ label: found[1], type: "constant" }));
    return { from, options: /^\S*$/.test(before) ? [...beginning, ...words] : [...words, ...lets] };
  };
}
