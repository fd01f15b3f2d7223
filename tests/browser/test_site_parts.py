"""Hosts of which only a part is a chat, reached and left without a load; what the table of sites holds."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from browser.composer import Composer, until
from browser.extension_build import EXTENSION, EXTENSION_ID
from browser.toolbar import badge, popup, wait_for_title, worker

MAIL = "jane.cooper@hotmail.com"
TYPED = f"my email is {MAIL} for now"
ONE_MARK = "1 thing on this page tells something about you."
PARTS = [
    ("https://x.com", "/i/grok"),
    ("https://github.com", "/copilot"),
    ("https://huggingface.co", "/chat/"),
]


def go(page: Page, path: str) -> None:
    """As the site's own links do."""
    page.evaluate("(path) => history.pushState({}, '', path)", path)


def is_left_alone(page: Page) -> bool:
    page.wait_for_timeout(1000)
    return page.evaluate("() => CSS.highlights.size") == 0 and badge(page) == ""


@pytest.mark.parametrize(("host", "path"), PARTS)
def test_a_part_of_a_host_is_checked_as_soon_as_it_is_reached_and_until_it_is_left(
    compose: Callable[..., Composer], page: Page, host: str, path: str
) -> None:
    composer = compose("prosemirror", origin=f"{host}/elsewhere", text=TYPED)
    composer.type(" ")
    assert is_left_alone(page)
    go(page, path)
    composer.wait_for_mark(MAIL)
    wait_for_title(page, ONE_MARK)
    go(page, f"{path.rstrip('/')}/c/1")
    page.wait_for_timeout(500)
    assert composer.marked() == [MAIL]
    go(page, "/elsewhere")
    composer.wait_for_unmarked(MAIL)
    composer.type("and so on ")
    assert is_left_alone(page)
    with popup(page) as shown:
        expect(shown.locator("#state")).to_have_text("Limen does not check this site.")
    page.go_back()
    composer.wait_for_mark(MAIL)
    wait_for_title(page, ONE_MARK)


def test_an_empty_frame_goes_by_the_address_of_its_page(page: Page) -> None:
    page.goto("https://github.com/elsewhere?ed=plain")
    until(page.main_frame, page, "() => Boolean(window.__ed?.host)")
    composer = Composer.in_empty_frame(page)
    composer.type(TYPED)
    page.wait_for_timeout(1000)
    assert composer.marked() == []
    go(page, "/copilot")
    composer.wait_for_mark(MAIL)
    go(page, "/elsewhere")
    composer.wait_for_unmarked(MAIL)


def test_a_part_that_is_switched_off_stays_off_when_it_is_reached(
    compose: Callable[..., Composer], page: Page
) -> None:
    write = "(sitesOff) => chrome.storage.local.set({ settings: { sitesOff } })"
    worker(page).evaluate(write, ["github.com"])
    try:
        compose("prosemirror", origin="https://github.com/elsewhere", text=TYPED)
        go(page, "/copilot")
        wait_for_title(page, "Limen is off on this site.")
        assert is_left_alone(page)
    finally:
        worker(page).evaluate(write, [])


def test_parts_of_hosts_cost_the_user_no_further_permission(page: Page) -> None:
    page.goto(f"chrome-extension://{EXTENSION_ID}/options/options.html")
    manifest = "chrome.runtime.getManifest()"
    warnings = "await chrome.management.getPermissionWarningsByManifest(JSON.stringify(manifest))"
    now, narrow = page.evaluate(f"""async () => {{
        const manifest = {manifest};
        const now = {warnings};
        for (const script of manifest.content_scripts) {{
            script.matches = script.matches.map((one) => one.replace(/[*][*]$/, "only/this*"));
        }}
        return [now, {warnings}];
    }}""")
    assert now == narrow and now


def test_every_column_of_the_table_is_one_that_is_read() -> None:
    table = json.loads((EXTENSION / "src" / "sites.json").read_text())
    assert {column for site in table for column in site} == {
        "id", "name", "matches", "parts", "enter", "send",
    }  # fmt: skip
