// Files of age (age-encryption.org), for post-quantum keys, age's keys of X25519, and passphrases.

import { bytes, options } from "./check.js";
import { fail, open } from "./module.js";

/** What a call of `crypto.getRandomValues` gives at most. */
const DRAWN = 1 << 16;

const module = await open("files", {
  ringwork: {
    random(at, length) {
      for (let from = 0; from < length; from += DRAWN) {
        globalThis.crypto.getRandomValues(module.view(Uint8Array, (at >>> 0) + from, Math.min(DRAWN, length - from)));
      }
    },
  },
});

/** What a call keeps: bytes, or the reason why there are none. */
function kept(exports, status) {
  if (status !== 0) fail(new RangeError(module.answer()));
  return module.read(Uint8Array, exports.ringwork_bytes() >>> 0, exports.ringwork_bytes_length());
}

/** The text of bytes, which are wiped: a key may be among them. */
function text(kept) {
  const text = new TextDecoder().decode(kept);
  kept.fill(0);
  return text;
}

/** Keys of a text, or of an array of texts, as lines. */
function lines(name, value) {
  const all = Array.isArray(value) ? value : [value];
  if (all.some((one) => typeof one !== "string")) throw new TypeError(`${name} must be a string or an array of strings`);
  return all.join("\n");
}

/** The key that the options have, and whether it is a passphrase. */
function keyOf(found, name) {
  if ((found[name] === undefined) === (found.passphrase === undefined)) {
    throw new TypeError(`take either ${name} or a passphrase`);
  }
  if (found.passphrase === undefined) return [lines(name, found[name]), false];
  if (typeof found.passphrase !== "string") throw new TypeError("passphrase must be a string");
  if (/\p{Surrogate}/u.test(found.passphrase)) throw new TypeError("passphrase must be text: half a character stands in it");
  return [found.passphrase, true];
}

/** A fresh post-quantum key: ML-KEM-768 with X25519. */
export function keygen() {
  return module.runOnce((exports) => {
    exports.module_age_keygen();
    const [identity, recipient] = text(kept(exports, 0)).split("\n");
    return { identity, recipient };
  });
}

/** The recipients of identities: of a text with a line for each, or of an array. */
export function recipients(identities) {
  const given = lines("identities", identities);
  return module.runOnce((exports, memory) =>
    text(kept(exports, exports.module_age_recipients(...memory.text(given)))).split("\n").slice(0, -1),
  );
}

/** A file that holds these bytes, for recipients or for a passphrase; `armor` makes it text. */
export function encrypt(plaintext, opts) {
  const held = bytes("plaintext", plaintext);
  const found = options(opts, ["recipients", "passphrase", "armor"]);
  const [key, isPassphrase] = keyOf(found, "recipients");
  const { armor = false } = found;
  if (typeof armor !== "boolean") throw new TypeError("armor must be a boolean");
  return module.runOnce((exports, memory) => {
    const given = [...memory.text(key), isPassphrase, armor, memory.copy(held), held.length];
    return kept(exports, exports.module_age_encrypt(...given));
  });
}

/** What a file holds, opened by identities or by a passphrase. */
export function decrypt(file, opts) {
  const held = bytes("file", file);
  const [key, isPassphrase] = keyOf(options(opts, ["identities", "passphrase"]), "identities");
  return module.runOnce((exports, memory) => {
    const given = [...memory.text(key), isPassphrase, memory.copy(held), held.length];
    return kept(exports, exports.module_age_decrypt(...given));
  });
}
