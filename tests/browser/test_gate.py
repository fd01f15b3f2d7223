"""The question before sending: off, gentle, strict. Nothing is ever lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page

from browser.composer import Composer
from browser.toolbar import wait_for_title, worker

KEY = "sk-ant-api03-aB3dE5gH7jK9mN1pQ3rS5tU7vW9xY1zA3bC5dE7fG9hJ1kL3mN5pQ7rS9tU1vW3xY5zA7bC9dE1fG3-AAAAAA"
SECRET = f"my key is {KEY} ok"
HARMLESS = "How to go from Shanghai to London?"


def set_gate(page: Page, gate: str) -> None:
    worker(page).evaluate("(gate) => chrome.storage.local.set({ settings: { gate } })", gate)


@pytest.fixture(params=["gentle", "strict"])
def gate(request: pytest.FixtureRequest, page: Page) -> Iterator[str]:
    set_gate(page, request.param)
    yield request.param
    set_gate(page, "off")


def sent(page: Page) -> list[str]:
    return [str(text) for text in page.locator(".message").all_inner_texts()]


def press_enter_to_send(page: Page, *, with_ctrl: bool = False) -> None:
    """As chat sites do: Enter in the composer sends; on some with Ctrl only."""
    page.evaluate(
        """(withCtrl) => __ed.host.addEventListener("keydown", (event) => {
            if (event.key !== "Enter" || event.shiftKey || event.ctrlKey !== withCtrl) return;
            event.preventDefault();
            event.stopPropagation();
            document.getElementById("composer").requestSubmit();
        }, true)""",
        with_ctrl,
    )


def test_without_the_gate_a_secret_is_marked_and_sent(compose: Callable[..., Composer], page: Page) -> None:
    composer = compose("textarea", text=SECRET)
    composer.wait_for_mark(KEY)
    assert composer.marks()[0][0] == "lm-c"
    page.click("#send")
    composer.wait_for_text("")
    assert sent(page) == [SECRET]


@pytest.mark.parametrize("editor", ["textarea", "react", "lexical"])
def test_the_button_is_held_and_sends_as_it_is_when_told_so(
    gate: str, compose: Callable[..., Composer], page: Page, editor: str
) -> None:
    composer = compose(editor, text=SECRET)
    composer.wait_for_mark(KEY)
    page.click("#send")
    composer.roots.wait_for(".gate", "1 thing marked here")
    assert sent(page) == [] and composer.text == SECRET
    composer.roots.wait_for(".gate button", "Send as it is").click()
    composer.wait_for_text("")
    assert sent(page) == [SECRET]


def test_enter_is_held_too_and_redacting_all_leaves_the_message_to_send(
    gate: str, compose: Callable[..., Composer], page: Page
) -> None:
    composer = compose("textarea", text=SECRET)
    press_enter_to_send(page)
    composer.wait_for_mark(KEY)
    page.keyboard.press("Enter")
    composer.roots.wait_for(".gate")
    assert sent(page) == []
    composer.roots.wait_for(".gate button", "Redact all").click()
    redacted = composer.wait_for_placeholder(SECRET, KEY)
    wait_for_title(page, "Checked.")
    page.keyboard.press("Enter")
    composer.wait_for_text("")
    assert sent(page) == [redacted]


def test_what_was_held_at_ctrl_and_enter_is_sent_by_them(
    gate: str, compose: Callable[..., Composer], page: Page
) -> None:
    composer = compose("textarea", text=SECRET)
    press_enter_to_send(page, with_ctrl=True)
    composer.wait_for_mark(KEY)
    page.keyboard.press("Control+Enter")
    composer.roots.wait_for(".gate button", "Send as it is").click()
    composer.wait_for_text("")
    assert sent(page) == [SECRET]


def test_a_message_that_is_fine_goes_out_unasked(
    gate: str, compose: Callable[..., Composer], page: Page
) -> None:
    composer = compose("textarea", text=HARMLESS)
    press_enter_to_send(page)
    wait_for_title(page, "Checked.")
    page.keyboard.press("Enter")
    composer.wait_for_text("")
    assert sent(page) == [HARMLESS]


def test_only_the_strict_gate_waits_for_the_check(compose: Callable[..., Composer], page: Page) -> None:
    set_gate(page, "strict")
    try:
        composer = compose("textarea")
        press_enter_to_send(page)
        composer.type("hello", delay_ms=1)
        page.keyboard.press("Enter")
        composer.roots.wait_for(".gate", "not checked yet")
        assert sent(page) == [] and composer.text == "hello"
    finally:
        set_gate(page, "off")
