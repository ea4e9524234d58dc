// Plans: products and transforms in any ring.

import { kindOf, options, plain, write } from "./check.js";
import { module } from "./engine.js";
import { fail } from "./module.js";

const RINGS = ["negacyclic", "cyclic", "trinomial"];
const ORDERS = ["natural", "bitreversed", "native"];
const WORDS = {
  i16: Int16Array,
  i32: Int32Array,
  i64: BigInt64Array,
  u32: Uint32Array,
  u64: BigUint64Array,
};
/** The status of the C library for a request that no plan fulfils. */
const NO_PLAN = 2;
/** Larger ones have tables beyond the memory of a module. */
const MOST_WORDS = 2n ** 24n;

/** A request that no plan fulfils; the text says what would work. */
export class PlanError extends RangeError {
  name = "PlanError";
}

const freed = new FinalizationRegistry(([exports, at]) => {
  if (module.has(exports)) exports.ringwork_plan_free(at);
});

function one(what, value, names) {
  const number = names.indexOf(value);
  if (number < 0) throw new PlanError(`${what} ${String(value)} is none of ${names.join(", ")}`);
  return number;
}

/** An integer as a bigint. */
function integer(what, value) {
  if (typeof value === "bigint") return value;
  if (typeof value !== "number") throw new TypeError(`${what} must be an integer, not ${value === null ? "null" : typeof value}`);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${what} is ${String(value)}, not an integer`);
  return BigInt(value);
}

function within(what, value, bits) {
  const number = integer(what, value);
  if (number < 0n || number >> BigInt(bits) !== 0n) throw new RangeError(`${what} is ${number}, not from 0 to 2^${bits} - 1`);
  return number;
}

/** Texts of the C library end with a zero. */
function message() {
  const at = module.exports.ringwork_error_message() >>> 0;
  const memory = new Uint8Array(module.exports.memory.buffer);
  return new TextDecoder().decode(memory.subarray(at, memory.indexOf(0, at)));
}

function expect(status) {
  if (status !== 0) fail(new (status === NO_PLAN ? PlanError : RangeError)(message()));
}

/** A ring of polynomials, and how products in it are computed. */
export class Plan {
  #exports;
  #at;
  #suffix;
  #n;
  #q;
  #length;
  #Words;
  #hasChannels;

  constructor(n, q, opts) {
    const { ring = "negacyclic", order = "natural", bits = 0, root = 0, shift = 0, depth = 0 } = options(opts, [
      "ring",
      "order",
      "bits",
      "root",
      "shift",
      "depth",
    ]);
    const numbers = {
      n: within("n", n, 32),
      q: within("q", q, 64),
      ring: one("ring", ring, RINGS),
      order: one("order", order, ORDERS),
      bits: within("bits", bits, 32),
      depth: within("depth", depth, 32),
      root: within("root", root, 64),
      shift: within("shift", shift, 64),
    };
    if (numbers.n > MOST_WORDS) throw new PlanError(`n = ${numbers.n}: there is memory for degrees up to ${MOST_WORDS}`);
    this.#at = module.run((exports, given) => {
      this.#exports = exports;
      const [request, plan] = [given.room(48), given.room(4)];
      const view = module.view(DataView, request, 48);
      view.setUint32(0, 48, true);
      view.setUint32(4, Number(numbers.n), true);
      view.setBigUint64(8, numbers.q, true);
      view.setUint32(16, numbers.ring, true);
      view.setUint32(20, numbers.order, true);
      view.setUint32(24, Number(numbers.bits), true);
      view.setUint32(28, Number(numbers.depth), true);
      view.setBigUint64(32, numbers.root, true);
      view.setBigUint64(40, numbers.shift, true);
      expect(exports.ringwork_plan_new(request, plan));
      return module.view(DataView, plan, 4).getUint32(0, true);
    });
    freed.register(this, [this.#exports, this.#at], this);
    const { ringwork_plan_bits, ringwork_plan_is_signed, ringwork_plan_words } = this.#exports;
    this.#suffix = `${ringwork_plan_is_signed(this.#at) ? "i" : "u"}${ringwork_plan_bits(this.#at)}`;
    this.#length = ringwork_plan_words(this.#at);
    this.#Words = WORDS[this.#suffix];
    this.#hasChannels = this.root === null && this.explain().channels;
    this.#n = Number(numbers.n);
    this.#q = numbers.q;
  }

  /** The degree. */
  get n() {
    return this.#n;
  }

  /** The modulus, a bigint. */
  get q() {
    return this.#q;
  }

  /** Bits of a word. */
  get bits() {
    return Number(this.#suffix.slice(1));
  }

  /** The typed arrays that the plan takes as they are, and gives. */
  get Words() {
    return this.#Words;
  }

  /** Words of a transformed polynomial: `n`, or more if products are computed by residue channels. */
  get words() {
    return this.#length;
  }

  /** The root of unity of the transform; null if there is none. */
  get root() {
    const root = BigInt.asUintN(64, this.#own().ringwork_plan_root(this.#at));
    return root === 0n ? null : root;
  }

  /** Products of polynomials, one after the other, of `n` coefficients each. */
  multiply(a, b, out) {
    return this.#binary("multiply", a, b, this.#n, out);
  }

  /** Products of transformed polynomials. */
  pointwise(a, b, out) {
    return this.#binary("pointwise", a, b, this.#length, out, { areTransformed: true });
  }

  /** Sums of polynomials; transformed ones as well, unless there are residue channels. */
  add(a, b, out) {
    return this.#binary("add", a, b, this.#n, out, { inPlace: true });
  }

  /** Differences of polynomials; see `add`. */
  subtract(a, b, out) {
    return this.#binary("subtract", a, b, this.#n, out, { inPlace: true });
  }

  /** Transforms of polynomials: of `n` coefficients each; out come `words`. */
  forward(a, out) {
    return this.#transform("forward", a, this.#n, this.#length, out);
  }

  /** Polynomials from their transforms. */
  inverse(a, out) {
    return this.#transform("inverse", a, this.#length, this.#n, out);
  }

  /** What was decided, and the ranges that are proved: an object. */
  explain() {
    return module.run((exports) => {
      this.#own().ringwork_plan_describe(this.#at);
      return JSON.parse(module.answer());
    });
  }

  /** Gives back the memory of its tables; otherwise the garbage collector does. */
  free() {
    if (this.#at === 0) return;
    freed.unregister(this);
    if (module.has(this.#exports)) this.#exports.ringwork_plan_free(this.#at);
    this.#at = 0;
  }

  [Symbol.dispose ?? Symbol.for("Symbol.dispose")]() {
    this.free();
  }

  /** Whether it was freed, or lost in a fault. */
  get isLost() {
    return this.#at === 0 || !module.has(this.#exports);
  }

  /** The functions of its module. */
  #own() {
    if (this.#at === 0) throw new TypeError("the plan was freed");
    if (!module.has(this.#exports)) throw new TypeError("the plan was lost in a fault of ringwork: make it again");
    return this.#exports;
  }

  /** Words of the plan, for any integers between -q and q. Those of residue channels are the plan's alone. */
  #taken(name, values, length, isTransformed = false) {
    const Words = this.#Words;
    const isOwn = kindOf(values) === Words.name;
    const own = isOwn ? plain(values, Words) : values;
    const count = own?.length;
    if (!Number.isSafeInteger(count)) throw new TypeError(`"${name}" must be an array of integers`);
    if (count % length !== 0) throw new RangeError(`"${name}" has ${count} words, not a multiple of ${length}`);
    if (isOwn) return own;
    if (isTransformed && this.#hasChannels) throw new TypeError(`"${name}" must be a ${Words.name} that this plan has transformed`);
    const q = this.#q;
    const isBig = Words === BigInt64Array || Words === BigUint64Array;
    const isUnsigned = Words === Uint32Array || Words === BigUint64Array;
    const words = new Words(count);
    for (let i = 0; i < count; i++) {
      let value = integer(`${name}[${i}]`, values[i]);
      if (value <= -q || value >= q) throw new RangeError(`${name}[${i}] is ${value}, not between -${q} and ${q}`);
      if (isUnsigned && value < 0n) value += q;
      words[i] = isBig ? value : Number(value);
    }
    return words;
  }

  #given(out, length) {
    const Words = this.#Words;
    if (out === undefined) return new Words(length);
    if (kindOf(out) !== Words.name) throw new TypeError(`"out" must be of the type ${Words.name}`);
    const found = plain(out, Words).length;
    if (found !== length) throw new RangeError(`"out" has ${found} words, and the result ${length}`);
    return out;
  }

  /** Verbs that replace their first operand take no place for a result. */
  #binary(verb, a, b, length, out, { areTransformed = false, inPlace = false } = {}) {
    [a, b] = [this.#taken("a", a, length, areTransformed), this.#taken("b", b, length, areTransformed)];
    const exports = this.#own();
    if (a.length !== b.length) throw new RangeError(`"a" has ${a.length} words, and "b" ${b.length}`);
    const Words = this.#Words;
    const to = this.#given(out, a.length);
    return module.run((_, given) => {
      const operands = [a, b].map((words) => given.copy(words, Words));
      if (!inPlace) operands.unshift(given.room(a.byteLength));
      expect(exports[`ringwork_${verb}_${this.#suffix}`](this.#at, ...operands, a.length / length));
      write(to, module.view(Words, operands[0], a.length));
      return to;
    });
  }

  #transform(verb, a, from, to, out) {
    a = this.#taken("a", a, from, verb === "inverse");
    const exports = this.#own();
    const [Words, count, length] = [this.#Words, a.length / from, this.#length];
    const result = this.#given(out, count * to);
    const apart = from === length ? a : new Words(count * length);
    if (apart !== a) for (let i = 0; i < count; i++) apart.set(a.subarray(i * from, (i + 1) * from), i * length);
    return module.run((_, given) => {
      const at = given.copy(apart, Words);
      expect(exports[`ringwork_${verb}_${this.#suffix}`](this.#at, at, count));
      const made = module.view(Words, at, count * length);
      for (let i = 0; i < count; i++) write(result, made.subarray(i * length, i * length + to), i * to);
      return result;
    });
  }
}

/** Plans of the last products, by what they are for. */
const plans = new Map();
const MOST_PLANS = 8;

function planned(n, q, ring) {
  const name = `${n} ${q} ${ring}`;
  let plan = plans.get(name);
  if (plan?.isLost ?? true) plan = new Plan(n, q, { ring, order: "native" });
  plans.delete(name);
  plans.set(name, plan);
  if (plans.size > MOST_PLANS) {
    const [oldest, unused] = plans.entries().next().value;
    plans.delete(oldest);
    unused.free();
  }
  return plan;
}

/** Integers modulo q. */
function reduced(name, values, q) {
  if (!Number.isSafeInteger(values?.length)) throw new TypeError(`"${name}" must be an array of integers`);
  if (q === 0n) throw new PlanError("q = 0 is no modulus");
  return Array.from(values, (value, i) => {
    const residue = integer(`${name}[${i}]`, value) % q;
    return residue < 0n ? residue + q : residue;
  });
}

/** The product in a ring of degree n: 32-bit words for a modulus up to 2^31, and bigints for larger ones. */
function product(n, a, b, q, ring) {
  const made = planned(n, q, ring).multiply(a, b);
  return q <= 2n ** 31n ? Int32Array.from(made, Number) : BigUint64Array.from(made, BigInt);
}

/**
 * The product of two polynomials of n coefficients each, any integers, in the ring modulo q and X^n + 1, or another
 * ring: from 0 to below q.
 */
export function polymul(a, b, q, opts) {
  const { ring = "negacyclic" } = options(opts, ["ring"]);
  const modulus = within("q", q, 64);
  const [first, second] = [reduced("a", a, modulus), reduced("b", b, modulus)];
  return product(first.length, first, second, modulus, ring);
}

/** The product of two polynomials of any lengths, of a.length + b.length - 1 coefficients. */
export function convolve(a, b, q) {
  const modulus = within("q", q, 64);
  const [first, second] = [reduced("a", a, modulus), reduced("b", b, modulus)];
  if (first.length === 0 || second.length === 0) throw new RangeError("a product of no coefficients");
  const length = first.length + second.length - 1;
  const n = Math.max(2, 2 ** Math.ceil(Math.log2(length)));
  const padded = (values) => values.concat(Array(n - values.length).fill(0n));
  return product(n, padded(first), padded(second), modulus, "cyclic").slice(0, length);
}
