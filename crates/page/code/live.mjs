// The live page: an editor, what is asked of the program, and the views of a report, which follow.
// @ts-check
import { stateOf, spotOf, fragmentOf } from "./model.mjs";
import { byId, isKept, keep, make, replace, start } from "./frame.mjs";
import { views } from "./views.mjs";
import { LANGUAGES, passSentence, marksOf, marksOfFindings, nameIn, packed, sentenceOf, unpacked } from "./program.mjs";
import { askServer, askWorker } from "./asking.mjs";

/** @typedef {import("./program.mjs").Question} Question */
/** @typedef {import("./model.mjs").Report} Report */
/** @typedef {{text: () => string, setText: (text: string) => void, setLanguage: (language: string) => void, setMarks: (marks: import("./program.mjs").Mark[]) => void,
 *   setSets: (sets: (string | undefined)[]) => void, choose: (line: number) => void}} Editor */

/** How long after the last letter is asked, in milliseconds. */
const PAUSE = 30;
/** How often a watched file is looked at. */
const WATCH = 700;
/** The boxes of the launch and of what the program is for, by what they say. */
const BOXES = /** @type {const} */ (["target", "model", "passes", "kernel", "grid", "block", "subgroup"]);

const setup = JSON.parse(byId("live").textContent);
const asker = setup.transport === "server" ? askServer() : askWorker(byId("worker").textContent, new URL("reconverge.wasm", location.href));

/** @type {Question} */
let question = setup.question;
/** What the watched file said last. */
let ofFile = setup.watched ? question.text : null;
/** @type {Report | null} */
let report = null;
let asked = 0;
let timer = 0;
/** When the last letter was typed. */
let edited = 0;

const empty = /** @type {any} */ ({ input: question.name, target: "", files: [], ir: [], points: [], graphs: [], steps: [], check: { diagnostics: [] }, not_understood: [], time: { all: [], left_out: [] } });

const option = (/** @type {string} */ value, /** @type {string} */ text) => make("option", { value }, text);

byId("desk-example").append(option("", setup.watched ? question.name : "…"), ...setup.examples.map((/** @type {any} */ { title, question: { name } }, /** @type {number} */ number) => option(String(number), `${name}: ${title}`)));
byId("desk-language").append(...Object.entries(LANGUAGES).map(([name, [title]]) => option(name, title)));
byId("desk-target").append(option("", "usual"), ...setup.targets.map((/** @type {string} */ name) => option(name, name)));
byId("desk-model").append(...setup.models.map((/** @type {string} */ name, /** @type {number} */ number) => option(number === 0 ? "" : name, name)));

byId("desk-passes-list").append(...setup.passes.map((/** @type {string} */ name) => option(name, name)));

if (setup.transport === "worker") byId("desk-share").before(make("a", { href: "docs/index.html", target: "_blank" }, "Documentation"));

/** @type {Editor} */
const editor = /** @type {any} */ (globalThis).reconvergeEditor.makeEditor(byId("editor"), {
  text: question.text, language: question.language, label: "Program",
  onChange: () => {
    question = { ...question, text: editor.text() };
    later();
  },
  onLine: (/** @type {number} */ line) => {
    // Where the lines are shown, that of the cursor is chosen.
    if (!report || linesOfText(report).length === 0 || document.body.classList.contains("stale") || (stateOf(location.hash).get("view") ?? "source") !== "source") return;
    const fragment = fragmentOf({ file: report.files.length ? 0 : null, line });
    if (!location.hash.startsWith(`${fragment}&`)) replace(fragment);
  },
});

/** What the boxes show is the question. */
function showQuestion() {
  byId("desk-language").value = question.language;
  byId("desk-model").disabled = question.language === "ll";
  fillKernels();
  for (const name of BOXES) byId(`desk-${name}`).value = question[name];
  byId("desk-arguments").value = question.arguments.join(" ");
}

/** The kernels of the program, and one that is asked for though it is none. */
function fillKernels() {
  const written = (report?.graphs ?? []).filter(({ kernel }) => kernel).map(({ written: name }) => name);
  const names = question.kernel && !written.includes(question.kernel) ? [...written, question.kernel] : written;
  byId("desk-kernel").replaceChildren(option("", "the first ones"), ...names.map((name) => option(name, name)));
  byId("desk-kernel").value = question.kernel;
}

/** What is known of the lines of the text in the editor: nothing, where passes have made other IR of IR. @param {Report} of */
const linesOfText = (of) => of.files[0]?.lines ?? (of.passes ? [] : of.ir);

/** @param {string} text @param {boolean} isWrong */
function say(text, isWrong = false) {
  byId("desk-status").textContent = text;
  byId("desk-status").classList.toggle("wrong", isWrong);
}

/** Asks when nothing more is typed. */
function later() {
  edited = performance.now();
  clearTimeout(timer);
  timer = setTimeout(ask, PAUSE);
}

async function ask() {
  clearTimeout(timer);
  const mine = (asked += 1);
  const of = question;
  const before = performance.now();
  byId("desk-stop").disabled = false;
  const waiting = setTimeout(() => mine === asked && say("Working …"), 250);
  const [answer, link] = await Promise.all([asker.ask(of), packed(of)]);
  clearTimeout(waiting);
  if (mine !== asked) return;
  document.body.dataset.waited = String(Math.round(performance.now() - before));
  byId("desk-stop").disabled = true;
  keep("program", link);
  if (answer === null) {
    say("Stopped.");
  } else if (answer.error) {
    document.body.classList.toggle("stale", report !== null);
    editor.setMarks(marksOf(answer.error, of.name));
    say(sentenceOf(answer.error), true);
  } else if (answer.report) {
    report = answer.report;
    document.body.classList.remove("stale");
    editor.setMarks(linesOfText(report).length > 0 ? marksOfFindings(report) : []);
    editor.setSets(linesOfText(report).map(({ uniform_in, may }) => (uniform_in && may ? `${uniform_in} may` : uniform_in)));
    update(report);
    byId("panel-source").classList.toggle("one-file", report.files.length === 1);
    fillKernels();
    const took = Math.round(performance.now() - before);
    say([`Answered in ${took} ms.`, ...(report.passes ?? []).map(passSentence)].join(" "));
    document.body.dataset.took = String(took);
  }
  document.body.dataset.answered = String(mine);
  // Behind the next frame all of it can be seen.
  requestAnimationFrame(() => setTimeout(() => (document.body.dataset.seen = String(Math.round(performance.now() - edited)))));
}

/** Another program. @param {Question} other */
function load(other) {
  question = other;
  editor.setLanguage(other.language);
  editor.setText(other.text);
  byId("desk-example").value = "";
  showQuestion();
  ask();
}

/** Another text of the same program. @param {string} text */
function retext(text) {
  editor.setText(text);
  question = { ...question, text };
  ask();
}

/** A link that was followed, or a step back. */
async function follow() {
  const link = stateOf(location.hash).get("program");
  if (link && link !== isKept("program")) {
    const other = await unpacked(link);
    if (other) load(other);
  }
  const spot = report && spotOf(report, stateOf(location.hash));
  if (spot && report && spot.file === (report.files.length ? 0 : null) && linesOfText(report).length > 0) editor.choose(spot.line);
}
addEventListener("hashchange", follow);

byId("desk-example").addEventListener("change", () => {
  const chosen = setup.examples[byId("desk-example").value];
  if (chosen) load(chosen.question);
  else if (setup.watched) load({ ...setup.question, text: ofFile });
});
byId("desk-language").addEventListener("change", () => {
  const language = byId("desk-language").value;
  question = { ...question, language, name: nameIn(question.name, language) };
  editor.setLanguage(language);
  showQuestion();
  ask();
});
for (const name of BOXES) {
  byId(`desk-${name}`).addEventListener("input", () => {
    question = { ...question, [name]: byId(`desk-${name}`).value };
    later();
  });
}
byId("desk-arguments").addEventListener("input", () => {
  question = { ...question, arguments: byId("desk-arguments").value.split(/\s+/).filter(Boolean) };
  later();
});
byId("desk-stop").addEventListener("click", () => asker.stop());

byId("desk-share").addEventListener("click", async () => {
  keep("program", await packed(question));
  const holder = make("textarea", { "aria-label": "Link" }, location.href);
  document.body.append(holder);
  holder.select();
  const isCopied = document.execCommand("copy");
  holder.remove();
  byId("desk-share").focus();
  say(isCopied ? "The link is copied: the program is in it." : "The link is the address of this page.");
});
byId("desk-download").addEventListener("click", async () => {
  const { page, error } = await asker.page(question);
  if (error) {
    say(sentenceOf(error), true);
  } else if (page) {
    const link = make("a", { href: URL.createObjectURL(new Blob([page], { type: "text/html" })), download: `${question.name.replace(/^.*\//, "")}.html` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    say("The report is downloaded.");
  }
});

/** Looks at the watched file. What was edited here is not lost. */
async function look() {
  const text = document.hidden ? null : await asker.file();
  if (text !== null && text !== ofFile) {
    const isEdited = editor.text() !== ofFile;
    ofFile = text;
    if (isEdited) byId("desk-load").hidden = text === editor.text();
    else retext(text);
  }
  setTimeout(look, WATCH);
}
byId("desk-load").addEventListener("click", () => {
  byId("desk-load").hidden = true;
  retext(/** @type {string} */ (ofFile));
});

document.body.classList.add("live");
const update = start(empty, views);
if (setup.watched) look();
unpacked(stateOf(location.hash).get("program")).then((shared) => load(shared ?? question));
