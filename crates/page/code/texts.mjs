// The texts that define convergence of source, in columns: what threads do by the rules of each, and where they first do something else.
// @ts-check
import { make } from "./frame.mjs";
import { follower } from "./follow.mjs";
import { picture } from "./picture.mjs";
import { firstIn, placeOf, sameStep, toldOf } from "./timeline.mjs";

/** A column for each of some timelines. @param {import("./model.mjs").Report} report @param {import("./timeline.mjs").Timeline[]} timelines @param {number[]} numbers Which.
 * @param {(number: number, step: number) => void} choose What a click on a step of one of them does.
 * @returns {{element: HTMLElement, show: (of: number, step: number) => void}} What shows a step of one of them shows the same in all. */
export function textColumns(report, timelines, numbers, choose) {
  const columns = numbers.map((number) => {
    const timeline = timelines[number];
    const drawn = picture(timeline, `Picture, ${timeline.model}`, (step) => choose(number, step));
    const text = follower(report, `Text of the step, ${timeline.model}`);
    const told = make("p", { class: "soft" });
    const first = firstIn(timelines, numbers, number);
    if (first) {
      drawn.setSign(first, "≠");
      text.sign(placeOf(report, timeline.columns[first - 1]));
    }
    const element = make("section", { "data-of": String(number), "aria-label": timeline.model }, make("h2", {}, make("b", {}, timeline.model), first ? "" : ", as the others"), drawn.element, told, text.text);
    const show = (/** @type {number} */ step) => {
      const column = timeline.columns[step - 1];
      drawn.setStep(step);
      text.show(placeOf(report, column), column.set);
      told.textContent = toldOf(timeline, step);
      element.dataset.step = String(step);
    };
    return { number, timeline, element, show };
  });
  const element = make("div", { class: "texts" }, ...columns.map((one) => one.element));
  const show = (/** @type {number} */ of, /** @type {number} */ step) => columns.forEach(({ number, timeline, show: showStep }) => showStep(number === of ? step : sameStep(timelines[of], timeline, step)));
  return { element, show };
}
