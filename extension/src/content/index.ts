/** Entry of the content script, one per frame. Switched off it keeps one message listener and nothing else. */
import { api } from "../browser";
import { isFrameRequest } from "../protocol";
import { ask } from "./background";
import { Page } from "./page";
import { frameState } from "./report";

let page: Page | null = null;

async function apply(): Promise<void> {
  const settings = await ask({ kind: "ReadPageSettings" });
  page?.dispose();
  page = settings.isOn ? new Page(settings) : null;
  if (!page) await ask({ kind: "ReportFrame", frame: frameState([], 0), isFirst: true });
  // A pause ends by itself.
  if (settings.pausedUntil > 0) setTimeout(() => void apply().catch(() => undefined), settings.pausedUntil - Date.now() + 50);
}

api.runtime.onMessage.addListener((message: unknown, sender, reply) => {
  if (sender.id !== api.runtime.id || !isFrameRequest(message)) return;
  if (message.kind === "SettingsChanged") void apply().catch(() => undefined);
  else reply(page?.handle(message) ?? null);
});

// Without a background there is nothing to be done in this page, and the icon says so.
void apply().catch(() => undefined);
