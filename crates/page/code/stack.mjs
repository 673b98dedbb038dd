// Where everything of a control-flow graph is: the rows of its layout, stacked as high as what is shown in them. What is folded has no rows.
// @ts-check

/** @typedef {{text: string, line: number, last?: number, source?: [string, number], uniform_in?: string, may?: boolean}} GraphLine */
/** @typedef {{name: string, line: number, instructions: GraphLine[], source?: GraphLine[], divergent: boolean, joins?: number[], reconverges?: number[], entry: boolean, cycle?: number}} Block */
/** @typedef {{from: number, to: number, label?: string, temporal: boolean}} Edge */
/** @typedef {{header: number, entries: number[], parent?: number, blocks: number, divergent_exit: boolean, assumed_divergent: boolean}} Cycle */
/** @typedef {{name: string, block?: number, line: number, uniform_in: string, verdict: string, chain: number[]}} GraphPoint */
/** @typedef {{x: number, row: number, width?: number, block?: number, cycle?: number}} Item */
/** @typedef {{container: number, items: number[], lane?: number}} Leg */
/** @typedef {{containers: {width: number, rows: number, items: Item[]}[], routes: Leg[][]}} Layout */
/** @typedef {{token: string, kind: string, line: number, block: string, blocks: {block: string, after_line: number | null, up_to_line: number | null}[]}} Region */
/** @typedef {{name: string, written: string, line: number, kernel: boolean, blocks: Block[], edges: Edge[], cycles: Cycle[], points: GraphPoint[], regions: {regions: Region[]}, joins_complete: boolean, layout: Layout, source_layout?: Layout}} Graph */
/** @typedef {{x: number, y: number, width: number, height: number}} Area */
/** What is shown of blocks: their lines of source, their instructions, or neither. @typedef {"source" | "ir" | "names"} Text */
/** @typedef {{width: number, height: number, blocks: (Area | null)[], cycles: (Area | null)[], edges: ({path: string, area: Area, start: [number, number], end: [number, number]} | null)[]}} Stacked */

export const TITLE = 26;
export const LINE = 18;
const GAP = 28, LANE = 12, BLOCK_END = 7, ROW = 42, HEAD = 8, CYCLE_END = 16, FOLDED = 34;

/** The lines that a block shows. @param {Block} block @param {Text} text */
export function linesOf(block, text) {
  return text === "names" ? [] : text === "source" ? (block.source ?? []) : block.instructions;
}

/** Whether a cycle is inside of a folded one; a folded one itself is not. @param {Graph} graph @param {Set<number>} folded */
function hiddenCycles(graph, folded) {
  /** @type {boolean[]} */
  const hidden = [];
  graph.cycles.forEach(({ parent }, cycle) => (hidden[cycle] = parent !== undefined && (hidden[parent] || folded.has(parent))));
  return hidden;
}

/** @param {Graph} graph @param {Text} text @param {Set<number>} folded Cycles by their numbers. @returns {Stacked} */
export function stack(graph, text, folded) {
  const layout = text === "source" && graph.source_layout ? graph.source_layout : graph.layout;
  const hidden = hiddenCycles(graph, folded);
  const isShut = (/** @type {number} */ container) => container > 0 && (folded.has(container - 1) || hidden[container - 1]);
  const blockHeight = (/** @type {number} */ block) => {
    const lines = linesOf(graph.blocks[block], text).length;
    return TITLE + LINE * lines + (lines ? BLOCK_END : 0);
  };
  /** @type {{spans: [number, number][], height: number}[]} */
  const rows = [];
  for (let number = layout.containers.length - 1; number >= 0; number -= 1) {
    const container = layout.containers[number];
    if (isShut(number)) {
      rows[number] = { spans: [], height: FOLDED };
      continue;
    }
    const heights = new Array(container.rows).fill(0);
    for (const { row, block, cycle } of container.items) {
      const height = block !== undefined ? blockHeight(block) : cycle !== undefined ? rows[cycle + 1].height : 0;
      heights[row] = Math.max(heights[row], height);
    }
    let top = number === 0 ? GAP : HEAD;
    /** @type {[number, number][]} */
    const spans = heights.map((height) => {
      const from = top;
      top += height + ROW;
      return [from, from + height];
    });
    rows[number] = { spans, height: (spans.at(-1)?.[1] ?? top) + (number === 0 ? GAP : CYCLE_END) };
  }
  /** @type {[number, number][]} */
  const origins = [[0, 0]];
  /** @type {(Area | null)[]} */
  const blocks = graph.blocks.map(() => null);
  /** @type {(Area | null)[]} */
  const cycles = graph.cycles.map(() => null);
  layout.containers.forEach((container, number) => {
    if (isShut(number)) return;
    const [left, top] = origins[number];
    for (const { x, row, block, cycle, width = 0 } of container.items) {
      const y = top + rows[number].spans[row][0];
      if (block !== undefined) {
        blocks[block] = { x: left + x - width / 2, y, width, height: blockHeight(block) };
      } else if (cycle !== undefined) {
        const around = layout.containers[cycle + 1].width;
        cycles[cycle] = { x: left + x - around / 2, y, width: around, height: rows[cycle + 1].height };
        origins[cycle + 1] = [left + x - around / 2, y];
      }
    }
  });
  const starts = startsOf(graph, layout, origins, blocks);
  const edges = layout.routes.map((route, number) => {
    const legs = route.filter(({ container }) => !isShut(container));
    return legs.length ? drawn(legs, starts[number], layout, rows, origins, blocks, cycles) : null;
  });
  return { width: layout.containers[0].width + GAP, height: rows[0].height, blocks, cycles, edges };
}

/** How far from the middle of its block each edge begins, so that those of a branch can be told apart.
 * @param {Graph} graph @param {Layout} layout @param {[number, number][]} origins @param {(Area | null)[]} blocks */
function startsOf(graph, layout, origins, blocks) {
  const starts = layout.routes.map(() => 0);
  /** @type {number[][]} */
  const leaving = graph.blocks.map(() => []);
  graph.edges.forEach(({ from }, number) => leaving[from].push(number));
  const first = (/** @type {number} */ edge) => {
    const [{ container, items, lane }, next] = layout.routes[edge];
    const item = layout.containers[container].items[items[1]];
    // Into an open cycle, that is the port of the edge.
    const inside = item.cycle !== undefined && next && origins[next.container] ? origins[next.container][0] + layout.containers[next.container].items[next.items[0]].x : null;
    return lane === undefined ? (inside ?? origins[container][0] + item.x) : Infinity;
  };
  leaving.forEach((edges, block) => {
    if (!blocks[block]) return;
    const step = Math.min(64, (blocks[block]?.width ?? 0) / (edges.length + 1));
    const sorted = [...edges].sort((one, other) => (first(one) === first(other) ? one - other : first(one) - first(other)));
    sorted.forEach((edge, place) => (starts[edge] = (place - (edges.length - 1) / 2) * step));
  });
  return starts;
}

/** The path of an edge through the containers that are open.
 * @param {Leg[]} legs @param {number} start @param {Layout} layout @param {{spans: [number, number][], height: number}[]} rows @param {[number, number][]} origins
 * @param {(Area | null)[]} blocks @param {(Area | null)[]} cycles */
function drawn(legs, start, layout, rows, origins, blocks, cycles) {
  const itemOf = (/** @type {number} */ container, /** @type {number} */ item) => layout.containers[container].items[item];
  const xOf = (/** @type {number} */ container, /** @type {number} */ item) => origins[container][0] + itemOf(container, item).x;
  const rowOf = (/** @type {number} */ container, /** @type {number} */ item) =>
    rows[container].spans[itemOf(container, item).row].map((at) => at + origins[container][1]);
  const first = itemOf(legs[0].container, legs[0].items[0]);
  const area = first.block !== undefined ? blocks[first.block] : first.cycle !== undefined ? cycles[first.cycle] : null;
  let x = xOf(legs[0].container, legs[0].items[0]) + (first.block !== undefined ? start : 0);
  let y = area ? area.y + area.height : rowOf(legs[0].container, legs[0].items[0])[0];
  const begin = [x, y];
  const box = { left: x, right: x, top: y, bottom: y };
  const round = (/** @type {number} */ number) => Math.round(number * 10) / 10;
  let path = `M${round(x)} ${round(y)}`;
  const reach = (/** @type {number} */ toX, /** @type {number} */ toY) => {
    box.left = Math.min(box.left, toX);
    box.right = Math.max(box.right, toX);
    box.top = Math.min(box.top, toY);
    box.bottom = Math.max(box.bottom, toY);
    [x, y] = [toX, toY];
  };
  const down = (/** @type {number} */ to) => {
    if (to <= y) return;
    path += `V${round(to)}`;
    reach(x, to);
  };
  legs.forEach(({ container, items, lane }, place) => {
    const bottom = rowOf(container, items[0])[1];
    const next = legs[place + 1];
    down(bottom);
    if (lane !== undefined) {
      const [under, at] = [bottom + 9, origins[container][0] + layout.containers[container].width - GAP / 2 - LANE * lane];
      const header = items[items.length - 1];
      const [top, to] = [rowOf(container, header)[0], xOf(container, header)];
      const over = top - 12;
      const r = 7;
      const numbers = (/** @type {number[]} */ ...list) => list.map(round).join(" ");
      path += `V${round(under - r)}Q${numbers(x, under, x + r, under)}H${round(at - r)}Q${numbers(at, under, at, under - r)}V${round(over + r)}`;
      path += `Q${numbers(at, over, at - r, over)}H${round(to + r)}Q${numbers(to, over, to, over + r)}V${round(top)}`;
      reach(at, under);
      reach(to, over);
      reach(to, top);
      return;
    }
    for (const item of items.slice(1)) {
      const { block, cycle } = itemOf(container, item);
      const [top, end] = rowOf(container, item);
      const to = cycle !== undefined && next ? xOf(next.container, next.items[0]) : xOf(container, item);
      const bend = (top - y) * 0.7;
      path += `C${round(x)} ${round(y + bend)} ${round(to)} ${round(top - bend)} ${round(to)} ${round(top)}`;
      reach(to, top);
      if (block === undefined && cycle === undefined) down(end);
    }
    if (next && next.container < container) down(origins[container][1] + rows[container].height);
  });
  return { path, area: { x: box.left, y: box.top, width: box.right - box.left, height: box.bottom - box.top }, start: /** @type {[number, number]} */ ([begin[0], begin[1]]), end: /** @type {[number, number]} */ ([x, y]) };
}
