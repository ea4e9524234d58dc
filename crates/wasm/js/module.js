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

  /** So many bytes, which are zero; the address. */
  room(length) {
    const at = length < 2 ** 31 ? this.#module.exports.ringwork_memory_new(length) >>> 0 : 0;
    if (at === 0) throw new Refused(`there is no memory for ${length} bytes`);
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
    try {
      return [this.copy(bytes), bytes.length];
    } finally {
      bytes.fill(0);
    }
  }

  free() {
    for (const [at, length] of this.#given) this.#module.exports.ringwork_memory_free(at, length);
  }
}

/** What the module refuses: it has ended its call in order. */
export class Refused extends RangeError {
  name = "RangeError";
}

/** An instance of a module. */
export class Module {
  #compiled;
  #imports;
  #exports;
  #isBusy = false;

  constructor(compiled, imports) {
    this.#compiled = compiled;
    this.#imports = imports;
  }

  get exports() {
    return (this.#exports ??= new WebAssembly.Instance(this.#compiled, this.#imports).exports);
  }

  /** Whether these are the functions of the instance that works now: no other may be called. */
  has(exports) {
    return this.#exports === exports;
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

  /**
   * Runs with memory for arguments, which is wiped and freed. A call that does not end in order, by a trap or because
   * the stack of JavaScript is full, leaves an instance that is used no more: its memory is wiped, at the next call if
   * there is no stack for it now.
   */
  run(call) {
    if (this.#isBusy) this.#discard();
    const { exports } = this;
    const given = new Arguments(this);
    this.#isBusy = true;
    try {
      const result = call(exports, given);
      given.free();
      this.#isBusy = false;
      return result;
    } catch (error) {
      if (error instanceof Refused || error instanceof Answered) {
        given.free();
        this.#isBusy = false;
        throw error.cause ?? error;
      }
      this.#discard();
      if (!(error instanceof WebAssembly.RuntimeError)) throw error;
      throw new Error("a fault of ringwork: please report it, with the program that shows it", { cause: error });
    }
  }

  /** The same, and then wipes the instance with all that its code has left there. */
  runOnce(call) {
    try {
      return this.run(call);
    } finally {
      this.#discard();
    }
  }

  #discard() {
    const lost = this.#exports;
    if (lost !== undefined) new Uint8Array(lost.memory.buffer).fill(0);
    this.#exports = undefined;
    this.#isBusy = false;
  }
}

/** An error that a call throws about its answer. */
class Answered extends Error {}

/** Throws an error from inside a call that ended in order. */
export function fail(error) {
  throw new Answered(error.message, { cause: error });
}

/** The module of that name, and what it takes from JavaScript. */
export async function open(name, imports = {}) {
  return new Module(await WebAssembly.compile(await bytes(name)), imports);
}
