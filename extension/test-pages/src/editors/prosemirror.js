import { baseKeymap } from "prosemirror-commands";
import { history, redo, undo } from "prosemirror-history";
import { keymap } from "prosemirror-keymap";
import { Schema } from "prosemirror-model";
import { marks, nodes } from "prosemirror-schema-basic";
import { EditorState } from "prosemirror-state";
import { EditorView } from "prosemirror-view";

const mention = {
  inline: true,
  group: "inline",
  atom: true,
  attrs: { label: {} },
  toDOM: (node) => ["span", { class: "mention", contenteditable: "false" }, `@${node.attrs.label}`],
  parseDOM: [],
  leafText: () => "\ufffc",
};
const schema = new Schema({ nodes: { ...nodes, mention }, marks });

const docOf = (text) =>
  schema.node(
    "doc",
    null,
    text.split("\n").map((line) => schema.node("paragraph", null, line === "" ? [] : [schema.text(line)])),
  );

export function mount(place, text) {
  const view = new EditorView(place, {
    state: EditorState.create({
      doc: docOf(text),
      plugins: [history(), keymap({ "Mod-z": undo, "Mod-y": redo, "Mod-Shift-z": redo }), keymap(baseKeymap)],
    }),
    attributes: { id: "prompt-textarea", "aria-label": "Message", role: "textbox" },
  });
  return {
    host: view.dom,
    text: () => view.state.doc.textBetween(0, view.state.doc.content.size, "\n"),
    set: (value) => view.dispatch(view.state.tr.replaceWith(0, view.state.doc.content.size, docOf(value).content)),
    view,
    /** Two paragraphs with a bold run and a mention chip. */
    rich() {
      const { strong } = schema.marks;
      const first = schema.node("paragraph", null, [
        schema.text("I live "), schema.text("in Leeds", [strong.create()]), schema.text(" with "),
        schema.node("mention", { label: "Ann" }),
      ]);
      const second = schema.node("paragraph", null, [schema.text("🙂 我在上海当老师")]);
      view.dispatch(view.state.tr.replaceWith(0, view.state.doc.content.size, [first, schema.node("paragraph"), second]));
    },
  };
}
