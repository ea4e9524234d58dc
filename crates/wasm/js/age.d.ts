import type { Bytes } from "./index.js";

export interface Key {
  /** `AGE-SECRET-KEY-PQ-1…`: secret. */
  identity: string;
  /** `age1pq1…`: for everybody. */
  recipient: string;
}

/** A text with a key in every line, comments and empty lines among them, or an array of such texts. */
export type Keys = string | readonly string[];

/** A fresh post-quantum key: ML-KEM-768 with X25519. */
export declare function keygen(): Key;

/** The recipients of identities. */
export declare function recipients(identities: Keys): string[];

export type EncryptOptions = { armor?: boolean } & (
  | { recipients: Keys; passphrase?: undefined }
  | { passphrase: string; recipients?: undefined }
);
export type DecryptOptions =
  | { identities: Keys; passphrase?: undefined }
  | { passphrase: string; identities?: undefined };

/** A file that holds these bytes; `armor` makes it text. A `RangeError` says what is wrong with a key. */
export declare function encrypt(plaintext: Uint8Array, opts: EncryptOptions): Bytes;

/** What a file holds. A `RangeError` says why it does not open. */
export declare function decrypt(file: Uint8Array, opts: DecryptOptions): Bytes;
