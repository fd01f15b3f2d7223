/**
 * Pairing with the daemon by a short code, and requests sealed with the keys that come of it. The other end is
 * `limen_daemon/pairing/`. Web Crypto only; no key can be taken out of it again.
 */
export const STRETCHES = 200_000;
const POINT_BYTES = 65;
const NONCE_BYTES = 16;
const IV_BYTES = 12;
const CODE_LENGTH = 10;

/** What the extension keeps of a pairing. The keys are not extractable; IndexedDB can store them as they are. */
export interface Pairing {
  readonly kid: string;
  readonly auth: CryptoKey;
  readonly c2s: CryptoKey;
  readonly s2c: CryptoKey;
}

/** A request ready to send, and what its answer is bound to. */
export interface SealedRequest {
  readonly authorization: string;
  readonly body: string;
  readonly boundTo: Uint8Array<ArrayBuffer>;
}

/** `impostor`: the program on the port could not prove that it is the daemon. Nothing was sent to it. */
export type PairingFault = "code_malformed" | "code_wrong" | "pairing_closed" | "impostor" | "daemon_down" | "refused";

export class PairingFailed extends Error {
  readonly fault: PairingFault;
  /** Tries that are left, after a wrong code. */
  readonly left: number | null;

  constructor(fault: PairingFault, left: number | null = null) {
    super(fault);
    this.name = "PairingFailed";
    this.fault = fault;
    this.left = left;
  }
}

/** Posts JSON to the daemon without credentials; resolves with the status and the parsed answer (null: none). */
export type PostPlain = (path: string, body: unknown) => Promise<{ status: number; answer: unknown }>;

type Bytes = Uint8Array<ArrayBuffer>;

const encoder = new TextEncoder();

export function encode(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The bytes of base64url without padding; null when it is not that. */
export function decode(text: unknown): Bytes | null {
  if (typeof text !== "string" || !/^[A-Za-z0-9_-]*$/.test(text)) return null;
  try {
    const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    return Uint8Array.from(binary, (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function join(...parts: Uint8Array[]): Bytes {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/** The code as both ends compute with it: capitals, no separators, and the letters that look like digits as digits. */
export function canonicalCode(typed: string): string | null {
  const code = typed
    .normalize("NFKC")
    .toUpperCase()
    .replace(/[\s\u2010-\u2015-]/g, "")
    .replaceAll("O", "0")
    .replace(/[IL]/g, "1");
  return code.length === CODE_LENGTH && /^[0-9A-HJKMNP-TV-Z]+$/.test(code) ? code : null;
}

/** Everything both ends have said; the keys and both proofs are bound to its hash. */
export interface Hello {
  readonly origin: string;
  readonly clientPoint: Bytes;
  readonly clientNonce: Bytes;
  readonly daemonPoint: Bytes;
  readonly daemonNonce: Bytes;
}

export async function transcriptOf(hello: Hello): Promise<Bytes> {
  const said = join(
    encoder.encode(`pair-v1|${hello.origin}|`),
    hello.clientPoint,
    hello.daemonPoint,
    hello.clientNonce,
    hello.daemonNonce,
  );
  return new Uint8Array(await crypto.subtle.digest("SHA-256", said));
}

interface AgreedKeys extends Omit<Pairing, "kid"> {
  readonly confirm: CryptoKey;
}

/** ECDH on P-256, with the code stretched into the derived keys. Rejects when `daemonPoint` is not on the curve. */
export async function agree(privateKey: CryptoKey, code: string, hello: Hello, transcript: Bytes): Promise<AgreedKeys> {
  const { subtle } = crypto;
  const curve = { name: "ECDH", namedCurve: "P-256" };
  const point = await subtle.importKey("raw", hello.daemonPoint, curve, false, []);
  const shared = new Uint8Array(await subtle.deriveBits({ name: "ECDH", public: point }, privateKey, 256));
  const codeKey = await subtle.importKey("raw", encoder.encode(code), "PBKDF2", false, ["deriveBits"]);
  const stretched = new Uint8Array(
    await subtle.deriveBits(
      { name: "PBKDF2", hash: "SHA-256", salt: join(hello.clientNonce, hello.daemonNonce), iterations: STRETCHES },
      codeKey,
      256,
    ),
  );
  const secret = await subtle.importKey("raw", join(shared, stretched), "HKDF", false, ["deriveKey"]);
  const derive = (info: string, kind: HmacKeyGenParams | AesDerivedKeyParams, usages: KeyUsage[]): Promise<CryptoKey> =>
    subtle.deriveKey({ name: "HKDF", hash: "SHA-256", salt: transcript, info: encoder.encode(info) }, secret, kind, false, usages);
  const mac: HmacKeyGenParams = { name: "HMAC", hash: "SHA-256", length: 256 };
  const box: AesDerivedKeyParams = { name: "AES-GCM", length: 256 };
  return {
    confirm: await derive("confirm", mac, ["sign", "verify"]),
    auth: await derive("auth", mac, ["sign"]),
    c2s: await derive("c2s", box, ["encrypt"]),
    s2c: await derive("s2c", box, ["decrypt"]),
  };
}

/** Pairs with the daemon that `limen pair` opened. `origin` is the extension's own. Throws `PairingFailed`. */
export async function pair(typedCode: string, origin: string, post: PostPlain): Promise<Pairing> {
  const code = canonicalCode(typedCode);
  if (code === null) throw new PairingFailed("code_malformed");
  const own = await crypto.subtle.generateKey({ name: "ECDH", namedCurve: "P-256" }, false, ["deriveBits"]);
  const clientPoint = new Uint8Array(await crypto.subtle.exportKey("raw", own.publicKey));
  const clientNonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));

  const said = await step(post, "/v1/pair/hello", { v: 1, pub: encode(clientPoint), nonce: encode(clientNonce) });
  const daemonPoint = decode(said["pub"]);
  const daemonNonce = decode(said["nonce"]);
  if (daemonPoint?.length !== POINT_BYTES || daemonNonce?.length !== NONCE_BYTES) throw new PairingFailed("impostor");

  const hello: Hello = { origin, clientPoint, clientNonce, daemonPoint, daemonNonce };
  const transcript = await transcriptOf(hello);
  let keys: AgreedKeys;
  try {
    keys = await agree(own.privateKey, code, hello, transcript);
  } catch {
    throw new PairingFailed("impostor");
  }
  const mac = new Uint8Array(await crypto.subtle.sign("HMAC", keys.confirm, join(encoder.encode("ext"), transcript)));
  const done = await step(post, "/v1/pair/finish", { nonce: encode(clientNonce), mac: encode(mac) });
  const kid = done["kid"];
  const proof = decode(done["mac"]);
  const isDaemon =
    proof !== null &&
    (await crypto.subtle.verify("HMAC", keys.confirm, proof, join(encoder.encode("daemon"), transcript)));
  if (!isDaemon || typeof kid !== "string" || !/^[A-Za-z0-9_-]{16}$/.test(kid)) throw new PairingFailed("impostor");
  return { kid, auth: keys.auth, c2s: keys.c2s, s2c: keys.s2c };
}

async function step(post: PostPlain, path: string, body: unknown): Promise<Record<string, unknown>> {
  let sent: { status: number; answer: unknown };
  try {
    sent = await post(path, body);
  } catch {
    throw new PairingFailed("daemon_down");
  }
  const answer = (typeof sent.answer === "object" && sent.answer !== null ? sent.answer : {}) as Record<string, unknown>;
  if (sent.status === 200) return answer;
  const { error, left } = answer;
  if (error === "code_wrong") throw new PairingFailed("code_wrong", typeof left === "number" ? left : null);
  throw new PairingFailed(error === "pairing_closed" ? "pairing_closed" : "refused");
}

/** The headers and the sealed body of a call. Each is good once, for 30 s, for this path only. */
export async function seal(pairing: Pairing, path: string, body: unknown, nowMs: number = Date.now()): Promise<SealedRequest> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const number = encode(iv);
  const boundTo = encoder.encode(`POST|${path}|${pairing.kid}|${nowMs}|${number}`);
  const mac = new Uint8Array(await crypto.subtle.sign("HMAC", pairing.auth, boundTo));
  const clear = encoder.encode(JSON.stringify(body));
  const box = await crypto.subtle.encrypt({ name: "AES-GCM", iv, additionalData: boundTo }, pairing.c2s, clear);
  return {
    authorization: `PSK1 kid=${pairing.kid},t=${nowMs},n=${number},mac=${encode(mac)}`,
    body: JSON.stringify({ box: encode(new Uint8Array(box)) }),
    boundTo,
  };
}

/** The answer to `request` in clear; null when the daemon did not seal it: whoever answered is not our daemon. */
export async function unseal(pairing: Pairing, request: SealedRequest, answer: unknown): Promise<unknown> {
  const { n, box } = (typeof answer === "object" && answer !== null ? answer : {}) as { n?: unknown; box?: unknown };
  const iv = decode(n);
  const sealed = decode(box);
  if (iv?.length !== IV_BYTES || sealed === null) return null;
  try {
    const clear = await crypto.subtle.decrypt(
      { name: "AES-GCM", iv, additionalData: request.boundTo },
      pairing.s2c,
      sealed,
    );
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(clear)) as unknown;
  } catch {
    return null;
  }
}
