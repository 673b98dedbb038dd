// Runs the examples that were built for wasm32-unknown-unknown: node in_node.mjs FOLDER. One that panics ends in a trap.
import { readFileSync } from "node:fs";

const [folder] = process.argv.slice(2);
for (const name of ["check_a_string", "run_a_kernel", "ask_a_value"]) {
  const { instance } = await WebAssembly.instantiate(readFileSync(`${folder}/${name}.wasm`), {});
  if (instance.exports.main(0, 0) !== 0) throw new Error(`${name} fails`);
  console.log(`${name} runs`);
}
