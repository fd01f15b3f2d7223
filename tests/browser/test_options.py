"""The settings page: every control says what it is, changes apply at once, and axe finds nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from browser.composer import Composer
from browser.conftest import connect
from browser.daemon_process import DaemonProcess
from browser.settings_page import ADDRESS, axe, go
from browser.toolbar import popup, worker

MAIL = "jane.cooper@hotmail.com"


@pytest.fixture
def options(browser: BrowserContext) -> Iterator[Page]:
    page = browser.new_page()
    page.goto(f"{ADDRESS}#behaviour")
    page.wait_for_selector("#language")
    yield page
    page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_the_settings(options: Page, scheme: str) -> None:
    options.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    assert axe(options) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_the_popup(compose: Callable[..., Composer], page: Page, scheme: str) -> None:
    composer = compose("prosemirror", text=f"my email is {MAIL}")
    composer.wait_for_mark(MAIL)
    with popup(page) as shown:
        shown.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        shown.wait_for_selector("li")
        assert axe(shown) == []


def test_it_fits_a_narrow_window(options: Page) -> None:
    options.set_viewport_size({"width": 360, "height": 640})
    assert options.evaluate("() => document.documentElement.scrollWidth") <= 360


def test_the_language_is_changed_at_once_and_back(options: Page) -> None:
    options.select_option("#language", "de")
    expect(options.locator("h1")).to_have_text("Limen-Einstellungen")
    options.select_option("#language", "zh")
    expect(options.locator("h1")).to_have_text("Limen 设置")
    options.select_option("#language", "auto")
    expect(options.locator("h1")).to_have_text("Limen settings")


def test_a_kind_that_is_quiet_on_a_site_is_listed_and_can_be_marked_again(
    compose: Callable[..., Composer], page: Page, options: Page
) -> None:
    page.bring_to_front()
    composer = compose("prosemirror", text=f"my email is {MAIL}")
    composer.wait_for_mark(MAIL)
    composer.open_card(MAIL)
    composer.press_in_card("Always…")
    composer.press_in_card("Never mark this kind on this site")
    composer.roots.wait_for(".toast", "Remembered.")
    composer.wait_for_unmarked(MAIL)
    options.click("[data-section=lists]")
    row = options.locator("li", has_text="Contact details · chatgpt.com")
    row.get_by_role("button", name="Mark again").click()
    expect(row).to_have_count(0)
    page.bring_to_front()
    composer.focus()
    composer.wait_for_mark(MAIL)


def test_hidden_marks_are_drawn_over_a_text_field_and_not_in_the_registry(
    compose: Callable[..., Composer], page: Page, options: Page
) -> None:
    options.check("#hidden")
    expect(options.locator("#toast")).to_contain_text("Saved.")
    try:
        page.bring_to_front()
        composer = compose("textarea", text=f"my email is {MAIL}")
        line = composer.roots.wait_for(".line")
        assert composer.marks() == []
        x, y, width, _ = line.box()
        page.mouse.click(x + width / 2, y - 6)
        composer.roots.wait_for(".card", MAIL)
    finally:
        worker(page).evaluate("() => chrome.storage.local.set({ settings: {} })")


def test_without_a_profile_each_section_says_so_and_what_to_do(options: Page) -> None:
    for section in ("boundary", "history", "calibrate", "privacy"):
        go(options, section)
        notice = options.locator(".notice")
        expect(notice).to_contain_text("There is no profile on this computer.")
        expect(notice.get_by_role("button", name="Start a profile")).to_be_visible()
        expect(options.locator(".map, .row-inside, .dots")).to_have_count(0)
    assert axe(options) == []


def test_a_browser_that_is_not_connected_is_led_to_the_connection(
    options: Page, browser: BrowserContext, daemon: DaemonProcess
) -> None:
    go(options, "connection")
    options.get_by_role("button", name="Disconnect").click()
    expect(options.locator("#connection-result")).to_have_text("Disconnected.")
    try:
        options.click("#self-test")
        expect(options.locator(".links .broken")).to_contain_text("This browser has no code yet.")
        go(options, "history")
        expect(options.locator(".notice")).to_contain_text("This browser is not connected to Limen yet.")
        assert axe(options) == []
        options.get_by_role("link", name="Connect", exact=True).click()
        expect(options.locator("#code")).to_be_visible()
        go(options, "detector")
        expect(options.locator(".notice")).to_contain_text("not connected")
        options.goto("about:blank")
        options.goto(ADDRESS)
        expect(options.locator("#code")).to_be_visible()
    finally:
        connect(browser, daemon)
