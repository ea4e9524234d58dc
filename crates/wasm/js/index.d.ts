/** What functions give: bytes in memory of their own. */
export type Bytes = ReturnType<typeof Uint8Array.of>;

/** Lengths of keys, ciphertexts, seeds and random numbers. */
export interface Lengths {
  readonly secretKey: number;
  readonly publicKey: number;
  readonly seed: number;
}

export interface KeyPair {
  secretKey: Bytes;
  publicKey: Bytes;
}

/**
 * A key encapsulation mechanism. Secret keys of ML-KEM are those of FIPS 203, expanded; those of X-Wing are seeds. Wrong
 * types are `TypeError`s, wrong lengths `RangeError`s, and bytes that are no key `Error`s.
 */
export interface KEM {
  readonly info?: { readonly type: "ml-kem" };
  readonly lengths: Lengths & { readonly cipherText: number; readonly msg: number; readonly msgRand: number };
  /** Of a seed, for known answers; of random bytes, if it is left out. */
  keygen(seed?: Uint8Array): KeyPair;
  /** In a secret key of ML-KEM the public key stands as it is: nothing else is checked. */
  getPublicKey(secretKey: Uint8Array): Bytes;
  /** `msg` are the random bytes of the encapsulation, for known answers; leave it out. */
  encapsulate(publicKey: Uint8Array, msg?: Uint8Array): { cipherText: Bytes; sharedSecret: Bytes };
  /** A ciphertext that was not made for the key gives another shared secret. */
  decapsulate(cipherText: Uint8Array, secretKey: Uint8Array): Bytes;
}

/** A public key for several encapsulations. */
export interface PreparedKey {
  readonly publicKey: Bytes;
  encapsulate(msg?: Uint8Array): { cipherText: Bytes; sharedSecret: Bytes };
  /** An `Error` unless the secret key is that of this public key. */
  decapsulate(cipherText: Uint8Array, secretKey: Uint8Array): Bytes;
  clean(): void;
}

export interface MLKEM extends KEM {
  readonly info: { readonly type: "ml-kem" };
  prepare(publicKey: Uint8Array): PreparedKey;
}

export declare const ml_kem512: MLKEM;
export declare const ml_kem768: MLKEM;
export declare const ml_kem1024: MLKEM;
/** X-Wing: ML-KEM-768 and X25519. */
export declare const ml_kem768_x25519: KEM;
export declare const XWing: KEM;

export interface VerifyOptions {
  /** At most 255 bytes. */
  context?: Uint8Array | undefined;
}

export interface SignOptions extends VerifyOptions {
  /** 32 random bytes, for known answers; `false` makes signatures deterministic. */
  extraEntropy?: Uint8Array | false | undefined;
}

/** A signature scheme. For a signature that is not valid, whatever its length, `verify` returns `false`. */
export interface Signer {
  readonly info: { readonly type: string };
  readonly securityLevel: number;
  readonly lengths: Lengths & { readonly signature: number; readonly signRand: number };
  keygen(seed?: Uint8Array): KeyPair;
  /** Checks that all parts of the secret key belong together. */
  getPublicKey(secretKey: Uint8Array): Bytes;
  sign(msg: Uint8Array, secretKey: Uint8Array, opts?: SignOptions): Bytes;
  verify(sig: Uint8Array, msg: Uint8Array, publicKey: Uint8Array, opts?: VerifyOptions): boolean;
}

export interface InternalSigner extends Omit<Signer, "sign" | "verify" | "securityLevel"> {
  /** Of what FIPS 204 calls M', or of mu, of 64 bytes. */
  sign(
    msg: Uint8Array,
    secretKey: Uint8Array,
    opts?: { extraEntropy?: Uint8Array | false | undefined; externalMu?: boolean },
  ): Bytes;
  verify(sig: Uint8Array, msg: Uint8Array, publicKey: Uint8Array, opts?: { externalMu?: boolean | undefined }): boolean;
}

/** A hash function as those of noble-hashes. */
export interface Hash {
  (message: Uint8Array): Uint8Array;
  readonly outputLen: number;
  readonly oid?: Uint8Array;
}

export interface MLDSA extends Signer {
  readonly info: { readonly type: "ml-dsa" };
  readonly internal: InternalSigner;
  /** HashML-DSA with a hash function that FIPS 204 approves, strong enough for the parameter set. */
  prehash(hash: Hash): Signer;
}

export declare const ml_dsa44: MLDSA;
export declare const ml_dsa65: MLDSA;
export declare const ml_dsa87: MLDSA;
