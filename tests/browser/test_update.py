"""The extension is updated while a tab is open: nothing that no longer works may look as if it did."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page

from browser.composer import Composer
from browser.toolbar import worker

MAIL = "jane.cooper@hotmail.com"


def test_a_tab_from_before_an_update_asks_to_be_reloaded(
    compose: Callable[..., Composer], page: Page
) -> None:
    composer = compose("prosemirror", text=f"write to {MAIL}")
    composer.wait_for_mark(MAIL)
    worker(page).evaluate("() => { setTimeout(() => chrome.runtime.reload(), 0) }")
    page.wait_for_timeout(2000)
    composer.focus()
    composer.type(" or bob.lee@yahoo.com")
    composer.roots.wait_for(".toast", "Reload this tab to go on checking.")
    assert composer.marked() == []
