// A module of WebAssembly and its memory.

import { bytes } from "./load.js";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Memory of the module for the arguments of one call, which is wiped behind it. */
class Arguments {
  #module;
  #given = [];

  constructor(module) {
    this.#module = module;
  }

  /** So many bytes, whatever they hold; the address. */
  room(length) {
    const at = this.#module.exports.ringwork_memory_new(length) >>> 0;
    if (at === 0) throw new RangeError(`there is no memory for ${length} bytes`);
    this.#given.push([at, length]);
    return at;
  }

  /** A copy of words of that type; the address. */
  copy(words, Words = Uint8Array) {
    const at = this.room(words.length * Words.BYTES_PER_ELEMENT);
    this.#module.view(Words, at, words.length).set(words);
    return at;
  }

  /** A text in UTF-8; the address, and the number of bytes. */
  text(text) {
    const bytes = encoder.encode(text);
    return [this.copy(bytes), bytes.length];
  }

  free() {
    for (const [at, length] of this.#given) this.#module.exports.ringwork_memory_free(at, length);
  }
}

/** An instance of a module. */
export class Module {
  #compiled;
  #exports;

  constructor(compiled) {
    this.#compiled = compiled;
  }

  get exports() {
    return (this.#exports ??= new WebAssembly.Instance(this.#compiled, {}).exports);
  }

  /** Words of its memory, until the memory grows. */
  view(Words, at, length) {
    return new Words(this.exports.memory.buffer, at, length);
  }

  /** A copy of words of its memory. */
  read(Words, at, length) {
    return new Words(this.view(Words, at, length));
  }

  /** What the module says of its last call, or answers. */
  answer() {
    const { ringwork_text, ringwork_text_length } = this.exports;
    return decoder.decode(this.view(Uint8Array, ringwork_text() >>> 0, ringwork_text_length()));
  }

  /** Runs with memory for arguments, which is wiped and freed. */
  run(call) {
    const { exports } = this;
    const given = new Arguments(this);
    try {
      return call(exports, given);
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError)) throw error;
      // What is in its memory is lost, and nobody reads it any more.
      this.view(Uint8Array, 0, exports.memory.buffer.byteLength).fill(0);
      this.#exports = undefined;
      throw new Error("a fault of ringwork: please report it, with the program that shows it", { cause: error });
    } finally {
      if (this.#exports === exports) given.free();
    }
  }
}

/** The module of that name. */
export async function open(name) {
  return new Module(await WebAssembly.compile(await bytes(name)));
}
