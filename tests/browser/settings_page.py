"""The settings page as its user sees it."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Locator, Page

from browser.extension_build import EXTENSION_ID, PAGES

ADDRESS = f"chrome-extension://{EXTENSION_ID}/options/options.html"
SECTIONS = (
    "boundary",
    "history",
    "lists",
    "calibrate",
    "behaviour",
    "sites",
    "detector",
    "privacy",
    "connection",
)


def go(page: Page, section: str) -> None:
    """Opens a section afresh and waits until it has been drawn."""
    page.goto("about:blank")
    page.goto(f"{ADDRESS}#{section}")
    page.wait_for_selector("#main > section:not([data-drawing])")


def ask(page: Page, path: str, /, **body: Any) -> Any:
    """What the daemon itself says, asked through the background."""
    message = {"kind": "CallDaemon", "path": path, "body": body}
    outcome = page.evaluate("(message) => chrome.runtime.sendMessage(message)", message)
    assert outcome["ok"], outcome
    return outcome["body"]


def toast(page: Page) -> Locator:
    return page.locator("#toast")


def axe(page: Page) -> list[object]:
    page.evaluate((PAGES / "dist" / "axe.min.js").read_text() + "; 0")
    found: list[object] = page.evaluate(
        "async () => (await axe.run()).violations.map((one) => [one.id, one.nodes.map((node) => node.html)])"
    )
    return found


def width(page: Page) -> int:
    return int(page.evaluate("() => document.documentElement.scrollWidth"))
