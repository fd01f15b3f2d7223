/** The profile as a sealed file, read back from one, and erased. */
import { button, element } from "../ui/element";
import { panel, result, tell, textField } from "./controls";
import { call, failureWords } from "./daemon";
import { say } from "./toast";
import type { View } from "./view";

const MIN_PASSPHRASE_CHARS = 12;
/** A request may have 256 KiB, and sealing makes it a third larger. */
const MAX_IMPORT_CHARS = 180_000;
const CONFIRMATION = "erase";

function save(content: string, name: string): void {
  const address = URL.createObjectURL(new Blob([content], { type: "application/octet-stream" }));
  const link = element("a", { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

export function exportPanel({ t }: View): HTMLElement {
  const said = result({ id: "export-result" });
  const field = textField(
    t("exportPassphrase"),
    { id: "export-passphrase", type: "password", autocomplete: "new-password", required: true, minlength: String(MIN_PASSPHRASE_CHARS) },
    t("exportPassphraseHelp"),
  );
  const form = element("form", {}, element("p", { class: "help" }, t("exportHelp")), field.row, element("div", { class: "row" }, element("button", { type: "submit" }, t("exportButton")), said));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    tell(said, t("sealing"));
    void call("/v1/profile/export", { passphrase: field.input.value }).then((answer) => {
      field.input.value = "";
      if (!answer.ok) {
        tell(said, failureWords(t, answer), true);
        return;
      }
      save(answer.body.sealed, `limen-profile-${new Date().toISOString().slice(0, 10)}.limen`);
      tell(said, t("exported"));
    });
  });
  return panel(t("exportHeading"), form);
}

export function importPanel({ t }: View): HTMLElement {
  const said = result({ id: "import-result" });
  const file = textField(t("importFile"), { id: "import-file", type: "file", required: true });
  const field = textField(t("importPassphrase"), { id: "import-passphrase", type: "password", autocomplete: "off" });
  const form = element("form", {}, element("p", { class: "help" }, t("importHelp")), file.row, field.row, element("div", { class: "row" }, element("button", { type: "submit" }, t("importButton")), said));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void (async () => {
      const content = (await file.input.files?.[0]?.text()) ?? "";
      if (content.length > MAX_IMPORT_CHARS) {
        tell(said, t("importTooLarge"), true);
        return;
      }
      const passphrase = field.input.value;
      const answer = await call("/v1/profile/import", { content, ...(passphrase === "" ? {} : { passphrase }) });
      field.input.value = "";
      tell(said, answer.ok ? t("imported", { ...answer.body }) : failureWords(t, answer), !answer.ok);
    })();
  });
  return panel(t("importHeading"), form);
}

export function erasePanel(view: View): HTMLElement {
  const { t } = view;
  const said = result({ id: "erase-result" });
  const field = textField(t("eraseType", { word: CONFIRMATION }), { id: "erase-word", autocapitalize: "off", spellcheck: "false" });
  const erase = button(t("eraseButton"), () => {
    erase.disabled = true;
    void call("/v1/profile/erase", { confirm: field.input.value }).then((answer) => {
      if (!answer.ok) {
        tell(said, failureWords(t, answer), true);
        field.input.value = "";
        return;
      }
      view.redraw();
      say(t, t(answer.body.key_deleted ? "erased" : "erasedKeyLeft"));
    });
  }, { class: "strong", disabled: true, id: "erase" });
  field.input.addEventListener("input", () => {
    erase.disabled = field.input.value !== CONFIRMATION;
  });
  const made = panel(t("eraseHeading"), element("p", { class: "help" }, t("eraseHelp")), field.row, element("div", { class: "row" }, erase, said));
  made.classList.add("last-panel");
  return made;
}
