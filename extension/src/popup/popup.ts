/** The toolbar popup: the page's state in one sentence with one action, its marks, the switches. */
import { api } from "../browser";
import { isSiteOff } from "../matchPattern";
import { askOwn, pageTranslator } from "../ownPages";
import { pageState } from "../pageState";
import type { FrameRequest, ListedMark, StatusOutcome, TabState } from "../protocol";
import { button, element } from "../ui/element";
import type { StringKey, Translate } from "../ui/strings";
import { factList } from "./facts";

interface Shown {
  text: string;
  action: StringKey | null;
}

async function sendToFrame<T>(tabId: number, frameId: number, request: FrameRequest): Promise<T | null> {
  try {
    return ((await api.tabs.sendMessage(tabId, request, { frameId })) as T | undefined) ?? null;
  } catch {
    return null;
  }
}

/** `?tab=` names the tab when the page is opened as a tab of its own. */
async function currentTabId(): Promise<number | null> {
  const given = new URLSearchParams(location.search).get("tab");
  if (given !== null) return Number(given);
  const [tab] = await api.tabs.query({ active: true, currentWindow: true });
  return tab?.id ?? null;
}

function askStatus(): Promise<StatusOutcome> {
  return askOwn({ kind: "ReadStatus" }).catch(() => ({ ok: false, code: "failed" }));
}

async function shownState(t: Translate, tabId: number, tab: TabState, asked: Promise<StatusOutcome>): Promise<Shown> {
  if (!tab.isKnownSite) return { text: t("stateNotASite"), action: null };
  const state = pageState(Object.values(tab.frames), tab);
  const said: Shown = {
    text: t(state.text, { count: state.count, minutes: state.minutes ?? 0 }),
    action: state.action,
  };
  if (state.icon === "off") return said;
  // Nobody answers where the page was there before the extension, or before its update.
  const isListening = (await sendToFrame<ListedMark[]>(tabId, 0, { kind: "ListMarks" })) !== null;
  if (!isListening) return { text: t("stateUpdated"), action: "actionReload" };
  const status = await asked;
  if (!status.ok && status.code === "daemon_down") return { text: t("stateDown"), action: "actionStart" };
  if (!status.ok && status.code === "not_paired") return { text: t("stateNotPaired"), action: "actionConnect" };
  if (!status.ok && status.code === "pairing_locked") return { text: t("statePairingLocked"), action: "actionDetails" };
  if (status.ok && status.status.checked_by === "none") return { text: t("stateFailed"), action: "actionDetails" };
  return said;
}

async function draw(t: Translate, tabId: number): Promise<void> {
  const main = document.getElementById("main")!;
  const tab = await askOwn({ kind: "ReadTab", tabId });
  if (!tab) return;
  const redraw = (): void => void draw(t, tabId);
  const asked = askStatus();
  const shown = await shownState(t, tabId, tab, asked);
  const note = element("p", { class: "note", role: "status" });
  const marks = await listMarks(tabId, tab);
  const seen = marks.filter(({ mark }) => mark.look !== "quiet");
  const quiet = marks.filter(({ mark }) => mark.look === "quiet");

  const act = async (action: StringKey): Promise<void> => {
    if (action === "actionShow" && seen[0]) await show(tabId, seen[0].frameId, seen[0].mark.id);
    else if (action === "actionStart") note.textContent = t("howToStart");
    else if (action === "actionUnlock") note.textContent = t("howToUnlock");
    else if (action === "actionDetails") note.textContent = t("howPatterns");
    else if (action === "actionConnect") await api.runtime.openOptionsPage();
    else if (action === "actionReload") await api.tabs.reload(tabId).then(() => window.close());
    else if (action === "actionReport") await copyReport(tab).then(() => (note.textContent = t("reportCopied")));
    else if (action === "actionResume") await askOwn({ kind: "WriteSettings", settings: { pausedUntil: 0 } }).then(redraw);
  };

  const { action } = shown;
  main.replaceChildren(
    element("h1", {}, t("popupTitle")),
    element("p", { class: "state", id: "state" }, shown.text),
    ...(action ? [element("div", {}, button(t(action), () => void act(action), { id: "action" }))] : []),
    note,
    ...markList(t, tabId, seen, "marks", "marksOnPage"),
    ...markList(t, tabId, quiet, "quiet", "quietOnPage"),
    factList(t, asked),
    siteSwitch(t, tab, redraw),
    element(
      "footer",
      {},
      button(t("pauseFive"), () => {
        void askOwn({ kind: "WriteSettings", settings: { pausedUntil: Date.now() + 300_000 } }).then(redraw);
      }),
      button(t("settings"), () => void api.runtime.openOptionsPage()),
    ),
  );
}

interface FramedMark {
  frameId: number;
  mark: ListedMark;
}

async function listMarks(tabId: number, tab: TabState): Promise<FramedMark[]> {
  const listed: FramedMark[] = [];
  for (const name of Object.keys(tab.frames)) {
    const frameId = Number(name);
    const marks = await sendToFrame<ListedMark[]>(tabId, frameId, { kind: "ListMarks" });
    for (const mark of marks ?? []) listed.push({ frameId, mark });
  }
  return listed;
}

async function show(tabId: number, frameId: number, id: number): Promise<void> {
  await sendToFrame(tabId, frameId, { kind: "ShowMark", id });
  window.close();
}

function markList(
  t: Translate, tabId: number, marks: readonly FramedMark[], id: string, heading: StringKey,
): HTMLElement[] {
  if (marks.length === 0) return [];
  const items = marks.map(({ frameId, mark }) => {
    const row = button("", () => void show(tabId, frameId, mark.id));
    row.append(
      element("span", {}, mark.phrase),
      element("span", { class: "tells" }, `${t(`kind_${mark.category}`)} · ${mark.information}`),
    );
    return element("li", {}, row);
  });
  return [element("h2", { id }, t(heading)), element("ul", { "aria-labelledby": id }, ...items)];
}

function siteSwitch(t: Translate, tab: TabState, redraw: () => void): HTMLElement {
  if (!tab.isKnownSite) {
    const origin = tab.origin;
    if (origin === null) return element("span", {});
    // The permission must be asked for in the press itself.
    return button(t("addSite"), () => {
      void api.permissions
        .request({ origins: [`${origin}/*`] })
        .then((isGranted) => (isGranted ? askOwn({ kind: "AddSite", origin }) : false))
        .then(redraw);
    });
  }
  const box = element("input", { type: "checkbox", id: "site", checked: tab.isOn });
  box.addEventListener("change", () => {
    void askOwn({ kind: "ReadSettings" })
      .then(({ sitesOff }) => {
        const others = sitesOff.filter((off) => !isSiteOff([off], tab.site));
        return askOwn({ kind: "WriteSettings", settings: { sitesOff: box.checked ? others : [...others, tab.site] } });
      })
      .then(redraw);
  });
  return element("label", {}, box, `${t("checkSite")} (${tab.site})`);
}

/** What a maintainer needs to know, and nothing that was typed. */
async function copyReport(tab: TabState): Promise<void> {
  const lines = [
    `Limen ${api.runtime.getManifest().version} cannot see the text box.`,
    `Site: ${tab.site}`,
    `Browser: ${navigator.userAgent}`,
    `Frames: ${JSON.stringify(Object.values(tab.frames))}`,
  ];
  await navigator.clipboard.writeText(lines.join("\n"));
}

async function start(): Promise<void> {
  const [t, tabId] = await Promise.all([pageTranslator(), currentTabId()]);
  if (tabId !== null) await draw(t, tabId);
}

void start();
