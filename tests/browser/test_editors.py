"""Every kind of editor, each the genuine library: read, marked, clicked, redacted, undone, never harmed."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from browser.composer import Composer
from browser.toolbar import worker

RICH = ("prosemirror", "tiptap", "lexical", "quill", "slate", "draft", "codemirror", "plain", "plaintext")
FORMS = ("textarea", "react", "input")
EDITORS = RICH + FORMS
WATCH_ALL = """() => {
    // Our own elements stand beside the body; that they come is all that may be seen.
    const records = [];
    const all = { subtree: true, childList: true, characterData: true, attributes: true };
    const observer = new MutationObserver((list) => records.push(...list));
    observer.observe(document, all);
    const isOurs = ({ type, target, addedNodes, removedNodes }) => type === "childList"
        && target === document.documentElement && removedNodes.length === 0
        && [...addedNodes].every((node) => node.popover === "manual" && node.childNodes.length === 0);
    return () => {
        records.push(...observer.takeRecords());
        observer.disconnect();
        return records.filter((record) => !isOurs(record))
            .map(({ type, target, attributeName }) => `${type} ${target.nodeName} ${attributeName ?? ""}`);
    };
}"""
TYPED = "my 3 year old repeats syllables twice and I'm worried"


@pytest.fixture(params=EDITORS)
def composer(request: pytest.FixtureRequest, compose: Callable[..., Composer]) -> Composer:
    return compose(request.param)


def test_typing_goes_into_the_model_unchanged_and_is_marked_where_it_stands(composer: Composer) -> None:
    composer.type(TYPED)
    composer.wait_for_mark("3 year old")
    assert composer.text == TYPED
    assert all(text in TYPED for text in composer.marked())


@pytest.mark.parametrize("editor", RICH)
def test_marks_appear_change_and_vanish_without_one_mutation_of_the_page(
    compose: Callable[..., Composer], page: Page, editor: str
) -> None:
    composer = compose(editor, text=TYPED)
    stop_watching = page.evaluate_handle("() => __watchMutations()")
    page.keyboard.press("End")
    phrase = composer.wait_for_mark("3 year old")
    composer.open_card(phrase)
    composer.press_in_card("Keep")
    composer.wait_for_unmarked(phrase)
    changes = stop_watching.evaluate("(stop) => stop()")
    # Draft and Slate redraw themselves when the caret moves; that is the same without the extension.
    assert [change for change in changes if "data-" not in change] == []


@pytest.mark.parametrize("hidden", [False, True], ids=["highlights", "hidden marks"])
@pytest.mark.parametrize("editor", ["textarea", "input"])
def test_typing_marks_and_a_choice_change_nothing_in_the_page_around_a_form_field(
    compose: Callable[..., Composer], page: Page, editor: str, hidden: bool
) -> None:
    worker(page).evaluate("(hiddenMarks) => chrome.storage.local.set({ settings: { hiddenMarks } })", hidden)
    try:
        composer = compose(editor)
        stop_watching = page.evaluate_handle(WATCH_ALL)
        composer.type(TYPED)
        if hidden:
            x, y, width, _ = composer.roots.wait_for(".line").box()
            page.mouse.click(x + width / 2, y - 6)
            composer.roots.wait_for(".card", "3 year old")
        else:
            composer.open_card(composer.wait_for_mark("3 year old"))
        composer.press_in_card("Keep")
        composer.roots.wait_for(".toast", "Kept.")
        page.keyboard.press("End")
        composer.type(" now")
        page.wait_for_timeout(600)
        assert stop_watching.evaluate("(stop) => stop()") == []
        assert composer.text == f"{TYPED} now"
    finally:
        worker(page).evaluate("() => chrome.storage.local.set({ settings: {} })")


def test_redacting_changes_the_model_and_the_caret_stays_so_typing_goes_on(
    composer: Composer, page: Page
) -> None:
    composer.type(TYPED)
    phrase = composer.wait_for_mark("3 year old")
    composer.open_card(phrase)
    composer.press_in_card("Redact")
    redacted = composer.wait_for_placeholder(TYPED, phrase)
    composer.roots.wait_for(".toast", "Redacted.")
    page.keyboard.press("Control+End")
    composer.type("!")
    composer.wait_for_text(redacted + "!")


def test_redacting_can_be_undone_and_redone_in_the_editor(composer: Composer, page: Page) -> None:
    composer.type(TYPED)
    phrase = composer.wait_for_mark("3 year old")
    composer.open_card(phrase)
    composer.press_in_card("Redact")
    redacted = composer.wait_for_placeholder(TYPED, phrase)
    composer.roots.wait_for(".toast", "Redacted.")
    page.keyboard.press("Control+z")
    composer.wait_for_text(TYPED)
    # Quill has this one on every system, the others both.
    page.keyboard.press("Control+Shift+z" if composer.kind == "quill" else "Control+y")
    composer.wait_for_text(redacted)


def test_the_toasts_undo_brings_the_phrase_back(composer: Composer) -> None:
    composer.type(TYPED)
    phrase = composer.wait_for_mark("3 year old")
    composer.open_card(phrase)
    composer.press_in_card("Redact")
    composer.wait_for_placeholder(TYPED, phrase)
    composer.roots.wait_for(".toast button", "Undo").click()
    composer.wait_for_text(TYPED)


@pytest.mark.parametrize("editor", RICH)
@pytest.mark.parametrize(
    "text",
    ["one line", "two\nlines", "a\n\n\nb", "🙂 a\nb 🙂\n中文", "  spaces  kept ", "", "ends\n"],
    ids=["line", "lines", "empty lines", "emoji", "spaces", "nothing", "last line empty"],
)
def test_the_text_read_from_the_dom_is_the_editors_own(
    compose: Callable[..., Composer], page: Page, editor: str, text: str
) -> None:
    composer = compose(editor, text=text)
    page.add_script_tag(url="/textMap.js")
    read = page.evaluate("() => limenTextMap.buildTextMap(__ed.host).text")
    assert read == composer.text
    if editor != "codemirror":  # its placeholder stands in the text when there is none
        composer.type("Ж")
        assert page.evaluate("() => limenTextMap.buildTextMap(__ed.host).text") == composer.text


def test_bold_runs_and_mentions_are_read_as_the_model_has_them(
    compose: Callable[..., Composer], page: Page
) -> None:
    composer = compose("prosemirror")
    page.evaluate("() => __ed.rich()")
    page.add_script_tag(url="/textMap.js")
    assert page.evaluate("() => limenTextMap.buildTextMap(__ed.host).text") == composer.text


@pytest.mark.parametrize("editor", [*RICH, "textarea", "react"])
def test_paragraphs_emoji_and_chinese_are_marked_at_the_right_place(
    compose: Callable[..., Composer], editor: str
) -> None:
    lines = ["🙂🙂 Hello 你好", "", "I live in Leeds 🙂 and my 3 year old too", "我在上海当老师"]
    text = "\n".join(lines)
    composer = compose(editor, text=text)
    composer.type(" ")
    composer.wait_for_mark("3 year old")
    assert composer.text.rstrip() == text
    for phrase in composer.marked():
        assert any(phrase in line for line in lines)
