// Control flow: the blocks of a function where the layout has them, and of a chosen value the way back to where threads differ. Only what is in sight has elements.
// @ts-check
import { LETTERS, atStep, fragmentOf, fragmentOfState, inputOf, pointsAt, quoted, setOf, spotIn } from "./model.mjs";
import { byId, go, make, note } from "./frame.mjs";
import { LINE, TITLE, linesOf, stack } from "./stack.mjs";
import { Sight } from "./sight.mjs";
import { svgElement } from "./drawing.mjs";
import { followed } from "./stepper.mjs";
import { blocksAt } from "./timeline.mjs";

/** @typedef {import("./stack.mjs").Graph} Graph */
/** @typedef {import("./stack.mjs").Text} Text */
/** @typedef {{function: string, text: Text, line: number | null, fold: Set<number>, find: string, region: string, moment: import("./timeline.mjs").Moment | null, executed: number[]}} Shown */

/** From how many blocks on the outermost cycles are folded until somebody unfolds them. */
const MANY = 600;
/** @type {import("./model.mjs").Report} */
let report;
/** @type {any} */
let ui;
/** @type {Graph} */
let graph;
/** @type {Shown} */
let shown;
/** @type {import("./stack.mjs").Stacked} */
let stacked;
/** @type {Sight} */
let sight;
/** The elements of blocks and edges that are in sight, by their numbers. @type {{blocks: Map<number, any>, edges: Map<number, any>}} */
const drawn = { blocks: new Map(), edges: new Map() };
/** What is lit: lines of IR, blocks, and edges with the path that they are on. @type {{lines: Set<number>, blocks: Set<number>, edges: Map<number, string>, origin: number | null}} */
let lit = { lines: new Set(), blocks: new Set(), edges: new Map(), origin: null };
/** The block and the line in it, from 0 for its name, that the keyboard is at. @type {[number, number]} */
let at = [0, 0];

/** What a state says. Where it is at another step than what was shown before, it is about the function of that step. @param {URLSearchParams} said @param {Shown | undefined} before @returns {Shown} */
function read(said, before) {
  const graphs = report.graphs;
  const moment = ui.followed.show(said);
  const here = moment && blocksAt(report, moment.column);
  const isFollowed = here && before && before.moment?.column !== moment.column && said.get("function") !== here.graph.name;
  const state = isFollowed ? new URLSearchParams({ function: here.graph.name, text: said.get("text") ?? "" }) : said;
  const found = graphs.find(({ name }) => name === state.get("function")) ?? here?.graph ?? graphs.find(({ kernel }) => kernel) ?? graphs[0];
  const hasSource = found.source_layout !== undefined;
  const text = /** @type {Text} */ (["source", "ir", "names"].find((one) => one === state.get("text") && (one !== "source" || hasSource)) ?? (hasSource ? "source" : "ir"));
  const line = Number(state.get("line"));
  const headers = state.get("fold")?.split(",");
  const isFolded = (/** @type {import("./stack.mjs").Cycle} */ cycle) =>
    headers ? headers.includes(found.blocks[cycle.header].name) : cycle.parent === undefined && found.blocks.length > MANY;
  return {
    function: found.name, text, line: line > 0 ? line : null, find: state.get("find") ?? "", region: state.get("region") ?? "", moment, executed: here?.graph === found ? here.blocks : [],
    fold: new Set(found.cycles.flatMap((cycle, number) => (isFolded(cycle) ? [number] : []))),
  };
}

/** The fragment of what is shown, with something changed. @param {Partial<Shown>} changes */
function fragment(changes) {
  const { function: name, text, line, fold, find, region } = { ...shown, ...changes };
  const usual = graph.cycles.every((cycle, number) => fold.has(number) === (cycle.parent === undefined && graph.blocks.length > MANY));
  const headers = [...fold].map((cycle) => graph.blocks[graph.cycles[cycle].header].name).join(",");
  return fragmentOfState("graph", { function: name, text, line, fold: usual ? null : headers, find: find || null, region: region || null });
}

/** Shows a state, and answers the command that says the same. @param {URLSearchParams} state */
function show(state) {
  const before = shown;
  shown = read(state, before);
  graph = /** @type {Graph} */ (report.graphs.find(({ name }) => name === shown.function));
  const block = shown.line === null ? -1 : blockOf(shown.line);
  // What is chosen can be seen.
  for (const one of [block, ...shown.executed]) {
    for (let cycle = graph.blocks[one]?.cycle; cycle !== undefined; cycle = graph.cycles[cycle].parent) shown.fold.delete(cycle);
  }
  const isOther = before?.function !== shown.function;
  if (isOther) {
    at = [0, 0];
    fillRegions();
  }
  ui.function.value = shown.function;
  ui.text.value = shown.text;
  ui.region.value = shown.region;
  if (document.activeElement !== ui.find) ui.find.value = shown.find;
  ui.region.hidden = graph.regions.regions.length === 0;
  byId("graph-region-label").hidden = ui.region.hidden;
  ui.text.querySelector('[value="source"]').hidden = graph.source_layout === undefined;
  ui.fold.disabled = ui.unfold.disabled = graph.cycles.length === 0;
  stacked = stack(graph, shown.text, shown.fold);
  lit = lights();
  drawn.blocks.forEach((element) => element.remove());
  drawn.edges.forEach((element) => element.remove());
  drawn.blocks.clear();
  drawn.edges.clear();
  drawCycles();
  sight.resize(stacked, graph.blocks.map(({ divergent }) => divergent));
  if (isOther) sight.start();
  if (block >= 0 && (isOther || shown.line !== before.line)) {
    at = [block, Math.max(0, linesOf(graph.blocks[block], shown.text).findIndex((line) => isOn(line, shown.line)) + 1)];
    reveal();
  } else if (shown.executed.length && (isOther || shown.moment?.column !== before.moment?.column)) {
    sight.reveal(/** @type {import("./stack.mjs").Area} */ (stacked.blocks[shown.executed[0]]));
  }
  if (state.has("function") && state.get("function") !== shown.function) note(fragment({}));
  fillFound();
  draw();
  describe();
  return commandOf();
}

function commandOf() {
  const input = inputOf(report);
  if (shown.line === null) {
    const text = shown.text === "ir" && graph.source_layout ? " --text ir" : "";
    return `reconverge cfg ${input} --function ${quoted(graph.written)} --format svg${text}`;
  }
  const source = graph.blocks[blockOf(shown.line)]?.instructions.find(({ line }) => line === shown.line)?.source;
  const place = source ? source.join(":") : `${report.passes ? "" : report.input}:${shown.line}`;
  return report.files.length && !source ? `reconverge cfg ${input} --function ${quoted(graph.written)} --format svg` : `reconverge uniformity ${input} --explain ${quoted(place)}`;
}

/** The block of a line of IR. @param {number} line */
function blockOf(line) {
  return graph.blocks.findIndex(({ instructions }) => instructions.length > 0 && instructions[0].line <= line && line <= instructions[instructions.length - 1].line);
}

/** Whether a line of a block is, or was made into, a line of IR. @param {import("./stack.mjs").GraphLine} shownLine @param {number | null} line */
function isOn(shownLine, line) {
  return line !== null && shownLine.line <= line && line <= (shownLine.last ?? shownLine.line);
}

/** What is known of a line of IR. @param {number | null} line */
function pointsOn(line) {
  return graph.points.filter((point) => point.line === line);
}

/** What the chain of the chosen line goes by. */
function lights() {
  const found = { lines: new Set(), blocks: new Set(), edges: new Map(), origin: /** @type {number | null} */ (null) };
  const numbers = new Map(graph.blocks.map(({ name }, number) => [name, number]));
  const edges = new Map(graph.edges.map(({ from, to }, number) => [`${from} ${to}`, number]));
  const point = pointsOn(shown.line).sort((one, other) => other.chain.length - one.chain.length)[0];
  if (!point) return found;
  found.lines.add(point.line);
  if (point.block !== undefined) found.blocks.add(point.block);
  const light = (/** @type {number[]} */ path, /** @type {string} */ which) => path.forEach((block, place) => {
    found.blocks.add(block);
    const edge = edges.get(`${block} ${path[place + 1]}`);
    if (edge !== undefined) found.edges.set(edge, found.edges.has(edge) && found.edges.get(edge) !== which ? "both" : which);
  });
  for (const step of point.chain.map((number) => report.steps[number])) {
    found.lines.add(step.line);
    found.origin = step.line;
    const block = step.block === null || step.block === undefined ? undefined : numbers.get(step.block);
    if (block !== undefined) found.blocks.add(block);
    step.paths?.forEach((path, which) => light(path.flatMap((name) => numbers.get(name) ?? []), "ab"[which]));
  }
  waysOf(point.block, point.line)?.forEach((path, which) => light(path, "ab"[which]));
  return found;
}

/** Of a divergent branch: the shortest ways from its first two successors to where all are together again. @param {number | undefined} block @param {number} line */
function waysOf(block, line) {
  if (block === undefined || !graph.blocks[block].divergent || graph.blocks[block].instructions.at(-1)?.line !== line) return null;
  const meeting = graph.blocks.findIndex(({ reconverges = [] }) => reconverges.includes(block));
  const after = (/** @type {number} */ from) => graph.edges.filter((edge) => edge.from === from).map(({ to }) => to);
  return after(block).slice(0, 2).map((first) => {
    const before = new Map([[first, block]]);
    const open = [first];
    for (const one of open) {
      if (one === meeting) break;
      after(one).filter((to) => !before.has(to)).forEach((to) => (before.set(to, one), open.push(to)));
    }
    const path = [];
    for (let at = before.has(meeting) ? meeting : first; at !== block; at = before.get(at) ?? block) path.unshift(at);
    return [block, ...path];
  });
}

/** What is said of a block behind its name. @param {number} number @returns {[string, string, string][]} */
function marksOf(number) {
  const { divergent, joins = [], reconverges = [] } = graph.blocks[number];
  const names = (/** @type {number[]} */ list) => list.map((block) => graph.blocks[block].name).join(", ");
  /** @type {[string, string, string][]} */
  const marks = [];
  if (divergent) marks.push(["diverges", "divergent", "threads of a subgroup may take different paths from here"]);
  if (reconverges.length) marks.push(["reconverges", "meets", `threads that diverge in ${names(reconverges)} are together again here at the latest`]);
  else if (joins.length) marks.push(["join", "meets", `threads that diverge in ${names(joins)} may meet here`]);
  if (graph.blocks[number].entry) marks.push(["entry", "entry", "one of several entries of an irreducible cycle"]);
  return marks;
}

/** The element of a block. @param {number} number */
function blockElement(number) {
  const block = graph.blocks[number];
  const area = /** @type {import("./stack.mjs").Area} */ (stacked.blocks[number]);
  const marks = marksOf(number);
  const name = make("div", { class: "name", role: "button", tabindex: "-1", "data-row": "0" }, make("b", {}, block.name),
    ...marks.map(([word, kind, why]) => make("span", { class: `badge ${kind}`, title: why }, word)));
  name.setAttribute("aria-label", [`block ${block.name}`, ...marks.map(([word]) => word)].join(", "));
  const rows = linesOf(block, shown.text).map((line, row) => {
    const set = line.uniform_in;
    const element = make("div", { class: "row", role: "button", tabindex: "-1", "data-row": String(row + 1), "data-line": String(line.line), title: line.text }, line.text);
    element.setAttribute("aria-label", [line.text, setOf(line)].filter(Boolean).join(", "));
    element.setAttribute("aria-pressed", String(isOn(line, shown.line)));
    if (set) element.setAttribute("data-set", set);
    if (line.may) element.setAttribute("data-may", "");
    const isLit = [...lit.lines].some((one) => isOn(line, one));
    element.classList.toggle("lit", isLit);
    element.classList.toggle("origin", isOn(line, lit.origin));
    element.classList.toggle("chosen", isOn(line, shown.line));
    element.classList.toggle("found", shown.find !== "" && line.text.toLowerCase().includes(shown.find.toLowerCase()));
    return element;
  });
  const column = shown.executed.includes(number) ? shown.moment?.column : undefined;
  const classes = ["block", block.divergent && "divergent", lit.blocks.has(number) && "on-path", column && `at s${column.set % 8}`].filter(Boolean).join(" ");
  const element = make("div", { class: classes, role: "group", "aria-label": `block ${block.name}`, "data-block": String(number) }, name, ...rows, ...outlines(number));
  if (column) {
    const set = shown.moment?.timeline.sets[column.set];
    element.setAttribute("aria-current", "step");
    name.append(make("span", { class: "badge executes", title: `threads ${set?.name} execute it at this step` }, set?.letter ?? ""));
  }
  element.style.cssText = `left:${area.x}px;top:${area.y}px;width:${area.width}px;height:${area.height}px`;
  return element;
}

/** The outline of the chosen token's region in a block. @param {number} number */
function outlines(number) {
  const region = graph.regions.regions.find(({ token }) => token === shown.region);
  const block = graph.blocks[number];
  const part = region?.blocks.find((one) => one.block === block.name);
  if (!part) return [];
  const lines = linesOf(block, shown.text);
  const isIn = (/** @type {import("./stack.mjs").GraphLine} */ { line, last = line }) => last > (part.after_line ?? 0) && line <= (part.up_to_line ?? Infinity);
  const rows = lines.flatMap((line, row) => (isIn(line) ? [row] : []));
  const [first, last] = rows.length ? [rows[0], rows[rows.length - 1]] : [-1, -1];
  const top = part.after_line === null ? 2 : TITLE + LINE * first - 1;
  const outline = make("div", { class: "region", "aria-hidden": "true" });
  outline.style.cssText = `top:${top}px;height:${TITLE + LINE * (last + 1) - top + 2}px`;
  return [outline];
}

function edgeElement(/** @type {number} */ number) {
  const { from, temporal, label } = graph.edges[number];
  const which = lit.edges.get(number);
  const classes = ["edge", graph.blocks[from].divergent && "divergent", temporal && "temporal", which && `path-${which}`].filter(Boolean);
  const end = `url(#arrow${which ? `-${which}` : graph.blocks[from].divergent ? "-divergent" : ""})`;
  const group = svgElement("g", {});
  group.append(svgElement("path", { d: /** @type {any} */ (stacked.edges[number]).path, class: classes.join(" "), "data-edge": number, "marker-end": end }));
  if (label && stacked.blocks[from]) {
    const [x, y] = /** @type {any} */ (stacked.edges[number]).start;
    const area = /** @type {import("./stack.mjs").Area} */ (stacked.blocks[from]);
    // Between the edges of a branch.
    const isRight = x > area.x + area.width / 2;
    group.append(svgElement("text", { x: x + (isRight ? -5 : 5), y: y + 13, "text-anchor": isRight ? "end" : "start" }, label));
  }
  return group;
}

function drawCycles() {
  ui.cycles.replaceChildren(...stacked.cycles.flatMap((area, number) => {
    if (!area) return [];
    const cycle = graph.cycles[number];
    const isFolded = shown.fold.has(number);
    const name = graph.blocks[cycle.header].name;
    const said = [`cycle ${name}`, cycle.entries.length > 1 && "irreducible", isFolded && `${cycle.blocks} ${cycle.blocks === 1 ? "block" : "blocks"}`].filter(Boolean).join(", ");
    const label = make("button", { type: "button", "aria-expanded": String(!isFolded), "data-cycle": String(number), title: isFolded ? "Unfold" : "Fold" }, said);
    const said2 = cycle.divergent_exit ? [make("span", { class: "badge divergent", title: "converged threads may leave this cycle in different iterations: what is computed in it is then from different iterations" }, "temporal divergence")] : [];
    if (cycle.assumed_divergent) said2.push(make("span", { class: "badge divergent", title: "who is converged here depends on the cycle hierarchy, so all that varies in it counts as divergent" }, "assumed divergent"));
    const classes = ["cycle", cycle.divergent_exit && "open", isFolded && "folded", cycle.entries.length > 1 && "irreducible"].filter(Boolean).join(" ");
    const element = make("div", { class: classes }, make("div", { class: "cycle-name" }, label, ...said2));
    element.style.cssText = `left:${area.x}px;top:${area.y}px;width:${area.width}px;height:${area.height}px`;
    return [element];
  }));
}

/** Makes the elements of what is in sight, and takes those of what is not. */
function draw() {
  const isNear = sight.near();
  const keep = document.activeElement?.closest?.("[data-block]");
  stacked.blocks.forEach((area, number) => {
    const element = drawn.blocks.get(number);
    const isWanted = area !== null && (isNear(area) || (keep && element === keep));
    if (isWanted && !element) {
      const made = blockElement(number);
      drawn.blocks.set(number, made);
      ui.blocks.append(made);
    } else if (!isWanted && element) {
      drawn.blocks.delete(number);
      element.remove();
    }
  });
  stacked.edges.forEach((edge, number) => {
    const element = drawn.edges.get(number);
    const isWanted = edge !== null && isNear(edge.area);
    if (isWanted && !element) {
      const made = edgeElement(number);
      drawn.edges.set(number, made);
      ui.edges.append(made);
    } else if (!isWanted && element) {
      drawn.edges.delete(number);
      element.remove();
    }
  });
  ui.world.classList.toggle("has-lit", lit.blocks.size > 0);
  ui.blocks.querySelectorAll('[tabindex="0"]').forEach((/** @type {any} */ element) => (element.tabIndex = -1));
  const here = elementAt(at);
  if (here) here.tabIndex = 0;
  ui.scroller.tabIndex = here ? -1 : 0;
}

/** The element of a line of a block, if it is there. @param {[number, number]} place */
function elementAt([block, row]) {
  return drawn.blocks.get(block)?.querySelector(`[data-row="${row}"]`) ?? null;
}

/** Brings what the keyboard is at into sight. */
function reveal() {
  const area = stacked.blocks[at[0]];
  if (area) sight.reveal({ x: area.x, y: area.y + (at[1] === 0 ? 0 : TITLE + LINE * (at[1] - 1)), width: area.width, height: LINE + 8 });
}

/** @param {[number, number]} place */
function focusOn(place) {
  at = place;
  reveal();
  draw();
  elementAt(at)?.focus({ preventScroll: true });
}

/** The first line of IR in a shown line that says most of it: a divergent branch, else a divergent value. @param {number} block @param {number} row */
function lineOf(block, row) {
  const line = linesOf(graph.blocks[block], shown.text)[row - 1];
  const points = graph.points.filter((point) => point.block === block && (line ? isOn(line, point.line) : true));
  const best = [...points].sort((one, other) => other.chain.length - one.chain.length)[0];
  const branch = graph.blocks[block].instructions.at(-1);
  if (!line) return graph.blocks[block].divergent ? (branch?.line ?? null) : null;
  return best?.line ?? line.line;
}

/** Chooses a line, or gives the choice up. @param {number} block @param {number} row */
function choose(block, row) {
  at = [block, row];
  const line = lineOf(block, row);
  go(fragment({ line: line === shown.line ? null : line }));
}

/** Keys between blocks and their lines. @param {KeyboardEvent} event */
function onKey(event) {
  const [block, row] = at;
  const rows = linesOf(graph.blocks[block], shown.text).length;
  const seen = (/** @type {number | undefined} */ number) => (number !== undefined && stacked.blocks[number] ? number : undefined);
  const to = () => graph.edges.filter(({ from }) => from === block).map((edge) => seen(edge.to)).find((one) => one !== undefined);
  const from = () => graph.edges.filter((edge) => edge.to === block).map((edge) => seen(edge.from)).find((one) => one !== undefined);
  const beside = (/** @type {number} */ sign) => {
    const here = /** @type {import("./stack.mjs").Area} */ (stacked.blocks[block]);
    let best, least = Infinity;
    stacked.blocks.forEach((area, number) => {
      if (!area || number === block || Math.sign(area.x + area.width / 2 - here.x - here.width / 2) !== sign) return;
      const apart = Math.abs(area.x - here.x) + 4 * Math.max(0, area.y - here.y - here.height, here.y - area.y - area.height);
      if (apart < least) [best, least] = [number, apart];
    });
    return best;
  };
  /** @type {[number | undefined, number] | undefined} */
  const next = {
    ArrowDown: () => /** @type {[number | undefined, number]} */ (row < rows ? [block, row + 1] : [to(), 0]),
    ArrowUp: () => /** @type {[number | undefined, number]} */ (row > 0 ? [block, row - 1] : [from(), 0]),
    ArrowRight: () => /** @type {[number | undefined, number]} */ ([beside(1), 0]),
    ArrowLeft: () => /** @type {[number | undefined, number]} */ ([beside(-1), 0]),
    Home: () => /** @type {[number | undefined, number]} */ ([stacked.blocks.findIndex(Boolean), 0]),
    End: () => /** @type {[number | undefined, number]} */ ([stacked.blocks.findLastIndex(Boolean), 0]),
  }[event.key]?.();
  if (next) {
    if (next[0] !== undefined) focusOn([next[0], next[1]]);
  } else if (event.key === "Enter" || event.key === " ") {
    choose(block, row);
  } else if (event.key === "Escape") {
    go(fragment({ line: null }));
  } else if ("+-0".includes(event.key)) {
    sight.zoom({ "+": 1.25, "-": 0.8 }[event.key] ?? 0);
  } else if (event.key === "/") {
    ui.find.focus();
  } else {
    return;
  }
  event.preventDefault();
}

/** The places where something that is looked for stands. @returns {[number, number][]} */
function places() {
  const asked = shown.find.toLowerCase();
  if (!asked) return [];
  return graph.blocks.flatMap((block, number) => {
    const lines = [block.name, ...linesOf(block, shown.text).map(({ text }) => text)];
    return lines.flatMap((text, row) => (text.toLowerCase().includes(asked) ? [/** @type {[number, number]} */ ([number, row])] : []));
  });
}

function fillFound() {
  const found = places();
  ui.found.textContent = shown.find ? `${found.length} found` : "";
}

/** Goes on to the next place, which may be in a folded cycle. */
function findNext() {
  const found = places();
  if (!found.length) return;
  const isBehind = ([block, row]) => block > at[0] || (block === at[0] && row > at[1]);
  const next = found.find(isBehind) ?? found[0];
  const fold = new Set(shown.fold);
  for (let cycle = graph.blocks[next[0]].cycle; cycle !== undefined; cycle = graph.cycles[cycle].parent) fold.delete(cycle);
  at = next;
  if (fold.size !== shown.fold.size) {
    history.replaceState(null, "", fragment({ fold }));
    show(new URLSearchParams(location.hash.slice(1)));
  }
  reveal();
  draw();
  ui.found.textContent = `${found.indexOf(next) + 1} of ${found.length}: ${graph.blocks[next[0]].name}`;
  elementAt(at)?.classList.add("here");
}

function fillRegions() {
  const regions = graph.regions.regions.map(({ token, kind, block }) => make("option", { value: token }, `${token} (${kind} in ${block})`));
  ui.region.replaceChildren(make("option", { value: "" }, "none"), ...regions);
}

/** Says beside the graph what is chosen, and why it is divergent. */
function describe() {
  const points = pointsOn(shown.line);
  const line = graph.blocks[blockOf(shown.line ?? 0)]?.instructions.find((one) => one.line === shown.line);
  const spot = line?.source && shown.text === "source" ? spotIn(report, line.source[0], line.source[1]) : null;
  const ofSource = spot ? pointsAt(report, spot).filter((point) => point.function === graph.name) : [];
  const cards = ofSource.length ? ofSource : points;
  ui.title.textContent = shown.line === null ? "Function" : spot ? `Line ${spot.line}` : `Line ${shown.line} of the IR`;
  if (shown.line === null) {
    const count = (/** @type {number} */ number, /** @type {string} */ what) => `${number} ${what}${number === 1 ? "" : "s"}`;
    const divergent = graph.blocks.filter((block) => block.divergent).length;
    ui.said.replaceChildren(make("p", {}, make("b", {}, graph.written), `: ${count(graph.blocks.length, "block")}, ${count(graph.cycles.length, "cycle")}, ${count(divergent, "divergent branch").replace(/branchs$/, "branches")}.`),
      make("p", { class: "soft" }, "Choose a line: what it depends on lights up, back to where threads differ. The arrow keys go from line to line and from block to block, Enter chooses, + and - zoom, / searches."));
    if (!graph.joins_complete) ui.said.append(make("p", { class: "soft" }, "The function is large: joins are marked at some divergent branches only, reconvergence points at all."));
    return;
  }
  const goBack = spot ? make("p", {}, make("a", { href: fragmentOf(spot) }, "Show it in the source")) : null;
  const nothing = make("p", { class: "soft" }, "Nothing is computed or decided here.");
  ui.said.replaceChildren(...(cards.length ? cards.map((point) => card(point, spot !== null)) : [nothing]), ...pathList(points), ...(goBack ? [goBack] : []));
}

/** @param {any} point @param {boolean} isSource */
function card(point, isSource) {
  const title = make("h3", { "data-set": point.uniform_in }, make("span", { class: "set" }, `${LETTERS[point.uniform_in]} `), point.name);
  const steps = point.chain.map((/** @type {number} */ number) => report.steps[number]).filter((/** @type {any} */ { line }) => line > 0);
  const item = (/** @type {any} */ step) => {
    const href = isSource ? fragmentOf(spotIn(report, step.file, step.line)) : fragment({ line: step.line });
    return make("li", {}, make("a", { href }, `line ${step.line}`), ` ${step.name}: ${step.message}`);
  };
  const result = make("article", {}, title, make("p", {}, point.verdict));
  if (steps.length) result.append(make("ol", { class: "chain" }, ...steps.map(item)));
  return result;
}

/** The two paths of each step that has them. @param {import("./stack.mjs").GraphPoint[]} points */
function pathList(points) {
  const point = [...points].sort((one, other) => other.chain.length - one.chain.length)[0];
  const steps = (point?.chain ?? []).map((number) => report.steps[number]).flatMap(({ paths }) => (paths ? [paths] : []));
  const ways = point && waysOf(point.block, point.line);
  const names = ways?.map((way) => way.map((block) => graph.blocks[block].name));
  return [...(names ? [names] : []), ...steps].map((paths) => make("article", { class: "paths" }, make("h3", {}, "Two paths that threads take"),
    ...paths.map((path, which) => make("p", { class: `path-${"ab"[which]}` }, path.join(" → ")))));
}

/** Makes the panel. @param {HTMLElement} panel @param {import("./model.mjs").Report} shownReport @param {AbortSignal} signal */
function open(panel, shownReport, signal) {
  report = shownReport;
  shown = /** @type {any} */ (undefined);
  const option = (/** @type {string} */ value, /** @type {string} */ text) => make("option", { value }, text);
  const button = (/** @type {string} */ name, /** @type {string} */ text) => make("button", { type: "button", "aria-label": name, title: name }, text);
  ui = {
    followed: followed("graph-step", report, (moment) => atStep(fragment({}), moment)),
    function: make("select", { id: "graph-function" }, ...report.graphs.map(({ name, written, kernel }) => option(name, kernel ? `${written} (kernel)` : written))),
    text: make("select", { id: "graph-text" }, option("source", "source"), option("ir", "IR"), option("names", "names only")),
    region: make("select", { id: "graph-region" }),
    find: make("input", { id: "graph-find", type: "search", placeholder: "Search", "aria-label": "Search in the graph", autocomplete: "off" }),
    found: make("output", { class: "soft", "aria-live": "polite" }),
    fold: button("Fold all cycles", "Fold"), unfold: button("Unfold all cycles", "Unfold"),
    out: button("Zoom out", "−"), level: make("output", { class: "soft", "aria-label": "Zoom" }), in: button("Zoom in", "+"), fit: button("Fit the graph to the window", "Fit"),
    scroller: make("div", { class: "scroller", role: "region", "aria-label": "Control flow" }),
    sizer: make("div", { class: "sizer" }), world: make("div", { class: "world" }),
    cycles: make("div", { class: "cycles" }), blocks: make("div", { class: "blocks" }), edges: svgElement("svg", {}),
    map: make("canvas", { class: "map", "aria-hidden": "true" }), window: make("div", { class: "window", "aria-hidden": "true" }),
    title: make("h2", { id: "graph-title" }), said: make("div", { id: "graph-said", "aria-live": "polite" }),
  };
  ui.edges.setAttribute("aria-hidden", "true");
  ui.edges.innerHTML = ["", "-divergent", "-a", "-b", "-both"].map((kind) => `<marker id="arrow${kind}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="9" markerHeight="9" markerUnits="userSpaceOnUse" orient="auto"><path class="head${kind}" d="M0 0L8 4L0 8z"/></marker>`).join("");
  ui.world.append(ui.cycles, ui.edges, ui.blocks);
  ui.sizer.append(ui.world);
  ui.scroller.append(ui.sizer);
  const label = (/** @type {string} */ text, /** @type {any} */ control) => make("label", { for: control.id, id: `${control.id}-label` }, `${text} `, control);
  const bar = make("div", { class: "bar", role: "toolbar", "aria-label": "Graph" }, label("Function", ui.function), label("Blocks show", ui.text), label("Region of", ui.region),
    ui.find, ui.found, make("span", { class: "space" }), ui.fold, ui.unfold, ui.out, ui.level, ui.in, ui.fit);
  const key = make("ul", { class: "key" }, ...[["divergent", "a branch at which threads diverge"], ["temporal", "an exit that threads take in different iterations"], ["cycle-key", "a cycle; dots around an irreducible one"], ["meets", "where threads may meet: a join, the reconvergence point"], ["path-a", "of a chosen value: one path"], ["path-b", "the other path"], ["lit-key", "what the value depends on"]]
    .map(([kind, text]) => make("li", {}, make("i", { class: kind }), text)));
  panel.classList.add("sets");
  panel.append(bar, ui.followed.element, make("div", { class: "canvas" }, ui.scroller, ui.map, ui.window),
    make("aside", { "aria-labelledby": "graph-title" }, make("section", {}, ui.title, ui.said), make("section", { "aria-labelledby": "graph-key" }, make("h2", { id: "graph-key" }, "What is drawn"), key)));

  sight = new Sight(ui, draw, signal);
  ui.function.addEventListener("change", () => go(fragmentOfState("graph", { function: ui.function.value })));
  ui.text.addEventListener("change", () => go(fragment({ text: ui.text.value })));
  ui.region.addEventListener("change", () => go(fragment({ region: ui.region.value })));
  ui.find.addEventListener("input", () => {
    note(fragment({ find: ui.find.value }));
    show(new URLSearchParams(location.hash.slice(1)));
  });
  ui.find.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => event.key === "Enter" && findNext());
  ui.fold.addEventListener("click", () => go(fragment({ fold: new Set(graph.cycles.keys()), line: null })));
  ui.unfold.addEventListener("click", () => go(fragment({ fold: new Set() })));
  ui.cycles.addEventListener("click", (/** @type {any} */ event) => {
    const cycle = event.target.closest("[data-cycle]")?.dataset.cycle;
    if (cycle === undefined) return;
    const fold = new Set(shown.fold);
    if (!fold.delete(Number(cycle))) fold.add(Number(cycle));
    go(fragment({ fold, line: null }));
    // The button was made anew.
    addEventListener("hashchange", () => ui.cycles.querySelector(`[data-cycle="${cycle}"]`)?.focus({ preventScroll: true }), { once: true });
  });
  ui.blocks.addEventListener("click", (/** @type {any} */ event) => {
    const [row, block] = [event.target.closest("[data-row]"), event.target.closest("[data-block]")];
    if (row && !sight.hasMoved) choose(Number(block.dataset.block), Number(row.dataset.row));
  });
  ui.scroller.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    if (!/** @type {any} */ (event.target).closest("button, a") && !event.ctrlKey && !event.metaKey && !event.altKey) onKey(event);
  });
  return (/** @type {URLSearchParams} */ state) => {
    const hadFocus = ui.blocks.contains(document.activeElement);
    const command = show(state);
    if (hadFocus) elementAt(at)?.focus({ preventScroll: true });
    return command;
  };
}

/** @type {import("./frame.mjs").View} */
export const controlFlow = { name: "graph", title: "Control flow", isThere: (report) => report.graphs.length > 0, open };
