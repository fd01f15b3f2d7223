/** The only file that names the browser's API object: both are promise-based under Manifest V3. */
export const api: typeof chrome = (globalThis as { browser?: typeof chrome }).browser ?? chrome;
