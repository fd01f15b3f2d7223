// A page with one composer. ?ed=<editor> &shadow=open|closed &dark=1 &text=<initial text> &frame=same|srcdoc|blank
// window.__ed is the editor; __ed.text() is its own model's text, so that a DOM that differs from it is noticed.
import { mount as codemirror } from "./editors/codemirror.js";
import { mount as draft } from "./editors/draft.js";
import { mount as lexical } from "./editors/lexical.js";
import { mount as prosemirror } from "./editors/prosemirror.js";
import { mount as quill } from "./editors/quill.js";
import { mountInput, mountPlain, mountPlaintextOnly, mountReactTextarea, mountTextarea } from "./editors/simple.js";
import { mount as slate } from "./editors/slate.js";
import { mount as tiptap } from "./editors/tiptap.js";

const EDITORS = {
  prosemirror, tiptap, lexical, quill, slate, draft, codemirror,
  plain: mountPlain, plaintext: mountPlaintextOnly, textarea: mountTextarea, input: mountInput, react: mountReactTextarea,
};

const query = new URLSearchParams(location.search);
const place = document.getElementById("mount");
if (query.get("dark")) document.body.classList.add("dark");

function root() {
  const mode = query.get("shadow");
  if (!mode) return place;
  const shadow = place.attachShadow({ mode });
  const inner = document.createElement("div");
  // The libraries' own sheets do not reach in here.
  inner.style.whiteSpace = "pre-wrap";
  shadow.append(inner);
  return inner;
}

const editor = EDITORS[query.get("ed") ?? "prosemirror"](root(), query.get("text") ?? "");
window.__ed = editor;

window.__log = [];
for (const type of ["focusin", "focusout"]) {
  document.addEventListener(type, (event) => window.__log.push(`${type}:${event.target.nodeName}`), true);
}

/** Counts every change to the composer's DOM, and what is added beside it. */
window.__watchMutations = () => {
  const records = [];
  const observer = new MutationObserver((list) => records.push(...list));
  observer.observe(editor.host, { subtree: true, childList: true, characterData: true, attributes: true });
  observer.observe(document.body, { childList: true, attributes: true });
  observer.observe(document.documentElement, { attributes: true });
  return () => {
    records.push(...observer.takeRecords());
    observer.disconnect();
    return records.map((record) => `${record.type}:${record.target.nodeName}:${record.attributeName ?? ""}`);
  };
};

document.getElementById("composer").addEventListener("submit", () => {
  const message = document.createElement("div");
  message.className = "message";
  message.textContent = editor.text();
  document.getElementById("conversation").append(message);
  editor.set("");
});
