"""A real Chromium with the unpacked extension and a real daemon. A fresh profile for every test module."""

from __future__ import annotations

import mimetypes
import os
import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, Playwright, Route, expect, sync_playwright

from browser.composer import Composer
from browser.daemon_process import DaemonProcess, free_port
from browser.extension_build import EXTENSION_ID, ROOT, build_extension, build_pages

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if is_here(item):
            item.add_marker(pytest.mark.browser)
    # Last: while the browser driver is up, its event loop keeps asynchronous tests from running theirs.
    items.sort(key=is_here)


def is_here(item: pytest.Item) -> bool:
    return Path(__file__).parent in item.path.parents


def find_chromium() -> str:
    found = os.environ.get("LIMEN_CHROMIUM") or shutil.which("chromium")
    if not found:
        pytest.skip("no Chromium; install it, or set LIMEN_CHROMIUM to it")
    return found


@dataclass
class Chromium:
    """A browser with the extension in it. `origin_urls` of every host are answered from `pages`."""

    playwright: Playwright
    extension: Path
    pages: Path
    profile: Path
    options: dict[str, object] = field(default_factory=dict)

    def launch(self) -> BrowserContext:
        context = self.playwright.chromium.launch_persistent_context(
            str(self.profile),
            executable_path=find_chromium(),
            headless=True,
            args=[
                *FLAGS,
                f"--load-extension={self.extension}",
                f"--disable-extensions-except={self.extension}",
            ],
            viewport={"width": 900, "height": 600},
            **self.options,  # type: ignore[arg-type]
        )
        context.set_default_timeout(60_000)
        context.route("https://**/*", self._answer)
        if not context.service_workers:
            context.wait_for_event("serviceworker")
        # Once installed, the extension opens its options page by itself, in whatever tab is free.
        deadline = time.monotonic() + 30
        while not any(page.url.endswith("/options/options.html") for page in context.pages):
            assert time.monotonic() < deadline, "the options page was not opened after the installation"
            context.pages[0].wait_for_timeout(50)
        return context

    def _answer(self, route: Route) -> None:
        name = route.request.url.split("?")[0].split("/", 3)[3] or "index.html"
        file = self.pages / Path(name).name
        if not file.is_file():
            file = self.pages / "index.html" if "." not in Path(name).name else file
        if not file.is_file():
            route.fulfill(status=404, body="")
            return
        kind = mimetypes.guess_type(file.name)[0] or "text/html"
        # Sandboxed frames have no origin; a strict page allows no styles or scripts but its own.
        headers = {"content-type": f"{kind}; charset=utf-8", "access-control-allow-origin": "*"}
        if "csp=1" in route.request.url:
            headers["content-security-policy"] = "default-src 'self'; style-src 'self'; script-src 'self'"
        route.fulfill(status=200, headers=headers, body=file.read_bytes())


def type_code(context: BrowserContext, code: str) -> str:
    """Types a code into the options page, as the user does; returns what the page says to it."""
    page = context.new_page()
    page.goto(f"chrome-extension://{EXTENSION_ID}/options/options.html#connection")
    page.fill("#code", code)
    page.click("#connect button[type=submit]")
    result = page.locator("#connection-result")
    expect(result).not_to_have_text("", timeout=60_000)
    expect(result).not_to_contain_text("…", timeout=60_000)
    said = page.inner_text("#connection-result")
    page.close()
    return said


def connect(context: BrowserContext, daemon: DaemonProcess) -> None:
    with daemon.pairing() as code:
        assert type_code(context, code).startswith("Connected.")


@pytest.fixture(scope="session")
def port() -> int:
    return free_port()


@pytest.fixture(scope="session")
def extension(tmp_path_factory: pytest.TempPathFactory, port: int) -> Path:
    return build_extension(tmp_path_factory.mktemp("extension"), port) / "chromium"


@pytest.fixture(scope="session")
def pages() -> Path:
    return build_pages()


@pytest.fixture(scope="session")
def daemon(tmp_path_factory: pytest.TempPathFactory, port: int) -> Iterator[DaemonProcess]:
    process = DaemonProcess(tmp_path_factory.mktemp("daemon"), port)
    process.start()
    yield process
    process.stop()


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="module")
def unconnected(
    playwright: Playwright, extension: Path, pages: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[BrowserContext]:
    """The browser as it is right after the extension was installed."""
    profile = tmp_path_factory.mktemp("profile")
    context = Chromium(playwright, extension, pages, profile).launch()
    yield context
    context.close()
    shutil.rmtree(profile, ignore_errors=True)


@pytest.fixture(scope="module")
def browser(unconnected: BrowserContext, daemon: DaemonProcess) -> BrowserContext:
    connect(unconnected, daemon)
    return unconnected


@pytest.fixture
def page(browser: BrowserContext) -> Iterator[Page]:
    opened = browser.new_page()
    yield opened
    opened.close()


@pytest.fixture
def compose(page: Page) -> Callable[..., Composer]:
    """Opens a composer: `compose("prosemirror", text="...")`, focused, the caret at its end."""

    def open_(editor: str, **query: str) -> Composer:
        composer = Composer.open(page, editor, **query)
        composer.focus()
        return composer

    return open_


@pytest.fixture(scope="session")
def artifacts() -> Path:
    folder = ROOT / "artifacts"
    folder.mkdir(exist_ok=True)
    return folder
