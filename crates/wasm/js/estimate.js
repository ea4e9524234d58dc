// What the known attacks cost.

import { options } from "./check.js";
import { module } from "./engine.js";

const NAMES = {
  lwe: ["n", "q", "secret", "error", "samples"],
  ntru: ["n", "q", "secret", "error"],
  sis: ["n", "q", "bound", "width", "infinity"],
};

const TYPES = { n: "number", samples: "number", bound: "number", width: "number", infinity: "boolean" };

/**
 * The costs of all attacks on Learning with Errors, a key of NTRU, or Short Integer Solution, in bits: log2 of
 * operations, by the names that the lattice-estimator has for them.
 */
export function estimate(problem, opts) {
  if (!Object.hasOwn(NAMES, problem)) {
    throw new RangeError(`problem ${String(problem)} is none of ${Object.keys(NAMES).join(", ")}`);
  }
  const { model = "matzov", basis = "gsa", q, ...numbers } = options(opts, [...NAMES[problem], "model", "basis"]);
  if (typeof q !== "bigint" && !Number.isFinite(q)) throw new TypeError(`q must be an integer, not ${String(q)}`);
  for (const [name, value] of Object.entries({ model, basis, ...numbers })) {
    const type = TYPES[name] ?? "string";
    if (typeof value !== type) throw new TypeError(`${name} must be a ${type}, not ${value === null ? "null" : typeof value}`);
    if (type === "number" && !Number.isFinite(value)) throw new RangeError(`${name} is ${value}`);
  }
  // A double holds every modulus up to 2^53, and the logarithm of any.
  const modulus = typeof q === "bigint" && q > 2n ** 53n ? { logQ: logarithm(q) } : { q: Number(q) };
  const asked = JSON.stringify({ problem, model, basis, ...modulus, ...numbers });
  const answer = module.run((exports, given) => {
    exports.ringwork_estimate(...given.text(asked));
    return JSON.parse(module.answer());
  });
  if (answer.error !== undefined) throw new RangeError(answer.error);
  const found = answer.attacks.filter(({ bits }) => bits !== null);
  const cheapest = found.reduce((least, attack) => (least && least.bits <= attack.bits ? least : attack), null);
  return { ...answer, cheapest };
}

/** log2 of a large integer. */
function logarithm(q) {
  const digits = q.toString(16);
  return Math.log2(Number(`0x${digits.slice(0, 13)}`)) + 4 * (digits.length - 13);
}
