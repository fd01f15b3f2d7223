/** Keeps the daemon's token in the extension's own IndexedDB, which no content script can open. */
const DATABASE = "limen";
const STORE = "secrets";
const KEY = "token";

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

export async function readToken(): Promise<string | null> {
  const token: unknown = await run("readonly", (store) => store.get(KEY));
  return typeof token === "string" ? token : null;
}

export const writeToken = async (token: string): Promise<void> => {
  await run("readwrite", (store) => store.put(token, KEY));
};

export const forgetToken = async (): Promise<void> => {
  await run("readwrite", (store) => store.delete(KEY));
};
