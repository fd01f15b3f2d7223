import assert from "node:assert/strict";
import { test } from "node:test";
import {
  PairingFailed,
  agree,
  canonicalCode,
  decode,
  encode,
  pair,
  seal,
  transcriptOf,
  unseal,
  type Hello,
  type Pairing,
  type PostPlain,
} from "../src/background/sealed";
import vectors from "./pairingVectors.json";

const curve = { name: "ECDH", namedCurve: "P-256" };
const bytes = (text: string): Uint8Array<ArrayBuffer> => {
  const decoded = decode(text);
  assert.ok(decoded);
  return decoded;
};
const pointOf = (key: { x: string; y: string }): Uint8Array<ArrayBuffer> =>
  new Uint8Array([4, ...bytes(key.x), ...bytes(key.y)]);

const hello: Hello = {
  origin: vectors.origin,
  clientPoint: pointOf(vectors.client_private),
  clientNonce: bytes(vectors.client_nonce),
  daemonPoint: pointOf(vectors.daemon_private),
  daemonNonce: bytes(vectors.daemon_nonce),
};

async function vectorKeys() {
  const own = await crypto.subtle.importKey("jwk", vectors.client_private, curve, false, ["deriveBits"]);
  return agree(own, vectors.code, hello, await transcriptOf(hello));
}

async function vectorPairing(): Promise<Pairing> {
  const { auth, c2s, s2c } = await vectorKeys();
  return { kid: "A".repeat(16), auth, c2s, s2c };
}

const signed = async (key: CryptoKey, ...parts: (string | Uint8Array)[]): Promise<string> =>
  encode(new Uint8Array(await crypto.subtle.sign("HMAC", key, Buffer.concat(parts.map((part) => Buffer.from(part))))));

test("transcript and proofs are the daemon's", async () => {
  const transcript = await transcriptOf(hello);
  const { confirm } = await vectorKeys();
  assert.equal(encode(transcript), vectors.transcript);
  assert.equal(await signed(confirm, "ext", transcript), vectors.proof_extension);
  assert.equal(await signed(confirm, "daemon", transcript), vectors.proof_daemon);
});

test("the request's MAC and the answer's box are the daemon's", async () => {
  const pairing = await vectorPairing();
  const boundTo = new TextEncoder().encode(vectors.bound_to);
  assert.equal(await signed(pairing.auth, boundTo), vectors.mac);
  const request = { authorization: "", body: "", boundTo };
  assert.deepEqual(await unseal(pairing, request, vectors.answer), JSON.parse(vectors.clear));
});

test("an answer that is not sealed, is changed, or belongs to another request is no answer", async () => {
  const pairing = await vectorPairing();
  const boundTo = new TextEncoder().encode(vectors.bound_to);
  const request = { authorization: "", body: "", boundTo };
  const other = { ...request, boundTo: new TextEncoder().encode(vectors.bound_to.replace("detect", "status")) };
  const changed = { ...vectors.answer, box: `A${vectors.answer.box.slice(1)}` };
  for (const answer of [{ findings: [] }, null, "x", {}, { n: 1, box: 2 }, { n: "AA", box: "AA" }, changed, vectors.request]) {
    assert.equal(await unseal(pairing, request, answer), null);
  }
  assert.equal(await unseal(pairing, other, vectors.answer), null);
});

test("two requests with the same body share nothing that can be told apart from noise", async () => {
  const pairing = await vectorPairing();
  const one = await seal(pairing, "/v1/detect", { text: "needle" });
  const two = await seal(pairing, "/v1/detect", { text: "needle" });
  assert.notEqual(one.body, two.body);
  assert.notEqual(one.authorization, two.authorization);
  assert.doesNotMatch(one.body + one.authorization, /needle/);
});

test("no key of a pairing can be taken out again", async () => {
  const keys = await vectorKeys();
  for (const key of Object.values(keys)) {
    assert.equal(key.extractable, false);
    await assert.rejects(crypto.subtle.exportKey("raw", key));
  }
});

test("a code is read as people type it", () => {
  for (const typed of ["K7QF2-M9XDA", "k7qf2m9xda", " k7qf2 m9xda ", "K7QF2\u2013M9XDA"]) {
    assert.equal(canonicalCode(typed), "K7QF2M9XDA");
  }
  assert.equal(canonicalCode("OIL00-1111o"), "0110011110");
  for (const typed of ["", "K7QF2-M9XD", "K7QF2-M9XDAA", "K7QF2-M9XDU", "K7QF2-M9XD\u00e9"]) {
    assert.equal(canonicalCode(typed), null);
  }
});

async function faultOf(code: string, post: PostPlain): Promise<PairingFailed> {
  try {
    await pair(code, vectors.origin, post);
  } catch (error) {
    assert.ok(error instanceof PairingFailed);
    return error;
  }
  return assert.fail("it paired");
}

test("a daemon that does not know the code is an impostor, and saw neither code nor text", async () => {
  const sent: unknown[] = [];
  const fault = await faultOf(vectors.code, (path, body) => {
    sent.push(body);
    return Promise.resolve({
      status: 200,
      answer: path.endsWith("hello")
        ? { pub: encode(hello.daemonPoint), nonce: vectors.daemon_nonce }
        : { kid: "A".repeat(16), mac: vectors.proof_daemon },
    });
  });
  assert.equal(fault.fault, "impostor");
  assert.equal(sent.length, 2);
  assert.doesNotMatch(JSON.stringify(sent), new RegExp(vectors.code));
});

test("a daemon that answers with a point off the curve is an impostor", async () => {
  const off = hello.daemonPoint.slice();
  off[64] = (off[64] ?? 0) ^ 1;
  const answer = { pub: encode(off), nonce: vectors.daemon_nonce };
  assert.equal((await faultOf(vectors.code, () => Promise.resolve({ status: 200, answer }))).fault, "impostor");
});

test("each refusal has its own fault", async () => {
  const refusing = (status: number, answer: unknown): PostPlain => () => Promise.resolve({ status, answer });
  assert.equal((await faultOf("short", () => assert.fail("it asked"))).fault, "code_malformed");
  assert.equal((await faultOf(vectors.code, () => Promise.reject(new Error("down")))).fault, "daemon_down");
  assert.equal((await faultOf(vectors.code, refusing(403, { error: "pairing_closed" }))).fault, "pairing_closed");
  assert.equal((await faultOf(vectors.code, refusing(421, null))).fault, "refused");
  const wrong = await faultOf(vectors.code, refusing(403, { error: "code_wrong", left: 4 }));
  assert.deepEqual([wrong.fault, wrong.left], ["code_wrong", 4]);
});
