// Plans against schoolbook products with integers of any size.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Plan, PlanError, convolve, polymul } from "ringwork/plan.js";

const RINGS = {
  negacyclic: (n) => [[0, -1n]],
  cyclic: (n) => [[0, 1n]],
  trinomial: (n) => [[n / 2, 1n], [0, -1n]],
};

/** Random integers, the same in each run. */
let state = 1n;
function random(below) {
  state = (state * 6364136223846793005n + 1442695040888963407n) & (2n ** 64n - 1n);
  return (state >> 1n) % below;
}
const polynomial = (n, q) => Array.from({ length: n }, () => random(q));
const modulo = (x, q) => ((x % q) + q) % q;

/** X^n is the sum of these terms. */
function schoolbook(a, b, q, ring) {
  const n = a.length;
  const c = Array(2 * n).fill(0n);
  a.forEach((x, i) => b.forEach((y, j) => (c[i + j] += x * y)));
  for (let k = 2 * n - 1; k >= n; k--) for (const [at, factor] of RINGS[ring](n)) c[k - n + at] += factor * c[k];
  return c.slice(0, n).map((x) => modulo(x, q));
}

const PRIME = 2n ** 61n - 1n;
const CASES = [
  [256, 3329n, "negacyclic"],
  [256, 8380417n, "negacyclic"],
  [1024, 12289n, "negacyclic"],
  [64, 7681n, "cyclic"],
  [96, 12289n, "negacyclic"],
  [768, 7681n, "trinomial"],
  [100, 1000003n, "cyclic"],
  [64, 4294967291n, "negacyclic"],
  [64, 0xffffffff00000001n, "negacyclic"],
  [32, PRIME, "negacyclic"],
  [128, 2013265921n, "cyclic"],
  [60, 4096n, "negacyclic"],
];

test("products are those of the schoolbook", () => {
  for (const [n, q, ring] of CASES) {
    const [a, b] = [polynomial(n, q), polynomial(n, q)];
    const want = schoolbook(a, b, q, ring);
    const plan = new Plan(n, q, { ring, order: "native" });
    const got = plan.multiply(a, b);
    assert.ok(got instanceof plan.Words);
    assert.deepEqual(Array.from(got, BigInt), want, `${n} ${q} ${ring}`);
    assert.deepEqual(Array.from(polymul(a, b, q, { ring }), BigInt), want);
    // Any integers: negative ones, and larger ones than any word.
    const shifted = a.map((x, i) => x + q * BigInt(i % 3 - 1) * 2n ** 70n);
    assert.deepEqual(Array.from(polymul(shifted, b, q, { ring }), BigInt), want);
    assert.deepEqual(Array.from(plan.multiply(a.map((x) => (x === 0n ? x : x - q)), b), BigInt), want);
    // By transforms, two at once, into an array of the caller's.
    const twice = [...a, ...b];
    const slots = plan.forward(twice);
    assert.equal(slots.length, 2 * plan.words);
    assert.deepEqual(Array.from(plan.inverse(slots), BigInt), twice);
    const half = plan.words;
    const product = plan.pointwise(slots.subarray(0, half), slots.subarray(half));
    const out = new plan.Words(n);
    assert.equal(plan.inverse(product, out), out);
    assert.deepEqual(Array.from(out, BigInt), want);
    const sum = plan.add(a, b);
    assert.deepEqual(Array.from(sum, BigInt), a.map((x, i) => (x + b[i]) % q));
    assert.deepEqual(Array.from(plan.subtract(sum, b), BigInt), a);
    plan.free();
  }
});

test("slots in natural order are values at powers of the root", () => {
  for (const [n, q, ring, exponent] of [
    [256, 7681n, "negacyclic", (i) => 2 * i + 1],
    [64, 7681n, "cyclic", (i) => i],
    [192, 7681n, "cyclic", (i) => i],
  ]) {
    const plan = new Plan(n, q, { ring });
    const a = polynomial(n, q);
    const power = (x, e) => { let y = 1n; for (; e > 0; e >>= 1, x = (x * x) % q) if (e & 1) y = (y * x) % q; return y; };
    const at = (x) => a.reduceRight((sum, coefficient) => (sum * x + coefficient) % q, 0n);
    const natural = Array.from(plan.forward(a), BigInt);
    natural.forEach((value, i) => assert.equal(value, at(power(plan.root, exponent(i)))));
    const reversed = Array.from(new Plan(n, q, { ring, order: "bitreversed" }).forward(a), BigInt);
    assert.deepEqual([...reversed].sort(), [...natural].sort());
    assert.notDeepEqual(reversed, natural);
  }
});

test("words, roots, shifts and depths are those that are asked for", () => {
  for (const bits of [16, 32, 64]) assert.equal(new Plan(256, 7681, { bits }).bits, bits);
  assert.equal(new Plan(256, 7681, { root: 62 }).root, 62n);
  assert.equal(new Plan(256, 7681).q, 7681n);
  const [plain, shifted] = [new Plan(64, 7681, { ring: "cyclic" }), new Plan(64, 7681, { ring: "cyclic", shift: 17n })];
  const a = polynomial(64, 7681n);
  const scaled = a.map((x, i) => (x * 17n ** BigInt(i)) % 7681n);
  assert.deepEqual(shifted.forward(a), plain.forward(scaled));
  assert.equal(new Plan(256, 7681, { depth: 4 }).explain().transforms[0].slots, 16);
});

test("explanations say what was proved", () => {
  const { channels, transforms } = new Plan(256, 3329).explain();
  assert.equal(channels, false);
  const [{ n, q, forward, inverse, word, slotDegree, radices }] = transforms;
  assert.deepEqual([n, q, slotDegree, radices], [256, "3329", 2, Array(7).fill(2)]);
  assert.deepEqual([forward.length, inverse.length], [7, 7]);
  for (const { range } of [...forward, ...inverse]) {
    const [low, high] = range.map(BigInt);
    assert.ok(low <= 0n && high > 0n && low >= BigInt(word[0]) && high <= BigInt(word[1]));
  }
  assert.equal(new Plan(256, 4096, { order: "native" }).explain().channels, true);
});

test("what makes no sense is refused by name, and says what would work", () => {
  const plan = new Plan(256, 3329);
  const a = polynomial(256, 3329n);
  const channels = new Plan(256, 4096, { order: "native" });
  const refused = [
    [() => new Plan(0, 7), PlanError, /n = 0 is not a degree/],
    [() => new Plan(256, 1), PlanError, /1/],
    [() => new Plan(256, 4096), PlanError, /take a prime modulus/],
    [() => new Plan(256, 3329, { ring: "torus" }), PlanError, /negacyclic, cyclic, trinomial/],
    [() => new Plan(256, 3329, { order: "random" }), PlanError, /natural, bitreversed, native/],
    [() => new Plan(256, 3329, { word: 16 }), TypeError, /no option word/],
    [() => new Plan(256, 3329, { bits: 8 }), PlanError, /8/],
    [() => new Plan(256, 3329, { root: 2 }), PlanError, /2/],
    [() => new Plan(256, 3329, 7), TypeError, /options/],
    [() => new Plan("256", 3329), TypeError, /n must be an integer, not string/],
    [() => new Plan(2 ** 29, 0xffffffff00000001n, { ring: "cyclic" }), PlanError, /memory for degrees/],
    [() => channels.inverse(Array.from(channels.forward(a))), TypeError, /that this plan has transformed/],
    [() => new Plan(256.5, 3329), RangeError, /n is 256.5/],
    [() => new Plan(256, -1), RangeError, /q is -1/],
    [() => new Plan(256, 2n ** 64n), RangeError, /2\^64/],
    [() => new Plan(2 ** 31, 3), PlanError, /degrees/],
    [() => plan.multiply(a), TypeError, /"b" must be an array/],
    [() => plan.multiply(null, a), TypeError, /"a" must be an array/],
    [() => plan.multiply([1, 2], a), RangeError, /"a" has 2 words, not a multiple of 256/],
    [() => plan.multiply([...a, ...a], a), RangeError, /512 words, and "b" 256/],
    [() => plan.multiply(a.with(3, 3329n), a), RangeError, /a\[3\] is 3329, not between -3329 and 3329/],
    [() => plan.multiply(a.map(Number).with(3, 0.5), a), RangeError, /a\[3\] is 0.5, not an integer/],
    [() => plan.multiply(a, plan.Words.from(a, (x) => (plan.bits === 64 ? x : Number(x))).fill(plan.bits === 64 ? 3329n : 3329, 3, 4)), RangeError, /3 is not in/],
    [() => plan.multiply(a, a, new Float64Array(256)), TypeError, /"out" must be/],
    [() => plan.multiply(a, a, new plan.Words(255)), RangeError, /"out" has 255 words/],
    [() => polymul(a, a, 3329, { kind: "cyclic" }), TypeError, /no option kind/],
    [() => polymul([1, "2"], [1, 2], 97), TypeError, /a\[1\] must be an integer, not string/],
    [() => polymul(7, 7, 97), TypeError, /"a" must be an array/],
    [() => polymul([1, 2], [1, 2], 0), PlanError, /q = 0/],
    [() => convolve([], [1], 97), RangeError, /no coefficients/],
  ];
  for (const [call, kind, text] of refused) {
    assert.throws(call, (error) => error instanceof kind && text.test(error.message), `${call}`);
  }
  const freed = new Plan(64, 257);
  freed.free();
  freed.free();
  assert.throws(() => freed.multiply(Array(64).fill(1), Array(64).fill(1)), /was freed/);
  assert.deepEqual(Array.from(plan.multiply(a, a), BigInt), schoolbook(a, a, 3329n, "negacyclic"));
});

test("a full stack loses plans, and nothing else", () => {
  const plan = new Plan(256, 3329);
  const a = polynomial(256, 3329n);
  const want = schoolbook(a, a, 3329n, "negacyclic");
  polymul(a, a, 3329);
  const words = plan.Words.from(a, (x) => (plan.bits === 64 ? x : Number(x)));
  const dive = () => {
    try {
      dive();
    } catch {
      plan.multiply(words, words);
    }
  };
  for (let i = 0; i < 200 && !plan.isLost; i++) {
    try {
      dive();
    } catch {
      // Of JavaScript, or of a plan that is lost.
    }
  }
  plan.free();
  assert.throws(() => plan.multiply(a, a), TypeError);
  assert.deepEqual(Array.from(polymul(a, a, 3329), BigInt), want);
  assert.deepEqual(Array.from(new Plan(256, 3329).multiply(a, a), BigInt), want);
});

test("products modulo many moduli keep few plans", () => {
  for (let q = 10001; q < 11001; q += 2) polymul(Array(512).fill(q - 1), Array(512).fill(1), q);
  assert.deepEqual(polymul([1, 2], [3, 4], 10001), Int32Array.of(9996, 10));
});

test("products of polynomials of any lengths", () => {
  assert.deepEqual(convolve([1, 2, 3], [4, 5], 97), Int32Array.of(4, 13, 22, 15));
  assert.deepEqual(convolve([5], [6], 97), Int32Array.of(30));
  assert.deepEqual(polymul([1, 2], [0, 2 ** 31 - 2], 2 ** 31 - 1), Int32Array.of(2, 2 ** 31 - 2));
  assert.deepEqual(polymul([1n, 0n], [2n ** 63n, 0n], 2n ** 64n - 59n), BigUint64Array.of(2n ** 63n, 0n));
  const [a, b] = [polynomial(300, PRIME), polynomial(77, PRIME)];
  const want = Array(376).fill(0n);
  a.forEach((x, i) => b.forEach((y, j) => (want[i + j] = (want[i + j] + x * y) % PRIME)));
  assert.deepEqual(Array.from(convolve(a, b, PRIME), BigInt), want);
});
