/** Who sent a message: a page's content script, one of our own pages, or somebody else. */
export type Sender =
  | { kind: "page"; tabId: number; frameId: number; site: string; origin: string | null }
  | { kind: "own" }
  | { kind: "foreign" };

interface RawSender {
  id?: string | undefined;
  url?: string | undefined;
  origin?: string | undefined;
  frameId?: number | undefined;
  tab?: { id?: number | undefined; url?: string | undefined } | undefined;
}

/**
 * An own page opened in a tab has a tab too, so the address decides. In a content script `url` is the page's, even in
 * frames such as about:blank.
 */
export function classify(sender: RawSender, ownId: string, ownOrigin: string): Sender {
  if (sender.id !== ownId) return { kind: "foreign" };
  if (sender.url?.startsWith(`${ownOrigin}/`)) return { kind: "own" };
  if (sender.tab?.id === undefined) return { kind: "foreign" };
  // The tab's address is there only with a permission for it; a frame then speaks for itself.
  const address = sender.tab.url ?? sender.origin ?? sender.url ?? "";
  return {
    kind: "page",
    tabId: sender.tab.id,
    frameId: sender.frameId ?? 0,
    site: siteOf(address),
    origin: originOf(address),
  };
}

/** Null for anything but a web page. */
export function originOf(url: string): string | null {
  return /^https?:\/\/[^/?#]+/.exec(url)?.[0] ?? null;
}

/** "https://www.kimi.com/chat/1" is the site "kimi.com". */
export function siteOf(url: string): string {
  try {
    return new URL(url).hostname.replace(/^www\./, "");
  } catch {
    return "";
  }
}
