// The editor of the live page: CodeMirror, with the letter of each line, what is wrong, and the chosen line.
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { cpp } from "@codemirror/lang-cpp";
import { bracketMatching, indentOnInput, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, RangeSet, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, GutterMarker, drawSelection, gutter, highlightSpecialChars, keymap, lineNumbers } from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";

const LETTERS = { grid: "G", workgroup: "W", subgroup: "S", divergent: "D" };

class SetMarker extends GutterMarker {
  constructor(set, may) {
    super();
    this.set = set;
    this.may = may;
  }

  eq(other) {
    return this.set === other.set && this.may === other.may;
  }

  toDOM() {
    const element = document.createElement("div");
    element.className = "cm-set";
    element.dataset.set = this.set;
    if (this.may) element.dataset.may = "";
    element.textContent = LETTERS[this.set];
    return element;
  }
}
/** By what they are called: a set, and behind a blank `may` where a line is only possibly divergent. */
const MARKERS = Object.fromEntries(Object.keys(LETTERS).flatMap((set) => [[set, new SetMarker(set, false)], [`${set} may`, new SetMarker(set, true)]]));

const setSets = StateEffect.define();
/** The letters, which stay with their lines while these are edited. */
const sets = StateField.define({
  create: () => RangeSet.empty,
  update: (value, transaction) => transaction.effects.reduce((known, effect) => (effect.is(setSets) ? effect.value : known), value.map(transaction.changes)),
  provide: (field) => gutter({ class: "cm-sets", markers: (view) => view.state.field(field) }),
});

const setChosen = StateEffect.define();
const chosen = StateField.define({
  create: () => Decoration.none,
  update: (value, transaction) => transaction.effects.reduce((known, effect) => (effect.is(setChosen) ? effect.value : known), value.map(transaction.changes)),
  provide: (field) => EditorView.decorations.from(field),
});

/** The place of a line and a column, which counts bytes. */
function placeOf(state, line, column) {
  const { from, text } = state.doc.line(Math.min(Math.max(line, 1), state.doc.lines));
  const before = new TextDecoder().decode(new TextEncoder().encode(text).slice(0, Math.max(column, 1) - 1));
  return from + Math.min(before.length, text.length);
}

/** An editor in an element. */
export function makeEditor(parent, { text, language, label, onChange, onLine }) {
  const languages = new Compartment();
  const of = (name) => (name === "ll" ? [] : cpp());
  let isSet = false;
  const listener = EditorView.updateListener.of((update) => {
    if (update.docChanged && !isSet) onChange();
    const line = (state) => state.doc.lineAt(state.selection.main.head).number;
    if (update.selectionSet && !update.docChanged && line(update.state) !== line(update.startState)) onLine(line(update.state));
  });
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [lineNumbers(), sets, lintGutter(), chosen, highlightSpecialChars(), history(), drawSelection(), indentOnInput(), bracketMatching(), highlightSelectionMatches(),
        syntaxHighlighting(classHighlighter), languages.of(of(language)), listener, EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false", tabindex: "0" }),
        keymap.of([...defaultKeymap, ...searchKeymap, ...historyKeymap, ...lintKeymap])],
    }),
  });
  return {
    text: () => view.state.doc.toString(),
    /** Another program, which is an edit that can be undone and nobody is told of. */
    setText(other) {
      isSet = true;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: other }, effects: [setSets.of(RangeSet.empty), setChosen.of(Decoration.none)] });
      isSet = false;
    },
    setLanguage: (name) => view.dispatch({ effects: languages.reconfigure(of(name)) }),
    setMarks(marks) {
      const found = marks.map(({ line, column, severity, message }) => {
        const from = placeOf(view.state, line, column);
        const word = /^\w+|^./u.exec(view.state.doc.lineAt(from).text.slice(from - view.state.doc.lineAt(from).from))?.[0].length ?? 0;
        return { from, to: from + word, severity, message };
      });
      view.dispatch(setDiagnostics(view.state, found));
    },
    setSets(of) {
      const known = of.slice(0, view.state.doc.lines).flatMap((set, index) => (set in MARKERS ? [MARKERS[set].range(view.state.doc.line(index + 1).from)] : []));
      view.dispatch({ effects: setSets.of(RangeSet.of(known)) });
    },
    choose(line) {
      if (line < 1 || line > view.state.doc.lines) return;
      const { from } = view.state.doc.line(line);
      const effects = [setChosen.of(Decoration.set([Decoration.line({ class: "cm-chosen" }).range(from)]))];
      if (!view.hasFocus) effects.push(EditorView.scrollIntoView(from, { y: "nearest", yMargin: 40 }));
      view.dispatch({ effects });
    },
  };
}
