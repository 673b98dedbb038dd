// A run, or given paths, step by step: who is together, who waits, who gives what to whom; the text beside it follows.
// @ts-check
import { fragmentOfState } from "./model.mjs";
import { go, make, note } from "./frame.mjs";
import { differenceOf, doing, firstIn, gotAt, momentOf, numberIn, placeOf, rangesOf, sameStep, textsOf, titleOf, toldOf } from "./timeline.mjs";
import { stepper } from "./stepper.mjs";
import { follower } from "./follow.mjs";
import { picture } from "./picture.mjs";
import { sketch } from "./sketch.mjs";
import { textColumns } from "./texts.mjs";

/** The most rows of a table of values. */
const MOST_VALUES = 64;

/** How the texts that define convergence are shown in columns. */
const TEXT_CHOICES = Object.freeze({ texts: "the texts", "texts-solo": "the texts, threads alone where they leave it open" });

/** @type {import("./model.mjs").Report} */
let report;
/** @type {import("./timeline.mjs").Timeline[]} */
let timelines;
/** @type {Record<string, any>} */
let parts;
/** The step that is shown, and beside it one other timeline, or the texts in columns: `texts` or `texts-solo`. */
let now = { of: 0, step: 1, beside: -1, texts: "" };
/** The columns of the texts, made once for each function. @type {Map<string, ReturnType<typeof textColumns>>} */
const columns = new Map();

/** The picture of a timeline in its frame, made once. */
function figureOf(number) {
  const timeline = timelines[number];
  const { element, setStep } = picture(timeline, `Picture, ${timeline.model}`, (step) => goTo({ step: number === now.of ? step : sameStep(timeline, timelines[now.of], step) }));
  const caption = make("figcaption", {}, make("b", {}, timeline.model), ` ${timeline.function}`);
  return { figure: make("figure", { "data-of": String(number) }, caption, element), setStep };
}

const figures = new Map();
function figure(number) {
  if (!figures.has(number)) figures.set(number, figureOf(number));
  return figures.get(number);
}

/** The fragment of a state. */
function fragment({ of, step, beside, texts }) {
  return fragmentOfState("time", { of, step, with: texts || (beside < 0 ? null : beside) });
}

function goTo(change) {
  go(fragment({ ...now, ...change }));
}

const badge = (set, number) => make("span", { class: `badge s${number % 8}` }, set.letter);

/** What is true at a step. */
function describe(timeline, step) {
  const column = timeline.columns[step - 1];
  const set = timeline.sets[column.set];
  const states = momentOf(timeline, step).map(({ state, threads }) =>
    make("li", { class: `state-${state === "?" ? "q" : state}` }, state === "r" ? badge(set, column.set) : make("span", { class: "sign-of" }, { w: "▤", h: "✕", o: "⋯", x: "▪" }[state] ?? "?"),
      make("b", {}, rangesOf(threads)), ` ${doing(state, threads)}`));
  const values = gotAt(timeline, column);
  const shown = values.slice(0, MOST_VALUES);
  const table = make("table", {}, make("thead", {}, make("tr", {}, ...["thread", "gets", "from"].map((name) => make("th", { scope: "col" }, name)))),
    make("tbody", {}, ...shown.map(({ thread, from, result }) => make("tr", {}, make("td", {}, String(thread)), make("td", {}, result ?? ""), make("td", {}, from === null ? "" : String(from))))));
  parts.title.textContent = titleOf(column);
  parts.states.replaceChildren(...states);
  parts.values.replaceChildren(...(values.length ? [table] : []), ...(values.length > shown.length ? [`… ${values.length - shown.length} more`] : []));
  parts.told.textContent = toldOf(timeline, step);
}

function notesOf(timeline) {
  const finding = ({ code, severity, message, line }) => make("p", {}, make("span", { class: `code ${severity}` }, code), `${message} `, make("span", { class: "soft" }, `(line ${line})`));
  return [...(timeline.findings ?? []).map(finding), ...timeline.notes.map((note) => make("p", { class: "soft" }, note))];
}

/** Shows a state, and answers the command that says the same. @param {URLSearchParams} state */
function show(state) {
  const of = numberIn(state, "of", 0, timelines.length - 1);
  const timeline = timelines[of];
  const step = numberIn(state, "step", 1, timeline.columns.length);
  const others = timelines.flatMap((other, number) => (number !== of && other.function === timeline.function ? [number] : []));
  const asked = state.has("with") ? numberIn(state, "with", 0, timelines.length - 1) : -1;
  const all = textsOf(timelines, of, state.get("with"));
  const texts = all.length > 0 ? /** @type {string} */ (state.get("with")) : "";
  const beside = !texts && others.includes(asked) ? asked : -1;
  now = { of, step, beside, texts };
  parts.of.value = String(of);
  parts.beside.replaceChildren(make("option", { value: "-1" }, "nothing"), ...Object.entries(TEXT_CHOICES).flatMap(([value, text]) => (textsOf(timelines, of, value).length ? [make("option", { value }, text)] : [])), ...others.map((number) => make("option", { value: String(number) }, timelines[number].model)));
  parts.beside.value = texts || String(beside);
  parts.besideLabel.hidden = others.length === 0;
  const difference = nextDifference();
  parts.difference.hidden = others.length === 0;
  parts.difference.disabled = difference === null;
  parts.difference.textContent = difference ? "First difference" : "No difference";
  const inColumns = texts ? columnsOf(all) : null;
  parts.below.classList.toggle("in-columns", texts !== "");
  const shown = inColumns ? [inColumns.element] : [of, beside].filter((number) => number >= 0).map((number) => figure(number).figure);
  // What is put in again would lose where it is scrolled to.
  if (shown.length !== parts.pictures.children.length || shown.some((one, index) => one !== parts.pictures.children[index])) parts.pictures.replaceChildren(...shown);
  parts.notes.replaceChildren(...notesOf(timeline));
  if (timeline.columns.length) {
    // The other views show this step, too.
    if (!state.has("step")) note(fragment(now));
    parts.stepper.show(step, timeline.columns.length, toldOf(timeline, step));
    if (inColumns) inColumns.show(of, step);
    else figure(of).setStep(step);
    if (beside >= 0 && timelines[beside].columns.length) figure(beside).setStep(sameStep(timeline, timelines[beside], step));
    describe(timeline, step);
    parts.follower.show(placeOf(report, timeline.columns[step - 1]), timeline.columns[step - 1].set);
    parts.sketch.show(timeline.columns[step - 1]);
  }
  return timeline.command;
}

/** Where two models, or the texts, differ first; null where they do not. */
function nextDifference() {
  const { of, beside, texts } = now;
  if (!texts) return differenceOf(timelines, of, beside);
  const step = firstIn(timelines, textsOf(timelines, of, texts), of);
  return step ? { of, step } : null;
}

/** Goes there. */
function toDifference() {
  const difference = nextDifference();
  if (difference) goTo(difference);
}

/** The columns of the texts. @param {number[]} all */
function columnsOf(all) {
  const key = all.join();
  if (!columns.has(key)) columns.set(key, textColumns(report, timelines, all, (number, step) => goTo({ of: number, step })));
  return /** @type {ReturnType<typeof textColumns>} */ (columns.get(key));
}

/** Fills the panel. @param {HTMLElement} panel @param {any} shown */
function open(panel, shown) {
  report = shown;
  timelines = shown.time.all;
  figures.clear();
  columns.clear();
  parts = {
    of: make("select", {}, ...timelines.map(({ function: name, model }, number) => make("option", { value: String(number) }, `${name}, ${model}`))),
    beside: make("select", {}),
    stepper: stepper("Step", (step) => fragment({ ...now, step })),
    difference: make("button", { type: "button", title: "Go to the first difference of the models" }, "First difference"),
    sketch: sketch(report),
    pictures: make("div", { class: "pictures" }),
    below: make("div", { class: "below" }),
    title: make("h2", { class: "step-title" }),
    states: make("ul", { class: "states" }),
    values: make("div", { class: "values" }),
    told: make("p", { class: "told", "aria-live": "polite" }),
    notes: make("div", { class: "notes" }),
    follower: follower(report, "Text of the step"),
  };
  parts.besideLabel = make("label", {}, "Beside it ", parts.beside);
  parts.of.addEventListener("change", () => {
    const of = Number(parts.of.value);
    const isSame = timelines[of].function === timelines[now.of].function;
    goTo({ of, step: isSame ? sameStep(timelines[now.of], timelines[of], now.step) : 1, beside: isSame && now.beside !== of ? now.beside : -1, texts: now.texts });
  });
  parts.beside.addEventListener("change", () => goTo(parts.beside.value in TEXT_CHOICES ? { texts: parts.beside.value, beside: -1 } : { texts: "", beside: Number(parts.beside.value) }));
  parts.difference.addEventListener("click", toDifference);
  const legend = [["r", "A", "same letter and colour: executed together"], ["w", "▤", "waits for others"], ["o", "⋯", "is elsewhere"], ["x", "▪", "has ended"], ["h", "✕", "still waits when the run ends"],
    ["b", "┃", "barrier"], ["e", "→", "gets a value from"]];
  const bar = make("div", { class: "bar-of" }, make("label", {}, "Run ", parts.of), parts.besideLabel, parts.difference, parts.stepper.element);
  const left = shown.time.left_out.map((/** @type {string} */ text) => make("p", { class: "soft" }, text));
  panel.classList.add("sets");
  panel.append(bar, parts.pictures,
    make("ul", { class: "legend-of", "aria-label": "Signs of the picture" }, ...legend.map(([kind, sign, text]) => make("li", {}, make("span", { class: kind === "r" ? "badge s0" : "sign-of" }, sign), text))),
    parts.below, parts.told);
  parts.below.append(make("section", { class: "step", tabindex: "0", "aria-label": "This step" }, parts.title, parts.states, parts.values, parts.notes, ...left),
      make("section", { class: "text-of" }, parts.follower.title, parts.follower.text), parts.sketch.element);
  return show;
}

/** @type {import("./frame.mjs").View} */
export const time = { name: "time", title: "Time", isThere: (/** @type {any} */ shown) => shown.time?.all?.some((/** @type {any} */ { columns }) => columns.length > 0) ?? false, open };
