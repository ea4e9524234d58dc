/// <reference lib="esnext.disposable" />

/** Typed arrays of words of a plan. */
export type Words = Int16Array | Int32Array | BigInt64Array | Uint32Array | BigUint64Array;
/** Integers: they are checked, and copied unless they have the words of the plan. */
export type Integers = Words | ArrayLike<number | bigint>;
/** Modulo X^n + 1, X^n - 1, or X^n - X^(n/2) + 1. */
export type Ring = "negacyclic" | "cyclic" | "trinomial";
/**
 * The order of transformed polynomials: natural, in which value i is that at `root^(2i + 1)`, in a cyclic ring at
 * `root^i`; that of FIPS 203; or that of the plan's vectors, which is the fastest and differs from plan to plan.
 */
export type Order = "natural" | "bitreversed" | "native";

/** A request that no plan fulfils; the text says what would work. */
export declare class PlanError extends RangeError {}

export interface PlanOptions {
  ring?: Ring;
  order?: Order;
  /** Bits of a word; those of the fastest plan, if they are left out. */
  bits?: 16 | 32 | 64;
  /** The root of unity; the smallest, if it is left out. */
  root?: number | bigint;
  /** Values of transforms are at multiples of it, and products are modulo X^n + shift^n, in a cyclic ring X^n - shift^n. */
  shift?: number | bigint;
  /** Layers that split residues in two. */
  depth?: number;
}

/** A proved range, as two integers in decimals: JavaScript's numbers do not hold all of them. */
export type Range = [low: string, high: string];

/** One transform modulo one prime. */
export interface Transform {
  n: number;
  q: string;
  root: string;
  method: string;
  backend: string;
  lanes: number;
  slots: number;
  slotDegree: number;
  /** By estimate. */
  cycles: number;
  /** In how many parts each layer splits a residue. */
  radices: number[];
  /** The twiddles of each layer, block by block, as powers of the root; 32 of a layer at most. */
  twiddles: number[][];
  word: Range;
  input: Range;
  /** What forward transforms give, before they are reduced to below q. */
  slotRange: Range;
  products: Range;
  normalized: Range;
  inverseInput: Range;
  output: Range;
  /** What each layer reduces, and the range behind it. */
  forward: { range: Range; step: string }[];
  inverse: { range: Range; step: string }[];
}

export interface Explanation {
  /** Whether products are computed modulo several primes. */
  channels: boolean;
  /** Words of tables. */
  tables: number;
  transforms: Transform[];
}

/**
 * A ring of polynomials, and how products in it are computed. Arrays hold any number of polynomials, one after the
 * other. Integers are given between -q and q, and come out from 0 to below q. An array that is given as `out` is written
 * and returned.
 */
export declare class Plan {
  /** A `PlanError` says what would work, if there is no such plan. */
  constructor(n: number, q: number | bigint, opts?: PlanOptions);
  readonly n: number;
  readonly q: bigint;
  readonly bits: number;
  readonly Words:
    | Int16ArrayConstructor
    | Int32ArrayConstructor
    | BigInt64ArrayConstructor
    | Uint32ArrayConstructor
    | BigUint64ArrayConstructor;
  /** Words of a transformed polynomial: `n`, or more if products are computed modulo several primes. */
  readonly words: number;
  /** Null if there is no transform modulo q. */
  readonly root: bigint | null;
  multiply<W extends Words>(a: Integers, b: Integers, out: W): W;
  multiply(a: Integers, b: Integers): Words;
  pointwise<W extends Words>(a: Integers, b: Integers, out: W): W;
  pointwise(a: Integers, b: Integers): Words;
  /**
   * Sums of polynomials. Of transformed ones as well, but not if `words` is larger than `n`: such words are residues
   * modulo several primes, and their sums are wrong.
   */
  add<W extends Words>(a: Integers, b: Integers, out: W): W;
  add(a: Integers, b: Integers): Words;
  /** Differences; see `add`. */
  subtract<W extends Words>(a: Integers, b: Integers, out: W): W;
  subtract(a: Integers, b: Integers): Words;
  forward<W extends Words>(a: Integers, out: W): W;
  forward(a: Integers): Words;
  /** Transforms modulo several primes are taken as the arrays that `forward` gives, and no others. */
  inverse<W extends Words>(a: Integers, out: W): W;
  inverse(a: Integers): Words;
  explain(): Explanation;
  /** Whether it was freed, or lost in a fault of the module. */
  readonly isLost: boolean;
  /**
   * Gives back the memory of its tables. Otherwise the garbage collector does, but not while a program makes plans and
   * never waits.
   */
  free(): void;
  [Symbol.dispose](): void;
}

/**
 * The product of two polynomials of as many coefficients each as the ring's degree, any integers. Numbers for a modulus
 * up to 2^31, bigints for larger ones.
 */
export declare function polymul(
  a: Integers,
  b: Integers,
  q: number | bigint,
  opts?: { ring?: Ring },
): Int32Array | BigUint64Array;
/** The product of two polynomials of any lengths, of `a.length + b.length - 1` coefficients; likewise. */
export declare function convolve(a: Integers, b: Integers, q: number | bigint): Int32Array | BigUint64Array;
