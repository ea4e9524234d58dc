// Checks of arguments.

/** Bytes, of that length if one is given. */
export function bytes(name, value, length) {
  const is = value instanceof Uint8Array || (ArrayBuffer.isView(value) && value.constructor.name === "Uint8Array");
  const expected = `"${name}" is a Uint8Array${length === undefined ? "" : ` of ${length} bytes`}`;
  if (!is) throw new TypeError(`${expected}, not ${value === null ? "null" : typeof value}`);
  if (length !== undefined && value.length !== length) throw new RangeError(`${expected}, and this has ${value.length}`);
  return value;
}

/**
 * Options by their names. A name that is none of these is a mistake: options that are silently ignored are not what
 * somebody asked for. Nothing comes from `Object.prototype`.
 */
export function options(given, names) {
  if (given === undefined) return {};
  if (given === null || typeof given !== "object" || Array.isArray(given) || ArrayBuffer.isView(given)) {
    throw new TypeError(`options are an object with ${names.join(", ")}`);
  }
  const found = Object.create(null);
  for (let at = given; at !== null && at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    for (const name of Reflect.ownKeys(at)) {
      if (name === "constructor" || name in found || given[name] === undefined) continue;
      if (!names.includes(name)) {
        throw new TypeError(`there is no option ${String(name)}: take one of ${names.join(", ")}`);
      }
      found[name] = given[name];
    }
  }
  return found;
}

/** Random bytes, which the caller wipes. */
export function random(length) {
  return globalThis.crypto.getRandomValues(new Uint8Array(length));
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
