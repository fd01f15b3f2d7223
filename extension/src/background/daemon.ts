/** The only place that talks to the network: sealed POSTs to the daemon on this computer. */
import type { DaemonErrorCode } from "../protocol";
import { readPairing } from "./pairingStore";
import { seal, unseal, type Pairing, type PostPlain } from "./sealed";

export class DaemonError extends Error {
  readonly code: DaemonErrorCode;
  /** The daemon's own code, where it gave one. */
  readonly error: string | null;

  constructor(code: DaemonErrorCode, error: unknown = null) {
    super(code);
    this.name = "DaemonError";
    this.code = code;
    this.error = typeof error === "string" && /^[a-z_]{1,40}$/.test(error) ? error : null;
  }
}

export const CALL_TIMEOUT_MS = 15_000;
/** The terminal may ask the user about an extension it does not know. */
const PAIRING_TIMEOUT_MS = 120_000;

/** What the daemon's error codes and statuses mean to the user. */
export function codeFor(status: number, error: unknown): DaemonErrorCode {
  if (error === "pairing_locked") return "pairing_locked";
  if (error === "profile_off" || error === "no_key_holder") return "profile_off";
  if (status === 423 || error === "wrong_passphrase") return "profile_locked";
  if (status === 401 || status === 403) return "not_paired";
  if (status === 429 || error === "busy" || error === "store_busy") return "busy";
  if (status === 413) return "too_long";
  if (error === "detector_timeout") return "timed_out";
  return status >= 500 ? "detector_failed" : "refused";
}

async function send(path: string, body: string, authorization: string | null, timeoutMs: number): Promise<Response> {
  try {
    return await fetch(DAEMON_ORIGIN + path, {
      method: "POST",
      headers: { "content-type": "application/json", ...(authorization === null ? {} : { authorization }) },
      body,
      credentials: "omit",
      cache: "no-store",
      redirect: "error",
      signal: AbortSignal.timeout(timeoutMs),
    });
  } catch (error) {
    throw new DaemonError(error instanceof DOMException && error.name === "TimeoutError" ? "timed_out" : "daemon_down");
  }
}

async function read(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    // Refusals before the origin is accepted have no body.
    return null;
  }
}

/** Posts to the daemon, sealed, and returns its JSON. `pairing` is used instead of the stored one. Throws `DaemonError`. */
export async function post(path: string, body: unknown, pairing?: Pairing): Promise<unknown> {
  const own = pairing ?? (await readPairing());
  if (own === null) throw new DaemonError("not_paired", "no_credential");
  const sealed = await seal(own, path, body);
  const response = await send(path, sealed.body, sealed.authorization, CALL_TIMEOUT_MS);
  const answer = await read(response);
  if (!response.ok || answer === null) {
    const error = (answer as { error?: unknown } | null)?.error;
    throw new DaemonError(codeFor(response.status, error), error);
  }
  const clear = await unseal(own, sealed, answer);
  // Another program has the port: it could not read what was sent, and nothing it says counts.
  if (clear === null) throw new DaemonError("daemon_down", "impostor");
  return clear;
}

/** For pairing only: nothing that is sent this way is secret. */
export const postPlain: PostPlain = async (path, body) => {
  const response = await send(path, JSON.stringify(body), null, PAIRING_TIMEOUT_MS);
  return { status: response.status, answer: await read(response) };
};
