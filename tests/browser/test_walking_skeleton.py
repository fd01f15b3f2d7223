"""Typed text is underlined by the real model in a real browser, and can be redacted and brought back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page

from browser.composer import Composer

TYPED = "my 3 year old repeats syllables twice and I'm worried"


def test_a_disclosure_typed_into_prosemirror_is_marked_redacted_and_brought_back(
    compose: Callable[..., Composer], page: Page, artifacts: Path
) -> None:
    composer = compose("prosemirror")
    stop_watching = page.evaluate_handle("() => __watchMutations()")
    composer.type(TYPED)
    phrase = composer.wait_for_mark("3 year old")
    assert all(text in TYPED for text in composer.marked())
    page.screenshot(path=artifacts / "composer.png")

    card = composer.open_card(phrase)
    assert card.call("return this.querySelector('.tells').textContent").strip() != ""
    page.screenshot(path=artifacts / "card.png")
    composer.press_in_card("Redact")
    composer.wait_for_placeholder(TYPED, phrase)
    composer.roots.wait_for(".toast", "Redacted.")
    stop_watching.dispose()

    page.keyboard.press("Control+z")
    composer.wait_for_text(TYPED)
    composer.wait_for_mark(phrase)


def test_marks_leave_the_editors_dom_as_it_was(compose: Callable[..., Composer], page: Page) -> None:
    composer = compose("prosemirror", text=TYPED)
    stop_watching = page.evaluate_handle("() => __watchMutations()")
    page.keyboard.press("End")
    phrase = composer.wait_for_mark("3 year old")
    composer.open_card(phrase)
    page.keyboard.press("Escape")
    composer.roots.wait_gone(".card")
    assert stop_watching.evaluate("(stop) => stop()") == []


def test_a_click_on_a_mark_opens_the_card_and_the_editor_keeps_its_focus(
    compose: Callable[..., Composer], page: Page
) -> None:
    composer = compose("prosemirror", text=TYPED)
    phrase = composer.wait_for_mark("3 year old")
    page.evaluate("() => { __log.length = 0 }")
    composer.open_card(phrase)
    composer.press_in_card("Why marked?")
    composer.press_in_card("Keep")
    composer.roots.wait_gone(".card")
    assert page.evaluate("() => __log") == []
    page.wait_for_function(
        "(phrase) => ![...CSS.highlights.values()].some((h) => [...h].some((r) => r.toString() === phrase))",
        arg=phrase,
    )
    composer.type("X")
    assert "X" in composer.text
    assert composer.text.replace("X", "") == TYPED


def test_a_textarea_is_marked_and_redacted_by_one_undoable_step(
    compose: Callable[..., Composer], page: Page
) -> None:
    composer = compose("textarea")
    composer.type(TYPED)
    phrase = composer.wait_for_mark("3 year old")
    composer.open_card(phrase)
    composer.press_in_card("Redact")
    composer.wait_for_placeholder(TYPED, phrase)
    page.keyboard.press("Control+z")
    composer.wait_for_text(TYPED)
