/** What each tab's frames last said about themselves. Kept in session storage: the background may be stopped any time. */
import { api } from "../browser";
import type { FrameState } from "../protocol";

export interface TabRecord {
  site: string;
  origin: string | null;
  frames: Record<string, FrameState>;
}

const keyOf = (tabId: number): string => `tab:${tabId}`;

/** Changes to one tab run one after another, or two frames would overwrite each other. */
let queue: Promise<unknown> = Promise.resolve();

function inTurn<T>(action: () => Promise<T>): Promise<T> {
  const result = queue.then(action, action);
  queue = result.catch(() => undefined);
  return result;
}

/** Null when no content script has reported from the tab. */
export async function readTab(tabId: number): Promise<TabRecord | null> {
  const key = keyOf(tabId);
  return ((await api.storage.session.get(key))[key] as TabRecord | undefined) ?? null;
}

export interface FrameReport {
  tabId: number;
  frameId: number;
  site: string;
  origin: string | null;
  frame: FrameState;
  isFirst: boolean;
}

/** The first report of a new page's top frame puts an end to what the page before it said. */
export function writeFrame({ tabId, frameId, site, origin, frame, isFirst }: FrameReport): Promise<TabRecord> {
  return inTurn(async () => {
    const known = isFirst && frameId === 0 ? null : await readTab(tabId);
    const page = frameId === 0 || !known ? { site, origin } : { site: known.site, origin: known.origin };
    const record: TabRecord = { ...page, frames: { ...known?.frames, [String(frameId)]: frame } };
    await api.storage.session.set({ [keyOf(tabId)]: record });
    return record;
  });
}

/** What is left of the tab's record, null when nothing is. The top frame takes the others with it. */
export function removeFrame(tabId: number, frameId: number): Promise<TabRecord | null> {
  return inTurn(async () => {
    const known = frameId === 0 ? null : await readTab(tabId);
    if (!known) {
      if (frameId === 0) await api.storage.session.remove(keyOf(tabId));
      return null;
    }
    const { [String(frameId)]: _gone, ...frames } = known.frames;
    const record = { ...known, frames };
    await api.storage.session.set({ [keyOf(tabId)]: record });
    return record;
  });
}

export function forgetTab(tabId: number): Promise<void> {
  return inTurn(() => api.storage.session.remove(keyOf(tabId)));
}
