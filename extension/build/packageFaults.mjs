// What must not be in a package, and what its manifest must hold: the stores' rules and our own.
import { readFileSync } from "node:fs";

const sites = JSON.parse(readFileSync(new URL("../src/sites.json", import.meta.url), "utf8"));
const LANGUAGES = { en: "en", zh_CN: "zh", de: "de" };
const MAX_SUMMARY = 132;
const MAX_NAME = 75;
/** Firefox' store is the stricter one. */
const MAX_STORE_NAME = 45;
const KINDS = /\.(js|css|html|png|json)$/;

const decode = (bytes) => new TextDecoder().decode(bytes);

/** Addresses that may stand in the package: this computer, the chat sites' patterns, names of markup languages. */
function isKnownAddress(address) {
  return (
    address.startsWith("http://127.0.0.1:") ||
    address.startsWith("http://www.w3.org/") ||
    address === "https://" ||
    address === "http://" ||
    sites.some(({ matches }) => matches.some((pattern) => address.startsWith(pattern.replace(/^([^/]+\/\/[^/]+).*$/, "$1"))))
  );
}

/** @param {Record<string, Uint8Array>} files  @returns {string[]} one sentence for each fault */
export function faultsOf(browser, files) {
  const faults = [];
  for (const [name, bytes] of Object.entries(files)) {
    if (!KINDS.test(name)) faults.push(`${name} has no place in a package`);
    if (/test|\.map$|mirror/.test(name)) faults.push(`${name} is for tests only`);
    if (!/\.(js|css|html)$/.test(name)) continue;
    const text = decode(bytes);
    if (/sourceMappingURL/.test(text)) faults.push(`${name} names a source map`);
    for (const [address] of text.matchAll(/\b(?:https?|wss?|ftp):\/\/[^\s"'`<>()\\$]*/g)) {
      if (!isKnownAddress(address)) faults.push(`${name} names the address ${address}`);
    }
    if (name.endsWith(".html") && /<script(?![^>]*\ssrc=)|\s(?:src|href)="(?![\w./-]+")|\son\w+=/.test(text)) faults.push(`${name} loads something from elsewhere`);
  }
  return [...faults, ...faultsOfManifest(browser, files)];
}

function faultsOfManifest(browser, files) {
  const manifest = JSON.parse(decode(files["manifest.json"]));
  const faults = [];
  const named = [
    ...Object.values(manifest.icons),
    ...Object.values(manifest.action.default_icon),
    manifest.action.default_popup,
    manifest.options_ui.page,
    ...manifest.content_scripts.flatMap(({ js, css }) => [...js, ...css]),
    ...(manifest.background.scripts ?? [manifest.background.service_worker]),
  ];
  for (const name of named) if (!(name in files)) faults.push(`the manifest names ${name}, which is not there`);
  for (const [size, name] of Object.entries(manifest.icons)) {
    // The width stands at this place of every PNG file.
    const width = files[name] && new DataView(files[name].buffer, files[name].byteOffset).getUint32(16);
    if (width !== Number(size)) faults.push(`${name} is ${width} px wide, not ${size}`);
  }
  for (const size of [16, 32, 48, 128]) if (!(size in manifest.icons)) faults.push(`there is no icon of ${size} px`);
  if (manifest.manifest_version !== 3) faults.push("the manifest is not of version 3");
  if (!/^\d+(\.\d+){1,3}$/.test(manifest.version)) faults.push(`${manifest.version} is no version number`);
  if ("key" in manifest) faults.push("the store gives the key itself");
  if ("update_url" in manifest || "web_accessible_resources" in manifest) faults.push("the manifest opens what it should not");
  if (browser === "firefox" && !manifest.browser_specific_settings?.gecko?.data_collection_permissions?.required) faults.push("Firefox wants to be told what data is collected");
  for (const [folder] of Object.entries(LANGUAGES)) faults.push(...faultsOfMessages(manifest, folder, files[`_locales/${folder}/messages.json`]));
  return faults;
}

function faultsOfMessages(manifest, folder, bytes) {
  if (!bytes) return [`_locales/${folder} is missing`];
  const messages = JSON.parse(decode(bytes));
  const wanted = [...JSON.stringify(manifest).matchAll(/__MSG_(\w+)__/g)].map(([, name]) => name);
  const faults = wanted.filter((name) => !messages[name]?.message).map((name) => `_locales/${folder} does not say ${name}`);
  const { extensionName, extensionDescription } = messages;
  if ((extensionName?.message ?? "").length > MAX_NAME) faults.push(`the name in ${folder} is too long`);
  if ((extensionDescription?.message ?? "").length > MAX_SUMMARY) faults.push(`the description in ${folder} has more than ${MAX_SUMMARY} characters`);
  return faults;
}

/** The texts of the stores' forms: complete in every language, with a reason for every permission. */
export function faultsOfTexts(texts, manifest) {
  const faults = [];
  const reasons = [...manifest.permissions, ...manifest.host_permissions, "content_scripts", "optional_host_permissions", "remote_code"];
  for (const [language, text] of Object.entries(texts)) {
    if (!(text.name?.length <= MAX_STORE_NAME)) faults.push(`store, ${language}: the name has more than ${MAX_STORE_NAME} characters`);
    if (!(text.summary?.length <= MAX_SUMMARY)) faults.push(`store, ${language}: the summary has more than ${MAX_SUMMARY} characters`);
    if (!(text.description?.length > 200)) faults.push(`store, ${language}: there is no description`);
    for (const part of ["single_purpose", "data", "data_collection"]) if (!text.privacy?.[part]) faults.push(`store, ${language}: privacy.${part} is missing`);
    for (const reason of reasons) if (!text.permissions?.[reason]) faults.push(`store, ${language}: no reason is given for ${reason}`);
    for (const given of Object.keys(text.permissions ?? {})) if (!reasons.includes(given)) faults.push(`store, ${language}: ${given} is not asked for`);
  }
  return faults;
}
