export { XWing, ml_kem768_x25519 } from "./schemes.js";
