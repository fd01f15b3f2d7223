/** Keeps what opens the daemon in the extension's own IndexedDB, which no content script can reach. */
import type { Pairing } from "./sealed";

/** A pairing's keys cannot be taken out of the browser again; a token is what `limen token` shows. */
export type Credential = { kind: "pairing"; pairing: Pairing } | { kind: "token"; token: string };

const DATABASE = "limen";
const STORE = "secrets";
const KEY = "credential";

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("IndexedDB did not open"));
  });
}

async function run<T>(mode: IDBTransactionMode, action: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const database = await open();
  try {
    return await new Promise<T>((resolve, reject) => {
      const request = action(database.transaction(STORE, mode).objectStore(STORE));
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error ?? new Error("IndexedDB refused"));
    });
  } finally {
    database.close();
  }
}

export async function readCredential(): Promise<Credential | null> {
  const stored: unknown = await run("readonly", (store) => store.get(KEY));
  const kind = (stored as { kind?: unknown } | undefined)?.kind;
  return kind === "pairing" || kind === "token" ? (stored as Credential) : null;
}

export const writeCredential = async (credential: Credential): Promise<void> => {
  await run("readwrite", (store) => store.put(credential, KEY));
};

export const forgetCredential = async (): Promise<void> => {
  await run("readwrite", (store) => store.delete(KEY));
};
