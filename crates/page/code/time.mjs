// A run, or given paths, step by step: who is together, who waits, who gives what to whom; the text beside it follows.
// @ts-check
import { fragmentOf, fragmentOfState } from "./model.mjs";
import { go, make, replace } from "./frame.mjs";
import { differenceOf, doing, gotAt, momentOf, numberIn, placeOf, rangesOf, sameStep, titleOf, toldOf } from "./timeline.mjs";

/** The namespace of SVG, as the browser knows it. */
const SVG = (() => {
  const template = document.createElement("template");
  template.innerHTML = "<svg></svg>";
  return template.content.firstElementChild?.namespaceURI ?? null;
})();
/** The most rows of a table of values. */
const MOST_VALUES = 64;

/** @type {import("./model.mjs").Report} */
let report;
/** @type {import("./timeline.mjs").Timeline[]} */
let timelines;
/** @type {Record<string, any>} */
let parts;
let now = { of: 0, step: 1, beside: -1 };
let shownText = "";

/** An element of SVG. @param {string} tag @param {Record<string, string | number>} attributes @param {string} [text] @returns {any} */
function draw(tag, attributes, text) {
  const element = document.createElementNS(SVG, tag);
  Object.entries(attributes).forEach(([name, value]) => element.setAttribute(name, String(value)));
  if (text !== undefined) element.textContent = text;
  return element;
}

const drawn = (/** @type {import("./timeline.mjs").Shape[]} */ shapes) => shapes.map(([tag, attributes, text]) => draw(tag, attributes, text));

/** Small pictures are shown larger. */
const scaleOf = ({ picture: { width, height } }) => Math.min(1.4, Math.max(1, Math.min(1000 / width, 420 / height)));

/** A picture, with a veil over the steps to come. */
function pictureOf(timeline) {
  const { width, height, fields: [top, bottom], shapes, columns } = timeline.picture;
  const label = `${timeline.function} under ${timeline.model}: ${timeline.columns.length} steps of ${timeline.rows.length} rows of threads`;
  const scale = scaleOf(timeline);
  const svg = draw("svg", { class: "timeline", role: "img", "aria-label": label, viewBox: `0 0 ${width} ${height}`, width: width * scale, height: height * scale });
  const veil = draw("rect", { class: "veil", y: top - 2, height: bottom - top + 4 });
  const head = draw("rect", { class: "now", y: top - 4, height: bottom - top + 8, rx: 6 });
  svg.append(...drawn(shapes));
  for (const [number, column] of columns.entries()) {
    const group = draw("g", { "data-step": number + 1 });
    group.append(draw("title", {}, toldOf(timeline, number + 1)), ...drawn(column.shapes),
      draw("rect", { class: "hit", x: column.x, y: 0, width: column.width, height }));
    svg.append(group);
  }
  svg.append(veil, head);
  return { svg, veil, head };
}

/** The picture of a timeline in its frame, made once. */
function figureOf(number) {
  const timeline = timelines[number];
  const { svg, veil, head } = pictureOf(timeline);
  const scroll = make("div", { class: "picture", tabindex: "0", role: "group", "aria-label": `Picture, ${timeline.model}` }, svg);
  const caption = make("figcaption", {}, make("b", {}, timeline.model), ` ${timeline.function}`);
  const figure = make("figure", { "data-of": String(number) }, caption, scroll);
  svg.addEventListener("click", (/** @type {any} */ event) => {
    const step = Number(event.target.closest("[data-step]")?.getAttribute("data-step"));
    if (!step) return;
    const { of } = now;
    goTo({ step: number === of ? step : sameStep(timeline, timelines[of], step) });
  });
  return { figure, scroll, veil, head };
}

const figures = new Map();
function figure(number) {
  if (!figures.has(number)) figures.set(number, figureOf(number));
  return figures.get(number);
}

/** Puts the mark of a picture at a step. */
function setStep(number, step) {
  const { scroll, veil, head } = figure(number);
  const { columns, width } = timelines[number].picture;
  const { x, width: wide } = columns[step - 1];
  veil.setAttribute("x", x + wide);
  veil.setAttribute("width", Math.max(0, width - x - wide));
  head.setAttribute("x", x - 1);
  head.setAttribute("width", wide + 2);
  const scale = scaleOf(timelines[number]);
  const [left, right] = [scroll.scrollLeft / scale, (scroll.scrollLeft + scroll.clientWidth) / scale];
  if (x - 60 < left || x + wide + 60 > right) scroll.scrollLeft = x * scale - scroll.clientWidth / 2;
}

/** The fragment of a state. */
function fragment({ of, step, beside }) {
  return fragmentOfState("time", { of, step, with: beside < 0 ? null : beside });
}

function goTo(change) {
  go(fragment({ ...now, ...change }));
}

/** Fills the text with a file or the IR. @param {number | null} file */
function showText(file) {
  const key = String(file);
  if (key === shownText) return;
  shownText = key;
  const lines = file === null ? report.ir : report.files[file].lines;
  parts.text.replaceChildren(...lines.map(({ text }, index) =>
    make("a", { href: fragmentOf({ file, line: index + 1 }), "data-line": String(index + 1), tabindex: "-1" }, make("span", { class: "number" }, String(index + 1)), make("span", {}, text))));
  parts.textTitle.textContent = file === null ? "LLVM IR" : report.files[file].path;
}

/** Marks the lines of a column, in the colour of its set. */
function follow(column) {
  const { file, lines } = placeOf(report, column);
  if (lines.length) showText(file);
  parts.text.querySelectorAll(".at").forEach((/** @type {any} */ row) => (row.className = ""));
  const rows = lines.map((line) => parts.text.children[line - 1]).filter(Boolean);
  rows.forEach((row) => (row.className = `at s${column.set % 8}`));
  const { text } = parts;
  if (rows.length) text.scrollTop = rows[0].offsetTop - text.offsetTop - text.clientHeight / 3;
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
  const beside = others.includes(asked) ? asked : -1;
  now = { of, step, beside };
  parts.of.value = String(of);
  parts.beside.replaceChildren(make("option", { value: "-1" }, "nothing"), ...others.map((number) => make("option", { value: String(number) }, timelines[number].model)));
  parts.beside.value = String(beside);
  parts.besideLabel.hidden = others.length === 0;
  const difference = differenceOf(timelines, of, beside);
  parts.difference.hidden = others.length === 0;
  parts.difference.disabled = difference === null;
  parts.difference.textContent = difference ? "First difference" : "No difference";
  const shown = [of, beside].filter((number) => number >= 0).map((number) => figure(number).figure);
  // What is put in again would lose where it is scrolled to.
  if (shown.length !== parts.pictures.children.length || shown.some((one, index) => one !== parts.pictures.children[index])) parts.pictures.replaceChildren(...shown);
  parts.notes.replaceChildren(...notesOf(timeline));
  parts.slider.max = String(timeline.columns.length);
  parts.slider.value = String(step);
  parts.count.textContent = `${step} of ${timeline.columns.length}`;
  if (timeline.columns.length) {
    parts.slider.setAttribute("aria-valuetext", toldOf(timeline, step));
    setStep(of, step);
    if (beside >= 0 && timelines[beside].columns.length) setStep(beside, sameStep(timeline, timelines[beside], step));
    describe(timeline, step);
    follow(timeline.columns[step - 1]);
  }
  return timeline.command;
}

/** Goes to where two models differ first. */
function toDifference() {
  const difference = differenceOf(timelines, now.of, now.beside);
  if (difference) goTo(difference);
}

/** Fills the panel. @param {HTMLElement} panel @param {any} shown */
function open(panel, shown) {
  report = shown;
  timelines = shown.time.all;
  figures.clear();
  shownText = "";
  const button = (name, label, change) => {
    const element = make("button", { type: "button", "aria-label": name, title: name }, label);
    element.addEventListener("click", change);
    return element;
  };
  const last = () => timelines[now.of].columns.length;
  const by = (count) => () => replace(fragment({ ...now, step: Math.min(Math.max(now.step + count, 1), last()) }));
  parts = {
    of: make("select", {}, ...timelines.map(({ function: name, model }, number) => make("option", { value: String(number) }, `${name}, ${model}`))),
    beside: make("select", {}),
    slider: make("input", { type: "range", min: "1", step: "1", "aria-label": "Step" }),
    count: make("output", {}),
    difference: button("Go to the first difference of the models", "First difference", toDifference),
    pictures: make("div", { class: "pictures" }),
    title: make("h2", { class: "step-title" }),
    states: make("ul", { class: "states" }),
    values: make("div", { class: "values" }),
    told: make("p", { class: "told", "aria-live": "polite" }),
    notes: make("div", { class: "notes" }),
    text: make("div", { class: "follow", tabindex: "0", role: "region", "aria-label": "Text of the step" }),
    textTitle: make("h2", {}),
  };
  parts.besideLabel = make("label", {}, "Beside it ", parts.beside);
  parts.of.addEventListener("change", () => {
    const of = Number(parts.of.value);
    const isSame = timelines[of].function === timelines[now.of].function;
    goTo({ of, step: isSame ? sameStep(timelines[now.of], timelines[of], now.step) : 1, beside: isSame && now.beside !== of ? now.beside : -1 });
  });
  parts.beside.addEventListener("change", () => goTo({ beside: Number(parts.beside.value) }));
  parts.slider.addEventListener("input", () => replace(fragment({ ...now, step: Number(parts.slider.value) })));
  const legend = [["r", "A", "same letter and colour: executed together"], ["w", "▤", "waits for others"], ["o", "⋯", "is elsewhere"], ["x", "▪", "has ended"], ["h", "✕", "still waits when the run ends"],
    ["b", "┃", "barrier"], ["e", "→", "gets a value from"]];
  const bar = make("div", { class: "bar-of" }, make("label", {}, "Run ", parts.of), parts.besideLabel, parts.difference,
    make("span", { class: "stepper" }, button("First step", "⇤", () => replace(fragment({ ...now, step: 1 }))), button("Step back", "←", by(-1)), parts.slider, button("Step on", "→", by(1)),
      button("Last step", "⇥", () => replace(fragment({ ...now, step: last() }))), parts.count));
  const left = shown.time.left_out.map((/** @type {string} */ text) => make("p", { class: "soft" }, text));
  panel.classList.add("sets");
  panel.append(bar, parts.pictures,
    make("ul", { class: "legend-of", "aria-label": "Signs of the picture" }, ...legend.map(([kind, sign, text]) => make("li", {}, make("span", { class: kind === "r" ? "badge s0" : "sign-of" }, sign), text))),
    make("div", { class: "below" }, make("section", { class: "step", "aria-label": "This step" }, parts.title, parts.states, parts.values, parts.notes, ...left),
      make("section", { class: "text-of" }, parts.textTitle, parts.text)), parts.told);
  return show;
}

/** @type {import("./frame.mjs").View} */
export const time = { name: "time", title: "Time", isThere: (/** @type {any} */ shown) => shown.time?.all?.some((/** @type {any} */ { columns }) => columns.length > 0) ?? false, open };
