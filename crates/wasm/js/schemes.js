// ML-KEM, X-Wing and ML-DSA, with the names of noble-post-quantum 0.7.

import { bytes, options, withRandom } from "./check.js";
import { fail, open } from "./module.js";

const module = await open("schemes");

/** The number of a scheme, and numbers of bytes. */
function found(kind, name, lengths) {
  return module.run((exports, given) => {
    const number = exports[`module_${kind}_number`](...given.text(name));
    return [number, ...lengths.map((_, of) => exports[`module_${kind}_length`](number, of))];
  });
}

const KEY = 1;
const MISMATCH = 2;
const DAMAGED = 3;

/** What noble says of such bytes; what the library says of them stands behind it. */
const NOBLE = {
  [KEY]: "wrong publicKey modulus",
  [MISMATCH]: "invalid secretKey: hash check failed",
  [DAMAGED]: "malformed key",
};

function expect(status) {
  if (status !== 0) fail(new Error([NOBLE[status], module.answer()].filter(Boolean).join(": ")));
}

/** Key pairs of a scheme, and public keys of secret keys. */
function keysOf(kind, number, { publicKey: publicLength, secretKey: secretLength, seed: seedLength }) {
  const keygen = (seed) =>
    withRandom("seed", seed, seedLength, (seed) =>
      module.run((exports, given) => {
        const [publicKey, secretKey] = [given.room(publicLength), given.room(secretLength)];
        exports[`module_${kind}_keygen`](number, given.copy(seed), publicKey, secretKey);
        return {
          secretKey: module.read(Uint8Array, secretKey, secretLength),
          publicKey: module.read(Uint8Array, publicKey, publicLength),
        };
      }),
    );
  const getPublicKey = (secretKey) => {
    const key = bytes("secretKey", secretKey, secretLength);
    return module.run((exports, given) => {
      const publicKey = given.room(publicLength);
      expect(exports[`module_${kind}_public_key`](number, given.copy(key), publicKey));
      return module.read(Uint8Array, publicKey, publicLength);
    });
  };
  return { keygen, getPublicKey };
}

function kem(name, info, lengthOfMessage) {
  const [number, publicLength, secretLength, cipherLength, seedLength, coins] = found("kem", name, [0, 1, 2, 3, 4]);
  const lengths = Object.freeze({
    secretKey: secretLength,
    publicKey: publicLength,
    cipherText: cipherLength,
    seed: seedLength,
    msg: lengthOfMessage,
    msgRand: coins,
  });

  const keys = keysOf("kem", number, lengths);

  const encapsulate = (publicKey, msg) =>
    withRandom("msg", msg, coins, (msg) => {
      const own = bytes("publicKey", publicKey, publicLength);
      return module.run((exports, given) => {
        const [cipherText, sharedSecret] = [given.room(cipherLength), given.room(32)];
        const [key, random] = [given.copy(own), given.copy(msg)];
        expect(exports.module_kem_encapsulate(number, key, random, cipherText, sharedSecret));
        return {
          cipherText: module.read(Uint8Array, cipherText, cipherLength),
          sharedSecret: module.read(Uint8Array, sharedSecret, 32),
        };
      });
    });

  const decapsulate = (cipherText, secretKey) => {
    const own = bytes("secretKey", secretKey, secretLength);
    const sent = bytes("cipherText", cipherText, cipherLength);
    return module.run((exports, given) => {
      const sharedSecret = given.room(32);
      const [key, ciphertext] = [given.copy(own), given.copy(sent)];
      expect(exports.module_kem_decapsulate(number, key, ciphertext, sharedSecret));
      return module.read(Uint8Array, sharedSecret, 32);
    });
  };

  return { ...(info && { info: Object.freeze({ type: info }) }), lengths, ...keys, encapsulate, decapsulate };
}

/** Noble expands such a key once. Ours is checked once, and expanded in each call. */
function prepared(kem, publicKey) {
  const own = new Uint8Array(bytes("publicKey", publicKey, kem.lengths.publicKey));
  kem.encapsulate(own, new Uint8Array(kem.lengths.msgRand));
  const decapsulate = (cipherText, secretKey) => {
    bytes("cipherText", cipherText, kem.lengths.cipherText);
    if (!kem.getPublicKey(secretKey).every((byte, i) => byte === own[i])) {
      throw new Error("secretKey does not match the prepared publicKey");
    }
    return kem.decapsulate(cipherText, secretKey);
  };
  return Object.freeze({ publicKey: own, encapsulate: (msg) => kem.encapsulate(own, msg), decapsulate, clean() {} });
}

function mlKem(name) {
  const of = kem(name, "ml-kem", 32);
  return Object.freeze({ ...of, prepare: (publicKey) => prepared(of, publicKey) });
}

export const ml_kem512 = mlKem("ML-KEM-512");
export const ml_kem768 = mlKem("ML-KEM-768");
export const ml_kem1024 = mlKem("ML-KEM-1024");
export const ml_kem768_x25519 = Object.freeze(kem("X-Wing", undefined, 32));
export const XWing = ml_kem768_x25519;

const PURE = 0;
const MU = 1;
const FORMATTED = 2;
const EMPTY = new Uint8Array();
const MU_LENGTH = 64;
const RANDOM = 32;

function contextOf({ context = EMPTY }) {
  const own = bytes("context", context);
  if (own.length > 255) throw new RangeError(`a context has at most 255 bytes, this has ${own.length}`);
  return own;
}

/** The object identifiers of hash functions for signatures, but for their last number. */
const HASHES = [6, 9, 96, 134, 72, 1, 101, 3, 4, 2];
/** Bytes of the digests that the last number stands for. */
const DIGESTS = [, 32, 48, 64, 28, 28, 32, 28, 32, 48, 64, 32, 64];

/** The object identifier of a hash function that is strong enough. */
function checkHash(hash, securityLevel) {
  if (typeof hash !== "function") throw new TypeError(`"hash" must be a hash function, not ${typeof hash}`);
  const oid = new Uint8Array(bytes("hash.oid", hash.oid));
  const digest = oid.length === 11 && HASHES.every((byte, i) => byte === oid[i]) ? DIGESTS[oid[10]] : undefined;
  if (digest === undefined) throw new Error("hash.oid is that of no hash function that FIPS 204 approves");
  if (hash.outputLen !== digest) throw new Error(`digests of hash.oid have ${digest} bytes, these have ${hash.outputLen}`);
  if (digest * 4 < securityLevel) {
    throw new Error(`collisions of ${digest} bytes have a strength of ${digest * 4} bits, and ${securityLevel} are wanted`);
  }
  return [oid, digest];
}

function mlDsa(name, securityLevel) {
  const [number, publicLength, secretLength, signatureLength] = found("sig", name, [0, 1, 2]);
  const lengths = Object.freeze({
    secretKey: secretLength,
    publicKey: publicLength,
    seed: 32,
    signature: signatureLength,
    signRand: RANDOM,
  });

  const sign = (form, message, context, secretKey, extraEntropy) => {
    const random = extraEntropy === false ? new Uint8Array(RANDOM) : extraEntropy;
    return withRandom("extraEntropy", random, RANDOM, (random) => {
      const key = bytes("secretKey", secretKey, secretLength);
      return module.run((exports, given) => {
        const signature = given.room(signatureLength);
        const text = [given.copy(message), message.length, given.copy(context), context.length];
        expect(exports.module_sig_sign(number, form, ...text, given.copy(key), given.copy(random), signature));
        return module.read(Uint8Array, signature, signatureLength);
      });
    });
  };

  const verify = (form, message, context, signature, publicKey) => {
    const [key, own] = [bytes("publicKey", publicKey, publicLength), bytes("sig", signature)];
    if (own.length !== signatureLength) return false;
    return module.run((exports, given) => {
      const text = [given.copy(message), message.length, given.copy(context), context.length];
      // Bytes that are no signature have the status of bytes that are no key.
      return exports.module_sig_verify(number, form, ...text, given.copy(key), given.copy(own)) === 0;
    });
  };

  const keys = { lengths, ...keysOf("sig", number, lengths) };
  const SIGNING = ["context", "extraEntropy"];

  const internal = Object.freeze({
    info: Object.freeze({ type: "internal-ml-dsa" }),
    ...keys,
    sign(msg, secretKey, opts) {
      const { externalMu, extraEntropy } = options(opts, ["extraEntropy", "externalMu"]);
      return sign(formOf(externalMu), messageOf(msg, externalMu), EMPTY, secretKey, extraEntropy);
    },
    verify(sig, msg, publicKey, opts) {
      const { externalMu } = options(opts, ["externalMu"]);
      return verify(formOf(externalMu), messageOf(msg, externalMu), EMPTY, sig, publicKey);
    },
  });

  const prehash = (hash) => {
    const [oid, length] = checkHash(hash, securityLevel);
    /** What FIPS 204 calls M', in section 5.4. */
    const formatted = (msg, context) => {
      const digest = bytes("a digest", hash(bytes("msg", msg)), length);
      return Uint8Array.of(1, context.length, ...context, ...oid, ...digest);
    };
    return Object.freeze({
      info: Object.freeze({ type: "hashml-dsa" }),
      securityLevel,
      ...keys,
      sign(msg, secretKey, opts) {
        const given = options(opts, SIGNING);
        return sign(FORMATTED, formatted(msg, contextOf(given)), EMPTY, secretKey, given.extraEntropy);
      },
      verify(sig, msg, publicKey, opts) {
        return verify(FORMATTED, formatted(msg, contextOf(options(opts, ["context"]))), EMPTY, sig, publicKey);
      },
    });
  };

  return Object.freeze({
    info: Object.freeze({ type: "ml-dsa" }),
    internal,
    securityLevel,
    ...keys,
    sign(msg, secretKey, opts) {
      const given = options(opts, SIGNING);
      return sign(PURE, bytes("msg", msg), contextOf(given), secretKey, given.extraEntropy);
    },
    verify(sig, msg, publicKey, opts) {
      return verify(PURE, bytes("msg", msg), contextOf(options(opts, ["context"])), sig, publicKey);
    },
    prehash,
  });
}

function formOf(externalMu) {
  if (externalMu !== undefined && typeof externalMu !== "boolean") throw new TypeError("externalMu must be a boolean");
  return externalMu ? MU : FORMATTED;
}

function messageOf(msg, externalMu) {
  return externalMu ? bytes("mu", msg, MU_LENGTH) : bytes("msg", msg);
}

export const ml_dsa44 = mlDsa("ML-DSA-44", 128);
export const ml_dsa65 = mlDsa("ML-DSA-65", 192);
export const ml_dsa87 = mlDsa("ML-DSA-87", 256);
