/** The calibration's situations in the user's language; the daemon knows them in English. */
import type { Language } from "../../../ui/strings";
import type { Situation } from "../../answers";
import { de } from "./de";
import { zh } from "./zh";

/** `wordings`: by the daemon's id of each. */
export interface Retold {
  title: string;
  scene: string;
  wordings: Readonly<Record<string, string>>;
}

export const RETOLD: Readonly<Record<Exclude<Language, "en">, Readonly<Record<string, Retold>>>> = { de, zh };

/** As the daemon has it where there is no translation of every wording. */
export function situationIn(language: Language, original: Situation): Situation {
  const retold = language === "en" ? undefined : RETOLD[language][original.id];
  if (!retold || original.wordings.some(({ id }) => retold.wordings[id] === undefined)) return original;
  return {
    ...original,
    title: retold.title,
    scene: retold.scene,
    wordings: original.wordings.map((wording) => ({ ...wording, text: retold.wordings[wording.id] ?? wording.text })),
  };
}
