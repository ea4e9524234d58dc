// Known answers of the repository.
import { readFileSync } from "node:fs";
import { join } from "node:path";

export const vectors = (name) => JSON.parse(readFileSync(join(process.env.RINGWORK_VECTORS, name), "utf8"));
export const hex = (text) => Uint8Array.from(Buffer.from(text, "hex"));
