// `node --test`, with the binary in RECONVERGE: the page of two versions of a program, and of a pass that changes one.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { BINARY, ROOT, SCREENS, dataOf, serious, setUp } from "./pages.mjs";

const shared = setUp();
const SIZE = { width: 1400, height: 1000 };
const SIDES = ["before", "after"];
const KERNEL = "__global__ void k(int *out, int n) {\n  int i = threadIdx.x;\n  int sum = __shfl_xor_sync(0xffffffff, i, 1);\n  if (i < n)\n    out[i] = sum + 1;\n}\n";
/** Pairs of files, and what `validate` has to find. @type {Record<string, {before: string, after: string, kind: string | null}>} */
const PAIRS = {
  sound: { before: "examples/change-before.ll", after: "sound.ll", kind: null },
  threads: { before: "examples/change-before.ll", after: "examples/change-after.ll", kind: "threads" },
  memory: { before: "memory-before.cu", after: "memory-after.cu", kind: "memory" },
};
const path = (name) => (name.includes("/") ? name : join(shared.folder, name));
const pages = {};

before(() => {
  const first = readFileSync(join(ROOT, "examples/change-before.ll"), "utf8");
  writeFileSync(path("sound.ll"), first.replace("%odd = trunc i32 %id to i1", "%more = add i32 %id, 2\n  %odd = trunc i32 %more to i1"));
  writeFileSync(path("memory-before.cu"), KERNEL);
  writeFileSync(path("memory-after.cu"), KERNEL.replace("sum + 1", "sum + 2"));
  for (const [name, pair] of Object.entries(PAIRS)) {
    const out = join(shared.folder, `${name}.html`);
    execFileSync(BINARY, ["report", path(pair.before), path(pair.after), "-o", out], { cwd: ROOT, stdio: ["ignore", "ignore", "pipe"] });
    pages[name] = { address: pathToFileURL(out).href, data: dataOf(readFileSync(out, "utf8")) };
  }
});

/** What the view shows. */
const shown = () => {
  const panel = document.querySelector("#panel-versions");
  const texts = (within, selector) => [...within.querySelectorAll(selector)].map(({ textContent }) => textContent);
  const side = (which) => {
    const section = panel.querySelector(`.version[data-side="${which}"]`);
    const numbers = (selector, name) => [...section.querySelectorAll(selector)].map((element) => Number(element.dataset[name]));
    return {
      title: section.querySelector("h2").textContent, rows: [...section.querySelectorAll("tbody tr")].map((row) => texts(row, "td").slice(1)),
      chosenRow: numbers('tr[aria-current="true"]', "row"), firstRow: numbers("tr[data-differs]", "row"), firstLines: numbers(".follow [data-differs]", "line"), firstColumn: numbers("svg [data-differs]", "differs"),
      lines: numbers('.follow [aria-current="step"]', "line"), changed: numbers(".follow [data-changed]", "line"), pictures: section.querySelectorAll("svg.timeline").length,
      text: texts(section, ".follow a > span:last-child"),
    };
  };
  return {
    verdict: panel.querySelector(".verdict h2")?.textContent, said: texts(panel, ".verdict p"), findings: texts(panel, ".verdict .code"), difference: texts(panel, ".difference tbody td"), launch: Object.fromEntries([...panel.querySelectorAll("dl > div")].map((one) => texts(one, "dt, dd"))),
    commands: Object.fromEntries([...panel.querySelectorAll(".command")].map((one) => [one.querySelector("span").textContent, one.querySelector("input").value])), command: document.querySelector("#command").value,
    tab: document.querySelector('[role="tab"][aria-selected="true"]').textContent, hash: location.hash, before: side("before"), after: side("after"),
  };
};

/** Runs a command that the page shows. */
function again(command) {
  const { status, stdout } = spawnSync("sh", ["-c", `reconverge() { "$RECONVERGE_BINARY" "$@"; }\n${command}`], { cwd: ROOT, encoding: "utf8", env: { ...process.env, RECONVERGE_BINARY: BINARY } });
  return { status, stdout };
}

/** Of each side: the rows, the first that differs, its line in the text and its step in the picture are what the data says. */
function agrees(seen, data, number = 0) {
  const { witness } = data.validate.kernels[number];
  for (const which of SIDES) {
    const { steps, first_different: first } = witness[which];
    const report = data[which];
    assert.deepEqual(seen[which].rows.slice(0, steps.length).map(([line, op, threads]) => [Number(line), op, threads.split(",").length > 0]), steps.map(({ line, source, op }) => [source?.line ?? line, op, true]));
    assert.deepEqual(seen[which].firstRow, [first + 1]);
    const step = steps[first];
    assert.deepEqual(seen[which].firstLines, step ? [step.source?.line ?? step.line] : []);
    assert.deepEqual(seen[which].text, (report.files[0]?.lines ?? report.ir).map(({ text }) => text));
    if (step?.workgroup === 0) {
      const timeline = report.time.all[data.runs[number][which]];
      const column = timeline.columns[seen[which].firstColumn[0] - 1];
      assert.deepEqual(timeline.sets[column.set].threads, step.threads);
      assert.deepEqual(column.ir, [step.line]);
    }
  }
}

test("a sound change: both versions, the verdict, no difference", async () => {
  const { address, data } = pages.sound;
  const page = await shared.browser.page(address, SIZE);
  const seen = await page.evaluate(shown);
  assert.equal(seen.tab, "Two versions");
  assert.match(seen.verdict, /^@votes (no difference in \d+ runs|proved)/);
  assert.deepEqual([seen.findings, seen.difference, seen.launch], [[], [], {}]);
  for (const which of SIDES) {
    assert.ok(seen[which].title.includes(data[which].input));
    assert.deepEqual([seen[which].firstRow, seen[which].firstLines, seen[which].pictures], [[], [], 1]);
  }
  // The same launch, on both sides.
  const launch = (which) => data[which].time.all[0].command.split(data[which].input)[1];
  assert.equal(launch("before"), launch("after"));
  // What is another text, is marked.
  const texts = (which) => data[which].ir.map(({ text }) => text);
  const only = (which, other) => texts(which).flatMap((text, at) => (texts(other).includes(text) ? [] : [at + 1]));
  assert.deepEqual([seen.before.changed, seen.after.changed], [only("before", "after"), only("after", "before")]);
  assert.equal(again(seen.commands["Compare again"]).status, 0);
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("a changed set of threads: findings, launch, commands, and the first difference on both sides", async () => {
  const { address, data } = pages.threads;
  const { witness, diagnostics } = data.validate.kernels[0];
  const page = await shared.browser.page(address, SIZE);
  const seen = await page.evaluate(shown);
  assert.equal(witness.difference.kind, "threads");
  assert.deepEqual(seen.difference, ["2,3", "2"]);
  assert.deepEqual([witness.difference.before, witness.difference.after], [[2, 3], [2]]);
  assert.deepEqual(seen.findings, diagnostics.map(({ code }) => code));
  assert.ok(diagnostics.every(({ message }) => seen.said.includes(message)));
  assert.deepEqual(seen.launch, { model: witness.model, grid: witness.grid.join(" × "), block: witness.block.join(" × "), subgroup: String(witness.subgroup), ...witness.arguments });
  assert.deepEqual(seen.commands, { "Compare again": data.runs[0].command, "Run before": witness.before.command, "Run after": witness.after.command });
  assert.equal(seen.command, data.runs[0].command);
  agrees(seen, data);
  // The first difference is chosen where nothing else is.
  for (const which of SIDES) assert.deepEqual([seen[which].chosenRow, seen[which].lines], [seen[which].firstRow, seen[which].firstLines]);
  // The commands say the same: one launch is enough.
  const repeated = again(seen.command);
  assert.equal(repeated.status, 1);
  assert.ok(diagnostics.every(({ message }) => repeated.stdout.includes(message)), repeated.stdout);
  for (const which of SIDES) assert.equal(again(witness[which].command).status, 0);
  await page.click('.command button[aria-label="Copy: Compare again"]');
  const copied = await page.evaluate(() => {
    const { selectionStart, selectionEnd, value } = document.activeElement;
    return value.slice(selectionStart, selectionEnd);
  });
  assert.equal(copied, data.runs[0].command);
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("a changed memory: the lines of the source, and the end of both", async () => {
  const { address, data } = pages.memory;
  const { witness } = data.validate.kernels[0];
  const page = await shared.browser.page(address, SIZE);
  const seen = await page.evaluate(shown);
  assert.equal(witness.difference.kind, "memory");
  assert.deepEqual(seen.difference, [witness.difference.before, witness.difference.after]);
  agrees(seen, data);
  assert.deepEqual([seen.before.changed, seen.after.changed], [[5], [5]]);
  // The row of the end has what is in memory.
  for (const which of SIDES) {
    const last = seen[which].rows.at(-1);
    assert.ok(last[1].includes(`element ${witness.difference.element}`) && last.at(-1) === witness.difference[which], JSON.stringify(last));
  }
  assert.equal(again(seen.command).status, 1);
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("every state has a link, and both versions have all views", async () => {
  const { address, data } = pages.threads;
  const page = await shared.browser.page(address, SIZE);
  await page.click('.version[data-side="after"] tr[data-row="1"] a');
  const first = await page.evaluate(shown);
  assert.match(first.hash, /view=versions.*row=1/);
  const { witness } = data.validate.kernels[0];
  for (const which of SIDES) assert.deepEqual([first[which].chosenRow, first[which].lines], [[1], [witness[which].steps[0].line]]);
  const again = await shared.browser.page(address + first.hash, SIZE);
  assert.deepEqual(await again.evaluate(shown), first);
  await again.close();
  await page.click(".bar-of button");
  assert.deepEqual((await page.evaluate(shown)).before.chosenRow, [witness.before.first_different + 1]);
  const view = () => ({ tab: document.querySelector('[role="tab"][aria-selected="true"]').textContent, input: document.querySelector("#input").textContent, side: document.querySelector("#side").value,
    lines: [...document.querySelectorAll("#ir [data-line] > span:last-child")].map(({ textContent }) => textContent) });
  for (const which of SIDES) {
    await page.go(`#side=${which}&ir&line=2`);
    const seen = await page.evaluate(view);
    assert.deepEqual(seen, { tab: "Source", input: data[which].input, side: which, lines: data[which].ir.map(({ text }) => text) });
    await page.click("#tab-graph");
    assert.match(await page.evaluate(() => location.hash), new RegExp(`side=${which}`));
    assert.deepEqual(await page.evaluate(() => document.querySelectorAll("[data-block]").length), data[which].graphs[0].blocks.length);
  }
  // From a line of a version to that version.
  await page.go("#view=versions");
  await page.click('.version[data-side="before"] .follow [data-line="13"] .number');
  const seen = await page.evaluate(view);
  assert.deepEqual([seen.tab, seen.side, await page.evaluate(() => document.querySelector("#ir .chosen").dataset.line)], ["Source", "before", "13"]);
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("`validate --report` and `bisect --report` write it, too", async () => {
  const ofValidate = join(shared.folder, "of-validate.html");
  const run = spawnSync(BINARY, ["validate", "examples/change-before.ll", "examples/change-after.ll", "--model", "ipdom", "--report", ofValidate], { cwd: ROOT, encoding: "utf8" });
  assert.equal(run.status, 1, run.stderr);
  assert.match(dataOf(readFileSync(ofValidate, "utf8")).runs[0].command, /--model ipdom/);
  const out = join(shared.folder, "of-bisect.html");
  const keep = join(shared.folder, "kept");
  const found = spawnSync(BINARY, ["bisect", "examples/bisect-nested-loops.ll", "--passes", "default<O2>", "--keep", keep, "--report", out, "--format", "json"], { cwd: ROOT, encoding: "utf8" });
  assert.equal(found.status, 1, found.stderr);
  const said = JSON.parse(found.stdout);
  const data = dataOf(readFileSync(out, "utf8"));
  assert.deepEqual(data.bisect, said);
  const page = await shared.browser.page(pathToFileURL(out).href, SIZE);
  const seen = await page.evaluate(shown);
  assert.ok(seen.said[0].includes(`${said.pass} (step ${said.index}, ${said.function}) changes who communicates`), seen.said[0]);
  assert.equal(seen.commands["Find the pass"], "reconverge bisect examples/bisect-nested-loops.ll --passes 'default<O2>'");
  agrees(seen, data);
  assert.equal(again(seen.command).status, 1);
  assert.deepEqual(page.errors, []);
  await page.close();
  // Without a pass that changes something there is nothing to show.
  const clean = spawnSync(BINARY, ["bisect", "examples/bisect-nested-loops.ll", "--passes", "dce", "--keep", keep, "--report", join(shared.folder, "none.html")], { cwd: ROOT, encoding: "utf8" });
  assert.equal(clean.status, 0);
  assert.match(clean.stderr, /none\.html is not written: there is no pass to show/);
});

test("no rule of accessibility is broken seriously, light and dark, at two sizes", async () => {
  if (SCREENS) mkdirSync(SCREENS, { recursive: true });
  for (const [name, { address }] of Object.entries(pages)) {
    for (const [width, height, dark] of [[1400, 1000, false], [1400, 1000, true], [700, 1000, false]]) {
      const page = await shared.browser.page(address, { width, height, dark });
      assert.deepEqual(await serious(page), [], `${name}, ${width}${dark ? ", dark" : ""}`);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${name}: too wide at ${width}`);
      assert.equal(await page.evaluate(() => document.querySelector("#panel-versions").scrollTop), 0, `${name}: it begins with what was found at ${width}`);
      const over = () => [...document.querySelectorAll(".version")].map(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight);
      assert.ok((await page.evaluate(over)).every((more) => more <= 1), `${name}: what is in a version is on another one at ${width}`);
      if (SCREENS) writeFileSync(join(SCREENS, `versions-${name}-${width}${dark ? "-dark" : ""}.png`), await page.screenshot());
      await page.close();
    }
  }
});
