// What a timeline says of its steps, without a document. Steps count from 1, columns from 0.
// @ts-check
import { spotIn } from "./model.mjs";

/** @typedef {{name: string, threads: number[], states: string, cells?: (string | null)[]}} Row */
/** @typedef {{kind: string, name: string, function: string, set: number, file?: string, lines?: number[], ir?: number[], blocks?: number, event?: number,
 *   results?: string[], from?: (number | null)[]}} Column */
/** @typedef {[string, Record<string, string>] | [string, Record<string, string>, string]} Shape */
/** @typedef {{width: number, height: number, fields: [number, number], shapes: Shape[], columns: {x: number, width: number, shapes: Shape[]}[]}} Picture */
/** @typedef {{function: string, model: string, kind: string, command: string, notes: string[], findings?: {code: string, severity: string, message: string, path?: string, line: number}[],
 *   rows: Row[], sets: {letter: string, name: string, threads: number[]}[], columns: Column[], difference?: [number, number], picture: Picture}} Timeline */

/** What a letter of a row means, in the order in which it is told. */
export const STATES = Object.freeze({ r: ["executes it alone", "execute it together"], w: ["waits for others", "wait for others"], h: ["still waits when the run ends", "still wait when the run ends"], o: ["is elsewhere", "are elsewhere"],
  x: ["has ended", "have ended"], "?": ["was not followed so far", "were not followed so far"] });

/** What some threads do, in words that follow them. @param {string} state @param {number[]} threads */
export function doing(state, threads) {
  return STATES[/** @type {keyof typeof STATES} */ (state)][threads.length === 1 ? 0 : 1];
}

/** Numbers as ranges: `0-3,7`. @param {number[]} numbers */
export function rangesOf(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  /** @type {[number, number][]} */
  const runs = [];
  for (const number of sorted) {
    const last = runs.at(-1);
    if (last && last[1] + 1 === number) last[1] = number;
    else runs.push([number, number]);
  }
  return runs.map(([first, last]) => (first === last ? `${first}` : last === first + 1 ? `${first},${last}` : `${first}-${last}`)).join(",");
}

/** A number that a state gives, kept inside of bounds. @param {URLSearchParams} state @param {string} name @param {number} least @param {number} most */
export function numberIn(state, name, least, most) {
  const text = state.get(name) ?? "";
  return /^\d{1,6}$/.test(text) ? Math.min(Math.max(Number(text), least), Math.max(most, least)) : least;
}

/** The threads in each state at a step, those in none left out. @param {Timeline} timeline @param {number} step @returns {{state: string, threads: number[]}[]} */
export function momentOf(timeline, step) {
  const inState = (/** @type {string} */ state) => timeline.rows.filter(({ states }) => states[step - 1] === state).flatMap(({ threads }) => threads);
  return Object.keys(STATES).map((state) => ({ state, threads: inState(state) })).filter(({ threads }) => threads.length > 0);
}

/** What a column executes: lines, a block, an operation. @param {Column} column */
export function titleOf({ kind, name, lines, blocks, ir }) {
  const line = lines?.length ? `line ${lines[0]}` : ir?.length ? `line ${ir[0]} of the IR` : "";
  if (kind !== "code") return line ? `${name}, ${line}` : name;
  const what = lines?.length ? (lines.length > 1 ? `lines ${name}` : `line ${name}`) : name ? `block ${name}` : "code of no line";
  return blocks ? `${what} (${blocks} blocks)` : what;
}

/** A step in one sentence. @param {Timeline} timeline @param {number} step */
export function toldOf(timeline, step) {
  const column = timeline.columns[step - 1];
  const set = timeline.sets[column.set];
  const rest = momentOf(timeline, step).filter(({ state }) => state !== "r");
  const others = rest.map(({ state, threads }) => `; ${rangesOf(threads)} ${doing(state, threads)}`);
  return `Step ${step} of ${timeline.columns.length}: ${titleOf(column)}, executed ${set.threads.length === 1 ? "by thread" : "together by threads"} ${set.name} (${set.letter})${others.join("")}.`;
}

/** Where the lines of a column are: of a file, by its number, or of the IR. @param {import("./model.mjs").Report} report @param {Column} column
 * @returns {{file: number | null, lines: number[]}} */
export function placeOf(report, column) {
  const { file } = spotIn(report, column.file, 1);
  return report.files.length && file !== null && column.lines?.length ? { file, lines: column.lines } : { file: null, lines: column.ir ?? [] };
}

/** @typedef {{of: number, step: number, timeline: Timeline, column: Column}} Moment */
/** The step of a run that a state names; null where it names none of this report.
 * @param {import("./model.mjs").Report} report @param {URLSearchParams} state @returns {Moment | null} */
export function momentIn(report, state) {
  const all = report.time?.all ?? [];
  const of = numberIn(state, "of", 0, all.length - 1);
  const columns = all[of]?.columns ?? [];
  const step = numberIn(state, "step", 1, columns.length);
  return state.has("step") && columns.length ? { of, step, timeline: all[of], column: columns[step - 1] } : null;
}

/** The blocks that a column executes: their graph, and their numbers in it. Null where no graph has them.
 * @param {import("./model.mjs").Report} report @param {Column} column @returns {{graph: import("./stack.mjs").Graph, blocks: number[]} | null} */
export function blocksAt(report, column) {
  const isIn = (/** @type {import("./stack.mjs").Block} */ { instructions }) =>
    instructions.length > 0 && (column.ir ?? []).some((line) => instructions[0].line <= line && line <= instructions[instructions.length - 1].line);
  for (const graph of report.graphs) {
    const blocks = graph.blocks.flatMap((block, number) => (isIn(block) ? [number] : []));
    if (blocks.length) return { graph, blocks };
  }
  return null;
}

/** What each thread got at a column, and from whom. @param {Timeline} timeline @param {Column} column */
export function gotAt(timeline, column) {
  const { threads } = timeline.sets[column.set];
  return threads.map((thread, index) => ({ thread, from: column.from?.[index] ?? null, result: column.results?.[index] ?? null }))
    .filter(({ from, result }) => from !== null || result !== null);
}

/** Where the models of a launch first differ: the shown timeline and the first of its function, or the one beside it. Null where they do not.
 * @param {Timeline[]} timelines @param {number} of @param {number} beside Negative for none. */
export function differenceOf(timelines, of, beside) {
  const isHere = (/** @type {Timeline} */ timeline) => timeline.function === timelines[of].function;
  const first = timelines.findIndex(isHere);
  const own = timelines[of].difference;
  if (of !== first) return own ? { of, step: own[0] + 1, beside: first } : null;
  const others = beside < 0 ? timelines.flatMap((timeline, number) => (number !== of && isHere(timeline) ? [number] : [])) : [beside];
  const found = others.find((number) => timelines[number].difference);
  const difference = found === undefined ? undefined : timelines[found].difference;
  return difference ? { of, step: difference[1] + 1, beside: found } : null;
}

/** The texts that define convergence of source, by their models. */
const TEXTS = Object.freeze(["clang-2025-04", "tangles-2024-10", "clang-2025-08"]);

/** The timelines of these texts, of the function of one of them: `texts` with as many together as a text allows, `texts-solo` with threads alone where it leaves that open.
 * Empty where there are no several of the first kind, or none that is another of the second. @param {Timeline[]} timelines @param {number} of @param {string | null} which @returns {number[]} */
export function textsOf(timelines, of, which) {
  const find = (/** @type {string} */ model) => timelines.findIndex((timeline) => timeline.model === model && timeline.function === timelines[of].function && timeline.columns.length > 0);
  const solo = TEXTS.map((text) => find(`${text}, solo`));
  const found = TEXTS.map((text, number) => (which === "texts-solo" && solo[number] >= 0 ? solo[number] : find(text))).filter((number) => number >= 0);
  const isThere = which === "texts" || (which === "texts-solo" && solo.some((number) => number >= 0));
  return isThere && found.length > 1 ? found : [];
}

/** The step at which one of some timelines of a function first does something else than another one of them; null where all do the same.
 * @param {Timeline[]} timelines @param {number[]} numbers Which. @param {number} number The one. */
export function firstIn(timelines, numbers, number) {
  const own = timelines[number].difference;
  if (own) return own[0] + 1;
  const others = numbers.flatMap((other) => (timelines[other].difference ? [/** @type {[number, number]} */ (timelines[other].difference)[1] + 1] : []));
  if (!others.length) return null;
  const base = timelines.findIndex((timeline) => timeline.function === timelines[number].function);
  const step = Math.min(...others);
  return number === base ? step : sameStep(timelines[base], timelines[number], step);
}

/** The step of another timeline that is the same: its first thread is as often there, or in its first line. The nearest by number where there is none.
 * @param {Timeline} from @param {Timeline} to @param {number} step */
export function sameStep(from, to, step) {
  const at = from.columns[step - 1];
  const thread = from.sets[at.set].threads[0];
  const isIt = (/** @type {Timeline} */ timeline) => (/** @type {Column} */ { kind, name, function: of, set }) =>
    kind === at.kind && name === at.name && of === at.function && timeline.sets[set].threads.includes(thread);
  // Where one tells of blocks and the other of statements, names are others and lines the same.
  const hasLine = (/** @type {Timeline} */ timeline) => (/** @type {Column} */ { kind, lines, function: of, set }) =>
    at.kind === "code" && kind === "code" && of === at.function && (lines ?? []).some((line) => line === at.lines?.[0]) && timeline.sets[set].threads.includes(thread);
  for (const is of [isIt, hasLine]) {
    let left = from.columns.slice(0, step).filter(is(from)).length;
    const found = to.columns.findIndex((column) => is(to)(column) && --left === 0);
    if (found >= 0) return found + 1;
  }
  return Math.min(step, to.columns.length);
}
