/** Connecting this browser by the short code of `limen pair`, and ending that connection. */
import { api } from "../browser";
import type { ConnectOutcome, DaemonStatus } from "../protocol";
import { forgetPairing, readPairing, writePairing } from "./pairingStore";
import { DaemonError, post, postPlain } from "./daemon";
import { pair, PairingFailed } from "./sealed";

/** What the browser puts into `Origin` when this extension asks. */
const ownOrigin = (): string => api.runtime.getURL("").replace(/\/$/, "");

/** The pairing is kept only when the daemon has answered to it. */
export async function connect(typed: string): Promise<ConnectOutcome> {
  try {
    const pairing = await pair(typed.trim(), ownOrigin(), postPlain);
    const status = (await post("/v1/status", {}, pairing)) as DaemonStatus;
    await writePairing(pairing);
    return { ok: true, status };
  } catch (error) {
    if (error instanceof PairingFailed) return { ok: false, fault: error.fault, left: error.left };
    if (!(error instanceof DaemonError)) throw error;
    return { ok: false, fault: error.code === "daemon_down" ? "daemon_down" : "refused", left: null };
  }
}

/** Forgets the pairing here; the daemon too, if it is there to hear it (`limen unpair` does it otherwise). */
export async function disconnect(): Promise<void> {
  const pairing = await readPairing();
  if (pairing === null) return;
  await post("/v1/pairings/remove", { id: pairing.kid }, pairing).catch(() => undefined);
  await forgetPairing();
}
