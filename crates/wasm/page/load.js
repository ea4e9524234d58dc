// In the page, modules stand in the document itself, in gzip.

import { simd } from "./simd.js";

export async function bytes(name) {
  const held = (kind) => document.getElementById(`${name}-${kind}`);
  const text = ((simd && held("simd")) || held("portable")).textContent;
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}
