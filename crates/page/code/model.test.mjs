// `node --test`: what the page shows of its data.
import assert from "node:assert/strict";
import { test } from "node:test";
import { afterPasses, commandOf, fragmentOf, fragmentOfState, inputOf, irLinesOf, pointsAt, quoted, spotIn, spotOf, stateOf } from "./model.mjs";

const line = (text, more = {}) => ({ text, ...more });
const report = {
  input: "it's.cu",
  files: [
    { path: "it's.cu", lines: [line("kernel"), line("if", { uniform_in: "divergent" })] },
    { path: "part.h", lines: [line("x = y")] },
  ],
  ir: [line("define"), line("icmp", { source: [0, 2] }), line("br", { source: [0, 2] }), line("add", { source: [1, 1] })],
  points: [
    { name: "x", file: "part.h", line: 1 },
    { name: "if (…)", file: "it's.cu", line: 2 },
  ],
};

test("fragments name spots, and only those that there are", () => {
  for (const spot of [{ file: 0, line: 2 }, { file: 1, line: 1 }, { file: null, line: 4 }]) {
    assert.deepEqual(spotOf(report, stateOf(fragmentOf(spot))), spot);
  }
  for (const fragment of ["", "#", "#file=0&line=3", "#file=2&line=1", "#ir&line=0", "#ir&line=5", "#file=0&line=1x", "#file=0", "#line=1"]) {
    assert.equal(spotOf(report, stateOf(fragment)), null, fragment);
  }
});

test("states of views are fragments", () => {
  const fragment = fragmentOfState("graph", { function: "@a b&c", value: null, block: 3 });
  assert.equal(fragment, "#view=graph&function=%40a+b%26c&block=3");
  assert.deepEqual([...stateOf(fragment)], [["view", "graph"], ["function", "@a b&c"], ["block", "3"]]);
});

test("places lie in their files, and those without a file in the input", () => {
  assert.deepEqual(spotIn(report, "part.h", 1), { file: 1, line: 1 });
  assert.deepEqual(spotIn(report, undefined, 2), { file: 0, line: 2 });
  assert.deepEqual(spotIn({ ...report, files: [] }, undefined, 2), { file: null, line: 2 });
});

test("lines of source have their IR and their points", () => {
  assert.deepEqual(irLinesOf(report, { file: 0, line: 2 }), [2, 3]);
  assert.deepEqual(irLinesOf(report, { file: 0, line: 1 }), []);
  assert.deepEqual(pointsAt(report, { file: 1, line: 1 }).map(({ name }) => name), ["x"]);
});

test("commands are words of a shell", () => {
  assert.equal(quoted("a b"), "'a b'");
  assert.equal(quoted("src/a.cu:3"), "src/a.cu:3");
  assert.equal(commandOf(report, null), "reconverge check 'it'\\''s.cu'");
  assert.equal(commandOf(report, { file: 1, line: 1 }), "reconverge uniformity 'it'\\''s.cu' --explain part.h:1");
  const ir = { ...report, input: "k.ll", files: [] };
  assert.equal(commandOf(ir, { file: null, line: 2 }), "reconverge uniformity k.ll --explain k.ll:2");
});

test("behind passes commands read what these write", () => {
  assert.equal(afterPasses(report, "reconverge check x"), "reconverge check x");
  const after = { ...report, passes: [{ pass: "inline", functions: 1, refused: [] }, { pass: "unroll=2,keep-tests", functions: 0, refused: [] }] };
  assert.equal(inputOf(after), "-");
  assert.equal(afterPasses(after, commandOf(after, { file: 1, line: 1 })),
    "reconverge transform inline 'it'\\''s.cu' -o - | reconverge transform unroll=2,keep-tests - -o - | reconverge uniformity - --explain part.h:1");
});
