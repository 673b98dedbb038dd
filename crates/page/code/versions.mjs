// Two versions of a program side by side: what `validate` or `bisect` has found, the launch on which they differ, and where they differ first.
// @ts-check
import { fragmentOf, fragmentOfState, stateOf } from "./model.mjs";
import { byId, copied, go, keep, make, replace, start } from "./frame.mjs";
import { SIDES, changedLines, columnOf, firstOf, launchOf, linesOfStep, rowsIn, saidOf, verdictOf } from "./difference.mjs";
import { follower } from "./follow.mjs";
import { picture } from "./picture.mjs";
import { stepper } from "./stepper.mjs";
import { numberIn, rangesOf } from "./timeline.mjs";

/** @typedef {import("./difference.mjs").Versions} Versions */
/** @typedef {import("./difference.mjs").Which} Which */
/** @typedef {import("./difference.mjs").Witness} Witness */

/** The most rows of a table: so many around the first difference. */
const MOST_ROWS = 400;

/** The side that a fragment names. @param {string} fragment @returns {Which | null} */
function sideIn(fragment) {
  return SIDES.find((side) => side === stateOf(fragment).get("side")) ?? null;
}

/** Shows two versions: a view of both, and of one of them, which the fragment names, all others.
 * @param {Versions} data @param {import("./frame.mjs").View[]} views */
export function startVersions(data, views) {
  let side = sideIn(location.hash) ?? "after";
  keep("side", side);
  const chosen = make("select", { id: "side" }, ...SIDES.map((one) => make("option", { value: one }, `${one}: ${data[one].input}`)));
  const change = () => {
    chosen.value = side;
    update(data[side]);
  };
  chosen.addEventListener("change", () => {
    side = chosen.value;
    keep("side", side);
    change();
  });
  // Before the frame shows what the fragment says.
  addEventListener("hashchange", () => {
    const asked = sideIn(location.hash);
    if (!asked || asked === side) return;
    side = asked;
    keep("side", side);
    change();
  });
  byId("summary").after(make("label", { id: "side-label" }, "Version ", chosen));
  const update = start(data[side], [versionsOf(data), ...views]);
  chosen.value = side;
}

/** @param {Versions} data @returns {import("./frame.mjs").View} */
function versionsOf(data) {
  return { name: "versions", title: "Two versions", isThere: () => true, open: (panel) => open(panel, data) };
}

/** A command, with a button that copies it. @param {string} title @param {string} command */
function commandRow(title, command) {
  const field = make("input", { readonly: "", "aria-label": title });
  field.value = command;
  const button = make("button", { type: "button", "aria-label": `Copy: ${title}` }, "Copy");
  button.addEventListener("click", () => copied(field));
  return make("div", { class: "command" }, make("span", {}, title), field, button);
}

/** A finding, which is in the version after the change. @param {import("./model.mjs").Report} report @param {import("./model.mjs").Finding} finding */
function findingCard(report, finding) {
  const { code, severity, message, notes, help } = finding;
  const { file, lines: [line] } = linesOfStep(report, finding);
  const place = file === null && report.files.length ? `line ${line} of the IR` : `line ${line}`;
  return make("article", {}, make("h3", {}, make("span", { class: `code ${severity}` }, code), `${severity}, `, make("a", { href: `${fragmentOf({ file, line })}&side=after` }, place)), make("p", {}, message),
    ...(notes ?? []).map((note) => make("p", { class: "soft" }, note)), ...(help ? [make("p", {}, make("strong", {}, "What to do: "), help)] : []));
}

/** What both communicated, as a table, a row for each execution of an operation. @param {import("./difference.mjs").Side} side @param {Witness} witness @param {Which} which @param {(row: number) => string} link */
function tableOf(side, witness, which, link) {
  const first = firstOf(witness);
  const cell = (/** @type {string} */ text) => make("td", {}, text);
  const row = (/** @type {number} */ number, /** @type {string[]} */ cells) => {
    const isFirst = number === first;
    return make("tr", { "data-row": String(number), ...(isFirst ? { "data-differs": "" } : {}) }, make("td", {}, make("a", { href: link(number) }, String(number)), isFirst ? " ≠" : ""), ...cells.map(cell));
  };
  const start = Math.max(0, first - MOST_ROWS / 2);
  const rows = side.steps.slice(start, start + MOST_ROWS).map(({ op, line, source, threads, operands, results, workgroup }, index) =>
    row(start + index + 1, [String(source?.line ?? line), op, `${rangesOf(threads)}${workgroup ? ` of workgroup ${workgroup}` : ""}`, operands.join("; "), results.join("; ")]));
  const left = side.steps.length - rows.length;
  if (left > 0) rows.push(make("tr", {}, make("td", {}), make("td", { colspan: "5" }, `${left} more rows are not shown`)));
  const { what, [which]: value } = saidOf(witness.difference);
  if (first > side.steps.length) rows.push(row(first, ["", witness.difference.kind === "memory" ? what : "nothing more", "", "", witness.difference.kind === "memory" ? value : ""]));
  const heads = ["", "line", "operation", "threads", "passed", "got"].map((name) => make("th", { scope: "col" }, name || make("span", { class: "unseen" }, "row")));
  return make("table", {}, make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...rows));
}

/** Fills the panel. @param {HTMLElement} panel @param {Versions} data */
function open(panel, data) {
  const kernels = data.validate?.kernels ?? [];
  const differs = Math.max(0, kernels.findIndex(({ witness }) => witness));
  const numberOf = (/** @type {URLSearchParams} */ state) => {
    const found = kernels.findIndex(({ kernel }) => kernel === state.get("kernel"));
    return found < 0 ? differs : found;
  };
  const choose = make("select", {}, ...kernels.map((kernel, number) => make("option", { value: String(number) }, `${kernel.kernel}: ${verdictOf(kernel)}`)));
  const bar = make("div", { class: "bar-of" });
  const head = make("div", { class: "head" });
  const columns = make("div", { class: "columns" });
  panel.classList.add("sets");
  panel.append(bar, head, columns);
  choose.addEventListener("change", () => go(fragmentOfState("versions", { kernel: kernels[Number(choose.value)].kernel })));
  /** @type {{number: number, show: (row: number) => void} | null} */
  let shown = null;

  /** @param {number} number */
  const fill = (number) => {
    const kernel = kernels[number];
    const run = data.runs[number];
    const link = (/** @type {number} */ row) => fragmentOfState("versions", { kernel: kernel.kernel, row });
    const steps = stepper("Row", link);
    const difference = make("button", { type: "button" }, "First difference");
    const witness = kernel?.witness;
    difference.addEventListener("click", () => witness && replace(link(firstOf(witness))));
    bar.replaceChildren(...(kernels.length > 1 ? [make("label", {}, "Kernel ", choose)] : []), ...(witness ? [difference, steps.element] : []));
    head.replaceChildren(summary(data, kernel), commands(data, kernel, run));
    const changed = changedLines(...(/** @type {[string[], string[]]} */ (SIDES.map((side) => (data[side].files[0]?.lines ?? data[side].ir).map(({ text }) => text)))));
    const sides = SIDES.map((side) => sideOf(data, side, kernel, run, link, changed[side]));
    columns.replaceChildren(...sides.map(({ element }) => element));
    shown = {
      number,
      show: (row) => {
        if (witness) steps.show(row, rowsIn(witness), `Row ${row} of ${rowsIn(witness)}`);
        sides.forEach((side) => side.show(row));
      },
    };
  };
  return (/** @type {URLSearchParams} */ state) => {
    const number = numberOf(state);
    const witness = kernels[number]?.witness;
    if (shown?.number !== number) fill(number);
    choose.value = String(number);
    shown?.show(witness ? (state.has("row") ? numberIn(state, "row", 1, rowsIn(witness)) : firstOf(witness)) : 0);
    return data.runs[number]?.command ?? data.command;
  };
}

/** What was found. @param {Versions} data @param {import("./difference.mjs").Kernel | undefined} kernel */
function summary({ bisect, after }, kernel) {
  const element = make("section", { class: "verdict", tabindex: "0", "aria-label": "What was found" });
  if (bisect) {
    const kinds = { communication: "changes who communicates", rules: "breaks the rules of convergence control", verifier: "makes what opt's verifier rejects" };
    element.append(make("p", {}, make("b", {}, bisect.pass), ` (step ${bisect.index}, ${bisect.function}) ${kinds[bisect.kind] ?? ""}.`), ...bisect.messages.map((message) => make("p", {}, message)));
  }
  if (kernel) {
    element.append(make("h2", {}, make("b", {}, kernel.kernel), ` ${verdictOf(kernel)}`));
    if (kernel.witness) {
      const said = saidOf(kernel.witness.difference);
      element.append(make("table", { class: "difference" }, make("thead", {}, make("tr", {}, make("td", {}), make("th", { scope: "col" }, "before"), make("th", { scope: "col" }, "after"))),
        make("tbody", {}, make("tr", {}, make("th", { scope: "row" }, said.what), ...SIDES.map((side) => make("td", { "data-side": side }, said[side]))))));
    }
  }
  element.append(...(kernel?.diagnostics ?? bisect?.diagnostics ?? []).map((finding) => findingCard(after, finding)));
  return element;
}

/** The launch, and the commands that repeat it. @param {Versions} data @param {import("./difference.mjs").Kernel | undefined} kernel @param {Versions["runs"][number] | undefined} run */
function commands(data, kernel, run) {
  const element = make("section", { class: "launch", tabindex: "0", "aria-label": "Launch" });
  const witness = kernel?.witness;
  if (witness) {
    element.append(make("h2", {}, "The launch on which they differ"), make("dl", {}, ...launchOf(witness).map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, value)))));
  }
  if (run) element.append(commandRow("Compare again", run.command));
  if (witness) element.append(commandRow("Run before", witness.before.command), commandRow("Run after", witness.after.command));
  if (data.bisect) element.append(commandRow("Find the pass", data.command));
  return element;
}

/** One of the versions. @param {Versions} data @param {Which} which @param {import("./difference.mjs").Kernel | undefined} kernel @param {Versions["runs"][number] | undefined} run
 * @param {(row: number) => string} link @param {number[]} changed Lines of its text that are others on the other side. */
function sideOf(data, which, kernel, run, link, changed) {
  const report = data[which];
  const witness = kernel?.witness;
  const side = witness?.[which];
  const timeline = run?.[which] === null || run?.[which] === undefined ? null : report.time?.all[run[which]];
  const text = follower(report, `Text ${which} the change`, (fragment) => `${fragment}&side=${which}`);
  const element = make("section", { class: "version", "data-side": which, "aria-label": which }, make("h2", {}, make("b", {}, which), ` ${report.input}`));
  const rowOf = (/** @type {number} */ step) => Array.from({ length: side?.steps.length ?? 0 }, (_, index) => index + 1).find((row) => timeline && side && columnOf(timeline, side.steps, row) === step);
  const drawn = timeline?.columns.length ? picture(timeline, `Picture ${which} the change`, (step) => {
    const row = rowOf(step);
    if (row) go(link(row));
  }) : null;
  if (drawn) element.append(drawn.element);
  const table = side && witness ? make("div", { class: "rows", tabindex: "0", role: "region", "aria-label": `Communications ${which} the change` }, tableOf(side, witness, which, link)) : null;
  if (table) element.append(table);
  element.append(text.title, text.text);
  if (side && witness) {
    text.sign(linesOfStep(report, side.steps[firstOf(witness) - 1]));
    const at = timeline ? columnOf(timeline, side.steps, firstOf(witness)) : null;
    if (at && drawn) drawn.setSign(at, "≠");
  }
  text.changed({ file: report.files.length ? 0 : null, lines: changed });
  const show = (/** @type {number} */ row) => {
    const step = side?.steps[row - 1];
    const column = timeline && side ? columnOf(timeline, side.steps, row) : null;
    drawn?.setStep(column);
    text.show(linesOfStep(report, step), column && timeline ? timeline.columns[column - 1].set : 7);
    table?.querySelectorAll("[data-row]").forEach((/** @type {any} */ one) => {
      if (Number(one.dataset.row) === row) one.setAttribute("aria-current", "true");
      else one.removeAttribute("aria-current");
    });
    const chosen = /** @type {any} */ (table?.querySelector("[aria-current]"));
    if (chosen) table.scrollTop = chosen.offsetTop - table.clientHeight / 2;
  };
  return { element, show };
}
