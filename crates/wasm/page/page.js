// The page: forms, and what they answer.

import { decrypt, encrypt, keygen } from "./age.js";
import { Plan, PlanError, polymul } from "./plan.js";
import { estimate } from "./estimate.js";
import { ml_kem768 } from "./ml-kem.js";
import { simd } from "./simd.js";

const form = (name) => document.getElementById(name);
const answers = (name) => document.getElementById(`${name}-answer`);

/** An element with these contents. */
function element(name, properties, ...contents) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...contents);
  return made;
}

/** A table; columns whose names end with a number sign hold numbers, and the last one may hold bars. */
function table(caption, names, rows, className = "") {
  const kind = names.map((name) => (name.endsWith("#") ? "number" : ""));
  const head = names.map((name, i) => element("th", { scope: "col", className: kind[i] }, name.replace("#", "")));
  const body = rows.map((row) =>
    element("tr", {}, ...row.map((cell, i) => element("td", { className: kind[i] }, cell))),
  );
  const parts = [element("caption", {}, caption), element("thead", {}, element("tr", {}, ...head))];
  return element("table", { className }, ...parts, element("tbody", {}, ...body));
}

const bar = (share) => {
  const made = element("div", { className: "bar", ariaHidden: "true" });
  made.style.width = `${(100 * share).toFixed(1)}%`;
  return made;
};
const paragraph = (text) => element("p", {}, text);
const refusal = (text) => element("p", { className: "refusal", role: "alert" }, text);

/** What the engine advises in its texts, as names and values of fields. */
const ADVICE = [
  [/take q = (\d+)/, "q"],
  [/products (\d+), and reduce/, "q"],
  [/take (\d+)-bit words/, "bits"],
  [/the nearest are (\d+) and (\d+)/, "n"],
  [/the nearest is (\d+)/, "n"],
];

/** Buttons that follow advice. */
function advised(text) {
  const found = ADVICE.flatMap(([pattern, field]) => (text.match(pattern)?.slice(1) ?? []).map((value) => [field, value]));
  return found.map(([field, value]) => {
    const button = element("button", { type: "button" }, field === "bits" ? `${value}-bit words` : `${field} = ${value}`);
    button.addEventListener("click", () => {
      form("plan").elements[field].value = value;
      form("plan").requestSubmit();
    });
    return button;
  });
}

/** An integer of a form. */
function integer(text) {
  const digits = text.trim().replaceAll(/[_\s']/g, "");
  if (!/^-?\d+$/.test(digits)) throw new RangeError(`"${text}" is not an integer`);
  return BigInt(digits);
}

/** What the form asks for, as a plan. */
function planned() {
  const { n, q, ring, bits } = form("plan").elements;
  const degree = integer(n.value);
  if (degree > 1n << 20n) throw new RangeError("this page plans degrees up to 2^20");
  const options = { ring: ring.value, order: "native" };
  if (bits.value !== "") options.bits = Number(bits.value);
  return new Plan(Number(degree), integer(q.value), options);
}

function layers(title, { radices, word }, ranges, isInverse) {
  const most = Number(word[1]);
  const rows = ranges.map(({ range: [low, high], step }, i) => {
    const radix = radices[isInverse ? ranges.length - 1 - i : i] ?? "";
    return [`${i + 1}`, `${radix}`, low, high, step, bar(Number(high) / most)];
  });
  return table(title, ["layer#", "in#", "least#", "largest#", "step", "of the word"], rows, "bars");
}

/** An element of a picture. */
function drawn(name, attributes, ...contents) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...contents);
  return made;
}

/** Up to so many coefficients have a row each; of more, a row stands for several, and there are half as many rows. */
const DRAWN = 64;
const [ROW, COLUMN, TOP] = [16, 100, 22];

/** The forward transform: a row for each coefficient, and from layer to layer the butterflies between them. */
function diagram({ n, root, radices, twiddles }) {
  let rows = n;
  if (n > DRAWN) while (rows > DRAWN / 2 && rows % 2 === 0) rows /= 2;
  if (rows > DRAWN) return [];
  const y = (row) => TOP + (row + 0.5) * ROW;
  const marks = [];
  let [block, layer] = [rows, 0];
  for (; layer < radices.length && block % radices[layer] === 0; layer++) {
    const distance = block / radices[layer];
    const [left, right] = [layer * COLUMN + 44, (layer + 1) * COLUMN + 6];
    marks.push(drawn("text", { x: (left + right) / 2, y: 12, "text-anchor": "middle" }, `layer ${layer + 1}`));
    for (let at = 0; at < rows; at += block) {
      const power = `r^${twiddles[layer][at / block]}`;
      for (let row = at; row < at + distance; row++) {
        const members = Array.from({ length: radices[layer] }, (_, i) => row + i * distance);
        const lines = members.flatMap((from) => members.map((to) => `M${left} ${y(from)}L${right} ${y(to)}`));
        const said = `coefficients ${members.map((member) => (member * n) / rows).join(", ")}: twiddle ${power}`;
        marks.push(drawn("path", { d: lines.join("") }, drawn("title", {}, said)));
      }
      marks.push(drawn("text", { x: left - 4, y: y(at + distance) + 4, "text-anchor": "end" }, power));
    }
    block = distance;
  }
  if (layer === 0) return [];
  const said = `The butterflies of ${layer} of ${radices.length} layers; twiddles are powers of r = ${root}.`;
  const size = { width: layer * COLUMN + 20, height: TOP + rows * ROW };
  const picture = drawn("svg", { ...size, role: "img", "aria-label": said, class: "butterflies" }, ...marks);
  const rest = layer < radices.length ? ", and the other layers join coefficients that lie closer" : "";
  const each = rows < n ? ` A row is ${n / rows} coefficients${rest}.` : "";
  const frame = element("div", { className: "scrolls", tabIndex: 0, role: "region", ariaLabel: "Butterflies" }, picture);
  return [element("figure", {}, element("figcaption", {}, said + each), frame)];
}

function show(plan) {
  const { channels, transforms } = plan.explain();
  const parts = [];
  const kind = channels
    ? `There are no roots of unity that help modulo ${plan.q}: products are computed modulo ${transforms.length} primes.`
    : `Yes, in words of ${plan.bits} bits.`;
  parts.push(paragraph(kind));
  for (const transform of transforms) {
    const { q, root, slots, slotDegree, method, lanes, radices, n } = transform;
    const butterflies = radices.reduce((sum, radix) => sum + n / radix, 0);
    const facts = [
      ["modulus", q],
      ["root of unity", root],
      ["slots", `${slots}, of ${slotDegree} coefficient${slotDegree === 1 ? "" : "s"} each`],
      ["layers", `${radices.length}, of ${butterflies} butterflies in all`],
      ["reduction", method],
      ["words at once", `${lanes}`],
    ];
    parts.push(table("What was decided", ["", ""], facts));
    if (radices.length > 0) {
      parts.push(...diagram(transform));
      parts.push(layers("Proved ranges, forward", transform, transform.forward, false));
      parts.push(layers("Proved ranges, inverse", transform, transform.inverse, true));
    }
  }
  return parts;
}

/** Answers in the place of an earlier answer, or says why there is no answer. */
function answer(name, compute) {
  const show = (...parts) => {
    // What could be saved until now is forgotten.
    for (const { href } of answers(name).querySelectorAll("a[download]")) URL.revokeObjectURL(href);
    answers(name).replaceChildren(...parts);
  };
  try {
    show(...compute());
  } catch (error) {
    show(refusal(error instanceof PlanError ? `No: ${error.message}` : error.message), ...advised(error.message));
    if (!(error instanceof RangeError || error instanceof TypeError)) throw error;
  }
}

form("plan").addEventListener("submit", (event) => {
  event.preventDefault();
  answer("plan", () => {
    const plan = planned();
    try {
      return show(plan);
    } finally {
      plan.free();
    }
  });
});

/** Coefficients of an operand, with zeros behind them. */
function operand(name, n) {
  const values = form("product").elements[name].value.split(",").filter((text) => text.trim() !== "").map(integer);
  if (values.length > n) throw new RangeError(`${name} has ${values.length} coefficients, and the degree is ${n}`);
  return values.concat(Array(n - values.length).fill(0n));
}

form("product").addEventListener("submit", (event) => {
  event.preventDefault();
  answer("product", () => {
    const { n, q, ring } = form("plan").elements;
    const degree = Number(integer(n.value));
    if (degree > 1 << 16) throw new RangeError("this page multiplies polynomials of degrees up to 2^16");
    const product = polymul(operand("a", degree), operand("b", degree), integer(q.value), { ring: ring.value });
    return [element("pre", { tabIndex: 0, ariaLabel: "the product" }, Array.from(product).join(", "))];
  });
});

form("random").addEventListener("click", () =>
  answer("product", () => {
    const { n, q } = form("plan").elements;
    const [degree, modulus] = [integer(n.value), integer(q.value)];
    if (degree < 1n || degree > 1n << 16n || modulus < 2n) throw new RangeError("there are no such polynomials");
    const draw = () => globalThis.crypto.getRandomValues(new BigUint64Array(1))[0] % modulus;
    for (const name of ["a", "b"]) {
      form("product").elements[name].value = Array.from({ length: Number(degree) }, draw).join(", ");
    }
    return [];
  }),
);

function estimated() {
  const { n, logQ, secret, error, samples, model } = form("estimate").elements;
  form("estimate").elements["n-text"].value = n.value;
  form("estimate").elements["log-text"].value = logQ.value;
  answer("estimate", () => {
    const q = 2n ** BigInt(Math.floor(logQ.value));
    const modulus = logQ.value % 1 === 0 ? q : BigInt(Math.round(2 ** logQ.value));
    const seen = samples.value === "" ? undefined : Number(samples.value) * Number(n.value);
    const asked = { n: Number(n.value), q: modulus, secret: secret.value, error: error.value, samples: seen };
    const { attacks, cheapest, warning } = estimate("lwe", { ...asked, model: model.value });
    // Some attacks cost thousands of bits: their bars end where the page does.
    const most = 2 * (cheapest?.bits ?? 1);
    const rows = attacks
      .toSorted((a, b) => (a.bits ?? Infinity) - (b.bits ?? Infinity))
      .map(({ attack, bits, reason }) => [attack, bits?.toFixed(1) ?? "none", bits === null ? reason : bar(Math.min(1, bits / most))]);
    const parts = [paragraph(cheapest ? `The cheapest takes 2^${cheapest.bits.toFixed(1)} operations: ${cheapest.attack}.` : "No attack has a cost.")];
    if (warning) parts.push(refusal(warning));
    return [...parts, table("log2 of operations, by the names of the lattice-estimator", ["attack", "bits#", ""], rows, "bars")];
  });
}
form("estimate").addEventListener("input", estimated);
form("estimate").addEventListener("submit", (event) => event.preventDefault());

/** What this page reads at most: it holds a file several times. */
const FILE_AT_MOST = 1 << 28;

/** A link that saves bytes. */
function saved(name, contents) {
  const address = URL.createObjectURL(new Blob([contents]));
  const link = element("a", { href: address, download: name }, `Save ${name}`);
  return element("p", {}, link, `, ${contents.length} bytes`);
}

/** What opens or seals a file: a passphrase, or keys. */
function keysFor(verb, { recipients, identities, passphrase, again }) {
  const [keys, name] = verb === "encrypt" ? [recipients.value, "recipients"] : [identities.value, "identities"];
  if (passphrase.value === "" && keys.trim() === "") {
    throw new RangeError(`to ${verb}, fill in ${name} or a passphrase`);
  }
  if (passphrase.value === "") return { [name]: keys };
  if (keys.trim() !== "") throw new RangeError(`take either ${name} or a passphrase: clear one of them`);
  if (verb === "encrypt" && passphrase.value !== again.value) {
    throw new RangeError("to encrypt, repeat the passphrase as it is; Decrypt takes it once");
  }
  return { passphrase: passphrase.value };
}

let isWorking = false;

form("files").addEventListener("submit", async (event) => {
  event.preventDefault();
  if (isWorking) return;
  isWorking = true;
  try {
    const verb = event.submitter?.value ?? "encrypt";
    const { elements } = form("files");
    const [file] = elements.file.files;
    // What is asked for at this moment: fields may change while the file is read.
    let work;
    answer("files", () => {
      if (file.size > FILE_AT_MOST) throw new RangeError("this page takes files up to 256 MiB; the command takes any");
      const keys = keysFor(verb, elements);
      const armor = elements.armor.checked;
      const opened = file.name.endsWith(".age") && file.name !== ".age" ? file.name.slice(0, -4) : `${file.name}.opened`;
      work =
        verb === "encrypt"
          ? (held) => saved(`${file.name}.age`, encrypt(held, { ...keys, armor }))
          : (held) => saved(opened, decrypt(held, keys));
      return [paragraph("Working …")];
    });
    if (work === undefined) return;
    const held = await file.arrayBuffer().then((read) => new Uint8Array(read), () => undefined);
    // The words are painted before the work begins.
    await new Promise((done) => setTimeout(done, 30));
    answer("files", () => {
      if (held === undefined) throw new RangeError(`${file.name} cannot be read: choose it again`);
      return [work(held)];
    });
  } finally {
    isWorking = false;
  }
});

document.getElementById("keygen").addEventListener("click", () => {
  if (isWorking) return;
  answer("files", () => {
    const { identity, recipient } = keygen();
    form("files").elements.recipients.value = recipient;
    form("files").elements.identities.value = identity;
    const file = new TextEncoder().encode(`# public key: ${recipient}\n${identity}\n`);
    const said = "Give the recipient to others. Save the identity before you use it: this page forgets it.";
    return [paragraph(said), saved("key.txt", file)];
  });
});

/** Microseconds of a call, the least of five runs. */
function time(call) {
  let [least, times] = [Infinity, 1];
  for (let run = 0; run < 5; ) {
    const start = performance.now();
    for (let i = 0; i < times; i++) call();
    const passed = performance.now() - start;
    if (passed < 20) times *= 2;
    else [least, run] = [Math.min(least, (passed * 1000) / times), run + 1];
  }
  return least.toPrecision(3);
}

document.getElementById("measure").addEventListener("click", () =>
  answer("measure", () => {
    const { publicKey, secretKey } = ml_kem768.keygen();
    const { cipherText } = ml_kem768.encapsulate(publicKey);
    const rows = [
      ["ML-KEM-768: a key pair", time(() => ml_kem768.keygen())],
      ["ML-KEM-768: encapsulation", time(() => ml_kem768.encapsulate(publicKey))],
      ["ML-KEM-768: decapsulation", time(() => ml_kem768.decapsulate(cipherText, secretKey))],
    ];
    for (const [n, q, bits] of [[256, 3329, 16], [1024, 12289, 16], [4096, 1073692673, 32]]) {
      const plan = new Plan(n, q, { bits, order: "native" });
      const [a, b, out] = [0, 1, 2].map((k) => plan.Words.from({ length: n }, (_, i) => (i * i + k) % q));
      rows.push([`product of ${n} coefficients modulo ${q}`, time(() => plan.multiply(a, b, out))]);
      plan.free();
    }
    const vectors = paragraph(`This browser has ${simd ? "" : "no "}vectors of 128 bits.`);
    return [vectors, table("Microseconds", ["", "µs#"], rows)];
  }),
);

form("plan").requestSubmit();
estimated();
document.documentElement.dataset.ready = "true";
