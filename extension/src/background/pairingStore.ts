/** Keeps the pairing in the extension's own IndexedDB, which no content script can reach. Its keys cannot be taken out. */
import type { Pairing } from "./sealed";

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

type Stored = { kind?: unknown; pairing?: Pairing } | undefined;

export async function readPairing(): Promise<Pairing | null> {
  const stored = (await run("readonly", (store) => store.get(KEY))) as Stored;
  return stored?.kind === "pairing" && stored.pairing ? stored.pairing : null;
}

export const writePairing = async (pairing: Pairing): Promise<void> => {
  await run("readwrite", (store) => store.put({ kind: "pairing", pairing }, KEY));
};

export const forgetPairing = async (): Promise<void> => {
  await run("readwrite", (store) => store.delete(KEY));
};

/** Deletes what a version before pairing left: a token, which no daemon accepts any more. Whether there was one. */
export async function forgetToken(): Promise<boolean> {
  const stored = (await run("readonly", (store) => store.get(KEY))) as Stored;
  if (stored === undefined || stored.kind === "pairing") return false;
  await forgetPairing();
  return true;
}
