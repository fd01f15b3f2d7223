"""Stand-ins: what is kept back still reads as text, stays one person, and comes back in the reply."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page

from browser.composer import Composer
from browser.test_placeholders import MAIL, TYPED, redact, reply
from browser.toolbar import worker


@pytest.fixture(autouse=True)
def stand_ins(page: Page) -> Iterator[None]:
    set_style(page, "standins")
    yield
    set_style(page, "tags")


def set_style(page: Page, style: str) -> None:
    script = "(style) => chrome.storage.local.set({ settings: { placeholderStyle: style } })"
    worker(page).evaluate(script, style)


def test_a_stand_in_takes_the_phrases_place_and_the_reply_shows_the_users_words(
    compose: Callable[..., Composer], page: Page
) -> None:
    composer = compose("prosemirror", origin="https://chatgpt.com/c/standin-one", text=TYPED)
    redact(composer, MAIL)
    found = re.search(r"my email is (\S+@example\.com) and", composer.text)
    assert found, composer.text
    reply(page, f"I would write to {found[1]} today.")
    composer.roots.wait_for(".restored", MAIL)
    assert MAIL not in page.inner_text(".reply")


def test_the_same_words_get_the_same_stand_in_in_the_next_message(
    compose: Callable[..., Composer], page: Page
) -> None:
    composer = compose("prosemirror", origin="https://chatgpt.com/c/standin-two", text=TYPED)
    redact(composer, MAIL)
    found = re.search(r"\S+@example\.com", composer.text)
    assert found, composer.text
    page.click("#send")
    composer.wait_for_text("")
    composer.focus()
    composer.type(f"once more, my email is {MAIL} ")
    redact(composer, MAIL)
    assert composer.text.strip() == f"once more, my email is {found[0]}"


def test_undo_takes_a_stand_in_back(compose: Callable[..., Composer], page: Page) -> None:
    composer = compose("textarea", origin="https://chatgpt.com/c/standin-three", text=TYPED)
    composer.wait_for_mark(MAIL)
    composer.open_card(MAIL)
    composer.press_in_card("Redact")
    composer.roots.wait_for(".toast button", "Undo").click()
    composer.wait_for_text(TYPED)


def test_a_name_is_restored_from_its_first_name_alone(compose: Callable[..., Composer], page: Page) -> None:
    text = "please write to my colleague Anna Weber about it"
    composer = compose("prosemirror", origin="https://chatgpt.com/c/standin-four", text=text)
    phrase = composer.wait_for_mark("Anna Weber")
    redact(composer, phrase)
    made = re.search(r"([A-Z][a-z]+) ([A-Z][a-z]+)", composer.text)
    assert made, composer.text
    assert "Anna" not in composer.text
    reply(page, f"Tell {made[1]} that {made[1]}'s skills are wanted.")
    composer.roots.wait_for(".restored", "Anna")
    assert len(composer.roots.all(".restored")) == 2
