import { ContentState, Editor, EditorState, getDefaultKeyBinding, RichUtils } from "draft-js";
import { useState } from "react";
import { createRoot } from "react-dom/client";

export function mount(place, text) {
  let state = EditorState.createWithContent(ContentState.createFromText(text));
  let update;
  function Composer() {
    const [editorState, setEditorState] = useState(state);
    update = setEditorState;
    state = editorState;
    const bind = (event) => {
      if (event.ctrlKey && event.key === "y") return "redo";
      return getDefaultKeyBinding(event);
    };
    const command = (name, current) => {
      const next = RichUtils.handleKeyCommand(current, name);
      if (next) setEditorState(next);
      return next ? "handled" : "not-handled";
    };
    return <Editor editorState={editorState} onChange={setEditorState} keyBindingFn={bind} handleKeyCommand={command} ariaLabel="Message" />;
  }
  createRoot(place).render(<Composer />);
  return {
    get host() { return place.querySelector(".public-DraftEditor-content"); },
    text: () => state.getCurrentContent().getPlainText("\n"),
    set: (value) => update(EditorState.createWithContent(ContentState.createFromText(value))),
  };
}
