// What every run in Firefox begins with. Playwright cannot load an extension into the system's Firefox; WebDriver BiDi
// can.
import puppeteer from "puppeteer-core";

/** Of the extension's own pages in this run. */
const UUID = "0a1b2c3d-0000-4000-8000-00000000beef";
const PATIENCE_MS = 60_000;

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export async function until(question, patience = PATIENCE_MS) {
  const deadline = Date.now() + patience;
  for (;;) {
    const answer = await question().catch(() => null);
    if (answer) return answer;
    if (Date.now() > deadline) throw new Error(`never true: ${question}`);
    await pause(50);
  }
}

export const launch = (extension) =>
  puppeteer.launch({
    browser: "firefox",
    executablePath: process.env.LIMEN_FIREFOX ?? "/usr/bin/firefox-esr",
    headless: true,
    // The extension's own pages may be driven only so.
    args: ["--remote-allow-system-access"],
    enableExtensions: [extension],
    extraPrefsFirefox: { "extensions.webextensions.uuids": JSON.stringify({ "limen@limen.invalid": UUID }) },
  });

export async function openOptions(browser) {
  const page = await browser.newPage();
  // The page moves to the extension's process; the driver takes that for a failure.
  page.goto(`moz-extension://${UUID}/options/options.html#connection`).catch(() => undefined);
  return until(async () => {
    for (const one of await browser.pages()) {
      const isOptions = one.evaluate(() => document.querySelector("#code") !== null).catch(() => false);
      if (await Promise.race([isOptions, pause(1000)])) return one;
    }
    return null;
  });
}

/** Connects by a code; what the settings page says then. */
export async function connect(options, code) {
  await options.evaluate((typed) => {
    document.querySelector("#code").value = typed;
    document.querySelector("#connect").requestSubmit();
  }, code);
  const said = () => options.evaluate(() => {
    const result = document.querySelector("#connection-result");
    return result.className === "good" && !result.textContent.endsWith("…") ? result.textContent : null;
  });
  return until(said);
}

/** For `page.evaluate`: the middle of the first of our own elements that fits and holds these words. */
export const placeOf = (selector, words) => {
  for (const host of document.documentElement.children) {
    for (const node of host.shadowRoot?.querySelectorAll(selector) ?? []) {
      if (!node.textContent.includes(words)) continue;
      const rect = node.getBoundingClientRect();
      return { x: rect.x + rect.width / 2, y: rect.y + rect.height / 2 };
    }
  }
  return null;
};
