// Which views there are; the first is shown first.
// @ts-check
import { byId, dataIn, start } from "./frame.mjs";
import { controlFlow } from "./graph.mjs";
import { source } from "./source.mjs";
import { time } from "./time.mjs";

dataIn(byId("data")).then((report) => start(report, [
  source,
  controlFlow,
  time,
]));
