// The frame of the page: views as tabs, of which the fragment names one and what it shows; and the command line that says the same.
// @ts-check
import { fragmentOfState, stateOf } from "./model.mjs";

/** @typedef {import("./model.mjs").Report} Report */
/** A view is opened when it is first shown: `open` fills its panel and answers a function that shows a state and answers the command that says the same.
 * What a state means is the view's own; `#view=NAME` alone is its first one.
 * @typedef {{name: string, title: string, isThere: (report: Report) => boolean,
 *   open: (panel: HTMLElement, report: Report) => (state: URLSearchParams) => string}} View */

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

/** Shows a state. @param {string} fragment */
export function go(fragment) {
  location.hash = fragment;
}

/** Shows a state in place of the one that is shown, without a step to go back to: for what changes all the time, such as where one has scrolled to.
 * @param {string} fragment */
export function replace(fragment) {
  history.replaceState(null, "", fragment);
  dispatchEvent(new HashChangeEvent("hashchange"));
}

/** Makes a tab of each view that has something to show, and shows what the fragment says, now and when it changes.
 * @param {Report} report @param {View[]} views The first is shown where the fragment names none. */
export function start(report, views) {
  const there = views.filter((view) => view.isThere(report));
  /** @type {Map<string, {tab: any, panel: any, last: string, show: ((state: URLSearchParams) => string) | null}>} */
  const opened = new Map();
  for (const { name, title } of there) {
    const tab = make("button", { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": `panel-${name}` }, title);
    const panel = byId(`panel-${name}`) ?? make("div", { id: `panel-${name}` });
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-labelledby", tab.id);
    byId("panels").append(panel);
    byId("views").append(tab);
    opened.set(name, { tab, panel, last: fragmentOfState(name, {}), show: null });
    tab.addEventListener("click", () => go(opened.get(name)?.last ?? ""));
  }
  byId("views").hidden = there.length < 2;
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
    const state = stateOf(location.hash);
    const view = there.find(({ name }) => name === state.get("view")) ?? there[0];
    for (const [name, { tab, panel }] of opened) {
      const isShown = name === view.name;
      tab.setAttribute("aria-selected", String(isShown));
      tab.tabIndex = isShown ? 0 : -1;
      panel.hidden = !isShown;
    }
    const one = opened.get(view.name);
    if (!one) return;
    one.show ??= view.open(one.panel, report);
    if (state.get("view") === view.name || view === there[0]) one.last = location.hash || one.last;
    byId("command").value = one.show(state);
  };
  byId("copy").addEventListener("click", () => {
    byId("command").select();
    document.execCommand("copy");
  });
  addEventListener("hashchange", show);

  document.title = `${report.input} · Reconverge`;
  byId("input").textContent = report.input;
  const count = report.check.diagnostics.length;
  byId("summary").textContent = `${count === 0 ? "no findings" : count === 1 ? "1 finding" : `${count} findings`}, target ${report.target}`;
  show();
}
