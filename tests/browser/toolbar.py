"""The toolbar icon and popup of a tab, and the extension's key commands."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Page, Worker

from browser.extension_build import EXTENSION_ID

PATIENCE_S = 30


def worker(page: Page) -> Worker:
    """The extension's background."""
    return next(one for one in page.context.service_workers if EXTENSION_ID in one.url)


def tab_id(page: Page) -> int:
    page.bring_to_front()
    found = worker(page).evaluate(
        "async () => (await chrome.tabs.query({ active: true, lastFocusedWindow: true }))[0].id"
    )
    return int(found)


def title(page: Page) -> str:
    """What the icon says when the pointer rests on it."""
    return str(worker(page).evaluate("(tabId) => chrome.action.getTitle({ tabId })", tab_id(page)))


def wait_for_title(page: Page, words: str) -> None:
    tab = tab_id(page)
    deadline = time.monotonic() + PATIENCE_S
    said = ""
    while time.monotonic() < deadline:
        said = str(worker(page).evaluate("(tabId) => chrome.action.getTitle({ tabId })", tab))
        if words in said:
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"the icon says {said!r}, not {words!r}")


def badge(page: Page) -> str:
    return str(worker(page).evaluate("(tabId) => chrome.action.getBadgeText({ tabId })", tab_id(page)))


@contextmanager
def popup(page: Page) -> Iterator[Page]:
    """The popup of the page's tab, opened as a page of its own."""
    tab = tab_id(page)
    opened = page.context.new_page()
    try:
        opened.goto(f"chrome-extension://{EXTENSION_ID}/popup/popup.html?tab={tab}")
        opened.wait_for_selector("#state")
        yield opened
    finally:
        opened.close()


def command(page: Page, name: str) -> None:
    """Presses a key command of the extension: it goes to the browser, not to the page."""
    tab = tab_id(page)
    worker(page).evaluate(
        "([tab, command]) => chrome.tabs.sendMessage(tab, { kind: 'Command', command }).catch(() => null)",
        [tab, name],
    )
