"""Saying it less exactly: the card offers wordings that fit, and undo brings the phrase back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from browser.composer import Composer
from browser.test_decisions import call, daemon, extension, forget_all, port, wait_for_decisions
from browser.toolbar import command, worker

__all__ = ["call", "daemon", "extension", "port"]  # fixtures: a daemon with a profile of its own

TYPED = "is it normal that my 3 year old repeats syllables twice?"
SAID = "is it normal that my young child repeats syllables twice?"
JOB = "I am an electrician and I live in Leeds with two cats"


@pytest.mark.parametrize("editor", ["prosemirror", "textarea", "lexical", "slate"])
def test_a_wording_takes_the_phrases_place_and_undo_takes_it_back(
    compose: Callable[..., Composer], editor: str
) -> None:
    composer = compose(editor, text=TYPED)
    phrase = composer.wait_for_mark("3 year old")
    composer.open_card(phrase)
    composer.press_in_card("Generalize")
    wording = composer.roots.wait_for(".card .wording", "young child")
    assert "3" not in wording.text
    wording.click()
    composer.wait_for_text(SAID)
    composer.roots.wait_for(".toast", "Generalized.")
    composer.roots.wait_for(".toast button", "Undo").click()
    composer.wait_for_text(TYPED)


def test_the_keyboard_alone_chooses_a_wording_and_goes_on_typing(
    compose: Callable[..., Composer], page: Page
) -> None:
    composer = compose("prosemirror", text=TYPED)
    composer.wait_for_mark("3 year old")
    page.keyboard.press("Control+Home")
    command(page, "open-mark")
    composer.roots.wait_for(".card", "3 year old")
    page.keyboard.press("3")
    composer.roots.wait_for(".card .wording", "young child")
    page.keyboard.press("Enter")
    composer.wait_for_text(SAID)
    page.keyboard.press("End")
    composer.type(" ok")
    composer.wait_for_text(SAID + " ok")


def test_the_words_before_the_phrase_change_with_it(compose: Callable[..., Composer]) -> None:
    composer = compose("prosemirror", text=JOB)
    phrase = composer.wait_for_mark("electrician")
    composer.open_card(phrase)
    composer.press_in_card("Generalize")
    composer.roots.wait_for(".card .wording", "in construction").click()
    composer.wait_for_text(JOB.replace("am an electrician", "work in construction"))
    composer.roots.wait_for(".toast button", "Undo").click()
    composer.wait_for_text(JOB)


def test_what_was_reached_is_recorded_and_undo_takes_the_record_back(
    compose: Callable[..., Composer], page: Page, call: Callable[..., Any]
) -> None:
    forget_all(call)
    page.bring_to_front()
    composer = compose("prosemirror", text=TYPED)
    phrase = composer.wait_for_mark("3 year old")
    composer.open_card(phrase)
    composer.press_in_card("Generalize")
    composer.roots.wait_for(".card .wording", "young child").click()
    composer.wait_for_text(SAID)
    (item,) = wait_for_decisions(call, 1)
    assert (item["decision"], item["to_granularity"], item["to_identifiability"]) == ("generalized", 1, 1)
    assert item["phrase"] is None
    composer.roots.wait_for(".toast button", "Undo").click()
    composer.wait_for_text(TYPED)
    wait_for_decisions(call, 0)


def test_a_chinese_phrase_gets_a_chinese_wording(compose: Callable[..., Composer]) -> None:
    text = "我三岁的孩子说话总是重复，正常吗"
    composer = compose("prosemirror", text=text)
    phrase = composer.wait_for_mark("三岁")
    composer.open_card(phrase)
    composer.press_in_card("Generalize")
    composer.roots.wait_for(".card .wording", "小").click()
    composer.until("(text) => __ed.text() !== text", text)
    assert "三岁" not in composer.text
    composer.roots.wait_for(".toast", "Generalized.")


def test_the_reason_for_a_mark_is_said_in_the_users_language(
    compose: Callable[..., Composer], page: Page, call: Callable[..., Any]
) -> None:
    rule = call("/v1/lists/add", rule="block", scope="category", value="contact")
    worker(page).evaluate("() => chrome.storage.local.set({ settings: { language: 'zh' } })")
    page.bring_to_front()
    composer = compose("prosemirror", text="my email is jane.cooper@hotmail.com for now")
    composer.wait_for_mark("jane.cooper@hotmail.com")
    composer.open_card("jane.cooper@hotmail.com")
    composer.roots.wait_for(".card", "这一类你从不透露。")
    call("/v1/lists/remove", id=rule["id"])
    worker(page).evaluate("() => chrome.storage.local.set({ settings: {} })")


def test_where_no_wording_is_known_the_users_own_is_asked_for(
    compose: Callable[..., Composer], page: Page
) -> None:
    text = "I hate my manager and I am worried about it"
    composer = compose("prosemirror", text=text)
    phrase = composer.wait_for_mark("hate my manager")
    composer.open_card(phrase)
    composer.press_in_card("Generalize")
    composer.roots.wait_for(".card input")
    page.wait_for_timeout(500)
    assert composer.roots.all(".card .wording") == []
