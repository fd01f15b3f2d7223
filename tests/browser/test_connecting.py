"""Connecting the browser to the daemon, and every way in which it fails, in words."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from playwright.sync_api import BrowserContext, Page, Playwright, expect

from browser.closed_root import ClosedRoots
from browser.conftest import Chromium, connect, type_code
from browser.daemon_process import DaemonProcess
from browser.extension_build import EXTENSION_ID

LEAVE_A_TOKEN = """() => new Promise((done, failed) => {
  const opening = indexedDB.open("limen", 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore("secrets");
  opening.onerror = failed;
  opening.onsuccess = () => {
    const writing = opening.result.transaction("secrets", "readwrite");
    writing.objectStore("secrets").put({ kind: "token", token: "t".repeat(43) }, "credential");
    writing.oncomplete = () => { opening.result.close(); done(null); };
  };
})"""
STORED_KIND = """() => new Promise((done, failed) => {
  const opening = indexedDB.open("limen", 1);
  opening.onerror = failed;
  opening.onsuccess = () => {
    const reading = opening.result.transaction("secrets").objectStore("secrets").get("credential");
    reading.onsuccess = () => { opening.result.close(); done(reading.result?.kind ?? null); };
  };
})"""


def stored_kind(page: Page) -> str | None:
    kind: str | None = page.evaluate(STORED_KIND)
    return kind


def test_a_code_connects_once_and_a_wrong_one_says_how_many_tries_are_left(
    unconnected: BrowserContext, daemon: DaemonProcess
) -> None:
    assert "not a whole code" in type_code(unconnected, "K7Q2M")
    assert "no code waiting" in type_code(unconnected, "K7Q2M-9XR4D")
    with daemon.pairing() as code:
        wrong = ("0" if code[0] != "0" else "1") + code[1:]
        assert "4 tries are left" in type_code(unconnected, wrong)
        assert type_code(unconnected, code.lower()).startswith("Connected.")
    assert "no code waiting" in type_code(unconnected, code)


def test_a_browser_that_was_connected_by_a_token_is_asked_for_a_code(
    playwright: Playwright, extension: Path, pages: Path, daemon: DaemonProcess, tmp_path: Path
) -> None:
    """What an earlier version left opens nothing; it goes with the update, and the page says what to do."""
    own = shutil.copytree(extension, tmp_path / "extension")
    manifest = json.loads((own / "manifest.json").read_text())
    (own / "manifest.json").write_text(json.dumps({**manifest, "version": "0.0.1"}))
    chromium = Chromium(playwright, own, pages, tmp_path / "profile")
    with chromium.launch() as before:
        page = before.new_page()
        page.goto(f"chrome-extension://{EXTENSION_ID}/options/options.html#boundary")
        page.evaluate(LEAVE_A_TOKEN)
        assert stored_kind(page) == "token"
        page.reload()
        notice = page.locator(".notice")
        expect(notice).to_contain_text("not connected to Limen yet", timeout=60_000)
        expect(notice).to_contain_text("a code of ten characters")
    (own / "manifest.json").write_text(json.dumps(manifest))
    with chromium.launch() as after:  # comes back once the settings page has been opened by itself
        page = next(page for page in after.pages if page.url.endswith("/options/options.html"))
        expect(page.locator("#connect")).to_contain_text("limen pair", timeout=60_000)
        assert stored_kind(page) is None
        connect(after, daemon)


def test_disconnecting_ends_the_pairing_on_both_sides(
    unconnected: BrowserContext, daemon: DaemonProcess
) -> None:
    connect(unconnected, daemon)
    before = daemon.limen("unpair").splitlines()
    page = unconnected.new_page()
    page.goto(f"chrome-extension://{EXTENSION_ID}/options/options.html#connection")
    page.get_by_role("button", name="Disconnect").click()
    expect(page.locator("#connection-result")).to_contain_text("Disconnected", timeout=60_000)
    assert stored_kind(page) is None
    page.close()
    assert len(daemon.limen("unpair").splitlines()) == len(before) - 1


def test_without_a_daemon_it_says_how_to_start_one(
    unconnected: BrowserContext, daemon: DaemonProcess
) -> None:
    daemon.stop()
    try:
        assert "not running" in type_code(unconnected, "K7Q2M-9XR4D")
    finally:
        daemon.start()


def test_the_first_mark_is_seen_on_the_try_it_page_and_nothing_is_remembered(
    unconnected: BrowserContext, daemon: DaemonProcess
) -> None:
    connect(unconnected, daemon)
    page = unconnected.new_page()
    page.goto(f"chrome-extension://{EXTENSION_ID}/options/options.html#connection")
    page.click("#try-it")
    page.get_by_role("button", name="Write it for me").click()
    expect(page.locator(".pointer")).to_contain_text("click them", timeout=60_000)
    roots = ClosedRoots(page)
    rect = page.evaluate(
        "() => { const r = [...[...CSS.highlights.values()].find((one) => one.size > 0)][0]"
        ".getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2] }"
    )
    page.mouse.click(*rect)
    roots.wait_for(".card button", "Keep").click()
    roots.wait_for(".toast", "Kept.")
    for box in ("#rich", "#chat"):
        page.click(box)
        page.keyboard.type("my email is jane.cooper@hotmail.com ")
        page.wait_for_function(
            """(box) => [...CSS.highlights.values()].flatMap((one) => [...one]).some((range) =>
                range instanceof Range && document.querySelector(box).contains(range.startContainer))""",
            arg=box,
        )
    page.close()
