/** Entry of the background script. It may be stopped at any time, so it keeps nothing in memory. */
import { api } from "../browser";
import { isOwnRequest, isPageRequest, type ErrorReply } from "../protocol";
import { ownHandlers, pageHandlers } from "./handlers";
import { classify } from "./sender";
import { forgetTab } from "./tabs";

type AnyHandler = (request: unknown, page?: unknown) => Promise<unknown>;

const ownOrigin = api.runtime.getURL("").replace(/\/$/, "");

async function answer(message: unknown, rawSender: chrome.runtime.MessageSender): Promise<unknown> {
  const sender = classify(rawSender, api.runtime.id, ownOrigin);
  if (sender.kind === "page" && isPageRequest(message)) {
    return (pageHandlers[message.kind] as AnyHandler)(message, sender);
  }
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

api.runtime.onInstalled.addListener(({ reason }) => {
  if (reason === "install") void api.runtime.openOptionsPage();
});
