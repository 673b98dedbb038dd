// Which views there are; the first is shown first.
// @ts-check
import { controlFlow } from "./graph.mjs";
import { source } from "./source.mjs";
import { time } from "./time.mjs";

/** @type {import("./frame.mjs").View[]} */
export const views = [source, controlFlow, time];
