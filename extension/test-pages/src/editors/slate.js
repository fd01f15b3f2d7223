import { useState } from "react";
import { createRoot } from "react-dom/client";
import { createEditor, Editor, Node, Transforms } from "slate";
import { withHistory } from "slate-history";
import { Editable, Slate, withReact } from "slate-react";

const blocks = (text) => text.split("\n").map((line) => ({ type: "paragraph", children: [{ text: line }] }));

export function mount(place, text) {
  const editor = withHistory(withReact(createEditor()));
  function Composer() {
    const [initial] = useState(() => blocks(text));
    const undo = (event) => {
      if (!(event.ctrlKey || event.metaKey)) return;
      if (event.key === "z") { event.preventDefault(); if (event.shiftKey) editor.redo(); else editor.undo(); }
      if (event.key === "y") { event.preventDefault(); editor.redo(); }
    };
    return (
      <Slate editor={editor} initialValue={initial}>
        <Editable aria-label="Message" placeholder="Ask anything" onKeyDown={undo} />
      </Slate>
    );
  }
  createRoot(place).render(<Composer />);
  return {
    get host() { return place.querySelector("[data-slate-editor]"); },
    text: () => editor.children.map((node) => Node.string(node)).join("\n"),
    set: (value) => {
      Editor.withoutNormalizing(editor, () => {
        for (let index = editor.children.length - 1; index >= 0; index -= 1) Transforms.removeNodes(editor, { at: [index] });
        Transforms.insertNodes(editor, blocks(value), { at: [0] });
      });
    },
  };
}
