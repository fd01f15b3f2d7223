import { Editor } from "@tiptap/core";
import StarterKit from "@tiptap/starter-kit";

const html = (text) => text.split("\n").map((line) => `<p>${line.replace(/&/g, "&amp;").replace(/</g, "&lt;")}</p>`).join("");

export function mount(place, text) {
  const editor = new Editor({
    element: place,
    // A click on a link would open it.
    extensions: [StarterKit.configure({ link: { openOnClick: false } })],
    content: html(text),
    editorProps: { attributes: { class: "tiptap", "aria-label": "Message", role: "textbox" } },
  });
  return {
    host: editor.view.dom,
    text: () => editor.getText({ blockSeparator: "\n" }),
    set: (value) => editor.commands.setContent(html(value)),
  };
}
