// The picture of a run, or of given paths: drawn once, with a mark that goes from step to step.
// @ts-check
import { make } from "./frame.mjs";
import { svgElement } from "./drawing.mjs";
import { toldOf } from "./timeline.mjs";

/** @typedef {import("./timeline.mjs").Timeline} Timeline */

const drawn = (/** @type {import("./timeline.mjs").Shape[]} */ shapes) => shapes.map(([tag, attributes, text]) => svgElement(tag, attributes, text));

/** How high a sign below the rows is. */
const SIGN = 18;

/** Small pictures are shown larger. @param {Timeline} timeline */
const scaleOf = ({ picture: { width, height } }) => Math.min(1.4, Math.max(1, Math.min(1000 / width, 420 / height)));

/** The picture in what scrolls it. @param {Timeline} timeline @param {string} label @param {(step: number) => void} choose What a click on a step does.
 * @returns {{element: HTMLElement, setStep: (step: number | null) => void, setSign: (step: number, sign: string) => void}} */
export function picture(timeline, label, choose) {
  const { width, height, fields: [top, bottom], shapes, columns } = timeline.picture;
  const scale = scaleOf(timeline);
  const said = `${timeline.function} under ${timeline.model}: ${timeline.columns.length} steps of ${timeline.rows.length} rows of threads`;
  const svg = svgElement("svg", { class: "timeline", role: "img", "aria-label": said, viewBox: `0 0 ${width} ${height}`, width: width * scale, height: height * scale });
  const veil = svgElement("rect", { class: "veil", y: top - 2, height: bottom - top + 4 });
  const head = svgElement("rect", { class: "now", y: top - 4, height: bottom - top + 8, rx: 6 });
  svg.append(...drawn(shapes));
  for (const [number, column] of columns.entries()) {
    const group = svgElement("g", { "data-step": number + 1 });
    group.append(svgElement("title", {}, toldOf(timeline, number + 1)), ...drawn(column.shapes),
      svgElement("rect", { class: "hit", x: column.x, y: 0, width: column.width, height }));
    svg.append(group);
  }
  svg.append(veil, head);
  const element = make("div", { class: "picture", tabindex: "0", role: "group", "aria-label": label }, svg);
  svg.addEventListener("click", (/** @type {any} */ event) => {
    const step = Number(event.target.closest("[data-step]")?.getAttribute("data-step"));
    if (step) choose(step);
  });
  /** A veil is over the steps to come; without a step there is none. @param {number | null} step */
  const setStep = (step) => {
    for (const mark of [veil, head]) mark.toggleAttribute("hidden", step === null);
    if (step === null) return;
    const { x, width: wide } = columns[step - 1];
    veil.setAttribute("x", x + wide);
    veil.setAttribute("width", Math.max(0, width - x - wide));
    head.setAttribute("x", x - 1);
    head.setAttribute("width", wide + 2);
    const [left, right] = [element.scrollLeft / scale, (element.scrollLeft + element.clientWidth) / scale];
    if (x - 60 < left || x + wide + 60 > right) element.scrollLeft = x * scale - element.clientWidth / 2;
  };
  /** A sign above a step, which stays there. @param {number} step @param {string} sign */
  const setSign = (step, sign) => {
    const { x, width: wide } = columns[step - 1];
    // Below the rows there is room for it.
    svg.setAttribute("viewBox", `0 0 ${width} ${height + SIGN}`);
    svg.setAttribute("height", (height + SIGN) * scale);
    svg.append(svgElement("rect", { class: "differs", x: x - 3, y: top - 6, width: wide + 6, height: bottom - top + 12, rx: 6, "data-differs": step }),
      svgElement("text", { class: "bad", x: x + wide / 2, y: bottom + SIGN, "text-anchor": "middle" }, sign));
  };
  return { element, setStep, setSign };
}
