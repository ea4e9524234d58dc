// Where the bytes of modules are.

import { simd } from "./simd.js";

/** The bytes of one of the modules: `schemes`, `plans` or `files`. */
export async function bytes(name) {
  const url = new URL(`./${name}-${simd ? "simd" : "portable"}.wasm`, import.meta.url);
  // No import of Node's modules, which bundlers for browsers would look for.
  const files = globalThis.process?.getBuiltinModule?.("node:fs/promises");
  if (url.protocol === "file:" && files) return files.readFile(url);
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${answer.statusText}`);
  return answer.arrayBuffer();
}
