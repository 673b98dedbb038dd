// The steps of a run to choose from, in each view that follows them.
// @ts-check
import { byId, go, leaveStep, make, replace } from "./frame.mjs";
import { fragmentOfState } from "./model.mjs";
import { momentIn, toldOf } from "./timeline.mjs";

/** A slider with buttons. @param {string} what What it chooses. @param {(step: number) => string} fragment The state of the view at another step.
 * @returns {{element: HTMLElement, show: (step: number, last: number, told: string) => void}} What shows a step is told what the step is in words. */
export function stepper(what, fragment) {
  let at = 1, last = 1;
  const slider = make("input", { type: "range", min: "1", step: "1", "aria-label": what });
  const count = make("output", {});
  const to = (/** @type {number} */ step) => replace(fragment(Math.min(Math.max(step, 1), last)));
  const button = (/** @type {string} */ name, /** @type {string} */ label, /** @type {() => number} */ step) => {
    const element = make("button", { type: "button", "aria-label": name, title: name }, label);
    element.addEventListener("click", () => to(step()));
    return element;
  };
  slider.addEventListener("input", () => to(Number(slider.value)));
  const element = make("span", { class: "stepper" }, button(`First ${what.toLowerCase()}`, "⇤", () => 1), button(`${what} back`, "←", () => at - 1), slider, button(`${what} on`, "→", () => at + 1), button(`Last ${what.toLowerCase()}`, "⇥", () => last), count);
  const show = (/** @type {number} */ step, /** @type {number} */ of, /** @type {string} */ told) => {
    [at, last] = [step, of];
    slider.max = String(last);
    slider.value = String(step);
    slider.setAttribute("aria-valuetext", told);
    count.textContent = `${step} of ${last}`;
  };
  return { element, show };
}

/** The bar of a view that follows the run which another one shows: hidden while no step is chosen.
 * @param {string} id @param {import("./model.mjs").Report} report @param {(moment: import("./timeline.mjs").Moment) => string} fragment The state of the view at a step.
 * @returns {{element: HTMLElement, show: (state: URLSearchParams) => import("./timeline.mjs").Moment | null}} What shows a state answers the step that it names. */
export function followed(id, report, fragment) {
  /** @type {import("./timeline.mjs").Moment | null} */
  let moment = null;
  const steps = stepper("Step", (step) => fragment(/** @type {import("./timeline.mjs").Moment} */ (momentIn(report, new URLSearchParams({ of: String(moment?.of ?? 0), step: String(step) })))));
  const run = make("span", {});
  const told = make("output", { class: "told" });
  const toTime = make("button", { type: "button" }, "Show in Time");
  const leave = make("button", { type: "button", "aria-label": "Show no step", title: "Show no step" }, "×");
  toTime.addEventListener("click", () => moment && go(fragmentOfState("time", { of: moment.of, step: moment.step })));
  leave.addEventListener("click", () => {
    leaveStep();
    byId("views").querySelector('[aria-selected="true"]')?.focus();
  });
  const element = make("div", { id, class: "followed sets", role: "group", "aria-label": "Step of the run" }, run, steps.element, told, toTime, leave);
  const show = (/** @type {URLSearchParams} */ state) => {
    moment = momentIn(report, state);
    element.hidden = moment === null;
    if (moment) {
      run.textContent = `Run ${moment.timeline.function}, ${moment.timeline.model}`;
      told.textContent = toldOf(moment.timeline, moment.step);
      steps.show(moment.step, moment.timeline.columns.length, told.textContent);
    }
    return moment;
  };
  return { element, show };
}
