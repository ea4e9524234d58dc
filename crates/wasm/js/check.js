// Checks of arguments.

const TypedArray = Object.getPrototypeOf(Uint8Array).prototype;
const getter = (name) => Function.prototype.call.bind(Object.getOwnPropertyDescriptor(TypedArray, name).get);
const bufferOf = getter("buffer");
const offsetOf = getter("byteOffset");
const lengthOf = getter("length");

/** The name of a typed array's type, such as "Uint8Array"; undefined for everything else. */
export const kindOf = getter(Symbol.toStringTag);

/** Writes words into a typed array, whatever its class says. */
export const write = Function.prototype.call.bind(TypedArray.set);

/** The same words as a plain typed array of this realm: a subclass may lie about its length. */
export function plain(value, Words) {
  return new Words(bufferOf(value), offsetOf(value), lengthOf(value));
}

/** Bytes as a plain array, of that length if one is given. */
export function bytes(name, value, length) {
  const expected = `"${name}" must be a Uint8Array${length === undefined ? "" : ` of ${length} bytes`}`;
  if (kindOf(value) !== "Uint8Array") throw new TypeError(`${expected}, not ${value === null ? "null" : typeof value}`);
  const found = plain(value, Uint8Array);
  if (length !== undefined && found.length !== length) throw new RangeError(`${expected}, and this has ${found.length}`);
  return found;
}

/**
 * Options by their names, each read once. A name that is none of these is a mistake: options that are silently ignored
 * are not what somebody asked for. Nothing comes from `Object.prototype`.
 */
export function options(given, names) {
  if (given === undefined) return Object.create(null);
  if (given === null || typeof given !== "object" || Array.isArray(given) || ArrayBuffer.isView(given)) {
    throw new TypeError(`options must be an object with ${names.join(", ")}`);
  }
  const found = Object.create(null);
  for (let at = given; at !== null && at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    for (const name of Reflect.ownKeys(at)) {
      if (name === "constructor" || name in found) continue;
      const value = given[name];
      if (value === undefined) continue;
      if (!names.includes(name)) {
        throw new TypeError(`there is no option ${String(name)}: take one of ${names.join(", ")}`);
      }
      found[name] = value;
    }
  }
  return found;
}

/** Random bytes, which the caller wipes. */
export function random(length) {
  const drawn = new Uint8Array(length);
  globalThis.crypto.getRandomValues(drawn);
  return drawn;
}

/** Bytes that were given, or random ones, which are wiped behind the call. */
export function withRandom(name, given, length, call) {
  if (given !== undefined) return call(bytes(name, given, length));
  const drawn = random(length);
  try {
    return call(drawn);
  } finally {
    drawn.fill(0);
  }
}
