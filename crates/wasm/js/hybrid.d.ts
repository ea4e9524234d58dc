export { XWing, ml_kem768_x25519 } from "./index.js";
export type { KEM, KeyPair } from "./index.js";
