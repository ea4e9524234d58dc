export { ml_dsa44, ml_dsa65, ml_dsa87 } from "./schemes.js";
