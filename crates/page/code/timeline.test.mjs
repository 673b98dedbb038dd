// `node --test`: what timelines say of their steps.
import assert from "node:assert/strict";
import { test } from "node:test";
import { blocksAt, differenceOf, firstIn, gotAt, momentIn, momentOf, numberIn, placeOf, rangesOf, sameStep, textsOf, titleOf, toldOf } from "./timeline.mjs";

const timeline = {
  rows: [{ name: "0", threads: [0], states: "rroh" }, { name: "1-3", threads: [1, 2, 3], states: "rwrx" }],
  sets: [{ letter: "A", name: "0-3", threads: [0, 1, 2, 3] }, { letter: "B", name: "0", threads: [0] }, { letter: "C", name: "1-3", threads: [1, 2, 3] }],
  columns: [
    { kind: "code", name: "2–4", function: "k", set: 0, file: "k.cu", lines: [2, 4] },
    { kind: "code", name: "5", function: "k", set: 1, file: "k.cu", lines: [5], blocks: 3 },
    { kind: "exchange", name: "__shfl_sync", function: "k", set: 2, file: "k.cu", lines: [7], ir: [30], results: ["4", "5", "4"], from: [2, 3, null] },
  ],
};

test("threads are in one state each", () => {
  assert.deepEqual(momentOf(timeline, 1), [{ state: "r", threads: [0, 1, 2, 3] }]);
  assert.deepEqual(momentOf(timeline, 2), [{ state: "r", threads: [0] }, { state: "w", threads: [1, 2, 3] }]);
  assert.deepEqual(momentOf(timeline, 4), [{ state: "h", threads: [0] }, { state: "x", threads: [1, 2, 3] }]);
  for (const step of [1, 2, 3]) {
    const [running] = momentOf(timeline, step);
    assert.deepEqual(running.threads, timeline.sets[timeline.columns[step - 1].set].threads);
  }
});

test("a step is a sentence", () => {
  assert.equal(toldOf(timeline, 2), "Step 2 of 3: line 5 (3 blocks), executed by thread 0 (B); 1-3 wait for others.");
  assert.equal(titleOf(timeline.columns[0]), "lines 2–4");
  assert.equal(titleOf(timeline.columns[2]), "__shfl_sync, line 7");
  assert.equal(titleOf({ kind: "barrier", name: "@b", ir: [9] }), "@b, line 9 of the IR");
  assert.equal(titleOf({ kind: "code", name: "exit", ir: [9] }), "block exit");
});

test("ranges and numbers of states", () => {
  assert.equal(rangesOf([7, 0, 1, 2, 3, 5]), "0-3,5,7");
  assert.equal(rangesOf([0, 1]), "0,1");
  const state = new URLSearchParams("step=7&of=x&big=99999999");
  assert.deepEqual([numberIn(state, "step", 1, 5), numberIn(state, "step", 1, 9), numberIn(state, "of", 0, 3), numberIn(state, "big", 1, 9), numberIn(state, "none", 1, 0)], [5, 7, 0, 1, 1]);
});

test("columns have lines, of the source where there is one", () => {
  const report = { input: "k.cu", files: [{ path: "k.cu", lines: [] }], ir: [] };
  assert.deepEqual(placeOf(report, timeline.columns[0]), { file: 0, lines: [2, 4] });
  assert.deepEqual(placeOf({ ...report, files: [] }, timeline.columns[2]), { file: null, lines: [30] });
});

test("a state names a step of a run, or none", () => {
  const report = { time: { all: [timeline, { columns: [] }] } };
  const at = (text) => momentIn(report, new URLSearchParams(text));
  assert.deepEqual([at("of=0&step=2").step, at("step=9").step, at("step=3").column], [2, 3, timeline.columns[2]]);
  assert.deepEqual([at("of=0"), at("of=1&step=1"), momentIn({}, new URLSearchParams("step=1"))], [null, null, null]);
});

test("the blocks of a column are those that have one of its lines of IR", () => {
  const block = (...lines) => ({ instructions: lines.map((line) => ({ line })) });
  const graphs = [{ blocks: [block(3, 4), block(6)] }, { blocks: [block(20, 22), block(), block(24), block(30, 31)] }];
  assert.deepEqual(blocksAt({ graphs }, { ir: [22, 30] }), { graph: graphs[1], blocks: [0, 3] });
  assert.deepEqual(blocksAt({ graphs }, { ir: [5] }), null);
  assert.deepEqual(blocksAt({ graphs }, {}), null);
});

test("who got what from whom", () => {
  assert.deepEqual(gotAt(timeline, timeline.columns[2]), [{ thread: 1, from: 2, result: "4" }, { thread: 2, from: 3, result: "5" }, { thread: 3, from: null, result: "4" }]);
  assert.deepEqual(gotAt(timeline, timeline.columns[0]), []);
});

test("the first difference is of the first timeline and another one of its function", () => {
  const all = [{ function: "k" }, { function: "k" }, { function: "k", difference: [4, 2] }, { function: "m" }];
  assert.deepEqual(differenceOf(all, 0, -1), { of: 0, step: 3, beside: 2 });
  assert.deepEqual(differenceOf(all, 2, -1), { of: 2, step: 5, beside: 0 });
  assert.equal(differenceOf(all, 0, 1), null);
  assert.equal(differenceOf(all, 1, -1), null);
  assert.equal(differenceOf(all, 3, -1), null);
});

test("the texts are those of one function, in their order, and differ first where one of them does", () => {
  const column = (name, set) => ({ kind: "code", name, function: "k", set });
  const sets = [{ threads: [0, 1] }, { threads: [0] }, { threads: [1] }];
  const of = (model, columns, difference) => ({ function: "k", model, sets, columns, difference });
  const together = [column("1", 0), column("2", 0), column("3", 0)];
  const apart = [column("1", 0), column("2", 1), column("2", 2), column("3", 0)];
  const all = [of("clang-2025-04", together), of("clang-2025-08", apart, [1, 1]), of("tangles-2024-10", together), of("ipdom", together), { ...of("clang-2025-08", together), function: "m" }];
  const texts = textsOf(all, 2, "texts");
  assert.deepEqual(texts, [0, 2, 1]);
  assert.deepEqual([textsOf(all, 4, "texts"), textsOf(all, 2, "texts-solo"), textsOf(all, 2, "3"), textsOf(all, 2, null)], [[], [], [], []]);
  const withSolo = [...all, of("tangles-2024-10, solo", apart, [1, 1])];
  assert.deepEqual(textsOf(withSolo, 2, "texts-solo"), [0, 5, 1]);
  assert.deepEqual(texts.map((number) => firstIn(all, texts, number)), [2, 2, 2]);
  assert.deepEqual([0, 2].map((number) => firstIn(all, [0, 2], number)), [null, null]);
});

test("steps of two timelines correspond by what their threads execute", () => {
  const other = { ...timeline, columns: [timeline.columns[0], timeline.columns[2], timeline.columns[1]] };
  assert.deepEqual([1, 2, 3].map((step) => sameStep(timeline, other, step)), [1, 3, 2]);
  assert.equal(sameStep(timeline, { ...timeline, columns: [timeline.columns[0]] }, 3), 1);
  // Of blocks and of statements.
  const statement = (line) => ({ ...timeline.columns[0], name: String(line), lines: [line] });
  assert.equal(sameStep(timeline, { ...timeline, columns: [statement(1), statement(7), statement(2)] }, 1), 3);
});
