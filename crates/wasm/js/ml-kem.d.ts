export { ml_kem1024, ml_kem512, ml_kem768 } from "./index.js";
export type { KEM, KeyPair, MLKEM, PreparedKey } from "./index.js";
