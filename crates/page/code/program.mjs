// The program of the live page as a question, and in a link: JSON, compressed, in letters that an address may have.
// @ts-check

/** What is asked, as `Question` of the library has it. @typedef {{name: string, language: string, text: string, target: string, model: string, passes: string, kernel: string, grid: string, block: string, subgroup: string, arguments: string[]}} Question */
/** @typedef {{line: number, column: number}} Position */
/** @typedef {{kind: string, path: string, position: Position | null, message: string, details: {earlier: Wrong[]} | null}} Wrong */
/** @typedef {{line: number, column: number, severity: "error" | "warning" | "info", message: string}} Mark */

/** The texts of a question. */
const TEXTS = Object.freeze(["name", "language", "text", "target", "model", "passes", "kernel", "grid", "block", "subgroup"]);
/** The longest program that is read from a link, in letters. */
const LONGEST = 1 << 20;

/** The languages: what they are called, and how names of files end. @type {Record<string, [string, string]>} */
export const LANGUAGES = Object.freeze({ cuda: ["CUDA", ".cu"], hip: ["HIP", ".hip"], cl: ["OpenCL C", ".cl"], "c++": ["C++", ".cpp"], ll: ["LLVM IR", ".ll"] });

/** A name with the ending of a language. @param {string} name @param {string} language */
export function nameIn(name, language) {
  const ending = LANGUAGES[language]?.[1] ?? "";
  return `${name.replace(/\.\w+$/, "") || "kernel"}${ending}`;
}

/** @param {BodyInit} bytes @param {any} stream @returns {Promise<Response>} */
const through = async (bytes, stream) => new Response(/** @type {any} */ (new Response(bytes).body).pipeThrough(stream));

/** A question in letters that an address may have. @param {Question} question @returns {Promise<string>} */
export const packed = async (question) => {
  const said = Object.fromEntries(Object.entries(question).filter(([, value]) => value.length > 0));
  const bytes = new Uint8Array(await (await through(JSON.stringify(said), new CompressionStream("deflate-raw"))).arrayBuffer());
  let letters = "";
  bytes.forEach((byte) => (letters += String.fromCharCode(byte)));
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
};

/** A stream that fails behind so many bytes. @param {number} most */
function upTo(most) {
  let count = 0;
  return new TransformStream({
    transform(chunk, to) {
      count += chunk.byteLength;
      if (count > most) to.error(new RangeError("too long"));
      else to.enqueue(chunk);
    },
  });
}

/** The question of a link; null where it is none. A link is from anybody: it says texts and nothing else. @param {string | null} letters @returns {Promise<Question | null>} */
export const unpacked = async (letters) => {
  if (!letters || letters.length > LONGEST || !/^[\w-]+$/.test(letters)) return null;
  try {
    const bytes = Uint8Array.from(atob(letters.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
    const plain = await through(bytes, new DecompressionStream("deflate-raw"));
    const said = JSON.parse(await (await through(/** @type {any} */ (plain.body), upTo(LONGEST))).text());
    const texts = Object.fromEntries(TEXTS.map((name) => [name, typeof said[name] === "string" ? said[name] : ""]));
    const given = Array.isArray(said.arguments) ? said.arguments.filter((/** @type {unknown} */ one) => typeof one === "string") : [];
    return /** @type {Question} */ ({ ...texts, arguments: given });
  } catch {
    return null;
  }
};

/** What an error marks in the text of a program: itself and those before it, where they have a place there. @param {Wrong} wrong @param {string} name @returns {Mark[]} */
export function marksOf(wrong, name) {
  const all = [...(wrong.details?.earlier ?? []), wrong];
  return all.flatMap(({ path, position, message }) => (position && (path === name || path === "") ? [{ ...position, severity: /** @type {const} */ ("error"), message }] : []));
}

/** An error in one sentence, with its place. @param {Wrong} wrong */
export function sentenceOf({ path, position, message, details }) {
  const more = details?.earlier.length ?? 0;
  const place = position ? `line ${position.line}: ` : path ? `${path}: ` : "";
  return `${place}${message.split("\n")[0]}${more > 0 ? ` (and ${more} more)` : ""}`;
}

/** What findings, and what is not understood, mark in the text of a program. @param {import("./model.mjs").Report} report @returns {Mark[]} */
export function marksOfFindings(report) {
  const isHere = (/** @type {import("./model.mjs").Finding} */ { path }) => path === undefined || path === report.input;
  const unknown = report.not_understood.flatMap((wrong) => marksOf(wrong, report.input)).map((mark) => ({ ...mark, severity: /** @type {const} */ ("warning") }));
  return [...unknown, ...report.check.diagnostics.filter(isHere).map(({ line, column, severity, code, message }) => ({
    line, column, severity: /** @type {Mark["severity"]} */ (severity === "error" || severity === "warning" ? severity : "info"), message: `${code}: ${message}`,
  }))];
}

/** What a pass did, in a sentence. @param {import("./model.mjs").Pass} pass */
export function passSentence({ pass, functions, refused }) {
  const changed = `${pass} changed ${functions === 0 ? "nothing" : functions === 1 ? "1 function" : `${functions} functions`}`;
  const [first] = refused;
  const more = refused.length > 1 ? ` (and ${refused.length - 1} more)` : "";
  return first ? `${changed}, and left ${first.function} as it is: ${first.rule}${more}.` : `${changed}.`;
}
