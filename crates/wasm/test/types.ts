// What `tsc --strict` must accept, and refuse.
import { ml_dsa65, ml_kem768, XWing, type KEM } from "ringwork";
import { ml_kem512 } from "ringwork/ml-kem.js";
import { ml_dsa44 } from "ringwork/ml-dsa.js";
import { ml_kem768_x25519 } from "ringwork/hybrid.js";
import { convolve, Plan, PlanError, polymul } from "ringwork/plan.js";
import { decrypt, encrypt, keygen } from "ringwork/age.js";
import { estimate } from "ringwork/estimate.js";

const kems: KEM[] = [ml_kem512, ml_kem768, ml_kem768_x25519, XWing];
for (const kem of kems) {
  const { publicKey, secretKey } = kem.keygen();
  const { cipherText, sharedSecret } = kem.encapsulate(publicKey);
  const again: ReturnType<typeof Uint8Array.of> = sharedSecret;
  void again;
  const same: boolean = kem.decapsulate(cipherText, secretKey).every((byte, i) => byte === sharedSecret[i]);
  void same;
}
const { publicKey, secretKey } = ml_dsa65.keygen();
const signature: Uint8Array = ml_dsa65.sign(new Uint8Array(3), secretKey, { context: new Uint8Array(1), extraEntropy: false });
const valid: boolean = ml_dsa44.verify(signature, new Uint8Array(3), publicKey);
const kind: "ml-kem" = ml_kem768.info.type;
const plan = new Plan(256, 3329n, { ring: "cyclic", bits: 16 });
const out: Int16Array = plan.multiply([1, 2], [3n, 4n], new Int16Array(2));
const words: Int32Array | BigUint64Array = polymul([1], [2], 7, { ring: "negacyclic" });
const range: string = plan.explain().transforms[0]!.forward[0]!.range[0];
const bits: number | null = estimate("lwe", { n: 512, q: 3329, secret: "ternary", error: "ternary" }).attacks[0]!.bits;
const { identity, recipient } = keygen();
const opened: Uint8Array = decrypt(encrypt(new Uint8Array(1), { recipients: [recipient], armor: true }), { identities: identity });
const refused: RangeError = new PlanError();
void [opened, valid, kind, out, words, range, bits, refused, convolve([1], [2], 3)];

// @ts-expect-error: a text is no seed
ml_kem768.keygen("seed");
// @ts-expect-error: no such option
ml_dsa65.sign(new Uint8Array(1), secretKey, { ctx: new Uint8Array(1) });
// @ts-expect-error: no such ring
new Plan(256, 3329, { ring: "torus" });
// @ts-expect-error: of LWE alone
estimate("sis", { n: 1, q: 2, bound: 3, secret: "ternary" });
// @ts-expect-error: it is read alone
plan.n = 3;
// @ts-expect-error: one or the other
encrypt(new Uint8Array(1), { recipients: recipient, passphrase: "x" });
