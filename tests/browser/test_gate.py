"""The question before sending: off, gentle, strict. Nothing is ever lost."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page

from browser.composer import Composer
from browser.toolbar import wait_for_title, worker

KEY = "sk-ant-api03-aB3dE5gH7jK9mN1pQ3rS5tU7vW9xY1zA3bC5dE7fG9hJ1kL3mN5pQ7rS9tU1vW3xY5zA7bC9dE1fG3-AAAAAA"
SECRET = f"my key is {KEY} ok"
SECRETS = [KEY.replace("aB3d", start) for start in ("aB3d", "cD5f", "eF7h")]
THREE = "first {}, then {}, last {} ok"
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


@pytest.fixture
def gentle(page: Page) -> Iterator[None]:
    set_gate(page, "gentle")
    yield
    set_gate(page, "off")


@pytest.mark.parametrize("editor", ["textarea", "react", "prosemirror", "lexical", "quill", "slate", "draft"])
def test_redacting_all_of_three_is_undone_step_by_step_and_redone(
    gentle: None, compose: Callable[..., Composer], page: Page, editor: str
) -> None:
    typed = THREE.format(*SECRETS)
    composer = compose(editor, text=typed)
    composer.wait_for_marks(SECRETS)
    page.click("#send")
    composer.roots.wait_for(".gate button", "Redact all").click()
    composer.until("() => /_1\\].*_2\\].*_3\\]/.test(__ed.text())")
    composer.roots.wait_for(".toast", "Redacted.")
    redacted = composer.text
    tags = re.findall(r"\[[A-Z]+_\d\]", redacted)
    # Numbered as they are read; nothing else is touched.
    assert [tag[-2] for tag in tags] == ["1", "2", "3"]
    assert redacted == THREE.format(*tags)
    assert composer.marked() == []
    # Written from the last to the first, so taken back from the first to the last.
    steps = [THREE.format(*SECRETS[:count], *tags[count:]) for count in range(4)]
    undone = press_through(composer, "Control+z", steps)
    redo = "Control+Shift+z" if editor == "quill" else "Control+y"
    assert press_through(composer, redo, steps[::-1]) == undone
    # The next key goes where the caret is, and nothing is lost by it.
    page.keyboard.press("Control+End")
    composer.type("!")
    composer.wait_for_text(redacted + "!")


def press_through(composer: Composer, key: str, steps: list[str]) -> int:
    """Presses until the last step is there, through some of those between, in order; returns how often."""
    at = 0
    for presses in range(1, len(steps)):
        composer.page.keyboard.press(key)
        at = composer.until("([steps, at]) => Math.max(0, steps.indexOf(__ed.text(), at + 1))", [steps, at])
        if at == len(steps) - 1:
            return presses
    raise AssertionError(f"{len(steps) - 1} times {key} led to step {at} only: {composer.text}")


def test_the_toasts_undo_after_redacting_all_brings_all_back(
    gentle: None, compose: Callable[..., Composer], page: Page
) -> None:
    typed = THREE.format(*SECRETS)
    composer = compose("textarea", text=typed)
    composer.wait_for_marks(SECRETS)
    page.click("#send")
    composer.roots.wait_for(".gate button", "Redact all").click()
    composer.until("() => /_1\\].*_2\\].*_3\\]/.test(__ed.text())")
    composer.roots.wait_for(".toast button", "Undo").click()
    composer.wait_for_text(typed)
    composer.wait_for_marks(SECRETS)


@pytest.mark.parametrize("editor", ["react", "lexical"])
@pytest.mark.parametrize(
    ("way", "submitter"),
    [
        ("document.getElementById('send').click()", "send"),
        ("document.getElementById('composer').requestSubmit()", ""),
        ("document.getElementById('composer').requestSubmit(document.getElementById('send'))", "send"),
    ],
    ids=["click", "requestSubmit", "requestSubmit with the button"],
)
def test_a_script_that_sends_is_held_and_sends_once_as_it_would_have(
    gentle: None, compose: Callable[..., Composer], page: Page, editor: str, way: str, submitter: str
) -> None:
    composer = compose(editor, text=SECRET)
    composer.wait_for_mark(KEY)
    page.evaluate("""() => {
        window.__by = [];
        document.getElementById("composer").addEventListener("submit", (event) => {
            __by.push(event.submitter?.id ?? "");
        });
    }""")
    page.evaluate(f"() => {way}")
    composer.roots.wait_for(".gate", "1 thing marked here")
    assert sent(page) == [] and composer.text == SECRET
    composer.roots.wait_for(".gate button", "Send as it is").click()
    composer.wait_for_text("")
    assert sent(page) == [SECRET]
    assert page.evaluate("() => __by") == [submitter]


@pytest.mark.parametrize("way", ["Escape", "Close"])
def test_a_question_that_is_closed_sends_nothing_and_typing_goes_on_where_it_was(
    gentle: None, compose: Callable[..., Composer], page: Page, way: str
) -> None:
    composer = compose("prosemirror", text=SECRET)
    composer.wait_for_mark(KEY)
    page.keyboard.press("ArrowLeft")
    press_enter_to_send(page)
    page.keyboard.press("Enter")
    composer.roots.wait_for(".gate")
    if way == "Escape":
        page.keyboard.press("Escape")
    else:
        composer.roots.wait_for(".gate .close").click()
    composer.roots.wait_gone(".gate")
    composer.type("!")
    composer.wait_for_text(f"{SECRET[:-1]}!{SECRET[-1]}")
    assert sent(page) == []


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
