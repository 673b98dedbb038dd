// Source and IR, side by side: made of the data once, and told which line is chosen by the fragment. All text of the input becomes text nodes.
// @ts-check
import { LETTERS, atStep, commandOf, fragmentOf, irLinesOf, pointsAt, setOf, spotIn, spotOf } from "./model.mjs";
import { byId, go, make } from "./frame.mjs";
import { followed } from "./stepper.mjs";
import { placeOf } from "./timeline.mjs";

/** @type {import("./model.mjs").Report} */
let report;
/** @type {Record<string, any>} */
let panes;
let shownFile = -1;
/** @type {ReturnType<typeof followed>} */
let bar;
/** The column that is marked. @type {import("./timeline.mjs").Column | null} */
let executed = null;
/** How many lines are laid out together, when they come into sight. */
const TOGETHER = 100;
/** The rows of each pane, by line from 0. @type {WeakMap<object, any[]>} */
const rowsOf = new WeakMap();

function linkTo(spot, text) {
  return make("a", { href: fragmentOf(spot) }, text);
}

function findingsAt(spot) {
  return report.check.diagnostics.filter((finding) => {
    const at = spotIn(report, finding.path, finding.line);
    return at.file === spot.file && at.line === spot.line;
  });
}

/** What each line is a copy of, which is faster than to make it anew. */
const blank = make("div", { role: "option", tabindex: "-1", "aria-selected": "false" }, make("span", { class: "number" }), make("span", { class: "set" }), make("span", { class: "sign" }), make("span", {}));

/** A row that says nothing yet of what is chosen or executed: the one of an earlier report, where that says the same. @param {any} old */
function row(line, number, found, old) {
  const label = [`line ${number}`, setOf(line), found.map(({ code }) => code).join(" ")];
  const said = [...label.filter(Boolean), line.text.trim()].join(", ");
  const title = found.map(({ message }) => message).join("\n");
  const known = [said, line.text, title].join("\n");
  if (old?.known === known) {
    if (old.element.className) old.element.className = "";
    if (old.element.tabIndex !== -1) old.element.tabIndex = -1;
    if (old.element.ariaSelected !== "false") old.element.ariaSelected = "false";
    if (old.element.ariaCurrent) old.element.removeAttribute("aria-current");
    return old;
  }
  const element = blank.cloneNode(true);
  const [numbered, set, sign, text] = element.children;
  element.setAttribute("aria-label", said);
  element.dataset.line = numbered.textContent = String(number);
  text.textContent = line.text;
  if (line.uniform_in) {
    element.dataset.set = line.uniform_in;
    set.textContent = LETTERS[line.uniform_in];
  }
  if (line.may) element.dataset.may = "";
  if (found.length) {
    sign.textContent = "▲";
    sign.title = title;
  }
  return { known, element };
}

/** The rows of each pane that was filled last, by its name. @type {Record<string, any[]>} */
const filled = {};

function fill(pane, lines, file) {
  const found = new Map();
  for (const finding of report.check.diagnostics) {
    const at = spotIn(report, finding.path, finding.line);
    if (at.file === file) found.set(at.line, [...(found.get(at.line) ?? []), finding]);
  }
  const name = file === null ? "ir" : "source";
  const before = filled[name] ?? [];
  const made = lines.map((line, index) => row(line, index + 1, found.get(index + 1) ?? [], before[index]));
  filled[name] = made;
  const rows = made.map(({ element }) => element);
  rowsOf.set(pane, rows);
  const blocks = [];
  for (let start = 0; start < rows.length; start += TOGETHER) {
    const some = rows.slice(start, start + TOGETHER);
    blocks.push(make("div", { class: "lines", role: "presentation", style: `--lines: ${some.length}` }, ...some));
  }
  pane.replaceChildren(...blocks);
  if (rows.length) rows[0].tabIndex = 0;
}

function showFile(file) {
  if (file === shownFile) return;
  shownFile = file;
  byId("file").value = String(file);
  fill(panes.source, report.files[file].lines, file);
}

function chainOf(steps, path) {
  const item = (step) => make("li", {}, linkTo(spotIn(report, path(step), step.line), `line ${step.line}`), ` ${step.text}`);
  return make("ol", { class: "chain" }, ...steps.map(item));
}

function findingCard(finding) {
  const at = spotIn(report, finding.path, finding.line);
  const title = make("h3", {}, make("span", { class: `code ${finding.severity}` }, finding.code), `${finding.severity}, `, linkTo(at, `line ${finding.line}`));
  const steps = finding.related.map(({ line, message }) => ({ line, text: message }));
  const card = make("article", { "data-at": fragmentOf(at) }, title, make("p", {}, finding.message));
  if (steps.length) card.append(chainOf(steps, () => finding.path));
  card.append(...finding.notes.map((note) => make("p", { class: "soft" }, note)));
  if (finding.help) card.append(make("p", {}, make("strong", {}, "What to do: "), finding.help));
  return card;
}

function pointCard(point) {
  const steps = point.chain.map((number) => report.steps[number]).filter(({ line }) => line > 0);
  const told = steps.map((step) => ({ line: step.line, file: step.file, text: `${step.name}: ${step.message}` }));
  const title = make("h3", { "data-set": point.uniform_in }, make("span", { class: "set" }, `${LETTERS[point.uniform_in]} `), point.name);
  const card = make("article", {}, title, make("p", {}, point.verdict));
  if (told.length) card.append(chainOf(told, ({ file }) => file));
  return card;
}

function mark(pane, chosen, linked) {
  pane.querySelectorAll(".chosen, .linked").forEach((element) => {
    element.classList.remove("chosen", "linked");
    element.setAttribute("aria-selected", "false");
  });
  const rows = rowsOf.get(pane) ?? [];
  linked.forEach((line) => rows[line - 1]?.classList.add("linked"));
  const element = chosen && rows[chosen - 1];
  if (element) {
    pane.querySelectorAll('[tabindex="0"]').forEach((other) => (other.tabIndex = -1));
    element.tabIndex = 0;
    element.classList.add("chosen");
    element.setAttribute("aria-selected", "true");
  }
  const target = element || rows[linked[0] - 1];
  target?.scrollIntoView({ block: "nearest", inline: "start" });
}

/** Marks the lines that a step executes, in the source and in the IR, in the colour of its threads. @param {import("./timeline.mjs").Column | null} column */
function markExecuted(column) {
  for (const pane of Object.values(panes)) {
    pane.querySelectorAll("[aria-current]").forEach((element) => {
      element.removeAttribute("aria-current");
      element.classList.remove(...[0, 1, 2, 3, 4, 5, 6, 7].map((set) => `s${set}`));
    });
  }
  const isOther = column !== executed;
  executed = column;
  if (!column) return;
  const { file, lines } = placeOf(report, column);
  if (isOther && file !== null) showFile(file);
  const inSource = file === shownFile ? lines : [];
  for (const [pane, marked] of [[panes.source, inSource], [panes.ir, column.ir ?? []]]) {
    const rows = marked.flatMap((line) => rowsOf.get(pane)?.[line - 1] ?? []);
    rows.forEach((row) => {
      row.setAttribute("aria-current", "step");
      row.classList.add(`s${column.set % 8}`);
    });
    if (isOther) rows[0]?.scrollIntoView({ block: "nearest", inline: "start" });
  }
}

/** Shows a state, and answers the command that says the same. @param {URLSearchParams} state */
function show(state) {
  const command = showSpot(state);
  markExecuted(bar.show(state)?.column ?? null);
  return command;
}

/** Shows the chosen line. @param {URLSearchParams} state */
function showSpot(state) {
  const spot = spotOf(report, state);
  const command = commandOf(report, spot);
  const here = spot && fragmentOf(spot);
  document.querySelectorAll("#findings article").forEach((/** @type {any} */ card) => card.classList.toggle("chosen", card.dataset.at === here));
  if (!spot) {
    byId("line").replaceChildren(make("p", { class: "soft" }, "Choose a line: by a click, or with the arrow keys."));
    return command;
  }
  const source = spot.file === null ? report.ir[spot.line - 1].source : [spot.file, spot.line];
  if (source) showFile(source[0]);
  const ofIr = spot.file === null ? [] : irLinesOf(report, spot);
  mark(panes.source, spot.file === null ? 0 : spot.line, spot.file === null && source ? [source[1]] : []);
  mark(panes.ir, spot.file === null ? spot.line : 0, ofIr);
  const points = pointsAt(report, spot);
  const nothing = make("p", { class: "soft" }, "Nothing is computed or decided here that has a place of its own.");
  const found = findingsAt(spot).map(findingCard);
  byId("line").replaceChildren(...found, ...(points.length || found.length ? points.map(pointCard) : [nothing]));
  byId("line-title").textContent = `Line ${spot.line}`;
  return command;
}

function choose(pane, element) {
  const file = pane === panes.ir ? null : shownFile;
  go(fragmentOf({ file, line: Number(element.dataset.line) }));
}

/** Arrow keys go from line to line, Home and End to the ends. */
function step(pane, event) {
  const element = event.target.closest("[data-line]");
  const rows = rowsOf.get(pane) ?? [];
  const at = rows.indexOf(element);
  const to = { ArrowDown: rows[at + 1], ArrowUp: rows[at - 1], Home: rows[0], End: rows.at(-1), Enter: element }[event.key];
  if (!to) return;
  event.preventDefault();
  choose(pane, to);
  to.focus({ preventScroll: true });
}

/** Fills the panel, which the page has from the start. @param {HTMLElement} panel @param {import("./model.mjs").Report} shown */
function open(panel, shown) {
  report = shown;
  shownFile = -1;
  executed = null;
  bar = followed("source-step", report, (moment) => atStep(location.hash, moment));
  panel.classList.add("sets");
  panel.prepend(bar.element);
  panes = { source: panel.querySelector("#source .text"), ir: panel.querySelector("#ir .text") };
  for (const pane of Object.values(panes)) {
    pane.addEventListener("click", (/** @type {any} */ event) => {
      const element = event.target.closest("[data-line]");
      if (element) choose(pane, element);
    });
    pane.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => step(pane, event));
  }
  byId("file").addEventListener("change", (/** @type {any} */ event) => {
    showFile(Number(event.target.value));
    markExecuted(executed);
  });
  const findings = report.check.diagnostics;
  byId("findings").append(...(findings.length ? findings.map(findingCard) : [make("p", { class: "soft" }, "There are none.")]),
    ...report.not_understood.map(({ path, position, message }) => make("p", { class: "soft" }, ...(position ? [linkTo(spotIn(report, path, position.line), `line ${position.line}`), ": "] : []), message)));
  fill(panes.ir, report.ir, null);
  if (report.files.length) {
    byId("file").append(...report.files.map(({ path }, number) => make("option", { value: String(number) }, path)));
    byId("file-label").hidden = report.files.length === 1;
    showFile(0);
  } else {
    byId("source").hidden = true;
    panel.classList.add("ir-only");
  }
  return show;
}

/** @type {import("./frame.mjs").View} */
export const source = { name: "source", title: "Source", isThere: () => true, open };
