/** How the extension's own pages (options, popup) talk to the background. */
import { api } from "./browser";
import { isErrorReply, type OwnRequest, type Replies } from "./protocol";
import { languageOf, translator, type Language, type Translate } from "./ui/strings";

export async function askOwn<K extends OwnRequest["kind"]>(request: Extract<OwnRequest, { kind: K }>): Promise<Replies[K]> {
  const reply: unknown = await api.runtime.sendMessage(request);
  if (isErrorReply(reply)) throw new Error(`the background refused ${request.kind}: ${reply.code}`);
  return reply as Replies[K];
}

/** Every open page checks its texts again, as after a change of the detector. */
export async function recheckTabs(): Promise<void> {
  for (const { id } of await api.tabs.query({})) {
    if (id !== undefined) api.tabs.sendMessage(id, { kind: "Recheck" }).catch(() => undefined);
  }
}

export async function pageLanguage(): Promise<Language> {
  const { language } = await askOwn({ kind: "ReadSettings" });
  const chosen = languageOf(language === "auto" ? api.i18n.getUILanguage() : language);
  document.documentElement.lang = chosen;
  return chosen;
}

export async function pageTranslator(): Promise<Translate> {
  return translator(await pageLanguage());
}
