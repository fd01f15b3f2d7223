/** The content script's line to the background. Every request ends in an answer, at the latest after its deadline. */
import { api } from "../browser";
import { isErrorReply, type PageRequest, type Replies } from "../protocol";

/** Longer than the background waits for the daemon, so that its own answer comes first. */
const DEADLINE_MS = 20_000;

export class BackgroundError extends Error {
  /** "extension_updated" when this script is left over from a version that is gone. */
  readonly code: "extension_updated" | "timed_out" | "failed";

  constructor(code: BackgroundError["code"]) {
    super(code);
    this.name = "BackgroundError";
    this.code = code;
  }
}

/** False once the extension was updated or removed under this page. */
export function isExtensionAlive(): boolean {
  try {
    return api.runtime?.id !== undefined;
  } catch {
    return false;
  }
}

export async function ask<K extends PageRequest["kind"]>(request: Extract<PageRequest, { kind: K }>): Promise<Replies[K]> {
  if (!isExtensionAlive()) throw new BackgroundError("extension_updated");
  let timer: ReturnType<typeof setTimeout> | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new BackgroundError("timed_out")), DEADLINE_MS);
  });
  try {
    const reply: unknown = await Promise.race([api.runtime.sendMessage(request), deadline]);
    if (isErrorReply(reply) || reply === undefined) throw new BackgroundError("failed");
    return reply as Replies[K];
  } catch (error) {
    if (error instanceof BackgroundError) throw error;
    throw new BackgroundError(isExtensionAlive() ? "failed" : "extension_updated");
  } finally {
    clearTimeout(timer);
  }
}
