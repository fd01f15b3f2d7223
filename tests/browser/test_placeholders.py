"""Placeholders stay the same through a conversation, and the user alone sees what they stand for."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page

from browser.composer import Composer

MAIL = "jane.cooper@hotmail.com"
WIFE = "mary.cooper@yahoo.com"
TYPED = f"my email is {MAIL} and my wife's email is {WIFE} for now"


def redact(composer: Composer, phrase: str) -> None:
    composer.wait_for_mark(phrase)
    composer.open_card(phrase)
    composer.press_in_card("Redact")
    # First: it is shown for four seconds, which a busy machine can spend on the second.
    composer.roots.wait_for(".toast", "Redacted.")
    composer.wait_for_unmarked(phrase)


def reply(page: Page, text: str) -> None:
    page.evaluate(
        """(text) => {
            const message = document.createElement("p");
            message.className = "reply";
            message.textContent = text;
            document.querySelector("#conversation").append(message);
        }""",
        text,
    )


def test_the_same_words_get_the_same_placeholder_in_the_next_message(
    compose: Callable[..., Composer], page: Page
) -> None:
    composer = compose("prosemirror", origin="https://chatgpt.com/c/one", text=TYPED)
    redact(composer, MAIL)
    assert composer.text == TYPED.replace(MAIL, "[CONTACT_1]")
    page.click("#send")
    composer.wait_for_text("")
    composer.focus()
    composer.type(f"once more, my email is {MAIL} ")
    redact(composer, MAIL)
    assert composer.text.strip() == "once more, my email is [CONTACT_1]"


def test_a_reply_shows_the_users_words_to_the_user_and_the_placeholder_to_the_page(
    compose: Callable[..., Composer], page: Page
) -> None:
    composer = compose("prosemirror", origin="https://chatgpt.com/c/two", text=TYPED)
    redact(composer, MAIL)
    reply(page, "I would write to [CONTACT_1] or, bent a little, contact 1] today.")
    chip = composer.roots.wait_for(".restored", MAIL)
    assert len(composer.roots.all(".restored")) == 2
    _, _, width, height = chip.box()
    assert width > 0 and height > 0
    html = page.evaluate("() => document.documentElement.outerHTML")
    assert MAIL not in html.replace(TYPED, "")
    assert "[CONTACT_1]" in page.inner_text(".reply")


NESTED = """(mode) => {
    const outer = document.createElement("chat-reply");
    document.querySelector("#conversation").append(outer);
    const inner = document.createElement("reply-text");
    outer.attachShadow({ mode }).append(inner);
    window.__reply = inner.attachShadow({ mode });
}"""


def test_a_reply_in_open_shadow_roots_is_shown_followed_and_copied(
    compose: Callable[..., Composer], page: Page
) -> None:
    composer = compose("prosemirror", origin="https://chatgpt.com/c/six", text=TYPED)
    redact(composer, MAIL)
    page.evaluate(NESTED, "open")
    page.wait_for_timeout(400)
    # Neither an element that is a block nor, from here on, any change outside the roots.
    for token in ("Write to ", "[CONTACT", "_1", "]", " soon."):
        page.evaluate("(token) => __reply.append(token)", token)
        page.wait_for_timeout(60)
    chip = composer.roots.wait_for(".restored", MAIL)
    _, _, width, height = chip.box()
    assert width > 0 and height > 0
    page.evaluate("""() => {
        const second = document.createElement("p");
        second.textContent = "Or to CONTACT_1!";
        __reply.append(second);
    }""")
    for _ in range(50):
        if len(composer.roots.all(".restored")) > 1:
            break
        page.wait_for_timeout(100)
    assert len(composer.roots.all(".restored")) == 2
    assert MAIL not in page.evaluate("() => __reply.textContent")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.evaluate("() => getSelection().selectAllChildren(__reply.querySelector('p'))")
    page.keyboard.press("Control+c")
    composer.until("async (words) => (await navigator.clipboard.readText()) === words", f"Or to {MAIL}!")


def test_a_streamed_reply_is_followed(compose: Callable[..., Composer], page: Page) -> None:
    composer = compose("prosemirror", origin="https://chatgpt.com/c/three", text=TYPED)
    redact(composer, MAIL)
    reply(page, "")
    for token in ("Write to ", "[CON", "TACT", "_1", "]", " soon, or [CONTACT_12]."):
        page.evaluate("(token) => document.querySelector('.reply').append(token)", token)
        page.wait_for_timeout(60)
    composer.roots.wait_for(".restored", MAIL)
    page.wait_for_timeout(400)
    assert len(composer.roots.all(".restored")) == 1


def test_copying_a_reply_copies_the_users_words(compose: Callable[..., Composer], page: Page) -> None:
    composer = compose("prosemirror", origin="https://chatgpt.com/c/four", text=TYPED)
    redact(composer, MAIL)
    reply(page, "Write to [CONTACT_1].")
    composer.roots.wait_for(".restored", MAIL)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.evaluate("() => getSelection().selectAllChildren(document.querySelector('.reply'))")
    page.keyboard.press("Control+c")
    composer.until("async (words) => (await navigator.clipboard.readText()) === words", f"Write to {MAIL}.")


def test_a_new_chat_takes_its_placeholders_along_when_it_gets_its_address(
    compose: Callable[..., Composer], page: Page
) -> None:
    composer = compose("prosemirror", text=TYPED)
    redact(composer, MAIL)
    page.evaluate("() => history.pushState({}, '', '/c/five')")
    composer.focus()
    composer.type(" ")
    redact(composer, WIFE)
    assert composer.text.strip() == TYPED.replace(MAIL, "[CONTACT_1]").replace(WIFE, "[CONTACT_2]")
    again = Composer.open(page, "prosemirror", origin="https://chatgpt.com/c/five", text=TYPED)
    again.focus()
    redact(again, WIFE)
    assert again.text == TYPED.replace(WIFE, "[CONTACT_2]")
