// Runs a program for WASI: `node wasi.mjs program.wasm [argument]..`, with the files of this machine.
import { readFile } from "node:fs/promises";
import { WASI } from "node:wasi";

const [program, ...rest] = process.argv.slice(2);
const wasi = new WASI({ version: "preview1", args: [program, ...rest], env: process.env, preopens: { "/": "/" } });
const { instance } = await WebAssembly.instantiate(await readFile(program), wasi.getImportObject());
process.exitCode = wasi.start(instance);
