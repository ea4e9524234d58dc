// Microseconds a call, ours and noble's in one run: `node speed.mjs`, in the folder in which the tests ran.
import { ml_dsa65 as noble_dsa } from "@noble/post-quantum/ml-dsa.js";
import { ml_kem768 as noble_kem } from "@noble/post-quantum/ml-kem.js";
import { ml_dsa65, ml_kem768 } from "ringwork";
import { Plan } from "ringwork/plan.js";

/** The least of eight runs of at least 30 milliseconds each, for one of `of` things that a call does. */
function time(call, of = 1) {
  let [least, times] = [Infinity, 1];
  for (let run = 0; run < 8; ) {
    const start = performance.now();
    for (let i = 0; i < times; i++) call();
    const passed = performance.now() - start;
    if (passed < 30) times *= 2;
    else [least, run] = [Math.min(least, (passed * 1000) / times), run + 1];
  }
  return (least / of).toPrecision(3);
}

const message = new Uint8Array(64);
for (const [name, kem, dsa] of [["ringwork", ml_kem768, ml_dsa65], ["noble", noble_kem, noble_dsa]]) {
  const { secretKey, publicKey } = kem.keygen();
  const { cipherText } = kem.encapsulate(publicKey);
  console.log(name, "ML-KEM-768", time(() => kem.keygen()), time(() => kem.encapsulate(publicKey)), time(() => kem.decapsulate(cipherText, secretKey)));
  const keys = dsa.keygen(new Uint8Array(32));
  const signature = dsa.sign(message, keys.secretKey);
  // How often a signature is tried depends on the message: the same ones for both.
  const messages = Array.from({ length: 64 }, (_, i) => new Uint8Array(64).fill(i));
  const sign = () => messages.forEach((message) => dsa.sign(message, keys.secretKey, { extraEntropy: false }));
  console.log(name, "ML-DSA-65", time(() => dsa.keygen()), time(sign, 64), time(() => dsa.verify(signature, message, keys.publicKey)));
}
for (const [n, q, bits] of [[256, 3329, 16], [256, 8380417, 32], [1024, 12289, 16], [4096, 1073692673, 32]]) {
  const plan = new Plan(n, q, { bits, order: "native" });
  const [a, b, out] = [0, 1, 2].map((k) => plan.Words.from({ length: n }, (_, i) => (i * i + k) % q));
  console.log(`product of ${n} modulo ${q}, ${bits} bits`, time(() => plan.multiply(a, b, out)));
}
