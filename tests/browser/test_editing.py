"""Marks through edits, compositions, sent messages and pages that meddle."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from browser.composer import Composer

MAIL = "jane.cooper@hotmail.com"
EDITORS = ("prosemirror", "lexical", "quill", "slate", "draft", "codemirror", "plain", "textarea")


@pytest.mark.parametrize("editor", EDITORS)
def test_a_mark_moves_with_its_phrase_before_the_next_paint(
    compose: Callable[..., Composer], page: Page, editor: str
) -> None:
    composer = compose(editor, text=f"my email is {MAIL}")
    composer.wait_for_mark(MAIL)
    page.keyboard.press("Control+Home")
    for letter in "Hello there, ":
        page.keyboard.press(letter if letter != " " else "Space")
        marked = page.evaluate(
            """() => new Promise((done) => requestAnimationFrame(() => done(
                [...CSS.highlights.values()].flatMap((one) => [...one]).map((range) => range instanceof Range
                    ? range.toString() : __ed.host.value.slice(range.startOffset, range.endOffset)))))"""
        )
        assert marked == [MAIL]
    assert composer.text == f"Hello there, my email is {MAIL}"


@pytest.mark.parametrize("editor", EDITORS)
def test_a_mark_goes_with_the_first_letter_taken_from_its_phrase(
    compose: Callable[..., Composer], page: Page, editor: str
) -> None:
    composer = compose(editor, text=f"my email is {MAIL}")
    composer.wait_for_mark(MAIL)
    page.keyboard.press("Control+End")
    page.keyboard.press("Backspace")
    page.keyboard.press("Backspace")
    assert MAIL not in composer.marked()


@pytest.mark.parametrize("editor", EDITORS)
def test_marks_are_gone_when_the_message_was_sent(
    compose: Callable[..., Composer], page: Page, editor: str
) -> None:
    composer = compose(editor, text=f"my email is {MAIL}")
    composer.wait_for_mark(MAIL)
    composer.open_card(MAIL)
    page.evaluate("() => __ed.set('')")
    composer.roots.wait_gone(".card")
    composer.until("() => [...CSS.highlights.values()].every((one) => [...one].every((r) => r.collapsed))")


@pytest.mark.parametrize("editor", ["prosemirror", "lexical", "slate", "draft", "plain", "textarea"])
def test_a_composition_is_left_alone_and_its_text_arrives_as_without_us(
    compose: Callable[..., Composer], page: Page, editor: str
) -> None:
    composer = compose(editor, text=f"my email is {MAIL} ")
    composer.wait_for_mark(MAIL)
    page.evaluate("""() => {
        window.__events = [];
        for (const type of ["compositionstart", "compositionupdate", "compositionend"]) {
            window.addEventListener(type, (event) => __events.push([type, event.data]), true);
        }
    }""")
    page.keyboard.press("Control+End")
    session = page.context.new_cdp_session(page)
    for text in ("n", "ni", "你"):
        session.send(
            "Input.imeSetComposition", {"text": text, "selectionStart": len(text), "selectionEnd": len(text)}
        )
        page.wait_for_timeout(60)
    assert MAIL in composer.marked()
    session.send("Input.insertText", {"text": "你"})
    composer.until("() => __ed.text().includes('你')")
    assert composer.text == f"my email is {MAIL} 你"
    kinds = [kind for kind, _ in page.evaluate("() => __events")]
    assert kinds.count("compositionstart") == 1
    assert kinds.count("compositionend") == 1


def test_a_page_that_clears_the_registry_gets_the_marks_back_with_the_next_key(
    compose: Callable[..., Composer], page: Page
) -> None:
    composer = compose("prosemirror", text=f"my email is {MAIL}")
    composer.wait_for_mark(MAIL)
    page.evaluate("() => CSS.highlights.clear()")
    assert composer.marked() == []
    composer.type(" x")
    composer.wait_for_mark(MAIL)


def test_an_editor_that_leaves_the_page_takes_its_card_along(
    compose: Callable[..., Composer], page: Page
) -> None:
    composer = compose("prosemirror", text=f"my email is {MAIL}")
    composer.wait_for_mark(MAIL)
    composer.open_card(MAIL)
    page.evaluate("() => document.querySelector('#mount').replaceChildren()")
    composer.roots.wait_gone(".card")


def test_redacting_two_phrases_and_undoing_both(compose: Callable[..., Composer], page: Page) -> None:
    typed = f"my email is {MAIL} and my wife's email is mary.cooper@yahoo.com for now"
    composer = compose("prosemirror", text=typed)
    for phrase in (MAIL, "mary.cooper@yahoo.com"):
        composer.wait_for_mark(phrase)
    composer.open_card(MAIL)
    composer.press_in_card("Redact")
    once = composer.wait_for_placeholder(typed, MAIL, 1)
    composer.wait_for_mark("mary.cooper@yahoo.com")
    composer.open_card("mary.cooper@yahoo.com")
    composer.press_in_card("Redact")
    composer.wait_for_placeholder(once, "mary.cooper@yahoo.com", 2)
    page.wait_for_timeout(200)
    page.keyboard.press("Control+z")
    composer.wait_for_text(once)
    page.keyboard.press("Control+z")
    composer.wait_for_text(typed)


def test_pasting_60_kilobytes_keeps_the_page_responsive_and_marks_what_is_at_the_caret(
    compose: Callable[..., Composer], page: Page
) -> None:
    composer = compose("textarea")
    lines = "\n".join(f"Line {number} says nothing about anybody at all." for number in range(1400))
    text = f"{lines}\nmy email is {MAIL}"
    assert len(text) > 60_000
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.evaluate("(text) => navigator.clipboard.writeText(text)", text)
    page.keyboard.press("Control+v")
    composer.wait_for_mark(MAIL)
    assert composer.text == text
