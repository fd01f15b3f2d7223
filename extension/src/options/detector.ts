/** Detector: which one reads the texts, in what languages, where it runs, and how fast it is right now. */
import { askOwn } from "../ownPages";
import { button, element } from "../ui/element";
import { panel, result, tell } from "./controls";
import { call, failureWords } from "./daemon";
import { isRunning, languageNames, megabytes } from "./modelFacts";
import { models } from "./models";
import type { Section, View } from "./view";
import type { Words } from "./words";

const RUNS = 5;
const CHECKED_BY: Readonly<Record<"model" | "patterns" | "none", Words>> = {
  model: "checkedByModel",
  patterns: "checkedByPatterns",
  none: "checkedByNone",
};

export const detector: Section = {
  id: "detector",
  heading: "detectorHeading",
  help: "detectorHelp",
  needsProfile: false,
  async draw(view) {
    const { root, t, language } = view;
    const [outcome, installed] = await Promise.all([askOwn({ kind: "ReadStatus" }), call("/v1/models/list")]);
    if (view.signal.aborted) return;
    if (!outcome.ok) {
      root.append(element("div", { class: "notice", role: "status" }, element("h3", {}, failureWords(t, outcome)), element("p", {}, t("detectorUnknown")), element("div", { class: "row" }, button(t("tryAgain"), view.redraw))));
      return;
    }
    const { status } = outcome;
    const languages = languageNames(language, status.detector?.languages ?? []);
    const running = installed.ok ? installed.body.models.find((model) => isRunning(model, status.detector)) : undefined;
    const facts: Array<[Words, string]> = [
      ["detectorState", t(CHECKED_BY[status.checked_by] ?? "checkedByNone")],
      ["detectorName", status.detector?.id ?? t("detectorNone")],
      ["detectorLanguages", languages === "" ? "–" : languages],
      ["detectorDevice", deviceWords(view, status.detector?.device)],
      ["detectorFormat", status.detector?.format ?? "–"],
      ["detectorSize", running ? megabytes(view, running.bytes) : "–"],
      ["detectorVersion", status.version],
    ];
    root.append(
      panel(null, element("dl", { class: "facts" }, ...facts.flatMap(([name, value]) => [element("dt", {}, t(name)), element("dd", {}, value)]))),
      ...(status.checked_by === "none" ? [] : [speed(view)]),
      installed.ok ? models(view, installed.body, status.detector) : panel(t("modelsLabel"), element("p", { class: "help" }, failureWords(t, installed))),
    );
  },
};

function deviceWords({ t }: View, device: string | undefined): string {
  if (device === undefined) return "–";
  return device === "cpu" ? t("deviceCpu") : t("deviceGpu", { device: device.toUpperCase() });
}

/** Whole way there and back, as typing feels it; the first run is left out, which may load something. */
function speed({ t, signal }: View): HTMLElement {
  const said = result({ id: "speed" });
  const measure = button(t("measure"), () => {
    measure.disabled = true;
    tell(said, t("measuring"));
    void (async () => {
      const times: number[] = [];
      for (let run = 0; run <= RUNS; run += 1) {
        // Each run has its own text, so that nothing can be answered from memory.
        const start = performance.now();
        const answer = await call("/v1/detect", { text: `${t("trySample")} (${Date.now()}, ${run})` });
        if (signal.aborted) return;
        if (!answer.ok) {
          measure.disabled = false;
          tell(said, failureWords(t, answer), true);
          return;
        }
        if (run > 0) times.push(performance.now() - start);
      }
      measure.disabled = false;
      times.sort((a, b) => a - b);
      tell(said, t("measured", { ms: Math.round(times[Math.floor(RUNS / 2)]!), runs: RUNS }));
    })();
  });
  return panel(t("speedHeading"), element("p", { class: "help" }, t("speedHelp")), element("div", { class: "row" }, measure, said));
}
