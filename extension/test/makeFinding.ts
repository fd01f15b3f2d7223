import type { Finding } from "../src/finding";

export function makeFinding(given: Partial<Finding> = {}): Finding {
  const phrase = given.phrase ?? "a nurse";
  const start = given.start ?? 0;
  return {
    start,
    end: start + phrase.length,
    phrase,
    category: "occupation",
    subject: "user",
    granularity: 2,
    identifiability: 1,
    score: 0.9,
    information: "Tells that you work as a nurse.",
    tier: "disclosure",
    source: "model",
    boundary: { look: "soft", p_accept: null, evidence: 0, why: null, reason: null },
    ...given,
  };
}
