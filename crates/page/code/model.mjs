// What the page shows of its data, without a document.
// @ts-check

/** @typedef {{text: string, uniform_in?: string, may?: boolean, source?: [number, number]}} Line */
/** @typedef {{line: number, column: number, message: string}} Place */
/** @typedef {Place & {path?: string, source?: {file: string, line: number}, code: string, severity: string, label: string, related: Place[], notes: string[], help?: string}} Finding */
/** @typedef {{name: string, function: string, file?: string, line: number, uniform_in: string, may?: boolean, verdict: string, chain: number[]}} Point */
/** @typedef {{name: string, message: string, file?: string, line: number, block?: string | null, paths?: string[][]}} Step */
/** @typedef {{pass: string, functions: number, refused: {function: string, rule: string}[]}} Pass */
/** @typedef {{input: string, target: string, passes?: Pass[], files: {path: string, lines: Line[]}[], ir: Line[], points: Point[], graphs: import("./stack.mjs").Graph[], steps: Step[], time?: {all: import("./timeline.mjs").Timeline[], left_out: string[]}, check: {diagnostics: Finding[]}, not_understood: import("./program.mjs").Wrong[]}} Report */
/** @typedef {{file: number | null, line: number}} Spot A line from 1: of a file, by its number, or of the IR. */

/** The letter of a set of threads. */
export const LETTERS = Object.freeze({ grid: "G", workgroup: "W", subgroup: "S", divergent: "D" });

/** In which threads something is uniform, in words. @param {{uniform_in?: string, may?: boolean}} known */
export function setOf({ uniform_in: set, may }) {
  if (!set) return "";
  return set === "divergent" ? (may ? "possibly divergent" : "divergent") : `uniform in the ${set}`;
}

/** What a fragment says. @param {string} fragment */
export function stateOf(fragment) {
  return new URLSearchParams(fragment.replace(/^#/, ""));
}

/** The fragment of a state of a view; what is `null` is left out. @param {string} view @param {Record<string, string | number | null>} state */
export function fragmentOfState(view, state) {
  const said = Object.entries({ view, ...state }).filter(([, value]) => value !== null);
  return `#${new URLSearchParams(said.map(([name, value]) => [name, String(value)]))}`;
}

/** The view that a state names; null where it names none. What names a line is about the source. @param {URLSearchParams} state */
export function viewIn(state) {
  return state.get("view") ?? (state.has("file") || state.has("ir") ? "source" : null);
}

/** A fragment that is about a step of a run. @param {string} fragment @param {{of: number, step: number}} moment */
export function atStep(fragment, { of, step }) {
  const state = stateOf(fragment);
  state.set("of", String(of));
  state.set("step", String(step));
  return `#${state}`;
}

/** The spot that a state of the source names; null where it names none of this report.
 * @param {Report} report @param {URLSearchParams} state @returns {Spot | null} */
export function spotOf(report, state) {
  const number = (/** @type {string} */ name) => (/^\d+$/.test(state.get(name) ?? "") ? Number(state.get(name)) : -1);
  const file = state.has("ir") ? null : number("file");
  const lines = file === null ? report.ir : report.files[file]?.lines;
  const line = number("line");
  return lines && line >= 1 && line <= lines.length ? { file, line } : null;
}

/** The fragment that names a spot. @param {Spot} spot */
export function fragmentOf({ file, line }) {
  return `#${file === null ? "ir" : `file=${file}`}&line=${line}`;
}

/** A line of a file by its path, or of the input; of the IR where no file is called so.
 * @param {Report} report @param {string | undefined} path @param {number} line @returns {Spot} */
export function spotIn(report, path, line) {
  const file = report.files.findIndex((known) => known.path === (path ?? report.input));
  return { file: file < 0 ? null : file, line };
}

/** The lines of IR that were made from a line of source. @param {Report} report @param {Spot} spot @returns {number[]} */
export function irLinesOf(report, { file, line }) {
  const isLinked = (/** @type {Line} */ { source }) => source?.[0] === file && source?.[1] === line;
  return report.ir.flatMap((one, index) => (isLinked(one) ? [index + 1] : []));
}

/** What a line computes and decides. @param {Report} report @param {Spot} spot */
export function pointsAt(report, spot) {
  return report.points.filter((point) => {
    const at = spotIn(report, point.file, point.line);
    return at.file === spot.file && at.line === spot.line;
  });
}

/** A word for a POSIX shell. @param {string} word */
export function quoted(word) {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** What commands of a report read, as a word: the input, or standard input, where passes have changed it ({@link afterPasses}). @param {Report} report */
export function inputOf(report) {
  return report.passes ? "-" : quoted(report.input);
}

/** A command, behind those that run the passes of a report. @param {Report} report @param {string} command */
export function afterPasses(report, command) {
  const passes = (report.passes ?? []).map(({ pass }, number) => `reconverge transform ${quoted(pass)} ${number === 0 ? quoted(report.input) : "-"} -o -`);
  return [...passes, command].join(" | ");
}

/** The command that says of a spot what the page does. @param {Report} report @param {Spot | null} spot */
export function commandOf(report, spot) {
  const input = inputOf(report);
  if (!spot || (spot.file === null && report.files.length > 0)) return `reconverge check ${input}`;
  const path = spot.file === null ? (report.passes ? "" : report.input) : report.files[spot.file].path;
  return `reconverge uniformity ${input} --explain ${quoted(`${path}:${spot.line}`)}`;
}
