// `node --test`: the program of the live page, in links and with its marks.
import assert from "node:assert/strict";
import { test } from "node:test";
import { marksOf, marksOfFindings, nameIn, packed, passSentence, sentenceOf, unpacked } from "./program.mjs";

const QUESTION = { name: "k.cu", language: "cuda", text: "int ü; // <&>\n".repeat(200), target: "", model: "", passes: "inline unroll=2", kernel: "k", grid: "", block: "8", subgroup: "", arguments: ["n=1", "a=u32[2]{1,2}"] };

test("a link has the whole question, and is short", async () => {
  const link = await packed(QUESTION);
  assert.match(link, /^[\w-]+$/);
  assert.ok(link.length < QUESTION.text.length / 4);
  assert.deepEqual(await unpacked(link), QUESTION);
});

test("what is no link is no question", async () => {
  for (const letters of [null, "", "!", "AAAA", "abc", (await packed(QUESTION)).slice(3)]) assert.equal(await unpacked(letters), null, letters);
  const odd = await unpacked(await packed({ ...QUESTION, text: ["a list"], arguments: [1, "n=1"], more: "x" }));
  assert.deepEqual(odd, { ...QUESTION, text: "", arguments: ["n=1"] });
});

test("a link cannot unpack to more than a program has", async () => {
  assert.equal(await unpacked(await packed({ ...QUESTION, text: " ".repeat(2 << 20) })), null);
});

test("names end as their language says", () => {
  assert.equal(nameIn("kernel.cu", "hip"), "kernel.hip");
  assert.equal(nameIn("", "ll"), "kernel.ll");
  assert.equal(nameIn("a.b.cl", "cuda"), "a.b.cu");
});

test("errors are marked where they are, with those before them", () => {
  const wrong = { kind: "source", path: "k.cu", position: { line: 3, column: 2 }, message: "expected a\nb", details: { earlier: [{ kind: "source", path: "k.h", position: { line: 1, column: 1 }, message: "elsewhere", details: null }, { kind: "source", path: "k.cu", position: { line: 1, column: 5 }, message: "first", details: null }] } };
  assert.deepEqual(marksOf(wrong, "k.cu").map(({ line, message }) => [line, message]), [[1, "first"], [3, "expected a\nb"]]);
  assert.equal(sentenceOf(wrong), "line 3: expected a (and 2 more)");
  assert.equal(sentenceOf({ kind: "options", path: "", position: null, message: "grid `0`", details: null }), "grid `0`");
});

test("findings and what is not understood are marked in the input only", () => {
  const report = { input: "k.cu", not_understood: [{ kind: "unsupported", path: "k.cu", position: { line: 2, column: 1 }, message: "m", details: null }],
    check: { diagnostics: [{ line: 4, column: 3, severity: "hint", code: "RC1", message: "n" }, { path: "k.h", line: 4, column: 3, severity: "error", code: "RC2", message: "o" }] } };
  assert.deepEqual(marksOfFindings(report), [{ line: 2, column: 1, severity: "warning", message: "m" }, { line: 4, column: 3, severity: "info", message: "RC1: n" }]);
});

test("what passes did is said, with the first thing that they left", () => {
  assert.equal(passSentence({ pass: "inline", functions: 0, refused: [] }), "inline changed nothing.");
  const refused = [{ function: "@f", rule: "no test says how often it runs" }, { function: "@g", rule: "" }];
  assert.equal(passSentence({ pass: "unroll=2", functions: 1, refused }), "unroll=2 changed 1 function, and left @f as it is: no test says how often it runs (and 1 more).");
});
