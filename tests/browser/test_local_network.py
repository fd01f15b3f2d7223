"""Browsers ask before a page reaches this computer (Local Network Access). The extension needs no yes:

only its background talks to the daemon, and that is covered by the extension's own host permission.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from playwright.sync_api import BrowserContext, Page

from browser.composer import Composer
from browser.extension_build import EXTENSION_ID
from browser.toolbar import wait_for_title, worker

MAIL = "jane.cooper@hotmail.com"
SITE = "https://chatgpt.com"
PERMISSIONS = ("local-network-access", "local-network", "loopback-network")
STATE = "() => navigator.permissions.query({ name: 'loopback-network' }).then((status) => status.state)"


class Anybody(BaseHTTPRequestHandler):
    """Answers whoever asks, as a careless local program does."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def careless() -> Iterator[str]:
    server = HTTPServer(("127.0.0.1", 0), Anybody)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


Answer = Callable[[str], None]


@pytest.fixture
def answer(browser: BrowserContext) -> Iterator[Answer]:
    """Gives the answer to the browser's question beforehand, for the page and for the extension.

    It holds for as long as the session that gave it.
    """
    page = browser.new_page()
    session = browser.new_cdp_session(page)

    def give(setting: str) -> None:
        for origin in (SITE, f"chrome-extension://{EXTENSION_ID}"):
            for name in PERMISSIONS:
                request = {"permission": {"name": name}, "setting": setting, "origin": origin}
                session.send("Browser.setPermission", request)

    yield give
    page.close()


def reached(page: Page, address: str) -> bool:
    fetch = "(url) => fetch(url, { mode: 'no-cors' }).then(() => true, () => false)"
    return bool(page.evaluate(fetch, address))


def test_the_answer_no_is_in_force_for_pages(answer: Answer, page: Page, careless: str) -> None:
    answer("denied")
    Composer.open(page, "plain")
    assert not reached(page, careless)
    answer("granted")
    Composer.open(page, "plain")
    assert reached(page, careless)


def test_texts_are_checked_although_the_answer_was_no(answer: Answer, page: Page) -> None:
    answer("denied")
    assert worker(page).evaluate(STATE) == "denied"
    composer = Composer.open(page, "prosemirror", text=f"write to {MAIL}")
    composer.focus()
    composer.wait_for_mark(MAIL)
    wait_for_title(page, "1 thing on this page")
