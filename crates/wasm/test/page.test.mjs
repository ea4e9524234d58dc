// The page in Chromium: every control, at the width of a phone and of a desk, in light and in dark.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";
import * as age from "ringwork/age.js";

const PAGE = new URL("ringwork.html", import.meta.url).href;
let browser;
before(async () => (browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] })));
after(() => browser.close());

/** Does something on the page, and fails if the console has an error or something is wider than the window. */
async function opened(width, colorScheme, use) {
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
  const complaints = [];
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => /^(file|data|blob):/.test(request.url()) || complaints.push(request.url()));
  await page.goto(PAGE);
  await page.waitForSelector("html[data-ready]");
  await use(page);
  assert.deepEqual(complaints, []);
  const [content, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(content <= window, `${content} in ${window}`);
  await page.close();
}

/** The bytes behind a link of the section of files. */
async function savedBy(page, name) {
  const href = await page.locator(`#files-answer a[download="${name}"]`).getAttribute("href");
  const read = async (href) => [...new Uint8Array(await (await fetch(href)).arrayBuffer())];
  return Uint8Array.from(await page.evaluate(read, href));
}

/** The section of files: what it saves is what the package makes and reads. */
async function files(page, text) {
  const letter = new TextEncoder().encode("to Bob\n".repeat(20000));
  const choose = (name, buffer) =>
    page.setInputFiles("#files [name=file]", { name, mimeType: "application/octet-stream", buffer: Buffer.from(buffer) });
  const saved = (name) => savedBy(page, name);
  const press = async (button) => {
    await page.locator("#files").getByRole("button", { name: button, exact: true }).click();
    await page.waitForFunction(() => !["", "Working …"].includes(document.querySelector("#files-answer").innerText));
  };
  await press("Make a key");
  const key = new TextDecoder().decode(await saved("key.txt"));
  const identity = await page.inputValue("#files [name=identities]");
  const recipient = await page.inputValue("#files [name=recipients]");
  assert.equal(key, `# public key: ${recipient}\n${identity}\n`);
  assert.deepEqual(age.recipients(key), [recipient]);

  await choose("letter.txt", letter);
  await press("Encrypt");
  const file = await saved("letter.txt.age");
  assert.deepEqual(age.decrypt(file, { identities: identity }), letter);
  await choose("letter.txt.age", file);
  await press("Decrypt");
  assert.deepEqual(await saved("letter.txt"), letter);
  await choose("sealed", age.encrypt(letter, { recipients: recipient, armor: true }));
  await press("Decrypt");
  assert.deepEqual(await saved("sealed.opened"), letter);

  // What was asked for is done, and once, whatever is pressed or changed meanwhile.
  const blobs = await page.evaluate(async () => {
    const { create, revoke } = { create: URL.createObjectURL, revoke: URL.revokeObjectURL };
    const alive = new Set();
    URL.createObjectURL = (blob) => ((blob = create.call(URL, blob)), alive.add(blob), blob);
    URL.revokeObjectURL = (blob) => (alive.delete(blob), revoke.call(URL, blob));
    const form = document.getElementById("files");
    form.requestSubmit(form.querySelector("[value=decrypt]"));
    form.elements.identities.value = "";
    form.requestSubmit(form.querySelector("[value=encrypt]"));
    document.getElementById("keygen").click();
    while (document.querySelector("#files-answer a") === null) await new Promise((done) => setTimeout(done, 10));
    return alive.size;
  });
  assert.equal(blobs, 1);
  assert.deepEqual(await saved("sealed.opened"), letter);
  await page.fill("#files [name=identities]", identity);

  await page.fill("#files [name=passphrase]", "träge Wölfe");
  await press("Encrypt");
  assert.match(await text("files"), /either recipients or a passphrase/);
  await page.fill("#files [name=recipients]", "");
  await press("Encrypt");
  assert.match(await text("files"), /to encrypt, repeat the passphrase/);
  await page.fill("#files [name=again]", "träge Wölfe");
  await page.check("#files [name=armor]");
  await choose("letter.txt", letter);
  await press("Encrypt");
  const armored = await saved("letter.txt.age");
  assert.match(new TextDecoder().decode(armored), /^-----BEGIN AGE ENCRYPTED FILE-----/);
  assert.deepEqual(age.decrypt(armored, { passphrase: "träge Wölfe" }), letter);
  await page.fill("#files [name=passphrase]", "");
  await press("Encrypt");
  assert.match(await text("files"), /to encrypt, fill in recipients or a passphrase/);
  await choose("letter.txt.age", letter);
  await press("Decrypt");
  assert.match(await text("files"), /no file of age/);
}

for (const [width, scheme] of [[390, "light"], [1280, "dark"]]) {
  test(`every control, at ${width} pixels in ${scheme}`, () =>
    opened(width, scheme, async (page) => {
      const text = (name) => page.locator(`#${name}-answer`).innerText();
      assert.match(await text("plan"), /^Yes, in words of 16 bits[^]*128, of 2 coefficients each[^]*Proved ranges, inverse/);
      for (const bits of ["16", "32", "64", ""]) {
        await page.selectOption("#plan [name=bits]", bits);
        await page.click("#plan button");
        assert.match(await text("plan"), bits ? RegExp(`words of ${bits} bits`) : /words of/);
      }
      for (const [n, q, ring, want] of [
        ["768", "7681", "trinomial", /256, of 3 coefficients each/],
        ["64", "7681", "cyclic", /64, of 1 coefficient each/],
        ["256", "4096", "negacyclic", /modulo \d primes/],
        ["0", "7", "negacyclic", /^No: n = 0 is not a degree/],
        ["256", "", "negacyclic", /^"" is not an integer/],
        ["99999999", "7", "negacyclic", /up to 2\^20/],
      ]) {
        await page.fill("#plan [name=n]", n);
        // The browser itself asks for a value that is missing: spaces are one.
        await page.fill("#plan [name=q]", q || " ");
        await page.selectOption("#plan [name=ring]", ring);
        await page.click("#plan button");
        const got = await text("plan");
        assert.match(got, q ? want : /is not an integer/, `${n} ${q} ${ring}`);
      }
      assert.equal(await page.locator("#plan-answer [role=alert]").count(), 1);

      // Advice is a button, and what it fills in works.
      for (const [n, q, ring, bits, button] of [
        ["256", "40961", "negacyclic", "16", "32-bit words"],
        ["256", "3", "negacyclic", "", "q = 12"],
        ["7", "13", "trinomial", "", "n = 8"],
      ]) {
        await page.fill("#plan [name=n]", n);
        await page.fill("#plan [name=q]", q);
        await page.selectOption("#plan [name=ring]", ring);
        await page.selectOption("#plan [name=bits]", bits);
        await page.click("#plan button");
        assert.match(await text("plan"), /^No: /);
        await page.locator("#plan-answer").getByRole("button", { name: button, exact: true }).click();
        assert.match(await text("plan"), /Yes|products are computed/, button);
      }
      await page.selectOption("#plan [name=bits]", "");
      await page.selectOption("#plan [name=ring]", "negacyclic");
      await page.fill("#plan [name=n]", "4");
      await page.fill("#plan [name=q]", "17");
      await page.click("#plan button");
      const drawn = await page.locator("#plan-answer svg title").allTextContents();
      const layers = [["0, 2", "2"], ["1, 3", "2"], ["0, 1", "1"], ["2, 3", "3"]];
      assert.deepEqual(drawn, layers.map(([which, power]) => `coefficients ${which}: twiddle r^${power}`));
      await page.fill("#product [name=a]", "1, 2, 3, 4");
      await page.fill("#product [name=b]", "5, 6, 7, -8");
      await page.click("#product button:not([type])");
      // (1 + 2X + 3X^2 + 4X^3)(5 + 6X + 7X^2 - 8X^3) modulo X^4 + 1 and 17.
      assert.equal((await text("product")).trim(), "10, 12, 15, 10");
      await page.fill("#product [name=a]", "1, x");
      await page.click("#product button:not([type])");
      assert.match(await text("product"), /" x" is not an integer/);
      await page.click("#random");
      assert.equal((await page.inputValue("#product [name=b]")).split(",").length, 4);
      await page.click("#product button:not([type])");
      assert.equal((await text("product")).trim().split(",").length, 4);

      assert.match(await text("estimate"), /2\^141\.\d operations: dual_hybrid/);
      for (const name of ["secret", "error", "samples", "model"]) {
        const options = await page.locator(`#estimate [name=${name}] option`).evaluateAll((all) => all.map(({ value }) => value));
        for (const value of options) {
          await page.selectOption(`#estimate [name=${name}]`, value);
          assert.match(await text("estimate"), /operations|No attack has a cost/, `${name} ${value}`);
        }
        await page.selectOption(`#estimate [name=${name}]`, options[0]);
      }
      for (const name of ["n", "logQ"]) {
        const earlier = await text("estimate");
        await page.focus(`#estimate [name=${name}]`);
        for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowRight");
        assert.notEqual(await text("estimate"), earlier);
      }

      await files(page, text);

      await page.click("#measure");
      await page.waitForSelector("#measure-answer table");
      assert.match(await text("measure"), /vectors of 128 bits[^]*ML-KEM-768/);
    }));
}

test("answers are the command's", { skip: !process.env.RINGWORK && "RINGWORK names no command" }, () =>
  opened(1280, "light", async (page) => {
    const folder = mkdtempSync(join(tmpdir(), "ringwork-"));
    const command = (...words) => JSON.parse(spawnSync(process.env.RINGWORK, [...words, "--json"], { cwd: folder }).stdout);
    const text = (name) => page.locator(`#${name}-answer`).innerText();
    const press = (section, button) => page.locator(`#${section}`).getByRole("button", { name: button, exact: true }).click();
    try {
      for (const [n, q] of [["7", "3"], ["256", "3"], ["96", "13"]]) {
        await page.fill("#plan [name=n]", n);
        await page.fill("#plan [name=q]", q);
        await press("plan", "Plan");
        const { reason, ring } = command("plan", n, q);
        if (reason) assert.equal((await text("plan")).split("\n")[0], `No: ${reason}`);
        else assert.equal(ring, "negacyclic");
      }
      for (const [n, q] of [["32", "257"], ["64", "7681"], ["20", "1000000000000000003"]]) {
        await page.fill("#plan [name=n]", n);
        await page.fill("#plan [name=q]", q);
        await press("plan", "Plan");
        await press("product", "Random operands");
        for (const name of ["a", "b"]) writeFileSync(join(folder, name), `[${await page.inputValue(`#product [name=${name}]`)}]`);
        await press("product", "Multiply");
        const { coefficients } = command("mul", n, q, "a", "b");
        assert.equal((await text("product")).trim(), coefficients.join(", "), `${n} ${q}`);
      }
      const shape = ["--n", "512", "--q", "2896", "--secret", "binomial:3", "--error", "binomial:3", "--samples", "512"];
      const { all_attacks } = command("estimate", "lwe", ...shape, "--model", "matzov");
      const shown = await text("estimate");
      for (const { attack, bits } of all_attacks.filter(({ bits }) => bits !== null)) {
        const [, found] = shown.match(RegExp(`^${attack}\t([\\d.]+)`, "m"));
        assert.ok(Math.abs(found - bits) < 0.06, `${attack}: ${found}, ${bits}`);
      }
      await press("files", "Make a key");
      writeFileSync(join(folder, "key.txt"), `${await page.inputValue("#files [name=identities]")}\n`);
      await page.setInputFiles("#files [name=file]", { name: "x", mimeType: "text/plain", buffer: Buffer.from("letter") });
      await press("files", "Encrypt");
      writeFileSync(join(folder, "x.age"), await savedBy(page, "x.age"));
      const opened = execFileSync(process.env.RINGWORK, ["decrypt", "-i", "key.txt", "-o", "-", "x.age"], { cwd: folder });
      assert.equal(opened.toString(), "letter");
    } finally {
      rmSync(folder, { recursive: true });
    }
  }));

test("by keyboard alone, and with a name for everything", () =>
  opened(800, "light", async (page) => {
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.name), "n");
    await page.keyboard.type("64");
    await page.keyboard.press("Enter");
    assert.match(await page.locator("#plan-answer").innerText(), /^Yes/);
    const reached = new Set();
    for (let i = 0; i < 40; i++) {
      reached.add(await page.evaluate(() => document.activeElement.name || document.activeElement.textContent));
      await page.keyboard.press("Tab");
    }
    const controls = ["q", "ring", "bits", "Plan", "a", "b", "Multiply", "Random operands", "logQ", "secret", "error", "samples", "model", "file", "recipients", "identities", "passphrase", "again", "armor", "Encrypt", "Decrypt", "Make a key", "Measure"];
    for (const control of controls) assert.ok(reached.has(control), control);
    const nameless = await page.evaluate(() =>
      [...document.querySelectorAll("input, select, textarea")].filter(({ labels }) => labels.length === 0).length,
    );
    assert.equal(nameless, 0);
    assert.equal(await page.evaluate(() => document.querySelectorAll("h1").length), 1);
  }));
