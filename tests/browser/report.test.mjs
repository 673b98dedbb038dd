// `node --test`, with the binary in RECONVERGE: pages that `report` writes, opened in Chromium. What a view shows is what the data says.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { test } from "node:test";
import { BINARY, ROOT, SCREENS, serious, setUp, written } from "./pages.mjs";
import { large } from "./programs.mjs";

/** All examples, and what the tests of the documents have as files. */
const INPUTS = ["examples", "tests/conformance"].flatMap((folder) =>
  readdirSync(join(ROOT, folder)).filter((name) => /\.(ll|cu|cl|cpp)$/.test(name)).sort().map((name) => `${folder}/${name}`));
/** Those that are looked at closely. */
const CLOSE = ["examples/barrier-in-branch.cu", "examples/temporal-divergence.ll", "examples/irreducible-divergence.ll", "examples/exit-phi.ll", "examples/valid-nested-loops.ll"];

/** What views looked like when somebody last looked at them. */
const REFERENCES = join(ROOT, "tests/browser/references");

const shared = setUp();
const report = (input) => written(shared.folder, input);

/** What the graph shows: its blocks with their lines and badges, and its edges. */
const graphShown = () => ({
  blocks: Object.fromEntries([...document.querySelectorAll("[data-block]")].map((block) => [block.dataset.block, {
    name: block.querySelector(".name b").textContent,
    badges: [...block.querySelectorAll(".badge")].map(({ textContent }) => textContent),
    rows: [...block.querySelectorAll(".row")].map((row) => [row.textContent, row.dataset.set ?? null]),
  }])),
  edges: [...document.querySelectorAll("[data-edge]")].map((edge) => Number(edge.dataset.edge)).sort((one, other) => one - other),
  cycles: document.querySelectorAll(".cycle").length,
});

test("every example and every program of the documents opens without an error, and its graph is what the data says", async () => {
  assert.ok(INPUTS.length >= 20);
  let opened = 0;
  for (const input of INPUTS) {
    let page;
    try {
      const { address, data } = report(input);
      page = await shared.browser.page(address, { width: 1400, height: 3000 });
      assert.equal(await page.evaluate(() => document.querySelectorAll("#ir [data-line]").length), data.ir.length, input);
      const [graph] = data.graphs;
      if (graph) {
        await page.go(`#view=graph&function=${encodeURIComponent(graph.name)}&text=ir`);
        await page.evaluate(() => document.querySelector('[aria-label="Fit the graph to the window"]').click());
        await page.settled();
        const shown = await page.evaluate(graphShown);
        graph.blocks.forEach((block, number) => {
          const rows = block.instructions.map(({ text, uniform_in }) => [text, uniform_in ?? null]);
          assert.equal(shown.blocks[number].name, block.name, input);
          assert.deepEqual(shown.blocks[number].rows, rows, `${input}: ${block.name}`);
          assert.equal(shown.blocks[number].badges.includes("diverges"), block.divergent, `${input}: ${block.name}`);
          assert.equal(shown.blocks[number].badges.includes("reconverges"), block.reconverges !== undefined, `${input}: ${block.name}`);
        });
        assert.deepEqual(shown.edges, graph.edges.map((_, number) => number), input);
        assert.equal(shown.cycles, graph.cycles.length, input);
      }
      assert.deepEqual(page.errors, [], input);
      opened += 1;
    } catch (error) {
      // Some programs of the documents are there because they cannot be read.
      if (error.status !== 2) throw error;
    } finally {
      await page?.close();
    }
  }
  assert.ok(opened >= 20, `${opened} pages`);
});

test("a chosen value lights the way back to where threads differ, and both paths", async () => {
  const { address, data } = report("examples/exit-phi.ll");
  const [graph] = data.graphs;
  const point = graph.points.find(({ chain }) => chain.some((step) => data.steps[step].paths));
  assert.ok(point, "a value that is divergent because of two paths");
  const steps = point.chain.map((number) => data.steps[number]);
  const page = await shared.browser.page(`${address}#view=graph`, { width: 1400, height: 1600 });
  await page.click(`.row[data-line="${point.line}"]`);
  const lit = await page.evaluate(() => ({
    lines: [...document.querySelectorAll(".row.lit")].map((row) => Number(row.dataset.line)),
    paths: ["a", "b"].map((which) => [...document.querySelectorAll(`.path-${which}[data-edge], .path-both[data-edge]`)].map((edge) => Number(edge.dataset.edge))),
    hash: location.hash, said: document.querySelector("#graph-said").textContent, command: document.querySelector("#command").value,
  }));
  assert.deepEqual(new Set(lit.lines), new Set([point.line, ...steps.map(({ line }) => line)].filter((line) => graph.blocks.some(({ instructions }) => instructions.some((one) => one.line === line)))));
  const numbers = new Map(graph.blocks.map(({ name }, number) => [name, number]));
  const edge = (from, to) => graph.edges.findIndex((one) => one.from === numbers.get(from) && one.to === numbers.get(to));
  steps.filter(({ paths }) => paths).forEach(({ paths }) => paths.forEach((path, which) =>
    path.slice(1).forEach((name, place) => assert.ok(lit.paths[which].includes(edge(path[place], name)), `${path[place]} → ${name}`))));
  assert.match(lit.hash, new RegExp(`line=${point.line}`));
  assert.ok(lit.said.includes(point.name) && steps.every(({ message }) => lit.said.includes(message)));
  assert.equal(lit.command, `reconverge uniformity examples/exit-phi.ll --explain examples/exit-phi.ll:${point.line}`);
  // The command says the same.
  const said = execFileSync(BINARY, lit.command.split(" ").slice(1), { cwd: ROOT, encoding: "utf8" });
  assert.ok(steps.every(({ message }) => said.includes(message)), said);
  await page.close();
});

test("what only may be divergent is hatched, and said", async () => {
  const { address, data } = report("examples/exit-phi.ll");
  const may = data.ir.flatMap((line, at) => (line.may ? [at + 1] : []));
  const certain = data.ir.flatMap(({ uniform_in, may: isMay }, at) => (uniform_in === "divergent" && !isMay ? [at + 1] : []));
  assert.ok(may.length > 0 && certain.length > 0);
  const hatched = (selector) => [...document.querySelectorAll(selector)].filter((row) => getComputedStyle(row).backgroundImage.includes("repeating-linear-gradient"))
    .map(({ dataset, ariaLabel }) => [Number(dataset.line), ariaLabel.includes("possibly divergent")]);
  const page = await shared.browser.page(address, { width: 1400, height: 1600 });
  assert.deepEqual(await page.evaluate(hatched, "#ir [data-line]"), may.map((line) => [line, true]));
  const said = await page.evaluate((lines) => lines.map((line) => document.querySelector(`#ir [data-line="${line}"]`).ariaLabel), certain);
  assert.ok(said.every((text) => text.includes(", divergent,")), said.join("\n"));
  if (SCREENS) writeFileSync(join(SCREENS, "hatched.png"), await page.screenshot());
  await page.go("#view=graph&text=ir");
  assert.deepEqual(await page.evaluate(hatched, ".block .row"), may.map((line) => [line, true]));
  await page.close();
});

test("links restore what is shown", async () => {
  const { address, data } = report("examples/valid-nested-loops.ll");
  const [graph] = data.graphs;
  const inner = graph.cycles.findIndex(({ parent }) => parent !== undefined);
  const header = graph.blocks[graph.cycles[inner].header].name;
  const page = await shared.browser.page(`${address}#view=graph`, { width: 1400, height: 1600 });
  await page.click(`[data-cycle="${inner}"]`);
  await page.evaluate(() => {
    document.querySelector("#graph-find").value = "br";
    document.querySelector("#graph-find").dispatchEvent(new Event("input"));
  });
  await page.settled();
  const state = () => ({ hash: location.hash, shown: document.querySelector(".blocks").textContent, found: document.querySelectorAll(".row.found").length,
    folded: document.querySelectorAll(".cycle.folded").length, tab: document.querySelector('[role="tab"][aria-selected="true"]').textContent });
  const before = await page.evaluate(state);
  assert.ok(before.hash.includes(`fold=${header}`) && before.folded === 1 && before.found > 0 && before.tab === "Control flow", JSON.stringify(before));
  const again = await shared.browser.page(address + before.hash, { width: 1400, height: 1600 });
  assert.deepEqual(await again.evaluate(state), before);
  await page.go("#file=0&line=1");
  assert.equal(await page.evaluate(() => document.querySelector('[role="tab"][aria-selected="true"]').textContent), "Source");
  await page.close();
  await again.close();
});

test("the keyboard is enough", async () => {
  const { address, data } = report("examples/temporal-divergence.ll");
  const page = await shared.browser.page(address);
  const focused = () => page.evaluate(() => {
    const { textContent, role, dataset } = document.activeElement;
    return { text: textContent, role, block: document.activeElement.closest("[data-block]")?.dataset.block, line: dataset.line };
  });
  for (let tabs = 0; tabs < 5 && (await focused()).role !== "tab"; tabs += 1) await page.press("Tab");
  await page.press("ArrowRight");
  assert.equal((await focused()).text, "Control flow");
  for (let tabs = 0; tabs < 20 && (await focused()).block === undefined; tabs += 1) await page.press("Tab");
  assert.equal((await focused()).block, "0");
  const [graph] = data.graphs;
  for (const { line } of graph.blocks[0].instructions) {
    await page.press("ArrowDown");
    assert.equal((await focused()).line, String(line));
  }
  await page.press("ArrowDown");
  const next = graph.edges.find(({ from }) => from === 0).to;
  assert.equal((await focused()).block, String(next));
  await page.press("ArrowDown");
  await page.press("Enter");
  const line = graph.blocks[next].instructions[0].line;
  assert.match(await page.evaluate(() => location.hash), new RegExp(`line=${line}`));
  assert.equal((await focused()).line, String(line));
  await page.press("Escape");
  assert.doesNotMatch(await page.evaluate(() => location.hash), /line=/);
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("no rule of accessibility is broken seriously, in no view, light and dark", async () => {
  for (const [number, input] of CLOSE.entries()) {
    const { address, data } = report(input);
    const line = data.graphs[0].points.find(({ chain }) => chain.length)?.line;
    const { all } = data.time;
    const beside = all.findIndex(({ function: name }, number) => number > 0 && name === all[0]?.function);
    const spot = data.files.length ? `#file=0&line=${data.check.diagnostics[0].line}` : `#ir&line=${line}`;
    const fragments = ["", spot, "#view=graph", `#view=graph&line=${line}`];
    if (all.length) fragments.push("#view=time", `#view=time&of=0&step=${all[0].columns.length}&with=${beside}`, `${spot}&of=0&step=2`, "#view=graph&of=0&step=2");
    // Colours are those of views, whatever the program: a source and a module show all of them.
    for (const dark of number < 2 ? [false, true] : [false]) {
      for (const fragment of fragments) {
        const page = await shared.browser.page(address + fragment, { dark });
        assert.deepEqual(await serious(page), [], `${input}${fragment}${dark ? ", dark" : ""}`);
        await page.close();
      }
    }
  }
});

test("a function of 5000 blocks opens in two seconds, and scrolling draws what comes into sight", async () => {
  const path = join(shared.folder, "large.ll");
  writeFileSync(path, large(5000));
  const { address, data } = report(path);
  assert.ok(data.graphs[0].blocks.length >= 5000);
  const page = await shared.browser.page("about:blank");
  const start = performance.now();
  await page.open(`${address}#view=graph&fold=`);
  const took = performance.now() - start;
  const drawn = () => document.querySelectorAll("[data-block]").length;
  const first = await page.evaluate(drawn);
  assert.ok(first > 0 && first < 300, `${first} blocks are drawn`);
  const frames = await page.evaluate(async () => {
    const scroller = document.querySelector(".scroller");
    const times = [];
    for (let step = 0; step < 60; step += 1) {
      scroller.scrollBy(0, 300);
      const before = performance.now();
      await new Promise((resolve) => requestAnimationFrame(resolve));
      times.push(performance.now() - before);
    }
    return times.sort((one, other) => one - other);
  });
  assert.ok((await page.evaluate(drawn)) > 0);
  const name = data.graphs[0].blocks[4800].name;
  await page.evaluate((wanted) => {
    const find = document.querySelector("#graph-find");
    find.focus();
    find.value = wanted;
    find.dispatchEvent(new Event("input"));
  }, name);
  await page.press("Enter");
  assert.ok(await page.evaluate((wanted) => [...document.querySelectorAll(".block .here")].some(({ textContent }) => textContent.includes(wanted)), name));
  console.log(`opened in ${Math.round(took)} ms; a frame while scrolling: ${Math.round(frames[30])} ms, the slowest but two ${Math.round(frames[57])} ms`);
  // Machines that test are slow and busy.
  const patience = Number(process.env.PATIENCE ?? 1);
  assert.ok(took < 2000 * patience, `opened in ${took} ms`);
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("its source opens as fast, and each line of it can be shown", async () => {
  const path = join(shared.folder, "large-source.ll");
  writeFileSync(path, large(5000));
  const { address, data } = report(path);
  const page = await shared.browser.page("about:blank");
  const start = performance.now();
  await page.open(address);
  const took = performance.now() - start;
  assert.equal(await page.evaluate(() => document.querySelectorAll("#ir [data-line]").length), data.ir.length);
  const line = data.ir.length - 200;
  await page.evaluate((at) => (location.hash = at), `#ir&line=${line}`);
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  const chosen = await page.evaluate(() => {
    const { top, bottom } = document.querySelector("#ir .chosen").getBoundingClientRect();
    return { line: document.querySelector("#ir .chosen").dataset.line, isInSight: top >= 0 && bottom <= innerHeight };
  });
  assert.deepEqual(chosen, { line: String(line), isInSight: true });
  console.log(`opened in ${Math.round(took)} ms`);
  const patience = Number(process.env.PATIENCE ?? 1);
  assert.ok(took < 2000 * patience, `opened in ${took} ms`);
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("screens are not empty, at two sizes, light and dark", async () => {
  if (SCREENS) mkdirSync(SCREENS, { recursive: true });
  for (const input of CLOSE) {
    const { address, data } = report(input);
    const line = data.graphs[0].points.find(({ chain }) => chain.length)?.line;
    for (const [width, height, dark] of [[1400, 900, false], [1400, 900, true], [700, 1000, false]]) {
      const page = await shared.browser.page(`${address}#view=graph&line=${line}`, { width, height, dark });
      const { overflow, blocks } = await page.evaluate(() => ({ overflow: document.documentElement.scrollWidth - innerWidth, blocks: document.querySelectorAll("[data-block]").length }));
      assert.ok(overflow <= 0 && blocks > 0, `${input} at ${width}: ${overflow} too wide, ${blocks} blocks`);
      if (SCREENS) writeFileSync(join(SCREENS, `${basename(input)}-${width}${dark ? "-dark" : ""}.png`), await page.screenshot());
      await page.close();
    }
  }
});

/** What of two pictures is not alike, from 0 to 1: each is made an eighth as large, so that the edges of letters do not count, and of each pixel the three colours are compared. */
const unlike = async (one, other) => {
  const pixels = async (png) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob());
    const [width, height] = [Math.floor(image.width / 8), Math.floor(image.height / 8)];
    const context = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
    context.imageSmoothingQuality = "high";
    context.drawImage(image, 0, 0, width, height);
    return context.getImageData(0, 0, width, height).data;
  };
  const [before, after] = [await pixels(one), await pixels(other)];
  if (before.length !== after.length) return 1;
  let different = 0;
  for (let at = 0; at < before.length; at += 4) different += [0, 1, 2].some((colour) => Math.abs(before[at + colour] - after[at + colour]) > 48) ? 1 : 0;
  return different / (before.length / 4);
};

test("views look as they did when somebody last looked at them, at two sizes", async () => {
  const { address, data } = report("examples/barrier-in-branch.cu");
  const found = data.check.diagnostics[0].line;
  const views = { source: `#file=0&line=${found}`, graph: `#view=graph&line=${data.graphs[0].points.find(({ chain }) => chain.length).line}`, time: "#view=time&step=3" };
  mkdirSync(REFERENCES, { recursive: true });
  const canvas = await shared.browser.page("about:blank");
  // With other fonts all of it is somewhere else.
  const fonts = await canvas.evaluate(() => ["system-ui", "sans-serif", "ui-monospace, monospace"].map((family) => {
    const context = new OffscreenCanvas(1, 1).getContext("2d");
    context.font = `100px ${family}`;
    return Math.round(context.measureText("Who is together, 0123456789").width);
  }));
  const known = join(REFERENCES, "fonts.json");
  if (process.env.UPDATE_REFERENCES) writeFileSync(known, `${JSON.stringify(fonts)}\n`);
  const areComparable = JSON.stringify(fonts) === JSON.stringify(JSON.parse(readFileSync(known, "utf8")));
  if (!areComparable) console.log("the fonts of this machine are not those of the references: views are only opened");
  for (const [view, fragment] of Object.entries(views)) {
    for (const [width, height] of [[1400, 900], [700, 1000]]) {
      const page = await shared.browser.page(address + fragment, { width, height });
      const path = join(REFERENCES, `${view}-${width}.png`);
      const now = await page.screenshot();
      if (process.env.UPDATE_REFERENCES) writeFileSync(path, now);
      const share = await canvas.evaluate(unlike, readFileSync(path).toString("base64"), now.toString("base64"));
      assert.ok(!areComparable || share < 0.03, `${(100 * share).toFixed(1)} % of ${path} are different; UPDATE_REFERENCES=1 keeps the view as it is now, to be looked at`);
      await page.close();
    }
  }
  await canvas.close();
});
