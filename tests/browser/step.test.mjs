// `node --test`, with the binary in RECONVERGE: what a step of a run executes is marked in every view, and is what the data says.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { test } from "node:test";
import { SCREENS, setUp, written } from "./pages.mjs";

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
