// `node --test`, with the binary in RECONVERGE: what a step of a run executes is marked in every view, and is what the data says.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { test } from "node:test";
import { BINARY, ROOT, SCREENS, serious, setUp, written } from "./pages.mjs";

const shared = setUp();
const SIZE = { width: 1400, height: 1000 };

/** What is marked as executed in the view that is shown. */
const marked = () => {
  const panel = document.querySelector('[role="tabpanel"]:not([hidden])');
  const numbers = (selector, name) => [...panel.querySelectorAll(`${selector}[aria-current="step"]`)].map((element) => Number(element.dataset[name]));
  return {
    view: panel.id, source: numbers("#source [data-line]", "line"), ir: numbers("#ir [data-line]", "line"), text: numbers(".follow [data-line]", "line"),
    blocks: numbers("[data-block]", "block"), function: panel.querySelector("#graph-function")?.value, slider: panel.querySelector(".stepper input")?.value,
    told: panel.querySelector(".told")?.textContent, bar: panel.querySelector(".followed")?.hidden,
  };
};

/** The blocks that a column executes, from its lines of IR, by the graph that has them. */
function expectedBlocks(data, column) {
  const isIn = ({ instructions }) => instructions.some(({ line }) => column.ir.includes(line));
  const graph = data.graphs.find(({ blocks }) => blocks.some(isIn));
  return { name: graph.name, blocks: graph.blocks.flatMap((block, number) => (isIn(block) ? [number] : [])) };
}

/** Moves the slider of the shown view, as a hand does. */
const slide = (step) => {
  const slider = document.querySelector('[role="tabpanel"]:not([hidden]) .stepper input');
  slider.value = String(step);
  slider.dispatchEvent(new Event("input", { bubbles: true }));
};

const tab = (page, name) => page.click(`#tab-${name}`);

for (const input of ["examples/barrier-in-branch.cu", "examples/temporal-divergence.ll", "examples/block-sum.cu"]) {
  test(`the source and the graph follow the slider: ${input}`, async () => {
    const { address, data } = written(shared.folder, input);
    const page = await shared.browser.page(`${address}#view=time`, SIZE);
    for (const [of, timeline] of data.time.all.entries()) {
      await page.go(`#view=time&of=${of}&step=1`);
      for (const [number, column] of timeline.columns.entries()) {
        await page.evaluate(slide, number + 1);
        await page.settled();
        const shown = await page.evaluate(marked);
        const where = `${input}, run ${of}, step ${number + 1}`;
        assert.deepEqual(shown.text, column.lines ?? column.ir, where);
        assert.deepEqual(shown.blocks, expectedBlocks(data, column).blocks, where);
      }
    }
    // What is chosen goes from view to view, and each has the slider.
    const [timeline] = data.time.all;
    await page.go("#view=time&of=0&step=2");
    await tab(page, "source");
    for (const step of [2, timeline.columns.length, 1]) {
      await page.evaluate(slide, step);
      await page.settled();
      const shown = await page.evaluate(marked);
      const column = timeline.columns[step - 1];
      assert.deepEqual([shown.view, shown.source, shown.ir, shown.slider], ["panel-source", column.lines ?? [], column.ir, String(step)]);
      assert.match(shown.told, new RegExp(`^Step ${step} of ${timeline.columns.length}: .*\\(${timeline.sets[column.set].letter}\\)`));
    }
    await tab(page, "graph");
    for (const [number, column] of timeline.columns.entries()) {
      await page.evaluate(slide, number + 1);
      await page.settled();
      const shown = await page.evaluate(marked);
      const { name, blocks } = expectedBlocks(data, column);
      assert.deepEqual([shown.view, shown.function, shown.blocks], ["panel-graph", name, blocks], `step ${number + 1}`);
    }
    if (SCREENS) {
      mkdirSync(SCREENS, { recursive: true });
      for (const view of ["graph", "time", "source"]) {
        await tab(page, view);
        writeFileSync(join(SCREENS, `${basename(input)}-step-${view}.png`), await page.screenshot());
      }
    }
    assert.deepEqual(page.errors, []);
    await page.close();
  });
}

test("a link has the step, and it can be left", async () => {
  const { address, data } = written(shared.folder, "examples/barrier-in-branch.cu");
  const [timeline] = data.time.all;
  const page = await shared.browser.page(`${address}#file=0&line=1&of=0&step=2`, SIZE);
  const first = await page.evaluate(marked);
  assert.deepEqual(first.source, timeline.columns[1].lines);
  await page.click("#source-step .stepper button:nth-of-type(3)");
  assert.match(await page.evaluate(() => location.hash), /step=3/);
  // Another line is no other step.
  await page.click('#source [data-line="2"] .number');
  assert.match(await page.evaluate(() => location.hash), /line=2.*step=3/);
  assert.deepEqual((await page.evaluate(marked)).source, timeline.columns[2].lines);
  const again = await shared.browser.page(address + (await page.evaluate(() => location.hash)), SIZE);
  assert.deepEqual(await again.evaluate(marked), await page.evaluate(marked));
  await again.close();
  await page.click('#source-step button[aria-label="Show no step"]');
  const left = await page.evaluate(marked);
  assert.deepEqual([left.source, left.ir, left.bar], [[], [], true]);
  assert.doesNotMatch(await page.evaluate(() => location.hash), /step=/);
  await tab(page, "graph");
  assert.deepEqual((await page.evaluate(marked)).blocks, []);
  await page.close();
});

/** What the columns of the texts show. */
const inColumns = () => [...document.querySelectorAll("#panel-time .texts section")].map((section) => ({
  of: Number(section.dataset.of), step: Number(section.dataset.step), title: section.querySelector("h2 b").textContent,
  lines: [...section.querySelectorAll('.follow [aria-current="step"]')].map(({ dataset }) => Number(dataset.line)),
  differs: [...section.querySelectorAll(".follow [data-differs]")].map(({ dataset }) => Number(dataset.line)), sign: Number(section.querySelector("svg [data-differs]")?.dataset.differs ?? 0),
}));

const PATHS = ["start,choose,one,last", "start,choose,two,three,last", "start,choose,three,last", "start,choose,one,last"].flatMap((path) => ["--thread", path]);

test("the three texts stand in columns, with a jump to where they first differ", async () => {
  const { address, data } = written(shared.folder, "tests/cases/source/switch.cl", "--function", "cases", ...PATHS);
  const { all } = data.time;
  const page = await shared.browser.page(`${address}#view=time`, SIZE);
  const choose = (value) => page.evaluate((wanted) => {
    const beside = [...document.querySelectorAll("#panel-time select")].find((select) => select.querySelector(`[value="${wanted}"]`));
    beside.value = wanted;
    beside.dispatchEvent(new Event("change"));
  }, value);
  await choose("texts");
  await page.settled();
  const united = await page.evaluate(inColumns);
  assert.deepEqual(united.map(({ title }) => title), ["clang-2025-04", "tangles-2024-10", "clang-2025-08"]);
  assert.deepEqual(united.map(({ of }) => all[of].model), united.map(({ title }) => title));
  // With as many together as they allow, they say the same.
  assert.ok(united.every(({ of, sign }) => all[of].difference === undefined && sign === 0));
  await choose("texts-solo");
  await page.settled();
  const shown = await page.evaluate(inColumns);
  assert.deepEqual(shown.map(({ title }) => title), ["clang-2025-04", "tangles-2024-10, solo", "clang-2025-08"]);
  const tangles = all[shown[1].of];
  assert.deepEqual([shown[1].sign, shown[0].sign], [tangles.difference[0] + 1, tangles.difference[1] + 1]);
  // By the text of 2024, who falls into a case need not be with those who jump there.
  const threads = (timeline, step) => timeline.sets[timeline.columns[step - 1].set].threads;
  assert.deepEqual([threads(all[0], shown[0].sign), threads(tangles, shown[1].sign)], [[2, 3], [2]]);
  await page.evaluate(() => [...document.querySelectorAll("#panel-time .bar-of button")].find(({ textContent }) => textContent === "First difference").click());
  await page.settled();
  const there = await page.evaluate(inColumns);
  assert.deepEqual(there.map(({ step }) => step), shown.map(({ sign }) => sign));
  for (const { of, step, lines, differs } of there) assert.deepEqual([lines, differs], [all[of].columns[step - 1].lines, all[of].columns[step - 1].lines]);
  const hash = await page.evaluate(() => location.hash);
  assert.match(hash, /with=texts-solo/);
  const again = await shared.browser.page(address + hash, SIZE);
  assert.deepEqual(await again.evaluate(inColumns), there);
  await again.close();
  if (SCREENS) writeFileSync(join(SCREENS, "texts.png"), await page.screenshot());
  for (const dark of [false, true]) {
    const one = await shared.browser.page(address + hash, { ...SIZE, dark });
    assert.deepEqual(await serious(one), [], dark ? "dark" : "light");
    await one.close();
  }
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("a run has the texts beside it, and each says who executes an operation together as `run` does by it", async () => {
  const { data } = written(shared.folder, "tests/conformance/fall-through.cl");
  const { all } = data.time;
  assert.deepEqual(all.slice(0, 4).map(({ model }) => model), ["clang-2025-04", "tangles-2024-10", "tangles-2024-10, solo", "clang-2025-08"]);
  for (const timeline of all.slice(0, 4)) {
    const command = timeline.command.replace(/ --timeline$/, " --format json");
    const { events } = JSON.parse(execFileSync("sh", ["-c", command.replace("reconverge", '"$0"'), BINARY], { cwd: ROOT, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }));
    const operations = timeline.columns.filter(({ event }) => event !== undefined).map(({ set, ir, lines, event }) => [timeline.sets[set].threads, lines, event]);
    assert.deepEqual(operations.map(([threads, lines]) => [threads, lines]), operations.map(([, , event]) => [events[event].threads, [events[event].source.line]]), timeline.model);
    // Code is told of where it is: a statement of one line by the threads that are together there.
    assert.deepEqual(threadsAt(timeline, 8), [[0, 1, 2, 3]], timeline.model);
  }
});

/** The sets that execute a line. */
function threadsAt(timeline, line) {
  return timeline.columns.filter(({ lines }) => lines?.includes(line)).map(({ set }) => timeline.sets[set].threads);
}
