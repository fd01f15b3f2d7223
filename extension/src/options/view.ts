/** What a section of the settings page gets to draw itself with. */
import type { Settings } from "../protocol";
import type { Language } from "../ui/strings";
import type { Say, Words } from "./words";

export const SECTION_IDS = [
  "boundary", "history", "lists", "calibrate", "behaviour", "sites", "detector", "privacy", "connection",
] as const;
export type SectionId = (typeof SECTION_IDS)[number];

export interface View {
  /** Empty; what is drawn into it goes when the user leaves the section. */
  root: HTMLElement;
  t: Say;
  language: Language;
  settings: Settings;
  /** From the address, as in `#history?category=health`. */
  query: URLSearchParams;
  /** Aborted when the user leaves the section. */
  signal: AbortSignal;
  /** Draws the section again, as after the profile was unlocked. */
  redraw(): void;
}

export interface Section {
  id: SectionId;
  heading: Words;
  help: Words;
  /** Whether there is nothing to show without an open profile. */
  needsProfile: boolean;
  draw(view: View): Promise<void> | void;
}

export const addressOf = (id: SectionId, query: Readonly<Record<string, string>> = {}): string => {
  const values = new URLSearchParams(query).toString();
  return `#${id}${values === "" ? "" : `?${values}`}`;
};
