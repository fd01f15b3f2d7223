"""A site of the user's own: added in the settings or the popup it is checked from its next load on.

The browser's question for the permission cannot be answered by a script. Here the manifest has the permission
from the start, so the browser says yes without asking; everything after its yes is as on a user's computer.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, Playwright, expect

from browser.composer import Composer
from browser.conftest import Chromium
from browser.settings_page import go
from browser.toolbar import popup

MAIL = "jane.cooper@hotmail.com"
TYPED = f"write to {MAIL}"
SITE = "https://chat.example.test"
OTHER = "https://talk.example.test"


@pytest.fixture(scope="module")
def unconnected(
    playwright: Playwright, extension: Path, pages: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[BrowserContext]:
    own = shutil.copytree(extension, tmp_path_factory.mktemp("granted") / "extension")
    manifest = json.loads((own / "manifest.json").read_text())
    manifest["host_permissions"] += [f"{SITE}/*", f"{OTHER}/*"]
    (own / "manifest.json").write_text(json.dumps(manifest))
    profile = tmp_path_factory.mktemp("profile")
    context = Chromium(playwright, own, pages, profile).launch()
    yield context
    context.close()
    shutil.rmtree(profile, ignore_errors=True)


def type_into(page: Page, origin: str) -> Composer:
    page.bring_to_front()
    composer = Composer.open(page, "textarea", origin=origin)
    composer.focus()
    composer.type(TYPED, delay_ms=1)
    return composer


def assert_checked(page: Page, origin: str) -> None:
    type_into(page, origin).wait_for_marks([MAIL])


def assert_left_alone(page: Page, origin: str) -> None:
    composer = type_into(page, origin)
    page.wait_for_timeout(1200)
    assert composer.marked() == []


def test_a_site_added_in_the_settings_is_checked_until_it_is_removed(page: Page) -> None:
    assert_left_alone(page, SITE)
    options = page.context.new_page()
    go(options, "sites")
    options.fill("#add-site", "chat.example.test")
    options.get_by_role("button", name="Add", exact=True).click()
    row = options.locator("tr", has_text="chat.example.test")
    expect(row).to_have_count(1)
    assert_checked(page, SITE)
    assert_left_alone(page, OTHER)
    options.bring_to_front()
    row.get_by_role("button", name="Remove this site").click()
    expect(row).to_have_count(0)
    assert_left_alone(page, SITE)
    options.close()


def test_a_site_added_in_the_popup_is_checked_and_can_be_switched_off(page: Page) -> None:
    assert_left_alone(page, OTHER)
    with popup(page) as shown:
        assert "not" in shown.inner_text("#state")
        shown.bring_to_front()
        shown.get_by_role("button", name="Check this site too").click()
        expect(shown.locator("#site")).to_be_checked()
        expect(shown.locator("#state")).to_have_text("Reload this tab to go on checking.")
    assert_checked(page, OTHER)
    with popup(page) as shown:
        expect(shown.locator("#state")).to_contain_text("1 thing on this page")
        shown.bring_to_front()
        shown.uncheck("#site")
        expect(shown.locator("#state")).to_have_text("Limen is off on this site.")
    assert_left_alone(page, OTHER)


def test_a_site_that_the_browser_does_not_allow_is_not_added(page: Page) -> None:
    """The browser's no, as the settings page gets it."""
    options = page.context.new_page()
    options.add_init_script("chrome.permissions.request = () => Promise.resolve(false)")
    go(options, "sites")
    options.fill("#add-site", "no.example.test")
    options.get_by_role("button", name="Add", exact=True).click()
    expect(options.locator("#add-site-result")).to_contain_text("did not give the permission")
    expect(options.locator("tr", has_text="no.example.test")).to_have_count(0)
    # Nor is it when the page says that it was allowed: the background asks the browser itself.
    answer = options.evaluate(
        "(origin) => chrome.runtime.sendMessage({ kind: 'AddSite', origin })", "https://no.example.test"
    )
    assert answer is False
    options.close()
