// What Firefox is asked beyond the core path; tests/browser/test_firefox.py judges it.
//   node firefoxMore.mjs <unpacked extension> <address of the pages> <code to connect with>
import { connect, launch, openOptions, pause, placeOf, until } from "./firefoxDriver.mjs";

const [extension, address, code] = process.argv.slice(2);
const MAIL = "jane.cooper@hotmail.com";
const TYPED = `${MAIL} is my email`;
const KEY = "sk-ant-api03-aB3dE5gH7jK9mN1pQ3rS5tU7vW9xY1zA3bC5dE7fG9hJ1kL3mN5pQ7rS9tU1vW3xY5zA7bC9dE1fG3-AAAAAA";
const SECRET = `my key is ${KEY} ok`;
const LINES = "🙂 a\n\nb c\n中文";

const browser = await launch(extension);

/** Every drawn mark: by the registry with its words, or as a line over a form field. */
const marksIn = () => {
  const found = [];
  for (const highlight of CSS.highlights.values()) {
    for (const range of highlight) {
      const rect = range.getClientRects()[0];
      if (rect) found.push({ words: range.toString(), x: rect.x + rect.width / 2, y: rect.y + rect.height / 2 });
    }
  }
  for (const host of document.documentElement.children) {
    for (const line of host.shadowRoot?.querySelectorAll(".line") ?? []) {
      const rect = line.getBoundingClientRect();
      found.push({ words: null, x: rect.x + rect.width / 2, y: rect.y - 6 });
    }
  }
  return found;
};

/** Every change of the document but that our own empty-looking elements come to stand beside the body. */
const watchAll = () => {
  const records = [];
  const observer = new MutationObserver((list) => records.push(...list));
  observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
  window.__changes = () => {
    records.push(...observer.takeRecords());
    observer.disconnect();
    return records
      .filter(({ type, target, addedNodes }) => !(type === "childList" && target === document.documentElement
        && [...addedNodes].every((node) => node.popover === "manual" && node.childNodes.length === 0)))
      .map(({ type, target, attributeName }) => `${type} ${target.nodeName} ${attributeName ?? ""}`);
  };
};

const text = (page) => page.evaluate(() => __ed.text());

async function open(editor, given = "") {
  const page = await browser.newPage();
  await page.goto(`${address}/?ed=${editor}&text=${encodeURIComponent(given)}`);
  await until(() => page.evaluate(() => Boolean(window.__ed?.host)));
  return page;
}

/** Clicks right of and below the text, into the editor: the caret is then at its end. */
async function focus(page) {
  await page.bringToFront();
  const place = await page.evaluate(() => {
    __ed.host.focus();
    const rect = __ed.host.getBoundingClientRect();
    return { x: rect.right - 4, y: rect.y + Math.min(16, rect.height / 2) };
  });
  await until(async () => {
    await page.mouse.click(place.x, place.y);
    return page.evaluate(() => document.hasFocus() && ("value" in __ed.host || getSelection().rangeCount > 0));
  });
}

const markOf = (page, words) => until(async () => {
  const marks = await page.evaluate(marksIn);
  return marks.find((mark) => mark.words === null || mark.words === words);
});

async function press(page, key, ...held) {
  for (const one of held) await page.keyboard.down(one);
  await page.keyboard.press(key);
  for (const one of held.reverse()) await page.keyboard.up(one);
}

async function clickIn(page, selector, words) {
  const place = await until(() => page.evaluate(placeOf, selector, words));
  await page.mouse.click(place.x, place.y);
}

/** Presses up to three times, each time waiting for a change, until the editor has this text. */
async function pressUntil(page, wanted, key, ...held) {
  for (let presses = 1; presses <= 3; presses += 1) {
    const before = await text(page);
    await press(page, key, ...held);
    const now = await until(async () => (await text(page)) !== before && text(page), 10_000).catch(() => before);
    if (now === wanted) return true;
  }
  return false;
}

async function changes(editor) {
  const page = await open(editor, TYPED);
  await focus(page);
  // ProseMirror notes its focus in its class; from here on it has no reason to change anything.
  await page.evaluate(watchAll);
  if (editor === "textarea" || editor === "input") await page.keyboard.type(".");
  const mark = await markOf(page, MAIL);
  await page.mouse.click(mark.x, mark.y);
  await clickIn(page, ".card button", "Keep");
  await until(() => page.evaluate(placeOf, ".toast", "Kept."));
  await until(async () => (await page.evaluate(marksIn)).length === 0);
  const seen = await page.evaluate(() => __changes());
  await page.close();
  return seen;
}

async function typeOn(editor) {
  const page = await open(editor);
  await focus(page);
  await page.keyboard.type(TYPED);
  const mark = await markOf(page, MAIL);
  await page.mouse.click(mark.x, mark.y);
  // The click has put the caret into the phrase; typing goes on at the end.
  await press(page, "End");
  await clickIn(page, ".card button", "Redact");
  await until(() => page.evaluate(placeOf, ".toast", "Redacted."));
  const redacted = await text(page);
  await page.keyboard.type("!");
  await until(async () => (await text(page)) !== redacted);
  const next = await text(page);
  await pause(200);
  const seen = { redacted, next, undone: await pressUntil(page, TYPED, "z", "Control"), redone: false, said: "" };
  seen.redone = await pressUntil(page, next, ...(editor === "quill" ? ["z", "Control", "Shift"] : ["y", "Control"]));
  seen.said = await text(page);
  await page.close();
  return seen;
}

async function readTexts(editors) {
  const seen = {};
  for (const editor of editors) {
    const page = await open(editor, LINES);
    await page.addScriptTag({ url: "/textMap.js" });
    seen[editor] = await page.evaluate(() => ({ model: __ed.text(), map: limenTextMap.buildTextMap(__ed.host).text }));
    await page.close();
  }
  return seen;
}

async function hold(options) {
  const set = (gate) => options.evaluate((gate) => (
    browser.runtime.sendMessage({ kind: "WriteSettings", settings: { gate } })), gate);
  await set("gentle");
  const page = await open("textarea", SECRET);
  await page.evaluate(() => __ed.host.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    document.getElementById("composer").requestSubmit();
  }));
  const messages = () => page.evaluate(() => [...document.querySelectorAll(".message")].map((one) => one.textContent));
  await focus(page);
  // The key goes over more than one line.
  await press(page, "End", "Control");
  await markOf(page, KEY);
  await press(page, "Enter");
  await until(() => page.evaluate(placeOf, ".gate", "1 thing marked here"));
  const held = { text: await text(page), messages: await messages() };
  await press(page, "Escape");
  await until(async () => !(await page.evaluate(placeOf, ".gate", "")));
  await page.keyboard.type("!");
  await until(async () => (await text(page)) !== held.text);
  const typedOn = await text(page);
  await markOf(page, KEY);
  await press(page, "Enter");
  // "Send as it is" cannot be pressed here: in the open shadow roots of this build it is taken for the page's button.
  await clickIn(page, ".gate button", "Redact all");
  await until(() => page.evaluate(placeOf, ".toast", "Redacted."));
  await until(async () => (await page.evaluate(marksIn)).length === 0);
  await press(page, "Enter");
  await until(async () => (await text(page)) === "");
  const sent = await messages();
  await set("off");
  await page.close();
  return { held, typedOn, sent };
}

/** The extension is loaded anew under an open tab: Firefox then starts the new content script in it. */
async function reload(options) {
  const page = await open("plain", TYPED);
  await focus(page);
  await markOf(page, MAIL);
  await options.evaluate(() => setTimeout(() => browser.runtime.reload(), 100));
  await pause(3000);
  await focus(page);
  await page.keyboard.type(" or bob.lee@yahoo.com ok");
  await markOf(page, "bob.lee@yahoo.com");
  await pause(300);
  const words = (await page.evaluate(marksIn)).map((mark) => mark.words).sort();
  const hosts = await page.evaluate(() => document.documentElement.children.length - 2);
  const typed = await text(page);
  await page.close();
  return { words, hosts, typed };
}

const attempt = (action) => action().catch((error) => ({ error: String(error.message).slice(0, 300) }));

try {
  const options = await openOptions(browser);
  await connect(options, code);
  const result = { changes: {}, typed: {} };
  for (const editor of ["prosemirror", "lexical", "textarea", "input"]) {
    result.changes[editor] = await attempt(() => changes(editor));
  }
  for (const editor of ["prosemirror", "lexical", "textarea", "react"]) {
    result.typed[editor] = await attempt(() => typeOn(editor));
  }
  const rich = ["prosemirror", "tiptap", "lexical", "quill", "slate", "draft", "codemirror", "plain"];
  result.texts = await attempt(() => readTexts(rich));
  result.gate = await attempt(() => hold(options));
  result.reloaded = await attempt(() => reload(options));
  console.log(JSON.stringify(result));
} finally {
  await browser.close();
}
