// Which views there are; the first is shown first.
// @ts-check
import { byId, start } from "./frame.mjs";
import { controlFlow } from "./graph.mjs";
import { source } from "./source.mjs";
import { time } from "./time.mjs";

start(JSON.parse(byId("data").textContent), [
  source,
  controlFlow,
  time,
]);
