// `node measure.mjs`, with the binary in RECONVERGE: how long the page takes. A program and no test; it prints
// - of the live page, how long it is from an edit of 200 lines to its letters, findings, graph and run: until the server has answered, and until all of it is drawn,
// - of a report of a function of 5000 blocks, what the browser's trace has of its main thread: until it is open, and while it scrolls.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Browser } from "./browser.mjs";
import { BINARY, written } from "./pages.mjs";
import { answered, letter, type } from "./desk.mjs";
import { large, manyKernels, oneKernel } from "./programs.mjs";

const EDITS = Number(process.env.EDITS ?? 15);
const median = (times) => [...times].sort((one, other) => one - other)[Math.floor(times.length / 2)];
const ms = (time) => `${Math.round(time)} ms`;

async function live(browser) {
  const server = spawn(BINARY, ["serve"], { stdio: ["ignore", "pipe", "inherit"] });
  const address = await new Promise((resolve) => server.stdout.once("data", (text) => resolve(String(text).trim())));
  for (const [what, program] of [["kernels", manyKernels(200)], ["one kernel", oneKernel(200)]]) {
    for (const view of ["source", "graph", "time"]) {
      const page = await browser.page(`${address}#view=${view}`, { width: 1400, height: 900 });
      await answered(page, 0);
      await type(page, `${program}//`);
      const times = { answered: [], drawn: [] };
      for (let edit = 0; edit < EDITS; edit += 1) {
        // A letter at the end. The pause behind it is part of what is waited for.
        await letter(page);
        const { waited, seen } = await page.evaluate(() => ({ ...document.body.dataset }));
        times.answered.push(Number(waited));
        times.drawn.push(Number(seen));
      }
      console.log(`live, ${what} of ${program.split("\n").length - 1} lines, ${view}: answered ${ms(median(times.answered))} after it is asked, seen ${ms(median(times.drawn))} after the letter (medians of ${EDITS})`);
      await page.close();
    }
  }
  server.kill();
}

/** What a trace has of the main thread of a page: how long tasks are that are longer than a frame of 1/60 s, and how long all are together. */
async function traced(browser, page, act) {
  const events = [];
  const complete = new Promise((resolve) => browser.listeners.set(undefined, (method, params) => {
    if (method === "Tracing.dataCollected") events.push(...params.value);
    if (method === "Tracing.tracingComplete") resolve(true);
  }));
  await browser.send("Tracing.start", { transferMode: "ReportEvents", traceConfig: { includedCategories: ["toplevel", "devtools.timeline"] } });
  await act();
  await browser.send("Tracing.end");
  await complete;
  if (process.env.TRACE) writeFileSync(process.env.TRACE, JSON.stringify(events));
  // The main thread is the one that runs scripts of the page most.
  const scripts = events.filter(({ name }) => name === "FunctionCall" || name === "EvaluateScript");
  const counts = new Map();
  scripts.forEach(({ pid, tid, dur }) => counts.set(`${pid} ${tid}`, (counts.get(`${pid} ${tid}`) ?? 0) + (dur ?? 0)));
  const [main] = [...counts].sort((one, other) => other[1] - one[1])[0] ?? [];
  const tasks = events.filter(({ name, pid, tid, dur }) => (name === "RunTask" || name === "ThreadControllerImpl::RunTask") && `${pid} ${tid}` === main && dur !== undefined).map(({ dur }) => dur / 1000);
  return { tasks: tasks.length, busy: tasks.reduce((sum, task) => sum + task, 0), long: tasks.filter((task) => task > 1000 / 60).length, longest: Math.max(0, ...tasks) };
}

async function large5000(browser, folder) {
  const path = join(folder, "large.ll");
  writeFileSync(path, large(5000));
  const { address, bytes } = written(folder, path);
  for (const [view, scroller] of [["graph&fold=", ".scroller"], ["source", "#ir .text"]]) {
    const page = await browser.page("about:blank");
    let took = 0;
    const opening = await traced(browser, page, async () => {
      const start = performance.now();
      await page.open(`${address}#view=${view}`);
      took = performance.now() - start;
    });
    let frames = [];
    const scrolling = await traced(browser, page, async () => {
      frames = await page.evaluate(async (selector) => {
        const scrollers = [...document.querySelectorAll(`${selector}, ${selector} *, #panels *`)].filter((one) => one.scrollHeight > one.clientHeight + 1000);
        const scroller = scrollers[0];
        const times = [];
        let last = performance.now();
        for (let step = 0; step < 300; step += 1) {
          scroller.scrollBy(0, 120);
          await new Promise((resolve) => requestAnimationFrame(resolve));
          const now = performance.now();
          times.push(now - last);
          last = now;
        }
        return times.sort((one, other) => one - other);
      }, scroller);
    });
    const said = ({ busy, long, longest }) => `main thread busy for ${ms(busy)}, ${long} tasks longer than a frame, the longest ${ms(longest)}`;
    console.log(`5000 blocks, ${(bytes / 1e6).toFixed(2)} MB, ${view}: opened in ${ms(took)} (${said(opening)})`);
    console.log(`  scrolled for ${frames.length} frames: median ${frames[150].toFixed(1)} ms, 99 of 100 within ${frames[296].toFixed(1)} ms (${said(scrolling)})`);
    await page.close();
  }
}

const folder = mkdtempSync(join(tmpdir(), "reconverge-measure-"));
const browser = await Browser.start();
try {
  await live(browser);
  await large5000(browser, folder);
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
}
