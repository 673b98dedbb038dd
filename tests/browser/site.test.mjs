// `node --test`, with the folder that `xtask site` has made in SITE: the page without a server that answers, and without a network.
import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { after, before, test } from "node:test";
import { Browser } from "./browser.mjs";
import { answered, choose, type } from "./desk.mjs";

const SITE = process.env.SITE;
const KINDS = { ".html": "text/html; charset=utf-8", ".wasm": "application/wasm", ".png": "image/png", ".svg": "image/svg+xml" };

let browser, server, address;
before(async () => {
  browser = await Browser.start();
  server = createServer((request, response) => {
    const path = join(SITE, normalize(new URL(request.url, "http://x").pathname).replace(/\/$/, "/index.html"));
    if (!existsSync(path)) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": KINDS[extname(path)] ?? "application/octet-stream" }).end(readFileSync(path));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${server.address().port}/`;
});
after(async () => {
  await browser.close();
  server.close();
});

const findings = () => [...document.querySelectorAll("#findings .code")].map(({ textContent }) => textContent);
const KERNEL = "__global__ void k(int *a) {\n  if (threadIdx.x < 7)\n    __syncthreads();\n  a[threadIdx.x] = 1;\n}\n";

test("once it is loaded, programs are answered with the network off", async () => {
  const page = await browser.page(address, { width: 1400, height: 900 });
  await answered(page, 0);
  await page.send("Network.enable");
  await page.send("Network.emulateNetworkConditions", { offline: true, latency: 0, downloadThroughput: -1, uploadThroughput: -1 });
  const reach = await page.evaluate(() => fetch("docs/index.html").then(() => true, () => false));
  assert.equal(reach, false, "the network is off");
  const count = await page.evaluate(() => document.querySelectorAll("#desk-example option").length - 1);
  for (let number = 0; number < count; number += 1) {
    await choose(page, "example", String(number));
    const { isStale, rows, said } = await page.evaluate(() => ({ isStale: document.body.classList.contains("stale"), rows: document.querySelectorAll("#ir [data-line]").length, said: document.querySelector("#desk-status").textContent }));
    assert.ok(!isStale && rows > 0, `example ${number}: ${said}`);
  }
  await choose(page, "example", "0");
  await type(page, KERNEL);
  assert.deepEqual(await page.evaluate(findings), ["RC0201"]);
  await page.go("#view=time&step=1");
  await choose(page, "block", "8");
  assert.match(await page.evaluate(() => document.querySelector("#command").value), /--block 8/);
  console.log(`answered in ${await page.evaluate(() => document.body.dataset.took)} ms`);
  // What runs long is ended with its worker, and the next one answers.
  const before = await page.evaluate(() => Number(document.body.dataset.answered));
  await type(page, "__global__ void k(volatile int *a) {\n  while (a[0] != 12345) { a[threadIdx.x] = a[threadIdx.x] * 3 + 1; }\n}\n", false);
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 120)));
  if (await page.evaluate(() => !document.querySelector("#desk-stop").disabled)) {
    await page.click("#desk-stop");
    await answered(page, before);
    assert.equal(await page.evaluate(() => document.querySelector("#desk-status").textContent), "Stopped.");
  }
  await type(page, KERNEL);
  assert.equal(await page.evaluate(() => document.body.classList.contains("stale")), false);
  // The first fetch was meant to fail.
  assert.deepEqual(page.errors.filter((error) => !/ERR_INTERNET_DISCONNECTED/.test(error)), []);
  await page.close();
});

test("the documentation is there, and its links lead somewhere", async () => {
  const pages = readdirSync(join(SITE, "docs"), { recursive: true }).filter((name) => name.endsWith(".html"));
  assert.ok(pages.length > 20);
  for (const name of pages) {
    const text = readFileSync(join(SITE, "docs", name), "utf8");
    for (const [, to] of text.matchAll(/ href="([^"#:]+)(?:#[^"]*)?"/g)) {
      assert.ok(existsSync(join(SITE, "docs", name, "..", to)), `${name}: ${to}`);
    }
  }
  const page = await browser.page(`${address}docs/report.html`);
  assert.match(await page.evaluate(() => document.querySelector("#live").textContent), /Live/);
  assert.deepEqual(page.errors, []);
  await page.close();
});
