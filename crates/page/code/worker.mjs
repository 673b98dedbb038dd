// A worker that answers questions: each is a run of the program `reconverge-web`, which has its standard input and output and nothing else of a system.
// @ts-check

/** What a run of the program prints. @param {WebAssembly.Module} module @param {string} input @returns {{output: string, errors: string}} */
export function runOf(module, input) {
  const given = new TextEncoder().encode(input);
  let at = 0;
  /** What is written to standard output and to standard error. @type {Uint8Array[][]} */
  const written = [[], []];
  /** @type {any} */
  let exports;
  const memory = () => new DataView(exports.memory.buffer);
  /** The parts of a list of buffers. @param {number} list @param {number} count @returns {Uint8Array[]} */
  const buffers = (list, count) => Array.from({ length: count }, (_, number) => new Uint8Array(exports.memory.buffer, memory().getUint32(list + 8 * number, true), memory().getUint32(list + 8 * number + 4, true)));
  const [OK, NO_FILE, NOT_THERE] = [0, 8, 52];
  /** @type {Record<string, (...given: any[]) => number>} */
  const system = {
    fd_read(file, list, count, got) {
      if (file !== 0) return NO_FILE;
      let total = 0;
      for (const buffer of buffers(list, count)) {
        const part = given.subarray(at, at + buffer.length);
        buffer.set(part);
        at += part.length;
        total += part.length;
      }
      memory().setUint32(got, total, true);
      return OK;
    },
    fd_write(file, list, count, done) {
      if (file !== 1 && file !== 2) return NO_FILE;
      const parts = buffers(list, count).map((buffer) => buffer.slice());
      written[file - 1].push(...parts);
      memory().setUint32(done, parts.reduce((total, { length }) => total + length, 0), true);
      return OK;
    },
    random_get(place, length) {
      crypto.getRandomValues(new Uint8Array(exports.memory.buffer, place, length));
      return OK;
    },
    clock_time_get(_clock, _precision, place) {
      memory().setBigUint64(place, BigInt(Math.round(performance.now() * 1e6)), true);
      return OK;
    },
    ...Object.fromEntries(["args_sizes_get", "environ_sizes_get"].map((name) => [name, (/** @type {number} */ count, /** @type {number} */ size) => {
      memory().setUint32(count, 0, true);
      memory().setUint32(size, 0, true);
      return OK;
    }])),
    args_get: () => OK,
    environ_get: () => OK,
    sched_yield: () => OK,
    proc_exit(status) {
      throw new Error(`ended with ${status}`);
    },
  };
  const wanted = WebAssembly.Module.imports(module).map(({ name }) => [name, system[name] ?? (() => NOT_THERE)]);
  exports = new WebAssembly.Instance(module, { wasi_snapshot_preview1: Object.fromEntries(wanted) }).exports;
  /** @param {Uint8Array[]} parts */
  const text = (parts) => {
    const decoder = new TextDecoder();
    return parts.map((part) => decoder.decode(part, { stream: true })).join("") + decoder.decode();
  };
  try {
    exports._start();
  } catch (error) {
    if (written[0].length === 0) throw new Error(`${text(written[1]) || error}`);
  }
  return { output: text(written[0]), errors: text(written[1]) };
}

/** @type {any} */
const self = globalThis;
if (self.WorkerGlobalScope) {
  self.onmessage = (/** @type {MessageEvent} */ { data: { module, number, asked } }) => {
    try {
      self.postMessage({ number, answer: JSON.parse(runOf(module, JSON.stringify(asked)).output) });
    } catch (error) {
      self.postMessage({ number, failure: String(error) });
    }
  };
}
