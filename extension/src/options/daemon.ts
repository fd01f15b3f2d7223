/** The daemon as the settings page sees it: one typed call, and words for every way it can fail. */
import { askOwn } from "../ownPages";
import type { DaemonErrorCode, DaemonFailure } from "../protocol";
import { GUARDS, type Answers } from "./answers";
import type { Say, Words } from "./words";

export type Answer<P extends keyof Answers> = { ok: true; body: Answers[P] } | DaemonFailure;

/** Through the background, which alone talks to the daemon. An answer of another form than expected is a failure. */
export async function call<P extends keyof Answers>(path: P, body: Record<string, unknown> = {}): Promise<Answer<P>> {
  const outcome = await askOwn({ kind: "CallDaemon", path, body });
  if (!outcome.ok) return outcome;
  return GUARDS[path](outcome.body) ? { ok: true, body: outcome.body } : { ok: false, code: "failed" };
}

const BY_ERROR: Readonly<Record<string, Words>> = {
  wrong_passphrase: "failWrongPassphrase",
  weak_passphrase: "failWeakPassphrase",
  export_unreadable: "failExportUnreadable",
  seal_damaged: "failSealDamaged",
  no_keyring: "failNoKeyring",
  no_key_holder: "failNoKeyring",
  keyring_timeout: "failKeyringTimeout",
  keyring_refused: "failKeyringRefused",
  key_missing: "failKeyMissing",
  wrong_key: "failWrongKey",
  key_file_missing: "failKeyFileMissing",
  key_file_unsafe: "failKeyFileUnsafe",
  store_damaged: "failStoreDamaged",
  store_busy: "failStoreBusy",
  store_too_new: "failStoreTooNew",
  store_failed: "failStoreFailed",
  store_closed: "failStoreFailed",
  not_encrypted: "failNotEncrypted",
  decision_missing: "failGone",
  rule_missing: "failGone",
  model_missing: "failModelMissing",
  model_damaged: "failModelDamaged",
  model_fixed: "modelFixed",
  impostor: "connectImpostor",
};

const BY_CODE: Readonly<Partial<Record<DaemonErrorCode, Words>>> = {
  daemon_down: "stateDown",
  not_paired: "stateNotPaired",
  pairing_locked: "statePairingLocked",
  profile_locked: "gateLocked",
  profile_off: "gateProfileOff",
  busy: "failBusy",
  timed_out: "failTimedOut",
  too_long: "failTooLarge",
};

export function wordsFor(error: string | null | undefined, code: DaemonErrorCode): Words {
  return (error != null ? BY_ERROR[error] : undefined) ?? BY_CODE[code] ?? "failOther";
}

export function failureWords(t: Say, { code, error }: DaemonFailure): string {
  return t(wordsFor(error, code), { code: error ?? code });
}
