// Which modules an engine takes.

// A function that uses vectors of 128 bits. Engines that have none do not accept it.
const vectors = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);

/** Whether this engine has vectors of 128 bits. */
export const simd = WebAssembly.validate(vectors);
