// The page in Chromium: every control, at the width of a phone and of a desk, in light and in dark.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";

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

      await page.click("#measure");
      await page.waitForSelector("#measure-answer table");
      assert.match(await text("measure"), /vectors of 128 bits[^]*ML-KEM-768/);
    }));
}

test("by keyboard alone, and with a name for everything", () =>
  opened(800, "light", async (page) => {
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.name), "n");
    await page.keyboard.type("64");
    await page.keyboard.press("Enter");
    assert.match(await page.locator("#plan-answer").innerText(), /^Yes/);
    const reached = new Set();
    for (let i = 0; i < 30; i++) {
      reached.add(await page.evaluate(() => document.activeElement.name || document.activeElement.textContent));
      await page.keyboard.press("Tab");
    }
    const controls = ["q", "ring", "bits", "Plan", "a", "b", "Multiply", "Random operands", "logQ", "secret", "error", "samples", "model", "Measure"];
    for (const control of controls) assert.ok(reached.has(control), control);
    const nameless = await page.evaluate(() =>
      [...document.querySelectorAll("input, select, textarea")].filter(({ labels }) => labels.length === 0).length,
    );
    assert.equal(nameless, 0);
    assert.equal(await page.evaluate(() => document.querySelectorAll("h1").length), 1);
  }));
