"""Attacks the daemon from a real Chromium: a hostile page, a rebound host, two extensions. Run as a program.

Reads its orders as JSON from stdin and prints what each attacker saw. It runs in a process of its own because
the browser driver brings its own event loop.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import queue
import shutil
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, Page, sync_playwright

FLAGS = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking")
NO_LNA = "--disable-features=LocalNetworkAccessChecks,BlockInsecurePrivateNetworkRequests"
PATIENCE_MS = 20_000

# Each attack resolves with what the page could see of the daemon.
PAGE_ATTACKS = """
async ([base, authorization, ws]) => {
  const text = JSON.stringify({ text: "needle-4711" });
  const url = base + "/v1/detect";
  const seen = async (what) => {
    try { const r = await what; return r.type === "opaque" ? "opaque" : `${r.status} ${await r.text()}`; }
    catch (error) { return error.name; }
  };
  const loaded = (tag, key, rel) => new Promise((resolve) => {
    const element = document.createElement(tag);
    if (rel) element.rel = rel;
    element.onload = () => resolve("load");
    element.onerror = () => resolve("error");
    element[key] = url;
    document.body.append(element);
    setTimeout(() => resolve("nothing"), 3000);
  });
  const signal = () => AbortSignal.timeout(5000);
  const json = { "content-type": "application/json", authorization };
  return {
    "no-cors": await seen(fetch(url, { method: "POST", mode: "no-cors", body: text, signal: signal() })),
    "cors": await seen(fetch(url, { method: "POST", headers: json, body: text, signal: signal() })),
    "cors simple": await seen(fetch(url, { method: "POST", body: text, signal: signal() })),
    "get": await seen(fetch(url, { signal: signal() })),
    "xhr": await new Promise((resolve) => {
      const call = new XMLHttpRequest();
      call.open("POST", url);
      call.timeout = 5000;
      call.onload = () => resolve(`${call.status} ${call.responseText}`);
      call.onerror = call.ontimeout = () => resolve("error");
      call.send(text);
    }),
    "beacon": String(navigator.sendBeacon(url, text)) && "sent",
    "img": await loaded("img", "src"),
    "script": await loaded("script", "src"),
    "style": await loaded("link", "href", "stylesheet"),
    "websocket": await new Promise((resolve) => {
      const socket = new WebSocket(ws);
      socket.onopen = () => resolve("open");
      socket.onerror = () => resolve("error");
      setTimeout(() => resolve("nothing"), 5000);
    }),
    "events": await new Promise((resolve) => {
      const source = new EventSource(url);
      source.onopen = () => resolve("open");
      source.onerror = () => { source.close(); resolve("error"); };
      setTimeout(() => { source.close(); resolve("nothing"); }, 5000);
    }),
  };
}
"""

FORM_ATTACK = """
([url, type]) => {
  const form = document.createElement("form");
  form.method = "POST"; form.action = url; form.enctype = type;
  const input = document.createElement("input");
  input.name = '{"text":"needle-4711","x":"'; input.value = '"}';
  form.append(input); document.body.append(form); form.submit();
}
"""

EXTENSION_CALL = """
async ([url, headers, body]) => {
  try {
    const r = await fetch(url, { method: "POST", headers, body, credentials: "omit" });
    return `${r.status} ${(await r.text()).slice(0, 40)}`;
  } catch (error) { return error.name; }
}
"""


class _HostilePage(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        body = b"<!doctype html><title>hostile</title><body>"
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self) -> None:
        """Where our own extensions leave what they saw."""
        length = int(self.headers["Content-Length"])
        assert isinstance(self.server, HostileSite)
        self.server.reports.put(json.loads(self.rfile.read(length)))
        self.send_response(204)
        self.send_header("Access-Control-Allow-Origin", "*")
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        return None


class HostileSite(ThreadingHTTPServer):
    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _HostilePage)
        self.reports: queue.Queue[dict[str, Any]] = queue.Queue()

    @property
    def port(self) -> int:
        return int(self.server_address[1])


@contextmanager
def hostile_site() -> Iterator[HostileSite]:
    server = HostileSite()
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def extension_id(key: str) -> str:
    digest = hashlib.sha256(base64.b64decode(key)).hexdigest()[:32]
    return "".join(chr(ord("a") + int(digit, 16)) for digit in digest)


def make_extension(folder: Path, key: str) -> Path:
    """An extension that may call 127.0.0.1 and does nothing by itself."""
    folder.mkdir()
    manifest = {
        "manifest_version": 3,
        "name": folder.name,
        "version": "1",
        "key": key,
        "host_permissions": ["http://127.0.0.1/*"],
        "background": {"service_worker": "background.js"},
    }
    (folder / "manifest.json").write_text(json.dumps(manifest))
    (folder / "background.js").write_text("self.oninstall = () => self.skipWaiting();")
    return folder


def call_from(context: BrowserContext, key: str, call: dict[str, Any]) -> str:
    prefix = f"chrome-extension://{extension_id(key)}/"
    workers = [worker for worker in context.service_workers if worker.url.startswith(prefix)]
    while not workers:
        worker = context.wait_for_event("serviceworker", timeout=PATIENCE_MS)
        workers = [worker] if worker.url.startswith(prefix) else []
    result: str = workers[0].evaluate(EXTENSION_CALL, [call["url"], call["headers"], call["body"]])
    return result


def form(page: Page, site: str, url: str, kind: str) -> str:
    """A top-level form: what the page that comes of it shows."""
    page.goto(site)
    with page.expect_event("framenavigated", lambda frame: frame.url != site, timeout=PATIENCE_MS):
        page.evaluate(FORM_ATTACK, [url, kind])
    page.wait_for_load_state()
    return page.evaluate("document.body ? document.body.innerText.trim() : ''") or "empty"


def attack(orders: dict[str, Any], folder: Path) -> dict[str, Any]:
    port, keys = orders["port"], orders["keys"]
    extensions = [make_extension(folder / name, keys[name]) for name in ("ours", "other")]
    paths = ",".join(map(str, extensions))
    flags = [*FLAGS, f"--load-extension={paths}", f"--disable-extensions-except={paths}"]
    flags.append("--host-resolver-rules=MAP evil.test 127.0.0.1,MAP rebound.test 127.0.0.1")
    if not orders["lna"]:
        flags.append(NO_LNA)
    seen: dict[str, Any] = {}
    with hostile_site() as hostile, sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(
            str(folder / "profile"), executable_path=orders["chromium"], headless=True, args=flags
        )
        context.set_default_timeout(PATIENCE_MS)
        site = f"http://evil.test:{hostile.port}/"
        page = context.new_page()
        for name in ("127.0.0.1", "localhost", "0.0.0.0", "rebound.test"):
            page.goto(site)
            base = f"http://{name}:{port}"
            address = f"ws://{name}:{port}/v1/detect"
            seen[name] = page.evaluate(PAGE_ATTACKS, [base, orders["authorization"], address])
            if name == "0.0.0.0":
                continue
            for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
                seen[name][f"form {kind}"] = form(page, site, f"{base}/v1/detect", kind)
        for name in ("other", "ours"):
            seen[name] = call_from(context, keys[name], orders["calls"][name])
        context.close()
    return seen


def main() -> None:
    orders = json.load(sys.stdin)
    folder = Path(tempfile.mkdtemp(prefix="limen-attack-"))
    try:
        print(json.dumps(attack(orders, folder)))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def find_chromium() -> str | None:
    return os.environ.get("LIMEN_CHROMIUM") or shutil.which("chromium")


if __name__ == "__main__":
    main()
