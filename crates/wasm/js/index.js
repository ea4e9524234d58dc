export * from "./schemes.js";
