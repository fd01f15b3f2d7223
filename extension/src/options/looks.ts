/** Looks of marks: a sample of every line, drawn as it will be. */
import type { Settings } from "../protocol";
import { DRAWN, LINES, SCHEMES, type Drawn, type Line, type MarkStyle, type Scheme } from "../page-core/markStyle";
import { element } from "../ui/element";
import { choice, helpLine, panel, select, toggle } from "./controls";
import type { View } from "./view";
import type { Words } from "./words";

const LOOK_WORDS: Readonly<Record<Drawn, Words>> = { strong: "lookStrong", soft: "lookSoft", secret: "lookSecret", others: "lookOthers" };
const LINE_WORDS: Readonly<Record<Line, Words>> = { full: "lineFull", faint: "lineFaint", none: "lineNone" };
const SCHEME_WORDS: Readonly<Record<Scheme, Words>> = { auto: "schemeAuto", light: "schemeLight", dark: "schemeDark" };

/** `change` writes the settings and offers the way back. */
export function looks({ t, settings }: View, change: (changed: Partial<Settings>) => void): HTMLElement {
  // What the page shows now; `settings` stays as it was when the section was drawn.
  let style: MarkStyle = settings.markStyle;
  const samples = new Map<Drawn, HTMLElement>();
  const draw = (): void => {
    for (const [look, sample] of samples) {
      sample.className = `sample of-${look} ${style.lines[look]} ${style.scheme}${style.isHighContrast ? " contrast" : ""}`;
    }
  };
  const write = (changed: Partial<MarkStyle>): void => {
    style = { ...style, ...changed };
    draw();
    change({ markStyle: style });
  };
  const rows = DRAWN.map((look) => {
    const id = `look-${look}`;
    const sample = element("span", { "aria-hidden": "true" }, t("lookSample"));
    samples.set(look, sample);
    const lines = select({ id, label: null }, LINES.map((line) => [line, t(LINE_WORDS[line])] as const), style.lines[look], (line) =>
      write({ lines: { ...style.lines, [look]: line } }),
    );
    return element("div", { class: "setting look" }, element("label", { for: id }, t(LOOK_WORDS[look])), element("span", { class: "sample-box" }, sample), lines);
  });
  draw();
  return panel(
    t("looksHeading"),
    helpLine(t("looksHelp")),
    ...rows,
    choice({ id: "scheme", label: t("schemeLabel"), help: t("schemeHelp") }, SCHEMES.map((scheme) => [scheme, t(SCHEME_WORDS[scheme])] as const), style.scheme, (scheme) => write({ scheme })),
    toggle({ id: "contrast", label: t("contrastLabel"), help: t("contrastHelp") }, style.isHighContrast, (isHighContrast) => write({ isHighContrast })),
  );
}
