/**
 * The sites Limen works on: those it comes with, and those the user adds with a permission of their own.
 *
 * Of some hosts only `parts` are a chat, which the user may reach without a load: the script is on the whole host and
 * waits there (`content/index.ts`). Their patterns end in "**", so that the manifest does not take them for hosts
 * whose frames without an address belong to the chat as well.
 */
import { api } from "../browser";
import { isInParts, matchesPattern } from "../matchPattern";
import sites from "../sites.json";

const ADDED = "added-sites";

function shippedScripts(): chrome.runtime.ManifestV3["content_scripts"] {
  return (api.runtime.getManifest() as chrome.runtime.ManifestV3).content_scripts;
}

async function addedPatterns(): Promise<string[]> {
  const scripts = await api.scripting.getRegisteredContentScripts({ ids: [ADDED] });
  return scripts[0]?.matches ?? [];
}

/** What the user added, without the patterns' tails. */
export async function addedOrigins(): Promise<string[]> {
  return (await addedPatterns()).map((pattern) => pattern.replace(/\/\*$/, ""));
}

/** Pages that are open go on until they are loaded again. */
export async function removeSite(origin: string): Promise<void> {
  const pattern = `${origin}/*`;
  const [script] = await api.scripting.getRegisteredContentScripts({ ids: [ADDED] });
  const matches = (script?.matches ?? []).filter((other) => other !== pattern);
  if (script && matches.length > 0) await api.scripting.updateContentScripts([{ ...script, matches }]);
  else await api.scripting.unregisterContentScripts({ ids: [ADDED] }).catch(() => undefined);
  await api.permissions.remove({ origins: [pattern] }).catch(() => false);
}

/** Addresses above what is checked of hosts that are left alone otherwise; one that the user added is checked all over. */
export async function checkedParts(): Promise<string[]> {
  const added = await addedPatterns();
  return sites.flatMap((site) => site.parts ?? []).filter((part) => !added.includes(`${new URL(part).origin}/*`));
}

export async function isKnownSite(url: string): Promise<boolean> {
  const shipped = (shippedScripts() ?? []).flatMap((script) => script.matches ?? []);
  const isThere = [...shipped, ...(await addedPatterns())].some((pattern) => matchesPattern(pattern, url));
  return isThere && isInParts(await checkedParts(), url);
}

/** What the table knows of sending on a site; more than one entry of the table may have the same host. */
export function sendingOn(origin: string | null): { sendHints: string[]; isEnterSending: boolean } {
  const host = origin === null ? null : new URL(origin).hostname;
  const there = sites.filter(
    (site) => host !== null && site.matches.some((pattern) => matchesPattern(pattern.replace(/^([^/]+\/\/[^/]+)\/.*$/, "$1/*"), `https://${host}/`)),
  );
  return { sendHints: there.flatMap((site) => site.send), isEnterSending: !there.some((site) => site.enter === "newline") };
}

/** Call after the user has granted the host permission. True when the site is checked from its next load on. */
export async function addSite(origin: string): Promise<boolean> {
  const pattern = `${origin}/*`;
  if (!(await api.permissions.contains({ origins: [pattern] }))) return false;
  const script = shippedScripts()?.[0];
  if (!script) return false;
  const matches = [...new Set([...(await addedPatterns()), pattern])];
  const registered = {
    id: ADDED,
    matches,
    js: script.js ?? [],
    css: script.css ?? [],
    allFrames: true,
    matchOriginAsFallback: true,
    runAt: "document_start" as const,
    persistAcrossSessions: true,
  };
  const isThere = (await api.scripting.getRegisteredContentScripts({ ids: [ADDED] })).length > 0;
  if (isThere) await api.scripting.updateContentScripts([registered]);
  else await api.scripting.registerContentScripts([registered]);
  return true;
}
