/** The extension's end of a pairing as a program: pairs with a running daemon, then calls it. For the tests. */
import { pair, seal, unseal, type PostPlain } from "../../extension/src/background/sealed";

const [port, origin, code, path, body] = process.argv.slice(2) as [string, string, string, string, string];

/** Node's `fetch` may not set Origin and Host; the plain client may. */
import { request } from "node:http";

function send(to: string, headers: Record<string, string>, text: string): Promise<{ status: number; answer: unknown }> {
  return new Promise((resolve, reject) => {
    const call = request(
      {
        host: "127.0.0.1",
        port: Number(port),
        path: to,
        method: "POST",
        headers: { origin, "content-type": "application/json", "content-length": Buffer.byteLength(text), ...headers },
      },
      (response) => {
        let received = "";
        response.on("data", (chunk: Buffer) => (received += chunk.toString()));
        response.on("end", () => {
          let answer: unknown = null;
          try {
            answer = JSON.parse(received) as unknown;
          } catch {
            // An empty refusal.
          }
          resolve({ status: response.statusCode ?? 0, answer });
        });
      },
    );
    call.on("error", reject);
    call.end(text);
  });
}

const post: PostPlain = (to, what) => send(to, {}, JSON.stringify(what));

async function main(): Promise<unknown> {
  const pairing = await pair(code, origin, post);
  const sealed = await seal(pairing, path, JSON.parse(body) as unknown);
  const call = () => send(path, { authorization: sealed.authorization }, sealed.body);
  const first = await call();
  const clear = await unseal(pairing, sealed, first.answer);
  const replayed = await call();
  const extractable = [pairing.auth, pairing.c2s, pairing.s2c].some((key) => key.extractable);
  return { kid: pairing.kid, status: first.status, clear, replayed, extractable };
}

main().then(
  (result) => console.log(JSON.stringify(result)),
  (error: unknown) => console.log(JSON.stringify(error instanceof Error ? { ...error, name: error.name } : { name: "?" })),
);
