// A report: the data is in the page.
// @ts-check
import { byId, dataIn, start } from "./frame.mjs";
import { views } from "./views.mjs";

dataIn(byId("data")).then((report) => start(report, views));
