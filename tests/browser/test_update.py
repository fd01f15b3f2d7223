"""A page is no longer checked: switched off, or the extension was updated under it. Nothing is left there."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page

from browser.composer import Composer
from browser.content_world import ContentWorld
from browser.daemon_process import DaemonProcess
from browser.toolbar import tab_id, worker

MAIL = "jane.cooper@hotmail.com"
OTHER = "bob.lee@yahoo.com"
TYPED = f"write to {MAIL} or {OTHER} ok"


def switch_off(page: Page) -> None:
    worker(page).evaluate(
        """async ([tab, settings]) => {
            await chrome.storage.local.set({ settings });
            await chrome.tabs.sendMessage(tab, { kind: "SettingsChanged" }).catch(() => null);
        }""",
        [tab_id(page), {"sitesOff": ["chatgpt.com"]}],
    )


@pytest.fixture
def restored(page: Page) -> Iterator[None]:
    yield
    worker(page).evaluate("() => chrome.storage.local.set({ settings: {} })")


@pytest.mark.parametrize("hidden", [False, True], ids=["highlights", "hidden marks"])
def test_a_page_that_is_switched_off_while_a_card_is_open_is_as_it_was(
    restored: None, compose: Callable[..., Composer], page: Page, hidden: bool
) -> None:
    worker(page).evaluate("(hiddenMarks) => chrome.storage.local.set({ settings: { hiddenMarks } })", hidden)
    composer = compose("textarea", origin=f"https://chatgpt.com/c/{hidden}")
    world = ContentWorld(page)
    composer.type(TYPED, delay_ms=1)
    for phrase in (MAIL, OTHER):
        # Redacted: replies are watched. Opened: the card follows its phrase.
        if hidden:
            x, y, width, _ = composer.roots.wait_for(".line").box()
            page.mouse.click(x + width / 2, y - 6)
        else:
            composer.wait_for_mark(phrase)
            composer.click_mark(phrase)
        composer.roots.wait_for(".card", phrase)
        if phrase == MAIL:
            composer.press_in_card("Redact")
            composer.roots.wait_for(".toast", "Redacted.")
    left = " ".join(world.left())
    for kind in (
        "setInterval",
        "requestAnimationFrame",
        "MutationObserver",
        "DIV",
        "window input",
        "window copy",
    ):
        assert kind in left, f"no {kind} is seen, so its going would not be"
    switch_off(page)
    world.wait_until_nothing_is_left()


def test_a_page_that_is_switched_off_while_a_phrase_is_being_replaced_is_left_alone_afterwards(
    restored: None, compose: Callable[..., Composer], page: Page
) -> None:
    composer = compose("prosemirror", text=TYPED)
    world = ContentWorld(page)
    composer.wait_for_marks([MAIL, OTHER])
    composer.open_card(MAIL)
    composer.press_in_card("Redact")
    switch_off(page)
    page.wait_for_timeout(700)
    world.wait_until_nothing_is_left()


def test_an_answer_that_comes_when_the_page_is_switched_off_starts_nothing(
    restored: None, compose: Callable[..., Composer], page: Page, daemon: DaemonProcess
) -> None:
    composer = compose("prosemirror", origin="https://chatgpt.com/c/late", text=TYPED)
    composer.wait_for_marks([MAIL, OTHER])
    composer.open_card(MAIL)
    composer.press_in_card("Redact")
    composer.roots.wait_for(".toast", "Redacted.")
    with daemon.frozen():
        page.reload()
        world = ContentWorld(page)
        page.wait_for_timeout(300)
        switch_off(page)
    page.wait_for_timeout(1000)
    world.wait_until_nothing_is_left()


def test_a_tab_from_before_an_update_asks_to_be_reloaded_and_then_nothing_is_left(
    compose: Callable[..., Composer], page: Page
) -> None:
    composer = compose("prosemirror", text=f"write to {MAIL}")
    world = ContentWorld(page)
    composer.wait_for_mark(MAIL)
    worker(page).evaluate("() => { setTimeout(() => chrome.runtime.reload(), 0) }")
    page.wait_for_timeout(2000)
    composer.focus()
    composer.type(f" or {OTHER}")
    composer.roots.wait_for(".toast", "Reload this tab to go on checking.")
    assert composer.marked() == []
    world.wait_until_nothing_is_left()
