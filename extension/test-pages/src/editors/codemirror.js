import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { EditorState } from "@codemirror/state";
import { EditorView, keymap, placeholder } from "@codemirror/view";

export function mount(place, text) {
  const view = new EditorView({
    parent: place,
    state: EditorState.create({
      doc: text,
      extensions: [
        history(), keymap.of([...defaultKeymap, ...historyKeymap]), EditorView.lineWrapping, placeholder("Ask anything"),
        EditorView.contentAttributes.of({ "aria-label": "Message" }),
      ],
    }),
  });
  return {
    host: view.contentDOM,
    text: () => view.state.doc.toString(),
    set: (value) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: value } }),
  };
}
