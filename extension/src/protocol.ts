/**
 * Messages between the extension's parts, with the guards that let them in. Requests from pages and requests from the
 * extension's own pages are two lists: the background refuses the second to anything that runs in a page.
 */
import { CATEGORIES, type Finding } from "./finding";
import { DEFAULT_STYLE, type MarkStyle } from "./page-core/markStyle";
import type { PlaceholderEntry } from "./page-core/placeholders";
import type { DetectOutcome, FailureCode } from "./page-core/provider";
import type { Strings } from "./ui/strings/en";
import type { Clause, Wording } from "./wording";

export const DECISIONS = [
  "kept", "redacted", "generalized", "allowed_always", "blocked_always", "dismissed", "sent",
] as const;
export type Decision = (typeof DECISIONS)[number];

/** What the content script of one frame knows about itself; carries no text. */
export interface FrameState {
  /** False when nothing to check has been seen in this frame. */
  isAttached: boolean;
  state: "empty" | "checking" | "slow" | "checked" | "failed";
  code: FailureCode | null;
  checkedBy: "model" | "patterns" | null;
  profile: "on" | "locked" | "off" | "paused" | null;
  marks: number;
  /** What was last typed in went into something that cannot be read. */
  isUnseen: boolean;
  /** When the user turned to where was last typed in, in milliseconds since 1970; 0 before that. Not renewed by every key. */
  typedAt: number;
  hasAttachment: boolean;
}

export type Gate = "off" | "gentle" | "strict";
/** Milliseconds without a key after which a text is checked. */
export const PACES = { fast: 150, normal: 300, calm: 800 } as const;
export type Pace = keyof typeof PACES;
export type PlaceholderStyle = "tags" | "standins";

export interface Settings {
  language: "auto" | "en" | "zh" | "de";
  gate: Gate;
  /** Marks as boxes that the page's scripts cannot see, where the field allows it. */
  hiddenMarks: boolean;
  markStyle: MarkStyle;
  /** How long a pause in typing is waited for. */
  pace: Pace;
  /** Kinds that are never marked on a site, as "chatgpt.com/health". */
  quietKinds: string[];
  /** Whether replies show the user's own words over their placeholders. */
  restoresReplies: boolean;
  /** What Redact puts in a phrase's place: "[NAME_1]", or something of the same kind that is made up. */
  placeholderStyle: PlaceholderStyle;
  /** Hosts that are switched off, for example "chatgpt.com". */
  sitesOff: string[];
  /** Milliseconds since 1970; 0 when not paused. */
  pausedUntil: number;
}

export const DEFAULT_SETTINGS: Settings = {
  language: "auto",
  gate: "off",
  hiddenMarks: false,
  markStyle: DEFAULT_STYLE,
  pace: "normal",
  quietKinds: [],
  restoresReplies: true,
  placeholderStyle: "tags",
  sitesOff: [],
  pausedUntil: 0,
};

/** What a content script is told: settings, and whether it is to work on this page. */
export interface PageSettings {
  isOn: boolean;
  /** Host of the tab's page. */
  site: string;
  /** Addresses above what is checked on hosts that are left alone otherwise. */
  parts: string[];
  /** Selectors of the site's send buttons, where they are known. */
  sendHints: string[];
  /** Not where Enter alone begins a new line and another key sends. */
  isEnterSending: boolean;
  /** The words in the user's language. */
  strings: Strings;
  gate: Gate;
  hiddenMarks: boolean;
  markStyle: MarkStyle;
  /** Pause in typing after which a text is checked. */
  debounceMs: number;
  restoresReplies: boolean;
  placeholderStyle: PlaceholderStyle;
  /** Kinds that are not marked on this site. */
  quietKinds: Finding["category"][];
  pausedUntil: number;
}

export type PageRequest =
  | { kind: "ReadPageSettings" }
  | { kind: "Detect"; text: string }
  | { kind: "Wordings"; clause: Clause; finding: Finding }
  | { kind: "RecordDecision"; decision: Decision; finding: Finding; reached?: Wording["reached"] }
  | { kind: "DeleteDecision"; id: number }
  | { kind: "AddRule"; rule: "allow" | "block"; scope: "value" | "category"; value: string }
  | { kind: "RemoveRule"; id: number }
  | { kind: "QuietKindHere"; category: Finding["category"] }
  | { kind: "MarkKindHere"; category: Finding["category"] }
  | { kind: "StandIns"; clause: Clause; category: Finding["category"]; known: PlaceholderEntry[] }
  | { kind: "ReadPlaceholders"; conversation: string }
  | { kind: "WritePlaceholders"; conversation: string; entries: PlaceholderEntry[] }
  | { kind: "ReportFrame"; frame: FrameState; isFirst: boolean }
  /** The frame came to a part of its host that is not checked. */
  | { kind: "LeaveFrame" }
  | { kind: "OpenOptions" };

export type OwnRequest =
  | { kind: "Connect"; code: string }
  | { kind: "Disconnect" }
  | { kind: "ReadStatus" }
  | { kind: "CallDaemon"; path: string; body: Record<string, unknown> }
  | { kind: "ReadTab"; tabId: number }
  | { kind: "ReadSettings" }
  | { kind: "WriteSettings"; settings: Partial<Settings> }
  | { kind: "ReadSites" }
  | { kind: "AddSite"; origin: string }
  | { kind: "RemoveSite"; origin: string };

export interface DaemonStatus {
  version: string;
  detector: { id: string; format?: string; device?: string; languages?: string[] } | null;
  checked_by: "model" | "patterns" | "none";
  profile: "on" | "locked" | "off" | "paused";
  paused_until: number | null;
}

/** Why the daemon did not answer as asked. */
export type DaemonErrorCode = FailureCode | "refused" | "profile_locked" | "profile_off";

/** Why a browser could not be connected; `left` tries remain after a wrong code. */
export type ConnectFault =
  | "code_malformed" | "code_wrong" | "pairing_closed" | "impostor" | "daemon_down" | "refused";
export type ConnectOutcome = { ok: true; status: DaemonStatus } | { ok: false; fault: ConnectFault; left: number | null };

/** `error` is the daemon's own code, where it gave one. */
export interface DaemonFailure {
  ok: false;
  code: DaemonErrorCode;
  error?: string | null;
}

export type StatusOutcome = { ok: true; status: DaemonStatus } | DaemonFailure;
/** `id` is null when nothing was stored, as in a pause. */
export type RecordOutcome = { ok: true; id: number | null } | { ok: false; code: DaemonErrorCode };
export type CallOutcome = { ok: true; body: unknown } | DaemonFailure;

export interface TabState {
  frames: Record<string, FrameState>;
  site: string;
  /** Null for pages that no extension may work on, and where the address is not known. */
  origin: string | null;
  isKnownSite: boolean;
  isOn: boolean;
  pausedUntil: number;
}

export interface Replies {
  ReadPageSettings: PageSettings;
  Detect: DetectOutcome;
  Wordings: Wording[];
  StandIns: PlaceholderEntry[];
  RecordDecision: RecordOutcome;
  DeleteDecision: CallOutcome;
  AddRule: CallOutcome;
  RemoveRule: CallOutcome;
  QuietKindHere: null;
  MarkKindHere: null;
  ReadPlaceholders: { entries: PlaceholderEntry[] };
  WritePlaceholders: null;
  ReportFrame: null;
  LeaveFrame: null;
  OpenOptions: null;
  Connect: ConnectOutcome;
  Disconnect: null;
  ReadStatus: StatusOutcome;
  CallDaemon: CallOutcome;
  ReadTab: TabState | null;
  ReadSettings: Settings;
  WriteSettings: Settings;
  /** Origins the user added, as "https://chat.example.org". */
  ReadSites: string[];
  AddSite: boolean;
  RemoveSite: null;
}

/** The answer to a message that was refused or failed unexpectedly. */
export interface ErrorReply {
  kind: "Error";
  code: "refused" | "malformed" | "internal";
}

/** What the background and the popup say to the content scripts of a tab. */
export type FrameRequest =
  | { kind: "SettingsChanged" }
  | { kind: "Command"; command: "open-mark" | "next-mark" | "previous-mark" }
  | { kind: "ListMarks" }
  | { kind: "ShowMark"; id: number }
  | { kind: "Recheck" };

export interface ListedMark {
  id: number;
  phrase: string;
  information: string;
  category: Finding["category"];
  look: "strong" | "soft" | "secret" | "others" | "quiet";
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
const isText = (value: unknown): value is string => typeof value === "string";

/** Longest text that is sent at once, in UTF-16 units; the daemon refuses more. */
export const MAX_TEXT_CHARS = 100_000;

function isFinding(value: unknown): value is Finding {
  return isRecord(value) && isText(value.phrase) && isText(value.category) && isText(value.information);
}

function isClause(value: unknown): value is Clause {
  return isRecord(value) && isText(value.text) && Number.isInteger(value.start) && Number.isInteger(value.end);
}

export function isEntries(value: unknown): value is PlaceholderEntry[] {
  return Array.isArray(value) && value.every((item) => isRecord(item) && isText(item.placeholder) && isText(item.value));
}

export function isPageRequest(value: unknown): value is PageRequest {
  if (!isRecord(value)) return false;
  switch (value.kind) {
    case "ReadPageSettings":
    case "LeaveFrame":
    case "OpenOptions":
      return true;
    case "Detect":
      return isText(value.text);
    case "Wordings":
      return isFinding(value.finding) && isClause(value.clause);
    case "RecordDecision":
      return (DECISIONS as readonly unknown[]).includes(value.decision) && isFinding(value.finding);
    case "DeleteDecision":
    case "RemoveRule":
      return Number.isInteger(value.id);
    case "AddRule":
      return (
        (value.rule === "allow" || value.rule === "block") &&
        (value.scope === "value" || value.scope === "category") &&
        isText(value.value)
      );
    case "QuietKindHere":
    case "MarkKindHere":
      return (CATEGORIES as readonly unknown[]).includes(value.category);
    case "StandIns":
      return isClause(value.clause) && (CATEGORIES as readonly unknown[]).includes(value.category) && isEntries(value.known);
    case "ReadPlaceholders":
      return isText(value.conversation);
    case "WritePlaceholders":
      return isText(value.conversation) && isEntries(value.entries);
    case "ReportFrame":
      return isRecord(value.frame) && typeof value.frame.marks === "number" && isText(value.frame.state);
    default:
      return false;
  }
}

/** Paths of the daemon that the extension's own pages may call through the background. */
const OWN_PATH = /^\/v1\/(status|detect|models|decisions|lists|profile|placeholders|pairings)(\/[a-z_]+)*$/;

export function isOwnRequest(value: unknown): value is OwnRequest {
  if (!isRecord(value)) return false;
  switch (value.kind) {
    case "Disconnect":
    case "ReadStatus":
    case "ReadSettings":
    case "ReadSites":
      return true;
    case "Connect":
      return isText(value.code);
    case "CallDaemon":
      return isText(value.path) && OWN_PATH.test(value.path) && isRecord(value.body);
    case "ReadTab":
      return Number.isInteger(value.tabId);
    case "WriteSettings":
      return isRecord(value.settings);
    case "AddSite":
    case "RemoveSite":
      return isText(value.origin);
    default:
      return false;
  }
}

export function isFrameRequest(value: unknown): value is FrameRequest {
  if (!isRecord(value)) return false;
  return (
    value.kind === "SettingsChanged" ||
    value.kind === "ListMarks" ||
    value.kind === "Recheck" ||
    (value.kind === "ShowMark" && Number.isInteger(value.id)) ||
    (value.kind === "Command" && isText(value.command))
  );
}

export function isErrorReply(value: unknown): value is ErrorReply {
  return isRecord(value) && value.kind === "Error" && isText(value.code);
}
