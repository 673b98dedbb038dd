// What `validate` says of two versions, without a document. Rows count from 1.
// @ts-check
import { rangesOf } from "./timeline.mjs";

/** @typedef {import("./model.mjs").Report} Report */
/** @typedef {import("./model.mjs").Finding} Finding */
/** @typedef {import("./timeline.mjs").Timeline} Timeline */
/** @typedef {{op: string, function: string, block: string, line: number, source?: {file: string, line: number}, workgroup: number, threads: number[], operands: string[], results: string[]}} Communication */
/** @typedef {{command: string, first_different: number, steps: Communication[]}} Side */
/** @typedef {{kind: "threads", operation: string, thread: number, before: number[], after: number[]} | {kind: "value", operation: string, thread: number, operand: number | null, before: string, after: string}
 *   | {kind: "memory", buffer: string, element: number, before: string, after: string} | {kind: "order", thread: number, before: string, after: string} | {kind: "trouble", code: string, message: string}} Difference */
/** @typedef {{kernel: string, model: string, grid: number[], block: number[], subgroup: number, arguments: Record<string, string>, difference: Difference, before: Side, after: Side}} Witness */
/** @typedef {{kernel: string, verdict: string, because?: string, runs: number, diagnostics: Finding[], witness?: Witness}} Kernel */
/** @typedef {{pass: string, index: number, function: string, kind: string, messages: string[], diagnostics: Finding[]}} Bisected */
/** @typedef {{command: string, before: Report, after: Report, validate?: {kernels: Kernel[]}, bisect?: Bisected, runs: {kernel: string, command: string, before: number | null, after: number | null}[]}} Versions */
/** @typedef {"before" | "after"} Which */

/** The sides. @type {readonly Which[]} */
export const SIDES = Object.freeze(["before", "after"]);

/** A verdict in words. @param {Kernel} kernel */
export function verdictOf({ verdict, because, runs, witness }) {
  if (witness) return `different, shown with ${threadsOf(witness)} threads under ${witness.model}`;
  if (verdict === "proved") return `proved: ${because}`;
  if (verdict === "not-compared") return `not compared: ${because}`;
  return `no difference in ${runs} runs`;
}

/** How many threads a launch has. @param {Witness} witness */
export function threadsOf({ grid, block }) {
  return [...grid, ...block].reduce((product, size) => product * size, 1);
}

/** The launch, as names and values. @param {Witness} witness @returns {[string, string][]} */
export function launchOf({ model, grid, block, subgroup, arguments: given }) {
  return [["model", model], ["grid", grid.join(" × ")], ["block", block.join(" × ")], ["subgroup", String(subgroup)], ...Object.entries(given)];
}

/** What is different, and what it is on each side. @param {Difference} difference @returns {{what: string, before: string, after: string}} */
export function saidOf(difference) {
  const threads = (/** @type {number[]} */ all) => (all.length ? rangesOf(all) : "it is not executed");
  switch (difference.kind) {
    case "threads":
      return { what: `threads that execute ${difference.operation} with thread ${difference.thread}`, before: threads(difference.before), after: threads(difference.after) };
    case "value":
      return { what: difference.operand === null ? `what thread ${difference.thread} gets from ${difference.operation}` : `operand ${difference.operand} that thread ${difference.thread} passes to ${difference.operation}`, before: difference.before, after: difference.after };
    case "memory":
      return { what: `element ${difference.element} of ${difference.buffer} at the end`, before: difference.before, after: difference.after };
    case "order":
      return { what: `what thread ${difference.thread} executes at this place`, before: difference.before, after: difference.after };
    case "trouble":
      return { what: "how the run ends", before: "properly", after: `${difference.code}: ${difference.message}` };
  }
}

/** How many rows the tables of a witness have: one for each communication, and one for the end where the difference is behind all of them. @param {Witness} witness */
export function rowsIn(witness) {
  return Math.max(...SIDES.map((side) => Math.max(witness[side].steps.length, witness[side].first_different + 1)));
}

/** The row with the first difference. @param {Witness} witness */
export function firstOf(witness) {
  return witness.before.first_different + 1;
}

/** Where a communication is: a line of a file of the report, or of the IR; without one, no line of what the report is about. @param {Report} report @param {{line: number, source?: {file: string, line: number}} | undefined} step A communication, or a finding. @returns {import("./follow.mjs").Lines} */
export function linesOfStep(report, step) {
  const file = report.files.findIndex(({ path }) => path === step?.source?.file);
  if (step?.source && file >= 0) return { file, lines: [step.source.line] };
  return step ? { file: null, lines: [step.line] } : { file: report.files.length ? 0 : null, lines: [] };
}

/** The step of a timeline that is a communication; null where it shows none: of another workgroup, or further on than it goes.
 * @param {Timeline} timeline @param {Communication[]} steps @param {number} row @returns {number | null} */
export function columnOf(timeline, steps, row) {
  const wanted = steps[row - 1];
  if (!wanted || wanted.workgroup !== 0) return null;
  const key = (/** @type {number | undefined} */ line, /** @type {number[]} */ threads) => `${line}:${threads}`;
  const own = key(wanted.line, wanted.threads);
  let left = steps.slice(0, row).filter(({ line, threads, workgroup }) => workgroup === 0 && key(line, threads) === own).length;
  const found = timeline.columns.findIndex(({ kind, ir, set }) => kind !== "code" && key(ir?.[0], timeline.sets[set].threads) === own && --left === 0);
  return found < 0 ? null : found + 1;
}

/** The lines that are another text on the other side: those of neither longest common part. @param {string[]} before @param {string[]} after @returns {Record<Which, number[]>} Lines from 1. */
export function changedLines(before, after) {
  const most = Math.min(before.length, after.length);
  let first = 0, last = 0;
  while (first < most && before[first] === after[first]) first += 1;
  while (last < most - first && before[before.length - 1 - last] === after[after.length - 1 - last]) last += 1;
  const between = (/** @type {string[]} */ lines) => lines.slice(first, lines.length - last);
  const rest = { before: between(before), after: between(after) };
  const isKept = common(rest.before, rest.after);
  const changed = (/** @type {Which} */ side) => rest[side].flatMap((_, at) => (isKept[side][at] ? [] : [first + at + 1]));
  return { before: changed("before"), after: changed("after") };
}

/** The most that is compared line by line; of more, all lines count as changed. */
const MOST = 4_000_000;

/** Which lines are in a longest common subsequence. @param {string[]} before @param {string[]} after @returns {Record<Which, boolean[]>} */
function common(before, after) {
  /** @type {Record<Which, boolean[]>} */
  const kept = { before: before.map(() => false), after: after.map(() => false) };
  const width = after.length + 1;
  if ((before.length + 1) * width > MOST) return kept;
  const length = new Uint32Array((before.length + 1) * width);
  for (let i = before.length - 1; i >= 0; i -= 1) {
    for (let j = after.length - 1; j >= 0; j -= 1) {
      length[i * width + j] = before[i] === after[j] ? length[(i + 1) * width + j + 1] + 1 : Math.max(length[(i + 1) * width + j], length[i * width + j + 1]);
    }
  }
  for (let i = 0, j = 0; i < before.length && j < after.length;) {
    if (before[i] === after[j]) kept.before[i++] = kept.after[j++] = true;
    else if (length[(i + 1) * width + j] >= length[i * width + j + 1]) i += 1;
    else j += 1;
  }
  return kept;
}
