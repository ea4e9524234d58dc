// ML-KEM, X-Wing and ML-DSA: known answers, round trips, refusals, and what is left in memory.
import assert from "node:assert/strict";
import { test } from "node:test";
import { hex, vectors } from "./vectors.mjs";

// The memory of every module that is loaded from here on.
const memories = [];
const Instance = WebAssembly.Instance;
WebAssembly.Instance = function (...given) {
  const instance = new Instance(...given);
  memories.push(instance.exports.memory);
  return instance;
};
const ringwork = await import("ringwork");
const { ml_kem512, ml_kem768, ml_kem1024, ml_kem768_x25519, ml_dsa44, ml_dsa65, ml_dsa87 } = ringwork;

const KEMS = { "ML-KEM-512": ml_kem512, "ML-KEM-768": ml_kem768, "ML-KEM-1024": ml_kem1024 };
const SIGNERS = { "ML-DSA-44": ml_dsa44, "ML-DSA-65": ml_dsa65, "ML-DSA-87": ml_dsa87 };
const MESSAGE = new TextEncoder().encode("a message");
const CONTEXT = new TextEncoder().encode("a context");

test("keys of ML-KEM are those of ACVP", () => {
  let cases = 0;
  for (const { parameterSet, tests } of vectors("acvp/mlkem-keygen.json").testGroups) {
    for (const { d, z, ek, dk } of tests) {
      const { publicKey, secretKey } = KEMS[parameterSet].keygen(hex(d + z));
      assert.deepEqual([publicKey, secretKey], [hex(ek), hex(dk)]);
      assert.deepEqual(KEMS[parameterSet].getPublicKey(secretKey), publicKey);
      cases++;
    }
  }
  assert.ok(cases >= 6);
});

test("ciphertexts and shared keys are those of ACVP", () => {
  let cases = 0;
  for (const group of vectors("acvp/mlkem-encapdecap.json").testGroups) {
    const kem = KEMS[group.parameterSet];
    for (const { ek, m, c, k } of group.tests) {
      if (group.function === "encapsulation") {
        assert.deepEqual(kem.encapsulate(hex(ek), hex(m)), { cipherText: hex(c), sharedSecret: hex(k) });
      } else {
        assert.deepEqual(kem.decapsulate(hex(c), hex(group.dk)), hex(k));
      }
      cases++;
    }
  }
  assert.ok(cases >= 12);
});

test("X-Wing is that of its draft", () => {
  for (const { seed, pk, sk, eseed, ct, ss } of vectors("xwing/xwing.json")) {
    assert.deepEqual(ml_kem768_x25519.keygen(hex(seed)), { secretKey: hex(sk), publicKey: hex(pk) });
    assert.deepEqual(ml_kem768_x25519.getPublicKey(hex(sk)), hex(pk));
    const made = ml_kem768_x25519.encapsulate(hex(pk), hex(eseed));
    assert.deepEqual(made, { cipherText: hex(ct), sharedSecret: hex(ss) });
    assert.deepEqual(ml_kem768_x25519.decapsulate(hex(ct), hex(sk)), hex(ss));
  }
});

test("keys of ML-DSA are known ones", () => {
  const { tests } = vectors("standards/mldsa-keygen.json");
  assert.ok(tests.length >= 3);
  for (const { set, seed, public_key, secret_key } of tests) {
    const keys = SIGNERS[set].keygen(hex(seed));
    assert.deepEqual(keys, { secretKey: hex(secret_key), publicKey: hex(public_key) });
    assert.deepEqual(SIGNERS[set].getPublicKey(keys.secretKey), keys.publicKey);
  }
});

test("there and back", () => {
  for (const kem of [...Object.values(KEMS), ml_kem768_x25519]) {
    const { secretKey, publicKey } = kem.keygen();
    const { cipherText, sharedSecret } = kem.encapsulate(publicKey);
    assert.equal(sharedSecret.length, 32);
    assert.deepEqual(kem.decapsulate(cipherText, secretKey), sharedSecret);
    cipherText[3] ^= 1;
    assert.notDeepEqual(kem.decapsulate(cipherText, secretKey), sharedSecret);
    assert.notDeepEqual(kem.keygen().secretKey, secretKey);
  }
  for (const dsa of Object.values(SIGNERS)) {
    const { secretKey, publicKey } = dsa.keygen();
    const signature = dsa.sign(MESSAGE, secretKey);
    assert.equal(dsa.verify(signature, MESSAGE, publicKey), true);
    assert.equal(dsa.verify(signature, CONTEXT, publicKey), false);
    assert.equal(dsa.verify(signature, MESSAGE, publicKey, { context: CONTEXT }), false);
    assert.notDeepEqual(dsa.sign(MESSAGE, secretKey), signature);
    const options = { context: CONTEXT, extraEntropy: false };
    const twice = [dsa.sign(MESSAGE, secretKey, options), dsa.sign(MESSAGE, secretKey, options)];
    assert.deepEqual(twice[0], twice[1]);
    assert.equal(dsa.verify(twice[0], MESSAGE, publicKey, { context: CONTEXT }), true);
    const formatted = Uint8Array.of(0, CONTEXT.length, ...CONTEXT, ...MESSAGE);
    assert.deepEqual(dsa.internal.sign(formatted, secretKey, { extraEntropy: false }), twice[0]);
    assert.equal(dsa.internal.verify(twice[0], formatted, publicKey), true);
    const mu = new Uint8Array(64).fill(7);
    const of_mu = dsa.internal.sign(mu, secretKey, { externalMu: true });
    assert.equal(dsa.internal.verify(of_mu, mu, publicKey, { externalMu: true }), true);
    assert.equal(dsa.internal.verify(of_mu, mu, publicKey), false);
    for (const place of [0, signature.length - 1]) {
      const other = Uint8Array.from(signature);
      other[place] ^= 1;
      assert.equal(dsa.verify(other, MESSAGE, publicKey), false);
    }
    for (const length of [0, 1, signature.length - 1, signature.length + 1]) {
      assert.equal(dsa.verify(new Uint8Array(length), MESSAGE, publicKey), false);
    }
  }
});

test("arguments that make no sense are refused by name", () => {
  const nonsense = [null, "bytes", 7, [], {}, new Uint16Array(32), new ArrayBuffer(32), new DataView(new ArrayBuffer(32))];
  for (const kem of [...Object.values(KEMS), ml_kem768_x25519]) {
    const { secretKey, publicKey } = kem.keygen();
    const { cipherText } = kem.encapsulate(publicKey);
    const calls = {
      seed: (value) => kem.keygen(value),
      msg: (value) => kem.encapsulate(publicKey, value),
      publicKey: (value) => kem.encapsulate(value),
      cipherText: (value) => kem.decapsulate(value, secretKey),
      secretKey: (value) => kem.decapsulate(cipherText, value),
    };
    for (const [name, call] of Object.entries(calls)) {
      for (const value of nonsense) assert.throws(() => call(value), { name: "TypeError", message: new RegExp(name) });
      for (const length of [0, 1, 31, 33, 5000]) {
        assert.throws(() => call(new Uint8Array(length)), { name: "RangeError", message: new RegExp(`${name}.* ${length}$`) });
      }
    }
    assert.throws(() => kem.getPublicKey(secretKey.subarray(1)), RangeError);
  }
  const { secretKey, publicKey } = ml_dsa44.keygen();
  const signature = ml_dsa44.sign(MESSAGE, secretKey);
  for (const value of nonsense) {
    assert.throws(() => ml_dsa44.sign(value, secretKey), { name: "TypeError", message: /msg/ });
    assert.throws(() => ml_dsa44.verify(value, MESSAGE, publicKey), { name: "TypeError", message: /sig/ });
    assert.throws(() => ml_dsa44.sign(MESSAGE, secretKey, { context: value }), { name: "TypeError", message: /context/ });
    assert.throws(() => ml_dsa44.sign(MESSAGE, secretKey, { extraEntropy: value }), { name: "TypeError", message: /extraEntropy/ });
  }
  for (const given of [null, 7, "x", [], CONTEXT, { ctx: CONTEXT }, { externalMu: true }, { extraEntropy: true }]) {
    assert.throws(() => ml_dsa44.sign(MESSAGE, secretKey, given), TypeError);
    assert.throws(() => ml_dsa44.verify(signature, MESSAGE, publicKey, given), TypeError);
  }
  assert.throws(() => ml_dsa44.sign(MESSAGE, secretKey, { context: new Uint8Array(256) }), /255/);
  assert.throws(() => ml_dsa44.internal.sign(MESSAGE, secretKey, { externalMu: true }), /64/);
  assert.throws(() => ml_dsa44.prehash(MESSAGE), TypeError);
});

test("damaged keys are refused, and the others still work", () => {
  const { secretKey, publicKey } = ml_kem768.keygen();
  const { cipherText } = ml_kem768.encapsulate(publicKey);
  const damaged = (bytes, place, value) => Uint8Array.from(bytes).fill(value, place, place + 3);
  assert.throws(() => ml_kem768.encapsulate(damaged(publicKey, 0, 255)), /number 0 is 4095, not below 3329/);
  assert.throws(() => ml_kem768.decapsulate(cipherText, damaged(secretKey, 0, 255)), /damaged/);
  assert.throws(() => ml_kem768.decapsulate(cipherText, damaged(secretKey, 2336, 0)), /belong together/);
  const keys = ml_dsa65.keygen();
  assert.throws(() => ml_dsa65.sign(MESSAGE, damaged(keys.secretKey, 128, 255)), /damaged/);
  assert.throws(() => ml_dsa65.getPublicKey(damaged(keys.secretKey, 64, 0)), /belong together/);
  assert.equal(ml_dsa65.verify(ml_dsa65.sign(MESSAGE, keys.secretKey), MESSAGE, keys.publicKey), true);
});

test("arrays that lie about themselves are what they are", () => {
  class Long extends Uint8Array {
    get length() {
      return 64;
    }
  }
  assert.throws(() => ml_kem768.keygen(new Long(3)), RangeError);
  const other = Object.assign(new Uint16Array(32), { constructor: { name: "Uint8Array" } });
  assert.throws(() => ml_dsa44.keygen(other), TypeError);
  assert.throws(() => ml_dsa44.keygen(new Proxy(new Uint8Array(32), {})), TypeError);
  const seed = new Uint8Array(32).fill(5);
  assert.deepEqual(ml_dsa44.keygen(Buffer.from(seed)), ml_dsa44.keygen(seed));
});

test("a full stack leaves nothing behind", () => {
  const seed = globalThis.crypto.getRandomValues(new Uint8Array(32));
  const dive = () => {
    try {
      dive();
    } catch {
      ml_dsa44.keygen(seed);
    }
  };
  for (let i = 0; i < 40; i++) {
    try {
      dive();
    } catch (error) {
      assert.ok(error instanceof RangeError, `${error}`);
    }
  }
  const keys = ml_dsa44.keygen(seed);
  assert.equal(ml_dsa44.verify(ml_dsa44.sign(MESSAGE, keys.secretKey), MESSAGE, keys.publicKey), true);
  assert.ok(!memories.some(({ buffer }) => Buffer.from(buffer).includes(Buffer.from(seed.subarray(0, 16)))));
});

test("nothing secret stays in the memory of the module, which does not grow", () => {
  const random = (length) => globalThis.crypto.getRandomValues(new Uint8Array(length));
  const found = (what) => memories.some(({ buffer }) => Buffer.from(buffer).includes(Buffer.from(what)));
  const secrets = [];
  const work = () => {
    for (const kem of [...Object.values(KEMS), ml_kem768_x25519]) {
      const [seed, msg] = [random(kem.lengths.seed), random(kem.lengths.msgRand)];
      const { secretKey, publicKey } = kem.keygen(seed);
      const { cipherText, sharedSecret } = kem.encapsulate(publicKey, msg);
      kem.decapsulate(cipherText, secretKey);
      secrets.push(seed.subarray(-32), msg.subarray(0, 32), secretKey.subarray(0, 32), sharedSecret);
    }
    for (const dsa of Object.values(SIGNERS)) {
      const [seed, extraEntropy] = [random(32), random(32)];
      const { secretKey, publicKey } = dsa.keygen(seed);
      dsa.verify(dsa.sign(MESSAGE, secretKey, { extraEntropy }), MESSAGE, publicKey);
      secrets.push(seed, extraEntropy, secretKey.subarray(32, 64), secretKey.subarray(128, 160));
    }
  };
  work();
  const size = () => memories.reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
  const before = size();
  assert.ok(found("ML-KEM-768"), "the search finds what is there");
  assert.equal(secrets.findIndex(found), -1);
  for (let i = 0; i < 50; i++) work();
  assert.equal(size(), before);
});
