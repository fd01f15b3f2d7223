// A page with one composer. ?ed=<editor> &shadow=open|closed &dark=1 &text=<initial text>
// window.__ed is the editor; __ed.text() is its own model's text, so that a DOM that differs from it is noticed.
const EDITORS = {
  prosemirror: async () => (await import("./editors/prosemirror.js")).mount,
  tiptap: async () => (await import("./editors/tiptap.js")).mount,
  lexical: async () => (await import("./editors/lexical.js")).mount,
  quill: async () => (await import("./editors/quill.js")).mount,
  slate: async () => (await import("./editors/slate.js")).mount,
  draft: async () => (await import("./editors/draft.js")).mount,
  codemirror: async () => (await import("./editors/codemirror.js")).mount,
  react: async () => (await import("./editors/react.js")).mountReactTextarea,
  plain: async () => (await import("./editors/simple.js")).mountPlain,
  plaintext: async () => (await import("./editors/simple.js")).mountPlaintextOnly,
  textarea: async () => (await import("./editors/simple.js")).mountTextarea,
  input: async () => (await import("./editors/simple.js")).mountInput,
};

// A frame without an address of its own is told by its name.
const query = new URLSearchParams(location.search || window.name);
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

const mount = await EDITORS[query.get("ed") ?? "prosemirror"]();
const editor = mount(root(), query.get("text") ?? "");
window.__ed = editor;
if (query.get("shadow") && editor.host.nodeName === "TEXTAREA") Object.assign(editor.host.style, { width: "100%", height: "84px" });

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
