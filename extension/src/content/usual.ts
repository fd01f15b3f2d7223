/** What the user most often does with a kind of disclosure; offered first once there are three choices to go by. */
import type { Finding } from "../finding";
import type { UsualChoice } from "../ui/card";

const ENOUGH = 3;

export function usualChoice(finding: Finding): UsualChoice {
  const { p_accept: chance, evidence } = finding.boundary;
  if (chance === null || evidence < ENOUGH) return null;
  return chance >= 0.5 ? "keep" : "redact";
}
