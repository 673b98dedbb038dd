// A report, of a program or of two versions of it: the data is in the page.
// @ts-check
import { byId, dataIn, start } from "./frame.mjs";
import { startVersions } from "./versions.mjs";
import { views } from "./views.mjs";

dataIn(byId("data")).then((/** @type {any} */ data) => (data.before ? startVersions(data, views) : start(data, views)));
