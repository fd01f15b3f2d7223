/** The links between this page and the daemon, tried one after the other; the first that is broken is named. */
import { api } from "../browser";
import { askOwn } from "../ownPages";
import type { StatusOutcome } from "../protocol";
import { button, element } from "../ui/element";
import { panel } from "./controls";
import type { Say, Words } from "./words";

const ROUNDS = 5;

export interface Link {
  name: Words;
  state: "ok" | "broken" | "odd" | "untried";
  said: string;
}

/** `ms`: the median round trip, null where there was none. */
export function linksOf(t: Say, outcome: StatusOutcome, ms: number | null, ownVersion: string, address: string): Link[] {
  const untried = (...names: Words[]): Link[] => names.map((name) => ({ name, state: "untried", said: t("linkUntried") }));
  const port: Link = { name: "linkPort", state: "ok", said: t("linkPortOk", { address }) };
  if (!outcome.ok && outcome.error === "impostor") {
    return [port, { name: "linkIdentity", state: "broken", said: t("connectImpostor") }, ...untried("linkPairing", "linkVersion", "linkTrip")];
  }
  if (!outcome.ok && outcome.error === "no_credential") {
    return [...untried("linkPort", "linkIdentity"), { name: "linkPairing", state: "broken", said: t("linkNoCode") }, ...untried("linkVersion", "linkTrip")];
  }
  if (!outcome.ok && outcome.code === "daemon_down") {
    const down: Link = { name: "linkPort", state: "broken", said: t("linkPortDown", { address }) };
    return [down, ...untried("linkIdentity", "linkPairing", "linkVersion", "linkTrip")];
  }
  if (!outcome.ok && outcome.code === "not_paired") {
    return [port, ...untried("linkIdentity"), { name: "linkPairing", state: "broken", said: t("linkRefused") }, ...untried("linkVersion", "linkTrip")];
  }
  if (!outcome.ok && outcome.code === "pairing_locked") {
    return [port, ...untried("linkIdentity"), { name: "linkPairing", state: "broken", said: t("statePairingLocked") }, ...untried("linkVersion", "linkTrip")];
  }
  const identity: Link = { name: "linkIdentity", state: "ok", said: t("linkIdentityOk") };
  if (!outcome.ok) return [port, ...untried("linkIdentity", "linkPairing", "linkVersion"), { name: "linkTrip", state: "broken", said: t("linkNoAnswer", { code: outcome.error ?? outcome.code }) }];
  const { version } = outcome.status;
  const isSame = version.split(".").slice(0, 2).join(".") === ownVersion.split(".").slice(0, 2).join(".");
  return [
    port,
    identity,
    { name: "linkPairing", state: "ok", said: t("linkPairingOk") },
    { name: "linkVersion", state: isSame ? "ok" : "odd", said: t(isSame ? "linkVersionOk" : "linkVersionOdd", { version, own: ownVersion }) },
    { name: "linkTrip", state: "ok", said: t("linkTripOk", { ms: (ms ?? 0).toFixed(1) }) },
  ];
}

async function run(): Promise<{ outcome: StatusOutcome; ms: number | null }> {
  const times: number[] = [];
  for (let round = 0; ; round += 1) {
    const start = performance.now();
    const outcome = await askOwn({ kind: "ReadStatus" });
    times.push(performance.now() - start);
    if (!outcome.ok || round === ROUNDS) {
      // The first one may have had to wake the background.
      const warm = times.slice(1).sort((a, b) => a - b);
      return { outcome, ms: warm[Math.floor(warm.length / 2)] ?? null };
    }
  }
}

const SIGNS: Readonly<Record<Link["state"], string>> = { ok: "✓", broken: "✕", odd: "!", untried: "·" };

export function selfTest(t: Say): HTMLElement {
  const shown = element("ol", { class: "links", "aria-label": t("selfTest") });
  const test = button(t("selfTestRun"), () => {
    test.disabled = true;
    void run().then(({ outcome, ms }) => {
      test.disabled = false;
      const links = linksOf(t, outcome, ms, api.runtime.getManifest().version, new URL(DAEMON_ORIGIN).host);
      shown.replaceChildren(
        ...links.map(({ name, state, said }) =>
          element(
            "li",
            { class: state },
            element("span", { class: "sign", "aria-hidden": "true" }, SIGNS[state]),
            element("strong", {}, t(name)),
            element("span", {}, said),
          ),
        ),
      );
    });
  }, { id: "self-test" });
  return panel(t("selfTest"), element("p", { class: "help" }, t("selfTestHelp")), element("div", { class: "row" }, test), element("div", { role: "status" }, shown));
}
