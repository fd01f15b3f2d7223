"""What the icon and the popup say in every state. "Not checked" is never shown as "nothing found"."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from browser.composer import Composer
from browser.conftest import connect
from browser.daemon_process import DaemonProcess
from browser.extension_build import EXTENSION_ID
from browser.toolbar import badge, popup, wait_for_title, worker

MAIL = "jane.cooper@hotmail.com"


def test_a_text_that_tells_nothing_is_checked_and_fine(compose: Callable[..., Composer], page: Page) -> None:
    compose("prosemirror", text="How to go from Shanghai to London?")
    wait_for_title(page, "Checked. Nothing to point out.")
    with popup(page) as shown:
        assert shown.inner_text("#state") == "Checked. Nothing to point out."
        assert badge(page) == ""


def test_marks_are_counted_listed_and_found_from_the_popup(
    compose: Callable[..., Composer], page: Page
) -> None:
    composer = compose("prosemirror", text=f"write to {MAIL}")
    wait_for_title(page, "1 thing on this page tells something about you.")
    assert badge(page) == "1"
    with popup(page) as shown:
        assert shown.inner_text("#state") == "1 thing on this page tells something about you."
        row = shown.locator("li button")
        assert MAIL in row.inner_text()
        row.click()
    composer.roots.wait_for(".card", MAIL)


def test_what_is_quiet_stands_apart_and_is_not_what_show_opens(
    compose: Callable[..., Composer], page: Page
) -> None:
    composer = compose("prosemirror", text=f"write to {MAIL} or bob.lee@yahoo.com")
    composer.wait_for_marks([MAIL, "bob.lee@yahoo.com"])
    keep(composer, MAIL)
    wait_for_title(page, "1 thing on this page tells something about you.")
    with popup(page) as shown:
        listed = shown.get_by_role("list", name="Marks on this page").locator("li")
        expect(listed).to_have_count(1)
        expect(listed).to_contain_text("bob.lee@yahoo.com")
        quiet = shown.get_by_role("list", name="Quiet, going by your choices").locator("li")
        expect(quiet).to_have_count(1)
        expect(quiet).to_contain_text(MAIL)
        shown.get_by_role("button", name="Show the first").click()
    page.bring_to_front()
    composer.roots.wait_for(".card", "bob.lee@yahoo.com")
    composer.press_in_card("Keep")
    wait_for_title(page, "Checked. Nothing to point out.")
    with popup(page) as shown:
        expect(shown.locator("#quiet")).to_be_visible()
        expect(shown.locator("#marks")).to_have_count(0)


def keep(composer: Composer, phrase: str) -> None:
    composer.open_card(phrase)
    composer.press_in_card("Keep")
    composer.wait_for_unmarked(phrase)


def test_the_popup_says_which_detector_runs_and_how_the_profile_is(
    compose: Callable[..., Composer], page: Page, daemon: DaemonProcess
) -> None:
    compose("prosemirror")
    with popup(page) as shown:
        facts = shown.locator("#facts dd")
        expect(facts).to_have_count(3)
        assert facts.nth(0).inner_text().startswith("runs on this computer, version ")
        detector = facts.nth(1).inner_text()
        assert detector not in ("", "not known")
        assert facts.nth(2).inner_text() == "off: none has been started"
    daemon.stop()
    try:
        with popup(page) as shown:
            expect(shown.locator("#facts dd")).to_have_text(
                ["is not running on this computer", "not known", "not known"]
            )
    finally:
        daemon.start()


def test_a_daemon_killed_mid_word_is_said_and_checking_goes_on_when_it_is_back(
    compose: Callable[..., Composer], page: Page, daemon: DaemonProcess
) -> None:
    composer = compose("prosemirror")
    composer.type("write to jane.coo")
    daemon.stop()
    try:
        composer.type("per@hotmail.com now")
        wait_for_title(page, "Not checked: Limen is not running on this computer.")
        with popup(page) as shown:
            assert shown.inner_text("#state") == "Not checked: Limen is not running on this computer."
            shown.click("#action")
            assert "limen up" in shown.inner_text(".note")
    finally:
        daemon.start()
    composer.wait_for_mark(MAIL)
    wait_for_title(page, "1 thing on this page")


def test_a_browser_that_is_not_connected_says_so(
    compose: Callable[..., Composer], page: Page, browser: BrowserContext, daemon: DaemonProcess
) -> None:
    options = browser.new_page()
    options.goto(f"chrome-extension://{EXTENSION_ID}/options/options.html#connection")
    options.get_by_role("button", name="Disconnect").click()
    expect(options.locator("#connection-result")).to_have_text("Disconnected.")
    options.close()
    try:
        composer = compose("prosemirror", text=f"write to {MAIL}")
        wait_for_title(page, "This browser is not connected to Limen yet.")
        assert composer.marked() == []
        with popup(page) as shown:
            assert shown.inner_text("#state") == "This browser is not connected to Limen yet."
            assert shown.inner_text("#action") == "Connect"
    finally:
        connect(browser, daemon)
    composer.wait_for_mark(MAIL)


def test_a_site_switched_off_is_left_alone_and_says_so(compose: Callable[..., Composer], page: Page) -> None:
    composer = compose("prosemirror", text=f"write to {MAIL}")
    composer.wait_for_mark(MAIL)
    with popup(page) as shown:
        shown.uncheck("#site")
        expect(shown.locator("#state")).to_have_text("Limen is off on this site.")
        composer.wait_for_unmarked(MAIL)
        wait_for_title(page, "Limen is off on this site.")
        shown.bring_to_front()
        shown.check("#site")
    page.bring_to_front()
    composer.focus()
    composer.wait_for_mark(MAIL)


def test_a_pause_is_counted_down_and_can_be_ended(compose: Callable[..., Composer], page: Page) -> None:
    composer = compose("prosemirror", text=f"write to {MAIL}")
    composer.wait_for_mark(MAIL)
    with popup(page) as shown:
        shown.get_by_role("button", name="Pause for 5 minutes").click()
        expect(shown.locator("#state")).to_contain_text("Paused for 5")
        composer.wait_for_unmarked(MAIL)
        shown.get_by_role("button", name="Go on now").click()
        expect(shown.locator("#state")).not_to_contain_text("Paused")
    page.bring_to_front()
    composer.focus()
    composer.wait_for_mark(MAIL)


def attach_file(page: Page) -> None:
    page.evaluate("""() => {
        const input = document.createElement("input");
        input.type = "file";
        input.id = "upload";
        document.querySelector("main").append(input);
    }""")
    page.set_input_files("#upload", {"name": "cv.txt", "mimeType": "text/plain", "buffer": b"Jane Cooper"})


def test_an_attached_file_is_said_to_be_unchecked(compose: Callable[..., Composer], page: Page) -> None:
    compose("prosemirror", text="How to go from Shanghai to London?")
    wait_for_title(page, "Checked. Nothing to point out.")
    attach_file(page)
    wait_for_title(page, "The attached file was not checked.")


@pytest.mark.parametrize("way", ["key", "button"])
def test_a_file_that_was_sent_alone_is_spoken_of_no_more(
    compose: Callable[..., Composer], page: Page, way: str
) -> None:
    composer = compose("textarea")
    attach_file(page)
    wait_for_title(page, "The attached file was not checked.")
    composer.focus()
    if way == "key":
        page.keyboard.press("Enter")
    else:
        page.click("#send")
    page.evaluate("() => __ed.set('')")
    composer.focus()
    composer.type("How to go from Shanghai to London?")
    wait_for_title(page, "Checked. Nothing to point out.")


def test_an_editor_drawn_by_scripts_is_said_to_be_unseen(page: Page) -> None:
    Composer.open(page, "plain")
    page.evaluate("""() => {
        document.querySelector("#mount").replaceChildren();
        const canvas = document.createElement("canvas");
        canvas.tabIndex = 0;
        document.querySelector("#mount").append(canvas);
        canvas.focus();
    }""")
    page.keyboard.type("nobody can read this")
    wait_for_title(page, "Limen can't see the text box on this page.")
    with popup(page) as shown:
        assert shown.inner_text("#action") == "Report it"


def test_an_editor_drawn_by_scripts_is_said_to_be_unseen_beside_a_field_that_is_seen(
    compose: Callable[..., Composer], page: Page
) -> None:
    composer = compose("textarea")
    composer.type("How to go from Shanghai")
    wait_for_title(page, "Checked. Nothing to point out.")
    page.evaluate("""() => {
        const canvas = document.createElement("canvas");
        canvas.tabIndex = 0;
        document.querySelector("main").append(canvas);
        canvas.focus();
    }""")
    page.keyboard.type("nobody can read this")
    wait_for_title(page, "Limen can't see the text box on this page.")
    # A script that changes the field is not the user.
    page.evaluate("() => { __ed.host.value += '.' }")
    page.wait_for_timeout(1000)
    wait_for_title(page, "Limen can't see the text box on this page.")
    composer.focus()
    composer.type(" to London?")
    wait_for_title(page, "Checked. Nothing to point out.")


@pytest.mark.parametrize("language", ["de", "zh"])
def test_the_words_follow_the_language_setting(
    compose: Callable[..., Composer], page: Page, language: str
) -> None:
    set_language = "(language) => chrome.storage.local.set({ settings: { language } })"
    worker(page).evaluate(set_language, language)
    try:
        composer = compose("prosemirror", text=f"write to {MAIL}")
        composer.wait_for_mark(MAIL)
        composer.open_card(MAIL)
        composer.roots.wait_for(".card button", {"de": "Schwärzen", "zh": "遮去"}[language])
    finally:
        worker(page).evaluate(set_language, "auto")
