/** The settings page's controls: each has a label, a line of help that is tied to it, and says at once what it did. */
import { element } from "../ui/element";

type Options<T extends string> = ReadonlyArray<readonly [value: T, words: string]>;

let lastId = 0;
const freshId = (): string => `control-${(lastId += 1)}`;

export function helpLine(words: string, id?: string): HTMLElement {
  return element("p", { class: "help", id }, words);
}

export interface SettingWords {
  id: string;
  label: string;
  help: string;
}

/** A drop-down list with its label and help. */
export function choice<T extends string>(
  { id, label, help }: SettingWords,
  options: Options<T>,
  value: T,
  change: (value: T) => void,
): HTMLElement {
  const made = select({ id, label: null }, options, value, change);
  made.setAttribute("aria-describedby", `${id}-help`);
  return element("div", { class: "setting" }, element("div", {}, element("label", { for: id }, label), helpLine(help, `${id}-help`)), made);
}

export function select<T extends string>(
  { id, label }: { id?: string; label: string | null },
  options: Options<T>,
  value: T,
  change: (value: T) => void,
): HTMLSelectElement {
  const made = element("select", { id, "aria-label": label ?? undefined });
  for (const [name, words] of options) made.append(element("option", { value: name, selected: name === value }, words));
  made.addEventListener("change", () => change(made.value as T));
  return made;
}

/** A switch with its label and help. */
export function toggle({ id, label, help }: SettingWords, value: boolean, change: (value: boolean) => void): HTMLElement {
  const box = element("input", { type: "checkbox", role: "switch", id, checked: value, "aria-describedby": `${id}-help` });
  box.addEventListener("change", () => change(box.checked));
  return element("div", { class: "setting" }, element("div", {}, element("label", { for: id }, label), helpLine(help, `${id}-help`)), box);
}

export interface Step<T extends string> {
  value: T;
  label: string;
  /** What it means, by an example. */
  example: string;
}

/** A few choices side by side, each with an example; arrow keys move between them. */
export function steps<T extends string>(
  { id, label, help }: SettingWords,
  options: ReadonlyArray<Step<T>>,
  value: T,
  change: (value: T) => void,
): HTMLElement {
  const cards = options.map((step) => {
    const radio = element("input", { type: "radio", name: id, value: step.value, checked: step.value === value, "aria-describedby": `${id}-${step.value}` });
    radio.addEventListener("change", () => change(step.value));
    return element(
      "label",
      { class: "step" },
      radio,
      element("span", { class: "step-name" }, step.label),
      element("span", { class: "help", id: `${id}-${step.value}` }, step.example),
    );
  });
  return element(
    "fieldset",
    { class: "steps", id, "aria-describedby": `${id}-help` },
    element("legend", {}, label),
    helpLine(help, `${id}-help`),
    element("div", { class: "step-row" }, ...cards),
  );
}

export interface Field {
  row: HTMLElement;
  input: HTMLInputElement;
}

export function textField(label: string, attributes: Readonly<Record<string, string | boolean | undefined>> = {}, help?: string): Field {
  const id = typeof attributes.id === "string" ? attributes.id : freshId();
  const input = element("input", {
    type: "text", autocomplete: "off", ...attributes, id, "aria-describedby": help === undefined ? undefined : `${id}-help`,
  });
  const lines = [element("label", { for: id }, label), input, ...(help === undefined ? [] : [helpLine(help, `${id}-help`)])];
  return { row: element("div", { class: "field" }, ...lines), input };
}

/** A quiet box of things that belong together. */
export function panel(heading: string | null, ...children: ReadonlyArray<Node>): HTMLElement {
  return element("div", { class: "panel" }, ...(heading === null ? [] : [element("h3", {}, heading)]), ...children);
}

export function result(attributes: Readonly<Record<string, string>> = {}): HTMLOutputElement {
  return element("output", { role: "status", ...attributes });
}

export function tell(where: HTMLElement, words: string, isBad = false): void {
  where.textContent = words;
  where.className = isBad ? "bad" : "good";
}
