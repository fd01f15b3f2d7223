"""The browser may stop the background at any time, also while an answer is awaited."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from browser.composer import Composer
from browser.daemon_process import DaemonProcess
from browser.extension_build import EXTENSION_ID
from browser.toolbar import tab_id, wait_for_title, worker

MAIL = "jane.cooper@hotmail.com"


def stop_background(page: Page) -> None:
    """As the browser does after 30 s without work: what it was waiting for is lost."""
    worker(page).evaluate("() => { globalThis.isFromBefore = true }")
    session = page.context.new_cdp_session(page)
    targets = session.send("Target.getTargets")["targetInfos"]
    (own,) = (one for one in targets if one["type"] == "service_worker" and EXTENSION_ID in one["url"])
    session.send("Target.closeTarget", {"targetId": own["targetId"]})
    page.wait_for_timeout(500)


def is_started_anew(page: Page) -> bool:
    return worker(page).evaluate("() => globalThis.isFromBefore === undefined") is True


def said_in_popup(page: Page, tab: int, words: str) -> None:
    shown = page.context.new_page()
    try:
        shown.goto(f"chrome-extension://{EXTENSION_ID}/popup/popup.html?tab={tab}")
        expect(shown.locator("#state")).to_contain_text(words, timeout=30_000)
    finally:
        shown.close()


def test_a_background_stopped_while_an_answer_is_awaited_loses_no_key_and_the_text_is_checked_all_the_same(
    compose: Callable[..., Composer], page: Page, daemon: DaemonProcess
) -> None:
    composer = compose("prosemirror")
    tab = tab_id(page)
    with daemon.frozen():
        composer.type(f"write to {MAIL}")
        page.wait_for_timeout(1500)
        stop_background(page)
        page.bring_to_front()
        composer.type(" or call")
        assert composer.text == f"write to {MAIL} or call"
        assert composer.marked() == []
    composer.type(" me")
    composer.wait_for_mark(MAIL)
    assert is_started_anew(page)
    assert composer.text == f"write to {MAIL} or call me"
    said_in_popup(page, tab, "1 thing on this page")


def test_a_background_stopped_between_two_messages_is_started_again_by_the_next(
    compose: Callable[..., Composer], page: Page
) -> None:
    composer = compose("textarea", text=f"write to {MAIL}")
    composer.wait_for_mark(MAIL)
    tab = tab_id(page)
    stop_background(page)
    page.bring_to_front()
    composer.focus()
    composer.type(" or bob.lee@yahoo.com")
    composer.wait_for_marks([MAIL, "bob.lee@yahoo.com"])
    assert is_started_anew(page)
    composer.open_card(MAIL)
    composer.press_in_card("Keep")
    composer.wait_for_unmarked(MAIL)
    said_in_popup(page, tab, "1 thing on this page")


def test_a_daemon_that_hangs_is_said_to_be_slow_then_not_checked_and_is_asked_again(
    compose: Callable[..., Composer], page: Page, daemon: DaemonProcess
) -> None:
    composer = compose("prosemirror")
    with daemon.frozen():
        composer.type(f"write to {MAIL}")
        wait_for_title(page, "Still checking…")
        wait_for_title(page, "Not checked: the answer took too long.")
        composer.type("!")
        assert composer.text == f"write to {MAIL}!"
        assert composer.marked() == []
    composer.wait_for_mark(MAIL)
    wait_for_title(page, "1 thing on this page")
