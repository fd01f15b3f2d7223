/**
 * Entry of the content script, one per frame. Switched off, or on a part of a host that is not checked, it keeps two
 * listeners and nothing else.
 */
import { api } from "../browser";
import { isInParts } from "../matchPattern";
import { isFrameRequest, type PageSettings } from "../protocol";
import { ask } from "./background";
import { Page } from "./page";
import { frameState } from "./report";

let settings: PageSettings | null = null;
let presence: "on" | "off" | "elsewhere" | null = null;
let page: Page | null = null;

/** A frame without an address of its own is where the page around it is. */
function addressed(): Window {
  let frame: Window = window;
  try {
    while (frame.location.protocol === "about:" && frame.parent !== frame) frame = frame.parent;
    return frame;
  } catch {
    return window;
  }
}

async function apply(): Promise<void> {
  settings = await ask({ kind: "ReadPageSettings" });
  presence = null;
  await follow();
  // A pause ends by itself.
  if (settings.pausedUntil > 0) setTimeout(() => void apply().catch(() => undefined), settings.pausedUntil - Date.now() + 50);
}

/** Begins, goes on or stops, by the settings and the address. */
async function follow(): Promise<void> {
  if (!settings) return;
  const now = !isInParts(settings.parts, addressed().location.href) ? "elsewhere" : settings.isOn ? "on" : "off";
  if (now === presence) return;
  presence = now;
  page?.dispose();
  page = now === "on" ? new Page(settings) : null;
  if (now === "off") await ask({ kind: "ReportFrame", frame: frameState([], 0), isFirst: true });
  if (now === "elsewhere") await ask({ kind: "LeaveFrame" });
}

function start(): void {
  api.runtime.onMessage.addListener((message: unknown, sender, reply) => {
    if (sender.id !== api.runtime.id || !isFrameRequest(message)) return;
    if (message.kind === "SettingsChanged") void apply().catch(() => undefined);
    else reply(page?.handle(message) ?? null);
  });
  // Heard here and not in the background: webNavigation is a permission of its own, and tabs.onUpdated tells the address
  // only with a host permission, which patterns of content scripts are not. Once for each change of the address that
  // is no load, when `location` has it already; "navigate" comes before, and may yet be called off.
  addressed().navigation.addEventListener("currententrychange", () => void follow().catch(() => undefined));
  // Without a background there is nothing to be done in this page, and the icon says so.
  void apply().catch(() => undefined);
}

// Firefox runs it twice where a site that the user added is one of those that come with the extension.
const mine = globalThis as { limenIsHere?: boolean };
if (!mine.limenIsHere) {
  mine.limenIsHere = true;
  start();
}
