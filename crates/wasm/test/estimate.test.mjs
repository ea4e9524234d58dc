// Bits of attacks: published values.
import assert from "node:assert/strict";
import { test } from "node:test";
import { estimate } from "ringwork/estimate.js";

const sis = { n: 1024, q: 8380417, bound: 350209, width: 2304 };
const kyber512 = { n: 512, q: 3329, secret: "binomial:3", error: "binomial:3", samples: 512 };

test("Kyber512 is that of the lattice-estimator", () => {
  const { attacks, cheapest, warning } = estimate("lwe", kyber512);
  const bits = Object.fromEntries(attacks.map(({ attack, bits }) => [attack, bits]));
  for (const [attack, known] of Object.entries({ usvp: 143.8, bdd: 140.2, dual: 149.9, dual_hybrid: 139.7 })) {
    assert.ok(Math.abs(bits[attack] - known) < 0.3, `${attack}: ${bits[attack]}`);
  }
  assert.deepEqual([cheapest.attack, warning], ["dual_hybrid", null]);
  const rough = estimate("lwe", { ...kyber512, model: "adps16" }).attacks.find(({ attack }) => attack === "usvp");
  assert.equal(rough.bits.toFixed(1), "118.6");
  assert.equal(rough.parameters.beta, 406);
  const large = estimate("lwe", { ...kyber512, n: 32768, q: 2n ** 881n, secret: "ternary", error: "gaussian:3.2", samples: undefined });
  assert.ok(large.cheapest.bits > 100 && large.cheapest.bits < 150, `${large.cheapest.bits}`);
});

test("keys of NTRU, and short solutions", () => {
  const ntru = estimate("ntru", { n: 509, q: 2048, secret: "ternary", error: "ternary" });
  assert.ok(ntru.cheapest.bits > 100 && ntru.cheapest.bits < 160, `${ntru.cheapest.bits}`);
  const sis = estimate("sis", { n: 1024, q: 8380417, bound: 350209, infinity: true, width: 2304 });
  assert.ok(sis.cheapest.bits > 100, `${sis.cheapest.bits}`);
});

test("what makes no sense is refused by name", () => {
  for (const [problem, change, text] of [
    ["lattice", {}, /lwe, ntru, sis/],
    ["lwe", { n: -1 }, /n is -1/],
    ["lwe", { n: "512" }, /n must be a number, not string/],
    ["lwe", { n: undefined }, /n is missing/],
    ["lwe", { samples: NaN }, /samples is NaN/],
    ["lwe", { samples: null }, /samples must be a number/],
    ["lwe", { q: undefined }, /q must be an integer/],
    ["lwe", { q: "3329" }, /q must be an integer/],
    ["lwe", { secret: "binomial" }, /secret: "binomial" is no distribution/],
    ["lwe", { error: undefined }, /error is missing/],
    ["lwe", { model: "magic" }, /model: /],
    ["lwe", { n: 2 ** 40 }, /n|dimension/],
    ["sis", {}, /no option secret|no option/],
  ]) {
    assert.throws(() => estimate(problem, { ...kyber512, ...change }), text, `${problem} ${JSON.stringify(change)}`);
  }
  assert.throws(() => estimate("sis", { ...sis, infinity: 1 }), /infinity must be a boolean/);
});
