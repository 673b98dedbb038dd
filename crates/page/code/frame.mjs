// The frame of the page: views as tabs, of which the fragment names one and what it shows; and the command line that says the same.
// @ts-check
import { afterPasses, fragmentOfState, stateOf, viewIn } from "./model.mjs";

/** @typedef {import("./model.mjs").Report} Report */
/** A view is opened when it is first shown: `open` fills its panel and answers a function that shows a state and answers the command that says the same.
 * What a state means is the view's own; `#view=NAME` alone is its first one. Another report makes all panels anew: the signal then ends what listens to more than its panel.
 * @typedef {{name: string, title: string, isThere: (report: Report) => boolean,
 *   open: (panel: HTMLElement, report: Report, signal: AbortSignal) => (state: URLSearchParams) => string}} View */

/** @param {string} id @returns {any} */
export const byId = (id) => document.getElementById(id);

/** An element with attributes and children, strings as text.
 * @param {string} tag @param {Record<string, string>} attributes @param {...(Node | string)} children @returns {any} */
export function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  Object.entries(attributes).forEach(([name, value]) => element.setAttribute(name, value));
  element.append(...children);
  return element;
}

/** The data in an element, which is compressed where it is long. @param {HTMLElement} element @returns {Promise<Report>} */
export function dataIn(element) {
  const text = element.textContent ?? "";
  if (element.dataset.encoding !== "gzip") return Promise.resolve(JSON.parse(text));
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
}

/** What every fragment says besides the state of a view: the program of the live page. @type {Map<string, string>} */
const kept = new Map();

/** The step of a run, which goes from view to view: what a fragment says that names none. @type {Map<string, string>} */
const carried = new Map();
const CARRIED = ["of", "step"];

/** @param {string} fragment */
function withKept(fragment) {
  if (kept.size === 0 && carried.size === 0) return fragment;
  const state = stateOf(fragment);
  kept.forEach((value, name) => state.set(name, value));
  if (!state.has("step")) carried.forEach((value, name) => state.set(name, value));
  return `#${state}`;
}

/** A fragment without what goes from view to view. @param {string} fragment */
function withoutCarried(fragment) {
  const state = stateOf(fragment);
  CARRIED.forEach((name) => state.delete(name));
  return `#${state}`;
}

/** Shows the state that is shown without a step. */
export function leaveStep() {
  carried.clear();
  go(withoutCarried(location.hash));
}

/** Has every fragment from now on say something. @param {string} name @param {string} value */
export function keep(name, value) {
  kept.set(name, value);
  note(location.hash);
}

/** What every fragment says. @param {string} name */
export function isKept(name) {
  return kept.get(name) ?? null;
}

/** Copies what a field has. @param {any} field */
export function copied(field) {
  field.select();
  document.execCommand("copy");
}

/** Shows a state. @param {string} fragment */
export function go(fragment) {
  location.hash = withKept(fragment);
}

/** Has the address name a state that is shown already. @param {string} fragment */
export function note(fragment) {
  history.replaceState(null, "", withKept(fragment));
}

/** Shows a state in place of the one that is shown, without a step to go back to: for what changes all the time, such as where one has scrolled to.
 * @param {string} fragment */
export function replace(fragment) {
  note(fragment);
  dispatchEvent(new HashChangeEvent("hashchange"));
}

/** What scrolls in a panel. @param {any} panel @returns {any[]} */
const scrollers = (panel) => [...(panel?.querySelectorAll(".text, .scroller, .picture, .follow, aside") ?? [])];

/** Makes a tab of each view that has something to show, and shows what the fragment says, now and when it changes.
 * @param {Report} first @param {View[]} views The first is shown where the fragment names none.
 * @returns {(report: Report) => void} What shows another report, in the state that the fragment names. */
export function start(first, views) {
  let report = first;
  let there = views;
  let ending = new AbortController();
  /** @type {Map<string, {tab: any, panel: any, last: string, show: ((state: URLSearchParams) => string) | null}>} */
  const opened = new Map();
  /** What the page has from the start: panels are made of it. */
  const fresh = byId("panels").cloneNode(true);

  const makePanels = () => {
    const scrolled = scrollers(byId("panels").querySelector('[role="tabpanel"]:not([hidden])')).map(({ scrollTop, scrollLeft }) => [scrollTop, scrollLeft]);
    const focused = document.activeElement?.id;
    ending.abort();
    ending = new AbortController();
    there = views.filter((view) => view.isThere(report));
    byId("panels").replaceChildren(...fresh.cloneNode(true).childNodes);
    byId("views").replaceChildren();
    for (const { name, title } of there) {
      const tab = make("button", { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": `panel-${name}` }, title);
      const panel = byId(`panel-${name}`) ?? make("div", { id: `panel-${name}` });
      panel.setAttribute("role", "tabpanel");
      panel.setAttribute("aria-labelledby", tab.id);
      byId("panels").append(panel);
      byId("views").append(tab);
      opened.set(name, { tab, panel, last: opened.get(name)?.last ?? fragmentOfState(name, {}), show: null });
      tab.addEventListener("click", () => go(opened.get(name)?.last ?? ""));
    }
    byId("views").hidden = there.length < 2;
    document.title = `${report.input} · Reconverge`;
    byId("input").textContent = report.input;
    const after = report.passes ? `, after ${report.passes.map(({ pass }) => pass).join(" ")}` : "";
    const count = report.check.diagnostics.length;
    // Of two versions, what differs is in the first view.
    const of = views[0].name === "versions" ? "check of this version: " : "";
    byId("summary").textContent = `${of}${count === 0 ? "no findings" : count === 1 ? "1 finding" : `${count} findings`}, target ${report.target}${after}`;
    show();
    const panel = byId("panels").querySelector('[role="tabpanel"]:not([hidden])');
    scrollers(panel).forEach((element, number) => scrolled[number] && element.scrollTo(scrolled[number][1], scrolled[number][0]));
    if (focused && document.activeElement?.id !== focused) byId(focused)?.focus({ preventScroll: true });
  };
  byId("views").addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    const at = there.findIndex(({ name }) => opened.get(name)?.tab === event.target);
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: there.length - 1 }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    const next = opened.get(there[(to + there.length) % there.length].name);
    next?.tab.focus();
    next?.tab.click();
  });

  const show = () => {
    // A link of a view says nothing of what is kept, and of a step only if it is about one.
    if (kept.size > 0 || carried.size > 0) note(location.hash);
    const state = stateOf(location.hash);
    if (state.has("step")) CARRIED.forEach((name) => carried.set(name, state.get(name) ?? "0"));
    const named = viewIn(state);
    const view = there.find(({ name }) => name === named) ?? there[0];
    for (const { name } of there) {
      const { tab, panel } = /** @type {any} */ (opened.get(name));
      const isShown = name === view.name;
      tab.setAttribute("aria-selected", String(isShown));
      tab.tabIndex = isShown ? 0 : -1;
      panel.hidden = !isShown;
    }
    const one = opened.get(view.name);
    if (!one) return;
    one.show ??= view.open(one.panel, report, ending.signal);
    if (named === view.name || view === there[0]) one.last = location.hash ? withoutCarried(location.hash) : one.last;
    byId("command").value = afterPasses(report, one.show(state));
  };
  byId("copy").addEventListener("click", () => copied(byId("command")));
  addEventListener("hashchange", show);
  makePanels();
  return (other) => {
    report = other;
    makePanels();
  };
}
