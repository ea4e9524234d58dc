// Files of age, ours and those of its author's package.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as age from "age-encryption";
import { decrypt, encrypt, keygen, recipients } from "ringwork/age.js";

const bytes = (text) => new TextEncoder().encode(text);
const sizes = [0, 1, 65535, 65536, 65537, 300000];
const CLASSICAL = "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p";
const filled = (length) => Uint8Array.from({ length }, (_, i) => (i * i) >> 3);

test("what is encrypted comes back, and age-encryption reads it", async () => {
  const { identity, recipient } = keygen();
  assert.match(identity, /^AGE-SECRET-KEY-PQ-1[0-9A-Z]+$/);
  assert.match(recipient, /^age1pq1[0-9a-z]+$/);
  assert.deepEqual(recipients([identity, "# a comment"]), [recipient]);
  const theirs = new age.Decrypter();
  theirs.addIdentity(identity);
  for (const length of sizes) {
    const plaintext = filled(length);
    for (const armor of [false, true]) {
      const file = encrypt(plaintext, { recipients: recipient, armor });
      assert.deepEqual(decrypt(file, { identities: identity }), plaintext);
      const binary = armor ? age.armor.decode(new TextDecoder().decode(file)) : file;
      assert.deepEqual(await theirs.decrypt(binary), plaintext);
    }
  }
});

test("what age-encryption encrypts, to keys of both kinds, is opened", async () => {
  for (const identity of [await age.generateHybridIdentity(), await age.generateX25519Identity()]) {
    const recipient = await age.identityToRecipient(identity);
    assert.deepEqual(recipients(identity), [recipient]);
    const theirs = new age.Encrypter();
    theirs.addRecipient(recipient);
    for (const length of sizes) {
      const file = await theirs.encrypt(filled(length));
      assert.deepEqual(decrypt(file, { identities: `# of somebody\r\n${identity}\r\n` }), filled(length));
    }
    const armored = bytes(age.armor.encode(await theirs.encrypt(bytes("letter"))));
    assert.deepEqual(decrypt(armored, { identities: [keygen().identity, identity] }), bytes("letter"));
    const back = new age.Decrypter();
    back.addIdentity(identity);
    assert.deepEqual(await back.decrypt(encrypt(bytes("letter"), { recipients: [recipient] })), bytes("letter"));
  }
});

test("passphrases", async () => {
  const theirs = new age.Encrypter();
  theirs.setScryptWorkFactor(10);
  theirs.setPassphrase("träge Wölfe");
  const file = await theirs.encrypt(bytes("letter"));
  assert.deepEqual(decrypt(file, { passphrase: "träge Wölfe" }), bytes("letter"));
  assert.throws(() => decrypt(file, { passphrase: "other" }), { name: "RangeError", message: /another one/ });
  assert.throws(() => decrypt(file, { identities: keygen().identity }), /to a passphrase/);
  const back = new age.Decrypter();
  back.addPassphrase("träge Wölfe");
  assert.deepEqual(await back.decrypt(encrypt(bytes("letter"), { passphrase: "träge Wölfe" })), bytes("letter"));
  // Work that takes more memory than a page has.
  const costly = bytes(new TextDecoder("latin1").decode(file).replace(" 10\n", " 30\n"));
  assert.throws(() => decrypt(costly, { passphrase: "x" }), /2\^30, and 2\^20 is the most/);
});

test("damage is noticed, and nothing of the file is given", () => {
  const { identity, recipient } = keygen();
  const file = encrypt(filled(70000), { recipients: recipient });
  for (const [at, why] of [[3, /no file of age/], [1700, /damaged|changed/], [file.length - 1, /nothing of it was taken/]]) {
    const changed = file.slice();
    changed[at] ^= 1;
    assert.throws(() => decrypt(changed, { identities: identity }), { name: "RangeError", message: why }, `${at}`);
  }
  for (const length of [0, 10, 1000, file.length - 5000, file.length - 1]) {
    assert.throws(() => decrypt(file.subarray(0, length), { identities: identity }), RangeError, `${length}`);
  }
  assert.throws(() => decrypt(file, { identities: keygen().identity }), /none of the identities opens/);
  assert.deepEqual(decrypt(file, { identities: identity }), filled(70000));
});

test("a byte order mark and blanks may stand before armor", () => {
  const { identity, recipient } = keygen();
  const file = encrypt(bytes("letter"), { recipients: recipient, armor: true });
  for (const before of ["\ufeff", " \r\n\n", "\ufeff\n"]) {
    assert.deepEqual(decrypt(new Uint8Array([...bytes(before), ...file]), { identities: identity }), bytes("letter"));
  }
});

test("headers are bounded, whatever they are made of", () => {
  const { identity, recipient } = keygen();
  const start = "age-encryption.org/v1\n";
  const line = `${"A".repeat(64)}\n`;
  const before = performance.now();
  for (const [header, why] of [
    ["-> X25519 AAAA\nAAAA\n".repeat(50000), /1024 stanzas at most/],
    [`-> g\n${line.repeat(50000)}`, /2097152 bytes at most/],
    [`-> ${"g".repeat(3000000)}\n\n`, /2097152 bytes at most/],
    [`-> g\n${line}-> h\n\n--- AAAA\n`, /does not end with a line of less than 64/],
    ["-> X25519 AAAA\nAAAA\n", /ends too early/],
  ]) {
    assert.throws(() => decrypt(bytes(start + header), { identities: identity }), { name: "RangeError", message: why });
  }
  assert.ok(performance.now() - before < 5000);
  assert.throws(() => encrypt(bytes(""), { recipients: [recipient, CLASSICAL] }), /do not go together: one is post-quantum/);
});

test("nothing stays in a module's memory", () => {
  const memories = [];
  const { Instance } = WebAssembly;
  WebAssembly.Instance = function (...given) {
    const made = new Instance(...given);
    memories.push(made.exports.memory);
    return made;
  };
  try {
    const { identity, recipient } = keygen();
    decrypt(encrypt(filled(1000), { recipients: recipient }), { identities: identity });
  } finally {
    WebAssembly.Instance = Instance;
  }
  assert.equal(memories.length, 3);
  for (const { buffer } of memories) assert.ok(new Uint8Array(buffer).every((byte) => byte === 0));
});

test("arguments are checked, and errors name them", () => {
  const { identity, recipient } = keygen();
  const weak = "age1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqs3d6j0e";
  for (const [call, error, why] of [
    [() => encrypt("letter", { recipients: recipient }), TypeError, /"plaintext" must be a Uint8Array/],
    [() => encrypt(bytes(""), {}), TypeError, /either recipients or a passphrase/],
    [() => encrypt(bytes(""), { recipients: recipient, passphrase: "x" }), TypeError, /either recipients/],
    [() => encrypt(bytes(""), { passphrase: "\ud800" }), TypeError, /half a character/],
    [() => encrypt(bytes(""), undefined), TypeError, /either recipients or a passphrase/],
    [() => encrypt(bytes(""), { recipients: "nobody" }), RangeError, /begin with age1pq1 or age1$/],
    [() => encrypt(bytes(""), { recipients: 7 }), TypeError, /recipients must be a string/],
    [() => encrypt(bytes(""), { recipients: recipient, armour: true }), TypeError, /no option armour/],
    [() => encrypt(bytes(""), { recipients: recipient, armor: 1 }), TypeError, /armor must be a boolean/],
    [() => encrypt(bytes(""), { recipients: "" }), RangeError, /recipient/],
    [() => encrypt(bytes(""), { passphrase: "" }), RangeError, /empty/],
    [() => encrypt(bytes(""), { recipients: identity }), RangeError, /recipients, line 1: this is an identity/],
    [() => encrypt(bytes(""), { recipients: [recipient, weak] }), RangeError, /recipients, line 2/],
    [() => encrypt(bytes(""), { recipients: "age1ringwork1qqqqqq" }), RangeError, /line 1/],
    [() => decrypt(bytes(""), { identities: recipient }), RangeError, /no file of age/],
    [() => recipients(recipient), RangeError, /identities, line 1: this is a recipient/],
    [() => recipients("# none"), RangeError, /there is no identity/],
    [() => recipients([7]), TypeError, /identities must be/],
  ]) {
    assert.throws(call, (thrown) => thrown instanceof error && why.test(thrown.message), `${call}`);
  }
});
