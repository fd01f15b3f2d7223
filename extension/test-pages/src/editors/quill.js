import Quill from "quill";

export function mount(place, text) {
  const quill = new Quill(place, { modules: { toolbar: false } });
  quill.root.setAttribute("role", "textbox");
  quill.root.setAttribute("aria-label", "Message");
  quill.setText(text === "" ? "" : text);
  quill.history.clear();
  return {
    host: quill.root,
    text: () => quill.getText().replace(/\n$/, ""),
    set: (value) => quill.setText(value),
  };
}
