import { createEmptyHistoryState, registerHistory } from "@lexical/history";
import { registerRichText } from "@lexical/rich-text";
import { $createParagraphNode, $createTextNode, $getRoot, createEditor } from "lexical";

const fill = (value) => {
  const root = $getRoot();
  root.clear();
  for (const line of value.split("\n")) {
    const paragraph = $createParagraphNode();
    if (line !== "") paragraph.append($createTextNode(line));
    root.append(paragraph);
  }
};

export function mount(place, text) {
  const host = document.createElement("div");
  host.contentEditable = "true";
  host.setAttribute("role", "textbox");
  host.setAttribute("aria-label", "Message");
  place.append(host);
  const editor = createEditor({ namespace: "test", onError: (error) => { throw error; } });
  registerRichText(editor);
  registerHistory(editor, createEmptyHistoryState(), 300);
  editor.setRootElement(host);
  editor.update(() => fill(text), { discrete: true });
  return {
    host,
    text: () => editor.getEditorState().read(() => $getRoot().getChildren().map((node) => node.getTextContent()).join("\n")),
    set: (value) => editor.update(() => fill(value), { discrete: true }),
  };
}
