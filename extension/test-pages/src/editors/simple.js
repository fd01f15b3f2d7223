import { useState } from "react";
import { createRoot } from "react-dom/client";

/** A div that the browser alone edits. Its model is what the browser itself calls its text. */
export function mountPlain(place, text) {
  const host = document.createElement("div");
  host.contentEditable = "true";
  host.setAttribute("role", "textbox");
  host.setAttribute("aria-label", "Message");
  host.style.whiteSpace = "pre-wrap";
  place.append(host);
  const set = (value) => {
    host.replaceChildren(
      ...value.split("\n").map((line) => {
        const block = document.createElement("div");
        block.append(line === "" ? document.createElement("br") : line);
        return block;
      }),
    );
  };
  if (text !== "") set(text);
  // innerText ends an empty line's filler with a break of its own.
  return { host, text: () => host.innerText.replace(/\n$/, ""), set };
}

export function mountPlaintextOnly(place, text) {
  const host = document.createElement("div");
  host.setAttribute("contenteditable", "plaintext-only");
  host.setAttribute("role", "textbox");
  host.setAttribute("aria-label", "Message");
  host.style.whiteSpace = "pre-wrap";
  host.textContent = text;
  place.append(host);
  return { host, text: () => host.innerText.replace(/\n$/, ""), set: (value) => { host.textContent = value; } };
}

export function mountTextarea(place, text) {
  const host = document.createElement("textarea");
  host.setAttribute("aria-label", "Message");
  host.value = text;
  place.append(host);
  return { host, text: () => host.value, set: (value) => { host.value = value; } };
}

export function mountInput(place, text) {
  const host = document.createElement("input");
  host.setAttribute("aria-label", "Message");
  host.style.width = "100%";
  host.value = text;
  place.append(host);
  return { host, text: () => host.value, set: (value) => { host.value = value; } };
}

/** A textarea whose value React owns: the model is React's state, not the DOM's value. */
export function mountReactTextarea(place, text) {
  let model = text;
  let update;
  function Composer() {
    const [value, setValue] = useState(text);
    model = value;
    update = setValue;
    return <textarea aria-label="Message" value={value} onChange={(event) => setValue(event.target.value)} />;
  }
  createRoot(place).render(<Composer />);
  return {
    get host() { return place.querySelector("textarea"); },
    text: () => model,
    set: (value) => update(value),
  };
}
