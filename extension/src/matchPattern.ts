/** Match patterns of the form scheme://host/path, as in the manifest. */
export function matchesPattern(pattern: string, url: string): boolean {
  const parts = /^(\*|https?):\/\/([^/]+)(\/.*)$/.exec(pattern);
  let target: URL;
  try {
    target = new URL(url);
  } catch {
    return false;
  }
  if (!parts) return false;
  const [, scheme, host, path] = parts as unknown as [string, string, string, string];
  const protocol = target.protocol.slice(0, -1);
  if (scheme === "*" ? protocol !== "http" && protocol !== "https" : protocol !== scheme) return false;
  const isHost = host.startsWith("*.")
    ? target.hostname === host.slice(2) || target.hostname.endsWith(host.slice(1))
    : host === "*" || target.hostname === host;
  if (!isHost) return false;
  const regex = path.split("*").map((piece) => piece.replace(/[.+?^${}()|[\]\\]/g, "\\$&")).join(".*");
  return new RegExp(`^${regex}$`).test(target.pathname + target.search);
}

/** `parts` are addresses that stand for all below them; false on a host of which only other parts are meant. */
export function isInParts(parts: readonly string[], url: string): boolean {
  const { origin, pathname } = new URL(url);
  const paths = parts.map((part) => new URL(part)).filter((part) => part.origin === origin).map((part) => part.pathname);
  return paths.length === 0 || paths.some((path) => pathname === path || pathname.startsWith(`${path}/`));
}

/** "*.tongyi.com" stands for all below it. */
export function isSiteOff(sitesOff: readonly string[], site: string): boolean {
  return sitesOff.some((off) => (off.startsWith("*.") ? site === off.slice(2) || site.endsWith(off.slice(1)) : off === site));
}
