/** The background of an extension that pairs with the daemon (or uses what it was given) and reports what it saw. */
import { pair, seal, unseal, type PostPlain } from "../../extension/src/background/sealed";

declare const PROBE: {
  daemon: string;
  report: string;
  name: string;
  code: string | null;
  headers: Record<string, string> | null;
  body: string | null;
};

const send = async (path: string, headers: Record<string, string>, body: string) => {
  const response = await fetch(PROBE.daemon + path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body,
    credentials: "omit",
    cache: "no-store",
    redirect: "error",
  });
  const text = await response.text();
  return { status: response.status, answer: text === "" ? null : (JSON.parse(text) as unknown) };
};

const post: PostPlain = (path, body) => send(path, {}, JSON.stringify(body));

async function probe(): Promise<unknown> {
  if (PROBE.code === null) return send("/v1/detect", PROBE.headers ?? {}, PROBE.body ?? "");
  const pairing = await pair(PROBE.code, location.origin, post);
  const sealed = await seal(pairing, "/v1/detect", { text: "my 3 year old" });
  const { status, answer } = await send("/v1/detect", { authorization: sealed.authorization }, sealed.body);
  return { status, answer: await unseal(pairing, sealed, answer) };
}

void probe().then(
  (saw) => ({ saw }),
  (error: unknown) => ({ saw: error instanceof Error ? error.name + ": " + error.message : "?" }),
).then(({ saw }) =>
  fetch(PROBE.report, { method: "POST", body: JSON.stringify({ name: PROBE.name, origin: location.origin, saw }) }),
);
