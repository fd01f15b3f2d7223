// The two manifests, written from one place: only what differs between the browsers is written twice.
import { readFileSync } from "node:fs";

const sites = JSON.parse(readFileSync(new URL("../src/sites.json", import.meta.url), "utf8"));
const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));

/** Public half of the key that fixes the unpacked extension's id in Chromium: nelfjnfdnekdpbmigecgomjlbhfbblnj. */
const CHROMIUM_KEY =
  "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAyR+8DVzuWGvHzF3cG3ufT8+6iLhEfriW8T1Uf6fWPiEk+IU+YP70AhTWMDKuAbf+20z8kbdeZoZMtv/1ELvXnzP+8IQcffyCcqAT8Kj2+wpHX1RNg6FsVKEcfkCG6q8bV11A2ySb9qQTyAGekjHA3pUNnIrpjXIcI3+ktK0B5J5q86sTSdvfoKTfrnqhoEV8AQESBAeRR71oeiMOjsvoeht4nLYEGYdNInwhGzRjvmmLBFP2zkaeZdJm+lnzG/gvqDap63X0NoiXwcw0AX45Moe2F05s+iEXwEHMu7KdtsO1K//aNaJ95sew1zvXc8E1sVkcRaHjD7xSApanizwTuQIDAQAB";

export const FIREFOX_ID = "limen@limen.invalid";

export const sitePatterns = [...new Set(sites.flatMap((site) => site.matches))].sort();

/**
 * @param {"chromium" | "firefox"} browser
 * @param {string[]} extraMatches match patterns a test build adds
 * @param {boolean} isForStore the Chrome Web Store gives the id itself and refuses a key
 */
export function manifestFor(browser, extraMatches = [], isForStore = false) {
  const matches = [...sitePatterns, ...extraMatches];
  const script = {
    js: ["content/content.js"],
    css: ["content/marks.css"],
    all_frames: true,
    match_about_blank: true,
    run_at: "document_start",
  };
  // Frames without an address of their own can be matched by origin only where a whole host is meant.
  const wholeHosts = matches.filter((pattern) => /^[^/]+:\/\/[^/]+\/\*$/.test(pattern));
  const partsOfHosts = matches.filter((pattern) => !wholeHosts.includes(pattern));
  const common = {
    manifest_version: 3,
    name: "__MSG_extensionName__",
    description: "__MSG_extensionDescription__",
    version,
    default_locale: "en",
    icons: { 16: "icons/on-16.png", 32: "icons/on-32.png", 48: "icons/on-48.png", 64: "icons/on-64.png", 96: "icons/on-96.png", 128: "icons/on-128.png" },
    permissions: ["storage", "scripting", "activeTab"],
    host_permissions: ["http://127.0.0.1/*"],
    optional_host_permissions: ["https://*/*", "http://*/*"],
    content_security_policy: {
      extension_pages: "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src http://127.0.0.1:*; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    },
    action: {
      default_title: "Limen",
      default_popup: "popup/popup.html",
      default_icon: { 16: "icons/off-16.png", 32: "icons/off-32.png" },
    },
    options_ui: { page: "options/options.html", open_in_tab: true },
    commands: {
      "open-mark": { suggested_key: { default: "Alt+Shift+L" }, description: "__MSG_commandOpen__" },
      "next-mark": { suggested_key: { default: "Alt+Shift+Period" }, description: "__MSG_commandNext__" },
      "previous-mark": { suggested_key: { default: "Alt+Shift+Comma" }, description: "__MSG_commandPrevious__" },
    },
    content_scripts: [
      { ...script, matches: wholeHosts, match_origin_as_fallback: true },
      { ...script, matches: partsOfHosts },
    ],
  };
  if (browser === "chromium") {
    return {
      ...common,
      ...(isForStore ? {} : { key: CHROMIUM_KEY }),
      minimum_chrome_version: "140",
      background: { service_worker: "background/background.js" },
    };
  }
  return {
    ...common,
    background: { scripts: ["background/background.js"] },
    browser_specific_settings: {
      gecko: {
        id: FIREFOX_ID,
        strict_min_version: "153.0",
        data_collection_permissions: { required: ["none"] },
      },
    },
  };
}
