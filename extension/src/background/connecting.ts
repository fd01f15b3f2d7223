/** Connecting this browser: by the short code of `limen pair`, or by the token of `limen token`. */
import { api } from "../browser";
import type { ConnectOutcome, DaemonStatus } from "../protocol";
import { writeCredential, type Credential } from "./credentialStore";
import { DaemonError, post, postPlain } from "./daemon";
import { pair, PairingFailed } from "./sealed";

/** A token is longer than any code. */
const isToken = (typed: string): boolean => /^[A-Za-z0-9_-]{32,}$/.test(typed);

/** What the browser puts into `Origin` when this extension asks. */
const ownOrigin = (): string => api.runtime.getURL("").replace(/\/$/, "");

/** The credential is kept only when the daemon has answered to it. */
export async function connect(typed: string): Promise<ConnectOutcome> {
  const code = typed.trim();
  try {
    const credential: Credential = isToken(code)
      ? { kind: "token", token: code }
      : { kind: "pairing", pairing: await pair(code, ownOrigin(), postPlain) };
    const status = (await post("/v1/status", {}, credential)) as DaemonStatus;
    await writeCredential(credential);
    return { ok: true, status };
  } catch (error) {
    if (error instanceof PairingFailed) return { ok: false, fault: error.fault, left: error.left };
    if (!(error instanceof DaemonError)) throw error;
    const fault = error.code === "daemon_down" ? "daemon_down" : error.code === "not_paired" ? "token_refused" : "refused";
    return { ok: false, fault, left: null };
  }
}
