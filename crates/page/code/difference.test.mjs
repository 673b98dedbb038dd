// `node --test`: what is said of two versions.
import assert from "node:assert/strict";
import { test } from "node:test";
import { changedLines, columnOf, firstOf, launchOf, linesOfStep, rowsIn, saidOf, threadsOf, verdictOf } from "./difference.mjs";

const step = (line, threads, workgroup = 0) => ({ op: "@b", function: "@k", block: "entry", line, workgroup, threads, operands: [], results: [] });
const side = (first, ...steps) => ({ command: "", first_different: first, steps });
const witness = { model: "maximal", grid: [2, 1, 1], block: [4, 2, 1], subgroup: 4, arguments: { out: "u32[4]", n: "3" }, before: side(1, step(5, [0]), step(5, [1])), after: side(1, step(5, [0])) };

test("a verdict is a sentence", () => {
  assert.equal(verdictOf({ verdict: "different", runs: 3, witness }), "different, shown with 16 threads under maximal");
  assert.equal(verdictOf({ verdict: "equal-in-200-runs", runs: 200 }), "no difference in 200 runs");
  assert.equal(verdictOf({ verdict: "proved", because: "it is the same", runs: 0 }), "proved: it is the same");
  assert.equal(verdictOf({ verdict: "not-compared", because: "it has no body", runs: 0 }), "not compared: it has no body");
  assert.equal(threadsOf(witness), 16);
  assert.deepEqual(launchOf(witness), [["model", "maximal"], ["grid", "2 × 1 × 1"], ["block", "4 × 2 × 1"], ["subgroup", "4"], ["out", "u32[4]"], ["n", "3"]]);
});

test("each kind of difference has a value on each side", () => {
  const sides = (difference) => [saidOf(difference).before, saidOf(difference).after];
  assert.deepEqual(sides({ kind: "threads", operation: "@b", thread: 1, before: [0, 1, 2], after: [] }), ["0-2", "it is not executed"]);
  assert.deepEqual(sides({ kind: "value", operation: "@b", thread: 1, operand: null, before: "1", after: "2" }), ["1", "2"]);
  assert.equal(saidOf({ kind: "value", operation: "@b", thread: 1, operand: 0, before: "1", after: "2" }).what, "operand 0 that thread 1 passes to @b");
  assert.deepEqual(sides({ kind: "memory", buffer: "out", element: 2, before: "1", after: "2" }), ["1", "2"]);
  assert.deepEqual(sides({ kind: "order", thread: 2, before: "@b", after: "@c" }), ["@b", "@c"]);
  assert.deepEqual(sides({ kind: "trouble", code: "RC0502", message: "it waits" }), ["properly", "RC0502: it waits"]);
});

test("rows are communications, and the end where the difference is behind all of them", () => {
  assert.deepEqual([rowsIn(witness), firstOf(witness)], [2, 2]);
  const ends = { ...witness, before: side(1, step(5, [0])), after: side(1, step(5, [0])) };
  assert.deepEqual([rowsIn(ends), firstOf(ends)], [2, 2]);
});

test("a communication is a step of the timeline: of its line and threads, as often", () => {
  const column = (kind, ir, set) => ({ kind, ir: [ir], set });
  const timeline = { sets: [{ threads: [0, 1] }, { threads: [1] }], columns: [column("code", 5, 0), column("combine", 5, 0), column("combine", 5, 1), column("combine", 5, 0), column("call", 9, 1)] };
  const steps = [step(5, [0, 1]), step(5, [0, 1], 1), step(5, [0, 1]), step(5, [1]), step(9, [1]), step(9, [1])];
  assert.deepEqual([1, 2, 3, 4, 5, 6, 7].map((row) => columnOf(timeline, steps, row)), [2, null, 4, 3, 5, null, null]);
});

test("lines are of the source where that has them", () => {
  const report = { files: [{ path: "a.h" }, { path: "k.cu" }] };
  assert.deepEqual(linesOfStep(report, { ...step(9, [0]), source: { file: "k.cu", line: 3 } }), { file: 1, lines: [3] });
  assert.deepEqual(linesOfStep(report, step(9, [0])), { file: null, lines: [9] });
  assert.deepEqual(linesOfStep(report, undefined), { file: 0, lines: [] });
  assert.deepEqual(linesOfStep({ files: [] }, undefined), { file: null, lines: [] });
});

test("changed lines are those of no longest common part", () => {
  const lines = (text) => text.split("");
  assert.deepEqual(changedLines(lines("abcd"), lines("abcd")), { before: [], after: [] });
  assert.deepEqual(changedLines(lines("axbycd"), lines("abzcd")), { before: [2, 4], after: [3] });
  assert.deepEqual(changedLines([], lines("ab")), { before: [], after: [1, 2] });
  assert.deepEqual(changedLines(lines("aa"), lines("aaa")), { before: [], after: [3] });
});
