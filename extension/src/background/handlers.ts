/** One handler per message: a table for pages and a table for our own pages. */
import { api } from "../browser";
import { CATEGORIES } from "../finding";
import { isSiteOff } from "../matchPattern";
import { pageState, type Switches } from "../pageState";
import { PACES, type CallOutcome, type DaemonFailure, type DaemonStatus, type OwnRequest, type PageRequest, type Replies, type Settings, type StatusOutcome } from "../protocol";
import { languageOf, TABLES, type Strings } from "../ui/strings";
import { connect, disconnect } from "./connecting";
import { DaemonError, post } from "./daemon";
import { detect } from "./detect";
import { wordingsFor } from "./generalize";
import { showNothing, showState } from "./icon";
import { readPlaceholders, writePlaceholders } from "./placeholderStore";
import type { Sender } from "./sender";
import { originOf, siteOf } from "./sender";
import { readSettings, writeSettings } from "./settings";
import { standInsFor } from "./standins";
import { addedOrigins, addSite, checkedParts, isKnownSite, removeSite, sendingOn } from "./sites";
import { readTab, removeFrame, writeFrame } from "./tabs";

type Page = Extract<Sender, { kind: "page" }>;
type PageHandlers = {
  [K in PageRequest["kind"]]: (request: Extract<PageRequest, { kind: K }>, page: Page) => Promise<Replies[K]>;
};
type OwnHandlers = {
  [K in OwnRequest["kind"]]: (request: Extract<OwnRequest, { kind: K }>) => Promise<Replies[K]>;
};

const failure = (error: unknown): DaemonFailure =>
  error instanceof DaemonError ? { ok: false, code: error.code, error: error.error } : { ok: false, code: "failed" };

async function call(path: string, body: unknown): Promise<CallOutcome> {
  try {
    return { ok: true, body: await post(path, body) };
  } catch (error) {
    return failure(error);
  }
}

async function status(): Promise<StatusOutcome> {
  try {
    return { ok: true, status: (await post("/v1/status", {})) as DaemonStatus };
  } catch (error) {
    return failure(error);
  }
}

async function switchesFor(site: string): Promise<Switches> {
  const { sitesOff, pausedUntil } = await readSettings();
  return { isOn: !isSiteOff(sitesOff, site), pausedUntil };
}

function stringsFor(language: Settings["language"]): Strings {
  return TABLES[languageOf(language === "auto" ? api.i18n.getUILanguage() : language)];
}

/** Tells every tab; those without a content script do not listen. */
export async function tellAllTabs(message: unknown): Promise<void> {
  for (const tab of await api.tabs.query({})) {
    if (tab.id !== undefined) api.tabs.sendMessage(tab.id, message).catch(() => undefined);
  }
}

export const pageHandlers: PageHandlers = {
  async ReadPageSettings(_request, { site, origin }) {
    const settings = await readSettings();
    const isPaused = settings.pausedUntil > Date.now();
    return {
      isOn: !isSiteOff(settings.sitesOff, site) && !isPaused,
      site,
      parts: await checkedParts(),
      ...sendingOn(origin),
      strings: stringsFor(settings.language),
      gate: settings.gate,
      hiddenMarks: settings.hiddenMarks,
      markStyle: settings.markStyle,
      debounceMs: PACES[settings.pace],
      restoresReplies: settings.restoresReplies,
      placeholderStyle: settings.placeholderStyle,
      quietKinds: CATEGORIES.filter((category) => settings.quietKinds.includes(`${site}/${category}`)),
      pausedUntil: isPaused ? settings.pausedUntil : 0,
    };
  },

  Detect: ({ text }, { site }) => detect(text, site),

  StandIns: ({ clause, category, known }) => standInsFor(clause, category, known),

  Wordings: ({ clause, finding }) => wordingsFor(clause, finding),

  async RecordDecision({ decision, finding, reached }, { site }) {
    const outcome = await call("/v1/decisions/record", {
      decision,
      phrase: finding.phrase,
      information: finding.information,
      category: finding.category,
      subject: finding.subject,
      granularity: finding.granularity,
      identifiability: finding.identifiability,
      tier: finding.tier,
      site,
      recipient: "ai_provider",
      p_accept: finding.boundary.p_accept,
      detector: finding.source,
      ...(reached ? { to_granularity: reached.granularity, to_identifiability: reached.identifiability } : {}),
    });
    if (!outcome.ok) return outcome;
    const { id } = (outcome.body ?? {}) as { id?: number | null };
    return id === undefined ? { ok: false, code: "failed" } : { ok: true, id };
  },

  DeleteDecision: ({ id }) => call("/v1/decisions/delete", { ids: [id] }),

  AddRule: ({ rule, scope, value }) => call("/v1/lists/add", { rule, scope, value }),

  RemoveRule: ({ id }) => call("/v1/lists/remove", { id }),

  async QuietKindHere({ category }, { site }) {
    const { quietKinds } = await readSettings();
    await writeSettings({ quietKinds: [...new Set([...quietKinds, `${site}/${category}`])] });
    return null;
  },

  async MarkKindHere({ category }, { site }) {
    const { quietKinds } = await readSettings();
    await writeSettings({ quietKinds: quietKinds.filter((kind) => kind !== `${site}/${category}`) });
    return null;
  },

  async ReadPlaceholders({ conversation }) {
    return { entries: await readPlaceholders(conversation) };
  },

  async WritePlaceholders({ conversation, entries }) {
    await writePlaceholders(conversation, entries);
    return null;
  },

  async ReportFrame({ frame, isFirst }, { tabId, frameId, site, origin }) {
    const record = await writeFrame({ tabId, frameId, site, origin, frame, isFirst });
    await showState(tabId, pageState(Object.values(record.frames), await switchesFor(record.site)));
    return null;
  },

  async LeaveFrame(_request, { tabId, frameId }) {
    const record = await removeFrame(tabId, frameId);
    if (!record) await showNothing(tabId);
    else await showState(tabId, pageState(Object.values(record.frames), await switchesFor(record.site)));
    return null;
  },

  async OpenOptions() {
    await api.runtime.openOptionsPage();
    return null;
  },
};

export const ownHandlers: OwnHandlers = {
  async Connect({ code }) {
    const outcome = await connect(code);
    if (outcome.ok) await tellAllTabs({ kind: "Recheck" });
    return outcome;
  },

  async Disconnect() {
    await disconnect();
    await tellAllTabs({ kind: "Recheck" });
    return null;
  },

  ReadStatus: () => status(),

  CallDaemon: ({ path, body }) => call(path, body),

  async ReadTab({ tabId }) {
    const tab = await api.tabs.get(tabId).catch(() => null);
    if (!tab) return null;
    const record = await readTab(tabId);
    // The address is known here only while the popup is open on the tab.
    const url = tab.url ?? record?.origin ?? "";
    const site = siteOf(url);
    return {
      frames: record?.frames ?? {},
      site,
      origin: originOf(url),
      isKnownSite: record !== null || (await isKnownSite(url)),
      ...(await switchesFor(site)),
    };
  },

  ReadSettings: () => readSettings(),

  async WriteSettings({ settings }) {
    const written = await writeSettings(settings);
    await tellAllTabs({ kind: "SettingsChanged" });
    return written;
  },

  ReadSites: () => addedOrigins(),

  AddSite: ({ origin }) => addSite(origin),

  async RemoveSite({ origin }) {
    await removeSite(origin);
    return null;
  },
};
