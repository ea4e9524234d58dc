export { ml_dsa44, ml_dsa65, ml_dsa87 } from "./index.js";
export type { Hash, KeyPair, MLDSA, SignOptions, Signer, VerifyOptions } from "./index.js";
