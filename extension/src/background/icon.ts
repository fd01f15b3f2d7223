/** The toolbar icon of a tab: its shape and its title say the same. */
import { api } from "../browser";
import type { PageState } from "../pageState";
import { languageOf, translator } from "../ui/strings";
import { readSettings } from "./settings";

export async function showState(tabId: number, state: PageState): Promise<void> {
  const { language } = await readSettings();
  const t = translator(languageOf(language === "auto" ? api.i18n.getUILanguage() : language));
  try {
    await api.action.setIcon({
      tabId,
      path: { 16: `/icons/${state.icon}-16.png`, 32: `/icons/${state.icon}-32.png` },
    });
    await api.action.setTitle({ tabId, title: `Limen: ${t(state.text, { count: state.count, minutes: state.minutes ?? 0 })}` });
    await api.action.setBadgeBackgroundColor({ tabId, color: "#1f4e79" });
    await api.action.setBadgeText({ tabId, text: state.count > 0 ? String(state.count) : "" });
  } catch {
    // The tab was closed meanwhile.
  }
}

/** As on a page that is none of Limen's. */
export async function showNothing(tabId: number): Promise<void> {
  try {
    await api.action.setIcon({ tabId, path: { 16: "/icons/off-16.png", 32: "/icons/off-32.png" } });
    await api.action.setTitle({ tabId, title: "Limen" });
    await api.action.setBadgeText({ tabId, text: "" });
  } catch {
    // The tab was closed meanwhile.
  }
}
