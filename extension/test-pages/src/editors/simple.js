/** A div that the browser alone edits: it has no model but its lines. */
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
  return { host, text: () => [...host.childNodes].map((line) => line.textContent).join("\n"), set };
}

export function mountPlaintextOnly(place, text) {
  const host = document.createElement("div");
  host.setAttribute("contenteditable", "plaintext-only");
  host.setAttribute("role", "textbox");
  host.setAttribute("aria-label", "Message");
  host.style.whiteSpace = "pre-wrap";
  host.textContent = text;
  place.append(host);
  return { host, text: () => host.textContent, set: (value) => { host.textContent = value; } };
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
