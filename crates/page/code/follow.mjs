// A text beside a run, which follows it: the lines that a step executes are marked, and in sight.
// @ts-check
import { fragmentOf } from "./model.mjs";
import { make } from "./frame.mjs";

/** Lines, from 1: of a file, by its number, or of the IR. @typedef {{file: number | null, lines: number[]}} Lines */

/** @param {import("./model.mjs").Report} report @param {string} label What the text is called. @param {(fragment: string) => string} [link] The link of a line, made of the fragment that names it.
 * @returns {{title: HTMLElement, text: HTMLElement, show: (at: Lines, set: number) => void, sign: (at: Lines) => void, changed: (at: Lines) => void}} */
export function follower(report, label, link = (fragment) => fragment) {
  const title = make("h2", {});
  const text = make("div", { class: "follow", tabindex: "0", role: "region", "aria-label": label });
  /** @type {number | null | undefined} */
  let filled;
  /** @type {Lines} */
  let signed = { file: null, lines: [] };
  let others = signed;
  const rowsAt = (/** @type {Lines} */ { file, lines }) => (file === filled ? lines.flatMap((line) => text.children[line - 1] ?? []) : []);
  const fill = (/** @type {number | null} */ file) => {
    if (file === filled) return;
    filled = file;
    const lines = file === null ? report.ir : report.files[file].lines;
    text.replaceChildren(...lines.map((line, index) =>
      make("a", { href: link(fragmentOf({ file, line: index + 1 })), "data-line": String(index + 1), tabindex: "-1" }, make("span", { class: "number" }, String(index + 1)), make("span", { class: "sign" }), make("span", {}, line.text))));
    title.textContent = file === null ? "LLVM IR" : report.files[file].path;
    sign(signed);
    changed(others);
  };
  /** Marks lines in the colour of a set of threads. @param {Lines} at @param {number} set */
  const show = (at, set) => {
    if (at.lines.length || filled === undefined) fill(at.file);
    text.querySelectorAll(".at").forEach((/** @type {any} */ row) => {
      row.classList.remove("at", ...row.classList);
      row.removeAttribute("aria-current");
    });
    const rows = rowsAt(at);
    rows.forEach((row) => {
      row.classList.add("at", `s${set % 8}`);
      row.setAttribute("aria-current", "step");
    });
    if (rows.length) text.scrollTop = rows[0].offsetTop - text.offsetTop - text.clientHeight / 3;
  };
  /** Gives lines a sign that stays: there something is different. @param {Lines} at */
  const sign = (at) => {
    signed = at;
    rowsAt(at).forEach((row) => {
      row.setAttribute("data-differs", "");
      row.children[1].textContent = "≠";
    });
  };
  /** Marks lines that are others than before, or after, a change. @param {Lines} at */
  const changed = (at) => {
    others = at;
    rowsAt(at).forEach((row) => row.setAttribute("data-changed", ""));
  };
  return { title, text, show, sign, changed };
}
