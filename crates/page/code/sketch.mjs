// A small control-flow graph beside a run: the blocks by their names, and which of them a step executes.
// @ts-check
import { fragmentOfState } from "./model.mjs";
import { make } from "./frame.mjs";
import { stack } from "./stack.mjs";
import { blocksAt } from "./timeline.mjs";
import { svgElement } from "./drawing.mjs";

/** From how many blocks on there is none: it could not be read. */
const MANY = 300;
/** How small it is: as wide as there is room for, but so that names can be read. */
const HIGH = 0.75, WIDEST = 0.75, NARROWEST = 0.4;

/** @param {import("./model.mjs").Report} report
 * @returns {{element: HTMLElement, show: (column: import("./timeline.mjs").Column) => void}} */
export function sketch(report) {
  const title = make("a", {}, "Control flow");
  const picture = make("div", { class: "picture", tabindex: "0", role: "region", "aria-label": "Control flow of the step" });
  const element = make("section", { class: "sketch" }, make("h2", {}, title), picture);
  /** @type {import("./stack.mjs").Graph | null} */
  let shown = null;
  /** @type {any[]} */
  let marked = [];

  const fill = (/** @type {import("./stack.mjs").Graph} */ graph) => {
    shown = graph;
    if (graph.blocks.length > MANY) return picture.replaceChildren(make("p", { class: "soft" }, `${graph.blocks.length} blocks: too many to be drawn here.`));
    const { width, height, blocks, edges } = stack(graph, "names", new Set());
    const across = Math.min(WIDEST, Math.max(NARROWEST, (picture.clientWidth - 8) / width));
    const svg = svgElement("svg", { width: width * across, height: height * HIGH, role: "img", "aria-label": `Blocks of ${graph.written}` });
    const lines = svgElement("g", { transform: `scale(${across} ${HIGH})` });
    lines.append(...edges.flatMap((edge, number) => (edge ? [svgElement("path", { class: graph.blocks[graph.edges[number].from].divergent ? "edge divergent" : "edge", d: edge.path })] : [])));
    svg.append(lines);
    blocks.forEach((area, number) => {
      if (!area) return;
      const { name, divergent } = graph.blocks[number];
      const box = svgElement("rect", { x: area.x * across, y: area.y * HIGH, width: area.width * across, height: area.height * HIGH, rx: 5 });
      const text = svgElement("text", { x: (area.x + area.width / 2) * across, y: (area.y + area.height / 2) * HIGH + 4, "text-anchor": "middle" }, name);
      const group = svgElement("g", { class: divergent ? "divergent" : "", "data-block": number });
      group.append(box, text);
      svg.append(group);
    });
    picture.replaceChildren(svg);
  };

  const show = (/** @type {import("./timeline.mjs").Column} */ column) => {
    const found = blocksAt(report, column);
    element.hidden = found === null;
    if (!found) return;
    if (found.graph !== shown) fill(found.graph);
    title.href = fragmentOfState("graph", { function: found.graph.name });
    marked.forEach((group) => {
      group.removeAttribute("aria-current");
      group.classList.remove("at", ...[0, 1, 2, 3, 4, 5, 6, 7].map((set) => `s${set}`));
    });
    marked = found.blocks.flatMap((block) => picture.querySelector(`[data-block="${block}"]`) ?? []);
    marked.forEach((group) => {
      group.setAttribute("aria-current", "step");
      group.classList.add("at", `s${column.set % 8}`);
    });
    const [box, frame] = [marked[0]?.getBoundingClientRect(), picture.getBoundingClientRect()];
    if (!box) return;
    if (box.top < frame.top || box.bottom > frame.bottom) picture.scrollTop += box.top - frame.top - frame.height / 3;
    if (box.left < frame.left || box.right > frame.right) picture.scrollLeft += box.left - frame.left - frame.width / 3;
  };
  return { element, show };
}
