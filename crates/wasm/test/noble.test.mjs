// Against noble-post-quantum, from which a program comes by a change of its imports.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ml_dsa44, ml_dsa65, ml_dsa87 } from "@noble/post-quantum/ml-dsa.js";
import { ml_kem512, ml_kem768, ml_kem1024 } from "@noble/post-quantum/ml-kem.js";
import { ml_kem768_x25519 } from "@noble/post-quantum/hybrid.js";
import * as sha2 from "@noble/hashes/sha2.js";
import * as sha3 from "@noble/hashes/sha3.js";
import * as ours from "ringwork";
import * as dsa from "ringwork/ml-dsa.js";
import * as hybrid from "ringwork/hybrid.js";
import * as kem from "ringwork/ml-kem.js";

const KEMS = { ml_kem512, ml_kem768, ml_kem1024, ml_kem768_x25519 };
const SIGNERS = { ml_dsa44, ml_dsa65, ml_dsa87 };
const random = (length) => globalThis.crypto.getRandomValues(new Uint8Array(length));

test("the same names, lengths and kinds", () => {
  assert.deepEqual({ ...kem, ...dsa, ...hybrid }, { ...ours });
  for (const [name, theirs] of Object.entries({ ...KEMS, ...SIGNERS })) {
    assert.deepEqual(ours[name].lengths, theirs.lengths);
    assert.deepEqual(ours[name].info, theirs.info);
    assert.deepEqual(Object.keys(ours[name]).sort(), Object.keys(theirs).sort());
    assert.ok(Object.isFrozen(ours[name]) && Object.isFrozen(ours[name].lengths));
  }
  for (const [name, theirs] of Object.entries(SIGNERS)) {
    for (const part of [(of) => of.internal, (of) => of.prehash(sha2.sha512)]) {
      const [own, other] = [part(ours[name]), part(theirs)];
      assert.deepEqual([own.info, own.lengths], [other.info, other.lengths]);
      assert.deepEqual(Object.keys(own).sort(), Object.keys(other).sort());
    }
    assert.equal(ours[name].securityLevel, theirs.securityLevel);
  }
});

test("the same bytes of keys, ciphertexts and shared keys", () => {
  for (const [name, theirs] of Object.entries(KEMS)) {
    for (let i = 0; i < 10; i++) {
      const [seed, msg] = [random(theirs.lengths.seed), random(theirs.lengths.msgRand)];
      const keys = ours[name].keygen(seed);
      assert.deepEqual(keys, theirs.keygen(seed));
      const made = ours[name].encapsulate(keys.publicKey, msg);
      assert.deepEqual(made, theirs.encapsulate(keys.publicKey, msg));
      const other = Uint8Array.from(made.cipherText);
      other[i] ^= 1;
      for (const ciphertext of [made.cipherText, other]) {
        const shared = ours[name].decapsulate(ciphertext, keys.secretKey);
        assert.deepEqual(shared, theirs.decapsulate(ciphertext, keys.secretKey));
      }
    }
  }
});

test("the same signatures, and each verifies the other's", () => {
  for (const [name, theirs] of Object.entries(SIGNERS)) {
    for (let i = 0; i < 5; i++) {
      const [seed, msg, context] = [random(32), random(100 * i), random(51 * i)];
      const { secretKey, publicKey } = ours[name].keygen(seed);
      assert.deepEqual({ secretKey, publicKey }, theirs.keygen(seed));
      for (const extraEntropy of [false, random(32)]) {
        const signature = ours[name].sign(msg, secretKey, { context, extraEntropy });
        assert.deepEqual(signature, theirs.sign(msg, secretKey, { context, extraEntropy }));
        assert.equal(ours[name].verify(signature, msg, publicKey, { context }), true);
      }
      assert.equal(theirs.verify(ours[name].sign(msg, secretKey), msg, publicKey), true);
      assert.equal(ours[name].verify(theirs.sign(msg, secretKey), msg, publicKey), true);
    }
  }
});

test("HashML-DSA with every hash function that is strong enough, and with no other", () => {
  const hashes = { ...sha2, ...sha3 };
  let used = 0;
  for (const [hash, name] of Object.values(hashes).flatMap((hash) => Object.keys(SIGNERS).map((name) => [hash, name]))) {
    if (typeof hash !== "function" || !hash.oid) continue;
    let theirs;
    try {
      theirs = SIGNERS[name].prehash(hash);
    } catch {
      assert.throws(() => ours[name].prehash(hash));
      continue;
    }
    const [msg, context] = [random(77), random(5)];
    const { secretKey, publicKey } = theirs.keygen();
    const options = { context, extraEntropy: false };
    const signature = ours[name].prehash(hash).sign(msg, secretKey, options);
    assert.deepEqual(signature, theirs.sign(msg, secretKey, options));
    assert.equal(ours[name].prehash(hash).verify(signature, msg, publicKey, { context }), true);
    assert.equal(ours[name].verify(signature, msg, publicKey, { context }), false);
    used++;
  }
  assert.ok(used >= 12, `${used}`);
});

test("the same kinds of errors", () => {
  const { secretKey, publicKey } = ml_dsa44.keygen();
  const short = new Uint8Array(3);
  const calls = [
    ({ ml_kem768 }) => ml_kem768.keygen(short),
    ({ ml_kem768 }) => ml_kem768.keygen("seed"),
    ({ ml_kem768 }) => ml_kem768.encapsulate(short),
    ({ ml_kem768 }) => ml_kem768.encapsulate(new Uint8Array(1184).fill(255)),
    ({ ml_kem768 }) => ml_kem768.decapsulate(short, short),
    ({ ml_kem768 }) => ml_kem768.prepare(short),
    ({ ml_kem768_x25519 }) => ml_kem768_x25519.getPublicKey(short),
    ({ ml_dsa44 }) => ml_dsa44.sign(short, short),
    ({ ml_dsa44 }) => ml_dsa44.sign("message", secretKey),
    ({ ml_dsa44 }) => ml_dsa44.sign(short, secretKey, { ctx: short }),
    ({ ml_dsa44 }) => ml_dsa44.sign(short, secretKey, { context: new Uint8Array(256) }),
    ({ ml_dsa44 }) => ml_dsa44.verify("sig", short, publicKey),
    ({ ml_dsa44 }) => ml_dsa44.verify(short, short, short),
    ({ ml_dsa44 }) => ml_dsa44.internal.sign(short, secretKey, { externalMu: true }),
    ({ ml_dsa44 }) => ml_dsa44.prehash(sha3.keccak_512),
  ];
  for (const call of calls) {
    let name;
    assert.throws(() => call({ ...KEMS, ...SIGNERS }), (error) => (name = error.name) !== undefined);
    assert.throws(() => call(ours), { name }, `${call}`);
  }
});
