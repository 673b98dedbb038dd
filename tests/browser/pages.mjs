// What tests of pages have in common: the binary, pages that it writes with their data, and the rules of accessibility.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { after, before } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";
import { Browser } from "./browser.mjs";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));
export const BINARY = resolve(process.env.RECONVERGE ?? join(ROOT, "target/debug/reconverge"));
/** Where screenshots are put, to be looked at. */
export const SCREENS = process.env.SCREENSHOTS;
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** A folder and a browser for the tests of a file, which are gone after them. */
export function setUp() {
  const shared = { folder: mkdtempSync(join(tmpdir(), "reconverge-pages-")), browser: undefined };
  before(async () => (shared.browser = await Browser.start()));
  after(async () => {
    await shared.browser.close();
    rmSync(shared.folder, { recursive: true });
  });
  return shared;
}

/** The data in a page. */
export function dataOf(page) {
  const [, encoding, data] = /id="data"( data-encoding="gzip")?>(.*?)<\/script>/s.exec(page);
  return JSON.parse(encoding ? gunzipSync(Buffer.from(data, "base64")) : data);
}

/** Has `report` write a page into a folder: its address, its data, and how long it is. */
export function written(folder, input, ...options) {
  const path = join(folder, `${basename(input)}.html`);
  execFileSync(BINARY, ["report", input, ...options, "-o", path], { cwd: ROOT, stdio: ["ignore", "ignore", "pipe"] });
  const page = readFileSync(path, "utf8");
  return { address: pathToFileURL(path).href, data: dataOf(page), bytes: page.length };
}

/** The rules of accessibility that a page breaks seriously, each with the first place. */
export async function serious(page) {
  await page.evaluate(`() => { ${AXE} }`);
  return page.evaluate(async () => {
    const { violations } = await globalThis.axe.run();
    return violations.filter(({ impact }) => ["serious", "critical"].includes(impact)).map(({ id, nodes }) => `${id}: ${nodes[0].html} ${nodes[0].failureSummary}`);
  });
}
