// Who answers the live page: the server that it is from, or a worker beside it. A newer question ends the older one.
// @ts-check

/** @typedef {import("./program.mjs").Question} Question */
/** @typedef {{report?: import("./model.mjs").Report, error?: import("./program.mjs").Wrong}} Answer */
/** `ask` answers null where a newer question, or `stop`, has ended it; `page` answers the page of a report, or why there is none.
 * @typedef {{ask: (question: Question) => Promise<Answer | null>, page: (question: Question) => Promise<{page?: string, error?: import("./program.mjs").Wrong}>, stop: () => void, file: () => Promise<string | null>}} Asker */

/** Something that went wrong beside the program. @param {string} message @returns {import("./program.mjs").Wrong} */
const trouble = (message) => ({ kind: "unreadable", path: "", position: null, message, details: null });

/** A server, which knows this page by a number of its own. @returns {Asker} */
export function askServer() {
  const client = [...crypto.getRandomValues(new Uint32Array(2))].join("-");
  /** @type {AbortController | null} */
  let running = null;
  const post = (/** @type {string} */ what, /** @type {unknown} */ body, /** @type {AbortSignal | undefined} */ signal = undefined) =>
    fetch(`${location.pathname}${what}?client=${client}`, { method: "POST", body: JSON.stringify(body), signal, headers: { "content-type": "application/json" } });
  return {
    async ask(question) {
      running?.abort();
      const mine = (running = new AbortController());
      try {
        const response = await post("answer", question, mine.signal);
        if (!response.ok) return { error: trouble(`the server refuses: ${await response.text()}`) };
        const answer = await response.json();
        return answer.error?.kind === "cancelled" ? null : answer;
      } catch (error) {
        return mine.signal.aborted ? null : { error: trouble("the server does not answer; has it ended?") };
      } finally {
        if (running === mine) running = null;
      }
    },
    async page(question) {
      try {
        const response = await post("page", question);
        const text = await response.text();
        if (response.ok && response.headers.get("content-type")?.startsWith("text/html")) return { page: text };
        return { error: response.ok ? JSON.parse(text).error : trouble(text) };
      } catch {
        return { error: trouble("the server does not answer; has it ended?") };
      }
    },
    stop() {
      running?.abort();
      post("stop", null).catch(() => {});
    },
    async file() {
      try {
        const response = await post("file", null);
        return response.ok ? (await response.json()).text ?? null : null;
      } catch {
        return null;
      }
    },
  };
}

/** A worker, which does one thing after the other; what it does is ended with it. All that it needs is here once the page is: it works without a network then.
 * @param {string} code @param {URL} program @returns {Asker} */
export function askWorker(code, program) {
  const script = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
  const compiled = fetch(program).then((response) => response.arrayBuffer()).then((bytes) => WebAssembly.compile(bytes));
  let worker = new Worker(script, { type: "module" });
  let count = 0;
  /** @type {{number: number, done: (answer: any) => void} | null} */
  let running = null;
  const restart = () => {
    worker.terminate();
    worker = new Worker(script, { type: "module" });
  };
  const end = () => {
    running?.done(null);
    running = null;
    restart();
  };
  /** @param {"answer" | "page"} what @param {Question} question @returns {Promise<any>} */
  const request = async (what, question) => {
    if (running) end();
    const number = (count += 1);
    /** @type {WebAssembly.Module} */
    let module;
    try {
      module = await compiled;
    } catch {
      return { error: trouble("reconverge.wasm is not there, or this browser has no WebAssembly") };
    }
    // A newer one came while it was loaded.
    if (number !== count) return null;
    return new Promise((resolve) => {
      running = { number, done: resolve };
      worker.onmessage = ({ data }) => {
        if (running?.number !== data.number) return;
        running = null;
        resolve(data.answer ?? { error: trouble(`an internal error, please report the program: ${data.failure}`) });
      };
      worker.postMessage({ module, number, asked: { what, question } });
    });
  };
  return {
    ask: (question) => request("answer", question),
    page: (question) => request("page", question),
    stop: () => running && end(),
    file: async () => null,
  };
}
