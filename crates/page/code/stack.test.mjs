// `node --test`: where everything of a graph is.
import assert from "node:assert/strict";
import { test } from "node:test";
import { linesOf, stack } from "./stack.mjs";

const block = (name, lines, more = {}) => ({ name, line: 1, divergent: false, instructions: lines.map((text, n) => ({ text, line: n + 1 })), ...more });
// entry → loop { header ⟲ } → exit, as the library lays it out.
const graph = {
  blocks: [block("entry", ["a"]), block("header", ["b", "c"], { cycle: 0 }), block("exit", [])],
  edges: [{ from: 0, to: 1 }, { from: 1, to: 1 }, { from: 1, to: 2 }],
  cycles: [{ header: 1, entries: [1], blocks: 1 }],
  layout: {
    containers: [
      { width: 240, rows: 3, items: [{ x: 120, row: 0, block: 0, width: 140 }, { x: 120, row: 2, block: 2, width: 140 }, { x: 120, row: 1, cycle: 0 }] },
      { width: 200, rows: 3, items: [{ x: 90, row: 1, block: 1, width: 140 }, { x: 90, row: 0 }, { x: 90, row: 2 }] },
    ],
    routes: [
      [{ container: 0, items: [0, 2] }, { container: 1, items: [1, 0] }],
      [{ container: 1, items: [0, 0], lane: 0 }],
      [{ container: 1, items: [0, 2] }, { container: 0, items: [2, 1] }],
    ],
  },
};
const inside = (inner, outer) => inner.x >= outer.x && inner.y >= outer.y && inner.x + inner.width <= outer.x + outer.width && inner.y + inner.height <= outer.y + outer.height;

test("blocks stand in their cycles, and edges end at blocks", () => {
  const { blocks, cycles, edges, height } = stack(graph, "ir", new Set());
  assert.ok(inside(blocks[1], cycles[0]));
  assert.ok(blocks[0].y + blocks[0].height < cycles[0].y && cycles[0].y + cycles[0].height < blocks[2].y);
  assert.ok(blocks[2].y + blocks[2].height < height);
  graph.edges.forEach(({ to }, number) => assert.deepEqual(edges[number].end[1], blocks[to].y, `edge ${number}`));
});

test("a folded cycle has nothing in it, and what is below moves up", () => {
  const [open, folded] = [stack(graph, "ir", new Set()), stack(graph, "ir", new Set([0]))];
  assert.equal(folded.blocks[1], null);
  assert.equal(folded.edges[1], null);
  assert.ok(folded.height < open.height);
  assert.equal(folded.edges[0].end[1], folded.cycles[0].y);
  assert.ok(folded.edges[2].path.startsWith(`M120 ${folded.cycles[0].y + folded.cycles[0].height}`));
});

test("blocks without lines are as high as their names", () => {
  assert.deepEqual(linesOf(graph.blocks[0], "names"), []);
  const { blocks } = stack(graph, "names", new Set());
  assert.equal(new Set(blocks.map(({ height }) => height)).size, 1);
});
