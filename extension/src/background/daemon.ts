/** The only place that talks to the network: POST to the daemon on this computer, with the token. */
import type { DaemonErrorCode } from "../protocol";
import { readToken } from "./tokenStore";

export class DaemonError extends Error {
  readonly code: DaemonErrorCode;

  constructor(code: DaemonErrorCode) {
    super(code);
    this.name = "DaemonError";
    this.code = code;
  }
}

export const CALL_TIMEOUT_MS = 15_000;

/** What the daemon's error codes and statuses mean to the user. */
export function codeFor(status: number, error: unknown): DaemonErrorCode {
  if (error === "profile_locked" || status === 423) return "profile_locked";
  if (error === "no_profile" || error === "profile_off") return "profile_off";
  if (status === 401 || status === 403) return "not_paired";
  if (status === 429 || error === "busy") return "busy";
  if (status === 413 || error === "text_too_long") return "too_long";
  if (status === 504) return "timed_out";
  if (typeof error === "string" && error.startsWith("detector")) return "detector_failed";
  if (status >= 500) return "detector_failed";
  return "refused";
}

/** Posts to the daemon and returns its JSON. `token` overrides the stored one, to try it out. Throws `DaemonError`. */
export async function post(path: string, body: unknown, token?: string): Promise<unknown> {
  const bearer = token ?? (await readToken());
  if (bearer === null) throw new DaemonError("not_paired");
  let response: Response;
  try {
    response = await fetch(DAEMON_ORIGIN + path, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${bearer}` },
      body: JSON.stringify(body),
      credentials: "omit",
      cache: "no-store",
      redirect: "error",
      signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
    });
  } catch (error) {
    throw new DaemonError(error instanceof DOMException && error.name === "TimeoutError" ? "timed_out" : "daemon_down");
  }
  let answer: unknown = null;
  try {
    answer = await response.json();
  } catch {
    // Refusals before the origin is accepted have no body.
  }
  if (response.ok && answer !== null) return answer;
  const error = typeof answer === "object" && answer !== null ? (answer as { error?: unknown }).error : undefined;
  throw new DaemonError(codeFor(response.status, error));
}
