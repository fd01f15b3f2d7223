"""A history of 100,000 choices is scrolled, jumped through and searched like a short one."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from browser.daemon_process import DaemonProcess, free_port
from browser.extension_build import build_extension
from browser.settings_page import ask, go
from limen_profiles.bench import fill
from limen_profiles.paths import ProfilePaths
from limen_profiles.service import ProfileService

CHOICES = 100_000


@pytest.fixture(scope="module")
def port() -> int:
    return free_port()


@pytest.fixture(scope="module")
def extension(tmp_path_factory: pytest.TempPathFactory, port: int) -> Path:
    return build_extension(tmp_path_factory.mktemp("extension"), port) / "chromium"


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory, port: int) -> Iterator[DaemonProcess]:
    folder = tmp_path_factory.mktemp("daemon")
    service = ProfileService(ProfilePaths(folder / "profile"))
    service.init("key_file", key_file=folder / "keys" / "profile.key")
    fill(service.profile(), CHOICES, random.Random(7))
    service.close()
    process = DaemonProcess(folder, port)
    process.start()
    yield process
    process.stop()


@pytest.fixture
def options(browser: BrowserContext) -> Iterator[Page]:
    page = browser.new_page()
    go(page, "history")
    yield page
    page.close()


def test_only_the_rows_in_view_exist_wherever_it_is_scrolled(options: Page) -> None:
    expect(options.locator("#history-count")).to_have_text("100,000 choices")
    for page_number in (250, 500, 37):
        item = ask(options, "/v1/decisions/list", page=page_number, page_size=200)["items"][0]
        options.evaluate(
            """(index) => {
                const list = document.querySelector('.virtual');
                const height = list.clientHeight / 100000;
                scrollTo(0, list.getBoundingClientRect().top + scrollY + index * height - 100);
            }""",
            (page_number - 1) * 200,
        )
        row = options.locator(f".row-inside[data-id='{item['id']}']")
        expect(row).to_be_in_viewport()
        assert options.locator(".history-row").count() < 60


def test_the_last_row_is_the_oldest_choice(options: Page) -> None:
    oldest = ask(options, "/v1/decisions/list", page=500, page_size=200)["items"][-1]
    options.keyboard.press("End")
    options.evaluate("() => scrollTo(0, document.documentElement.scrollHeight)")
    expect(options.locator(f".row-inside[data-id='{oldest['id']}']")).to_be_in_viewport()


def test_a_search_in_all_of_them_shows_what_was_found(options: Page) -> None:
    options.fill("#search", "number 7777")
    found = ask(options, "/v1/decisions/list", search="number 7777")["total"]
    assert 0 < found < 100
    expect(options.locator("#history-count")).to_have_text(f"{found} choices")
    expect(options.locator(".row-inside").first).to_contain_text("number 7777")
