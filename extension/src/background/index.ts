/** Entry of the background script. It may be stopped at any time, so it keeps nothing in memory. */
import { api } from "../browser";
import { isOwnRequest, isPageRequest, type ErrorReply, type PageRequest } from "../protocol";
import { ownHandlers, pageHandlers } from "./handlers";
import { forgetToken } from "./pairingStore";
import { classify } from "./sender";
import { forgetTab } from "./tabs";

type AnyHandler = (request: unknown, page?: unknown) => Promise<unknown>;

const CHANGES_RULES: ReadonlySet<PageRequest["kind"]> = new Set(["AddRule", "RemoveRule", "DeleteDecision"]);
const CHANGES_STORAGE: ReadonlySet<PageRequest["kind"]> = new Set(["QuietKindHere", "MarkKindHere", "WritePlaceholders"]);

/** On our own page everything works as on a site, except that no choice is remembered. */
async function answerTrial(message: PageRequest, tabId: number | undefined): Promise<unknown> {
  if (message.kind === "RecordDecision") return { ok: true, id: null };
  if (CHANGES_RULES.has(message.kind)) return { ok: true, body: null };
  if (CHANGES_STORAGE.has(message.kind) || tabId === undefined) return null;
  const page = { kind: "page", tabId, frameId: 0, site: "", origin: null };
  return (pageHandlers[message.kind] as AnyHandler)(message, page);
}

const ownOrigin = api.runtime.getURL("").replace(/\/$/, "");

async function answer(message: unknown, rawSender: chrome.runtime.MessageSender): Promise<unknown> {
  const sender = classify(rawSender, api.runtime.id, ownOrigin);
  if (sender.kind === "page" && isPageRequest(message)) {
    return (pageHandlers[message.kind] as AnyHandler)(message, sender);
  }
  // The try-it page has composers of its own.
  if (sender.kind === "own" && isPageRequest(message)) return answerTrial(message, rawSender.tab?.id);
  if (sender.kind === "own" && isOwnRequest(message)) return (ownHandlers[message.kind] as AnyHandler)(message);
  return { kind: "Error", code: sender.kind === "foreign" ? "refused" : "malformed" } satisfies ErrorReply;
}

api.runtime.onMessage.addListener((message: unknown, sender, reply) => {
  answer(message, sender).then(reply, () => reply({ kind: "Error", code: "internal" } satisfies ErrorReply));
  return true;
});

api.tabs.onRemoved.addListener((tabId) => void forgetTab(tabId));

api.commands.onCommand.addListener((command, tab) => {
  if (tab?.id !== undefined) api.tabs.sendMessage(tab.id, { kind: "Command", command }).catch(() => undefined);
});

/** Whoever was connected by a token has to be connected anew: the settings page says how. */
async function renewConnection(): Promise<void> {
  if (await forgetToken()) await api.runtime.openOptionsPage();
}

api.runtime.onInstalled.addListener(({ reason }) => {
  if (reason === "install") void api.runtime.openOptionsPage();
  void renewConnection();
});
// The page may not have been there to be opened when the update came.
api.runtime.onStartup.addListener(() => void renewConnection());
