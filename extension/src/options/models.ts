/** The detectors on this computer, and the way to use another one. New files are trusted in a terminal only. */
import { askOwn, recheckTabs } from "../ownPages";
import { button, element } from "../ui/element";
import type { InstalledModel, ModelList } from "./answers";
import { helpLine, panel, result, tell } from "./controls";
import { call, failureWords } from "./daemon";
import { isRunning, languageNames, megabytes, PATTERNS, type Running } from "./modelFacts";
import { say } from "./toast";
import type { View } from "./view";

const LOOK_MS = 500;
/** Longer than the daemon gives a model to load. */
const PATIENCE_MS = 130_000;

export function models(view: View, list: ModelList, running: Running): HTMLElement {
  const { t } = view;
  const said = result({ id: "model-result" });
  const rows = list.models.map((model) => row(view, list, model, running, said));
  const isFixed = list.is_fixed ? [element("p", { id: "model-fixed" }, t("modelFixed"))] : [];
  return panel(
    t("modelsLabel"),
    ...isFixed,
    element("ul", { class: "models", id: "models" }, ...rows),
    said,
    helpLine(t("modelNew")),
    element("p", {}, element("code", { class: "long" }, "limen models add FILE --i-trust-this SHA256")),
  );
}

const titleOf = ({ t }: View, name: string): string => (name === PATTERNS ? t("modelPatterns") : name);

function row(view: View, list: ModelList, model: InstalledModel, running: Running, said: HTMLElement): HTMLElement {
  const { t, language } = view;
  const title = titleOf(view, model.name);
  const facts = [
    megabytes(view, model.bytes),
    model.format.toUpperCase(),
    languageNames(language, model.languages),
    t(model.origin === "shipped" ? "modelShipped" : "modelAdded"),
    model.licence,
    model.name === list.chosen && !isRunning(model, running) ? t("modelChosen") : "",
  ].filter((fact) => fact !== "");
  const lines = !model.is_usable
    ? [element("p", { class: "help" }, t("modelUnusable"), " ", element("code", {}, `limen models verify ${model.name}`))]
    : [element("p", { class: "help" }, model.name === PATTERNS ? t("modelPatternsHelp") : facts.join(" · "))];
  return element("li", { "data-model": model.name }, element("strong", {}, title), ...lines, ...sign(view, list, model, running, said));
}

function sign(view: View, list: ModelList, model: InstalledModel, running: Running, said: HTMLElement): HTMLElement[] {
  const { t } = view;
  if (isRunning(model, running)) return [element("span", { class: "in-use" }, t("modelInUse"))];
  if (list.is_fixed || !model.is_usable) return [];
  const use = button(t("modelUse"), () => void change(view, list, model, said), { "aria-label": t("modelUseNamed", { name: titleOf(view, model.name) }) });
  return [use];
}

async function change(view: View, list: ModelList, model: InstalledModel, said: HTMLElement): Promise<void> {
  const { t, signal } = view;
  const name = titleOf(view, model.name);
  for (const one of document.querySelectorAll<HTMLButtonElement>("#models button")) one.disabled = true;
  tell(said, t("modelSwitching", { name }));
  const answer = await call("/v1/models/use", { name: model.name });
  if (signal.aborted) return;
  if (!answer.ok) {
    for (const one of document.querySelectorAll<HTMLButtonElement>("#models button")) one.disabled = false;
    tell(said, failureWords(t, answer), true);
    return;
  }
  const isLoaded = await waitFor(model, signal);
  if (signal.aborted) return;
  if (!isLoaded) {
    tell(said, t("modelNotLoaded", { name }), true);
    said.append(" ", element("code", {}, `limen models verify ${model.name}`));
    return;
  }
  await recheckTabs();
  view.redraw();
  const before = list.models.find(({ name: other }) => other === list.chosen);
  const undo = before && before.name !== model.name ? () => void call("/v1/models/use", { name: before.name }).then(() => waitFor(before, new AbortController().signal)).then(recheckTabs).then(view.redraw) : undefined;
  say(t, t("modelNow", { name }), undo);
}

/** True once `model` checks texts; false when the daemon had to do without it. */
async function waitFor(model: InstalledModel, signal: AbortSignal): Promise<boolean> {
  const deadline = performance.now() + PATIENCE_MS;
  let first: string | null = null;
  while (!signal.aborted && performance.now() < deadline) {
    const outcome = await askOwn({ kind: "ReadStatus" });
    const running = outcome.ok ? outcome.status.detector : null;
    if (running && isRunning(model, running)) return true;
    first ??= running?.id ?? "";
    // Neither what it was nor what was wanted: what could not be loaded is replaced by patterns.
    if (running && running.id !== first && running.format === PATTERNS) return false;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  return false;
}
