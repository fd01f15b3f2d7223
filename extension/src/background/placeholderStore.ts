/**
 * What placeholders stand for: in the daemon's encrypted profile, where it expires. Without a profile it is held in
 * memory and gone when the browser closes.
 */
import { api } from "../browser";
import type { PlaceholderEntry } from "../page-core/placeholders";
import { isEntries } from "../protocol";
import { post } from "./daemon";

const keyOf = (conversation: string): string => `placeholders:${conversation}`;

export async function readPlaceholders(conversation: string): Promise<PlaceholderEntry[]> {
  const held: unknown = (await api.storage.session.get(keyOf(conversation)))[keyOf(conversation)];
  let stored: unknown;
  try {
    stored = ((await post("/v1/placeholders/get", { conversation })) as { entries?: unknown } | null)?.entries;
  } catch {
    stored = null;
  }
  const entries = new Map<string, PlaceholderEntry>();
  for (const list of [held, stored]) {
    if (isEntries(list)) for (const { placeholder, value } of list) entries.set(placeholder, { placeholder, value });
  }
  return [...entries.values()];
}

export async function writePlaceholders(conversation: string, entries: PlaceholderEntry[]): Promise<void> {
  try {
    await post("/v1/placeholders/put", { conversation, entries });
    await api.storage.session.remove(keyOf(conversation));
  } catch {
    await api.storage.session.set({ [keyOf(conversation)]: entries });
  }
}
