/** What the daemon answers to the settings page, with the guards that let it in. */
import type { Decision } from "../protocol";

export interface Share {
  accepted: number;
  total: number;
}
export interface CellShare extends Share {
  granularity: number;
  identifiability: number;
}
export interface NamedShare extends Share {
  name: string;
}
/** `month` is "2026-11". */
export interface MonthShare extends Share {
  month: string;
}
export interface Summary extends Share {
  by_cell: CellShare[];
  by_category: NamedShare[];
  by_site: NamedShare[];
  by_month: MonthShare[];
}

/** `phrase` and `information` are null where the phrase was rejected; `at` is milliseconds since 1970. */
export interface DecisionItem {
  id: number;
  at: number;
  decision: Decision;
  phrase: string | null;
  information: string | null;
  category: string;
  subject: string;
  granularity: number;
  identifiability: number;
  site: string;
  p_accept: number | null;
}
export interface DecisionPage {
  items: DecisionItem[];
  total: number;
}

export interface Rule {
  id: number;
  rule: "allow" | "block";
  scope: "value" | "category" | "site";
  value: string;
}

export interface ProfileSettings {
  caution: "careful" | "balanced" | "relaxed";
  learn_from_sent: boolean;
  retention_days: number | null;
  half_life_days: number | null;
  placeholder_days: number;
  paused_until: number | null;
}

export interface ProfileStatus {
  mode: "on" | "locked" | "off" | "paused";
  paused_until: number | null;
  holder: "keyring" | "passphrase" | "key_file" | "memory" | null;
  problem: string | null;
}

export interface Wording {
  id: string;
  granularity: number;
  identifiability: number;
  text: string;
}
export interface Situation {
  id: string;
  title: string;
  scene: string;
  wordings: Wording[];
}
export interface Calibration {
  answered: string[];
  next: Situation | null;
  total: number;
}

export interface Imported {
  decisions: number;
  rules: number;
  calibration: number;
  skipped: number;
}

export interface InstalledModel {
  name: string;
  version: string;
  format: "onnx" | "gguf" | "patterns" | "unknown";
  bytes: number;
  languages: string[];
  licence: string;
  origin: "shipped" | "added";
  is_usable: boolean;
}
export interface ModelList {
  models: InstalledModel[];
  chosen: string;
  is_fixed: boolean;
}

export interface PairedBrowser {
  id: string;
  label: string;
  /** Times in ISO 8601. */
  paired_at: string;
  last_seen: string | null;
  this: boolean;
}

/** The daemon's calls that the settings page makes, with their answers. */
export interface Answers {
  "/v1/decisions/list": DecisionPage;
  "/v1/decisions/summary": Summary;
  "/v1/decisions/edit": DecisionItem;
  "/v1/decisions/delete": { deleted: number };
  "/v1/lists/get": { items: Rule[] };
  "/v1/lists/add": Rule;
  "/v1/lists/remove": object;
  "/v1/profile/status": ProfileStatus;
  "/v1/profile/start": ProfileStatus;
  "/v1/profile/unlock": ProfileStatus;
  "/v1/profile/settings/get": ProfileSettings;
  "/v1/profile/settings/set": ProfileSettings;
  "/v1/profile/pause": { paused_until: number | null };
  "/v1/profile/calibration/get": Calibration;
  "/v1/profile/calibration/answer": Calibration;
  "/v1/profile/calibration/forget": { deleted: number };
  "/v1/profile/export": { sealed: string };
  "/v1/profile/import": Imported;
  "/v1/profile/erase": { key_deleted: boolean };
  "/v1/detect": { checked_by: string };
  "/v1/models/list": ModelList;
  "/v1/models/use": ModelList;
  "/v1/pairings": { pairings: PairedBrowser[] };
}

type Guard<T> = (value: unknown) => value is T;
type Shape<T> = { readonly [K in keyof T]: (value: unknown) => boolean };

const text = (value: unknown): boolean => typeof value === "string";
const count = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;
const flag = (value: unknown): boolean => typeof value === "boolean";
const level = (value: unknown): boolean => value === 1 || value === 2 || value === 3;
const chance = (value: unknown): boolean => typeof value === "number" && value >= 0 && value <= 1;
const oneOf = (...allowed: readonly unknown[]) => (value: unknown): boolean => allowed.includes(value);
const orNull = (inner: (value: unknown) => boolean) => (value: unknown): boolean => value === null || inner(value);
const listOf = (inner: (value: unknown) => boolean) => (value: unknown): boolean => Array.isArray(value) && value.every(inner);

function shaped<T>(shape: Shape<T>): Guard<T> {
  return (value): value is T =>
    typeof value === "object" &&
    value !== null &&
    Object.entries(shape).every(([name, isRight]) => (isRight as (value: unknown) => boolean)((value as Record<string, unknown>)[name]));
}

const share = { accepted: count, total: count };
const named = listOf(shaped<NamedShare>({ ...share, name: text }));
const DECISION = oneOf("kept", "redacted", "generalized", "allowed_always", "blocked_always", "dismissed", "sent");

const decision = shaped<DecisionItem>({
  id: count, at: count, decision: DECISION, phrase: orNull(text), information: orNull(text), category: text, subject: text,
  granularity: level, identifiability: level, site: text, p_accept: orNull(chance),
});
const rule = shaped<Rule>({ id: count, rule: oneOf("allow", "block"), scope: oneOf("value", "category", "site"), value: text });
const status = shaped<ProfileStatus>({
  mode: oneOf("on", "locked", "off", "paused"),
  paused_until: orNull(count),
  holder: oneOf("keyring", "passphrase", "key_file", "memory", null),
  problem: orNull(text),
});
const settings = shaped<ProfileSettings>({
  caution: oneOf("careful", "balanced", "relaxed"), learn_from_sent: flag, retention_days: orNull(count),
  half_life_days: orNull(count), placeholder_days: count, paused_until: orNull(count),
});
const wording = shaped<Wording>({ id: text, granularity: level, identifiability: level, text });
const situation = shaped<Situation>({ id: text, title: text, scene: text, wordings: listOf(wording) });
const calibration = shaped<Calibration>({ answered: listOf(text), next: orNull(situation), total: count });
const model = shaped<InstalledModel>({
  name: (value) => /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(String(value)), version: text,
  format: oneOf("onnx", "gguf", "patterns", "unknown"), bytes: count, languages: listOf(text), licence: text,
  origin: oneOf("shipped", "added"), is_usable: flag,
});
const models = shaped<ModelList>({ models: listOf(model), chosen: text, is_fixed: flag });
const time = (value: unknown): boolean => typeof value === "string" && !Number.isNaN(Date.parse(value));
const browser = shaped<PairedBrowser>({
  id: (value) => /^[A-Za-z0-9_-]{1,64}$/.test(String(value)), label: text, paired_at: time, last_seen: orNull(time), this: flag,
});
const deleted = shaped<{ deleted: number }>({ deleted: count });

export const GUARDS: { readonly [P in keyof Answers]: Guard<Answers[P]> } = {
  "/v1/decisions/list": shaped<DecisionPage>({ items: listOf(decision), total: count }),
  "/v1/decisions/summary": shaped<Summary>({
    ...share,
    by_cell: listOf(shaped<CellShare>({ ...share, granularity: level, identifiability: level })),
    by_category: named,
    by_site: named,
    by_month: listOf(shaped<MonthShare>({ ...share, month: (value) => /^\d{4}-\d{2}$/.test(String(value)) })),
  }),
  "/v1/decisions/edit": decision,
  "/v1/decisions/delete": deleted,
  "/v1/lists/get": shaped<{ items: Rule[] }>({ items: listOf(rule) }),
  "/v1/lists/add": rule,
  "/v1/lists/remove": shaped<object>({}),
  "/v1/profile/status": status,
  "/v1/profile/start": status,
  "/v1/profile/unlock": status,
  "/v1/profile/settings/get": settings,
  "/v1/profile/settings/set": settings,
  "/v1/profile/pause": shaped<{ paused_until: number | null }>({ paused_until: orNull(count) }),
  "/v1/profile/calibration/get": calibration,
  "/v1/profile/calibration/answer": calibration,
  "/v1/profile/calibration/forget": deleted,
  "/v1/profile/export": shaped<{ sealed: string }>({ sealed: text }),
  "/v1/profile/import": shaped<Imported>({ decisions: count, rules: count, calibration: count, skipped: count }),
  "/v1/profile/erase": shaped<{ key_deleted: boolean }>({ key_deleted: flag }),
  "/v1/detect": shaped<{ checked_by: string }>({ checked_by: text }),
  "/v1/models/list": models,
  "/v1/models/use": models,
  "/v1/pairings": shaped<{ pairings: PairedBrowser[] }>({ pairings: listOf(browser) }),
};
