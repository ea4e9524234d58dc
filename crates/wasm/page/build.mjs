// One file of the page, its scripts and its modules: `node build.mjs PACKAGE PAGE.html`.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const [packed, out] = process.argv.slice(2);
const here = (name) => readFileSync(new URL(name, import.meta.url), "utf8");
const there = (name) => readFileSync(join(packed, name));

// Imports of one another are by address in a package, and by name in a page, whose scripts have none.
const named = (source) => source.replaceAll(/ from "\.\/([a-z-]+\.js)"/g, ' from "ringwork/$1"');
const address = (source) => `data:text/javascript;base64,${Buffer.from(named(source)).toString("base64")}`;
const scripts = ["age", "check", "engine", "estimate", "ml-kem", "module", "plan", "schemes", "simd"];
const imports = { "ringwork/load.js": address(here("load.js")) };
for (const name of scripts) imports[`ringwork/${name}.js`] = address(there(`${name}.js`).toString());

// Files gain little from vectors.
const modules = ["schemes-simd", "schemes-portable", "plans-simd", "plans-portable", "files-portable"];
const held = modules.map((name) => {
  const bytes = gzipSync(there(`${name}.wasm`), { level: 9 }).toString("base64");
  return `<script type="application/octet-stream" id="${name}">${bytes}</script>`;
});
const parts = [
  `<script type="importmap">${JSON.stringify({ imports })}</script>`,
  ...held,
  `<script type="module">${named(here("page.js"))}</script>`,
];
const page = here("index.html").replace("/*STYLE*/", () => here("page.css")).replace("<!--MODULES-->", () => parts.join("\n"));
writeFileSync(out, page);
