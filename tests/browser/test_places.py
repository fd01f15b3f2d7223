"""Where an editor may hide: shadow roots, frames of every kind, pages with a strict policy, dark pages."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from browser.composer import Composer, until
from browser.pixels import count_near

TYPED = "my 3 year old repeats syllables twice and I'm worried"
SLATE_LINE = (0x4A, 0x67, 0x85)
SLATE_LINE_NIGHT = (0x9D, 0xB7, 0xD3)

FRAMES = {
    "same-origin": "(frame, query) => { frame.src = '/?' + query }",
    "cross-origin": "(frame, query) => { frame.src = 'https://claude.ai/?' + query }",
    "srcdoc": "async (frame, query) => { frame.srcdoc = await (await fetch('/')).text() }",
    # A process of its own, without an origin: it can load nothing, so its editor is the browser's own.
    "sandboxed": """(frame, query) => {
        frame.sandbox = "allow-scripts";
        const form = "<textarea rows=3 cols=60></textarea>";
        frame.srcdoc = `${query === "ed=textarea" ? form : "<p contenteditable></p>"}<script>
            const host = document.body.firstElementChild;
            window.__ed = { host, text: () => host.value ?? host.textContent };
        </script>`;
    }""",
}


def open_frame(page: Page, kind: str, editor: str) -> Composer:
    page.goto("https://chatgpt.com/?ed=plain")
    until(page.main_frame, page, "() => Boolean(window.__ed?.host)")
    query = f"ed={editor}"
    page.evaluate(
        f"""async (query) => {{
            const frame = document.createElement("iframe");
            frame.name = query;
            frame.style.cssText = "width: 800px; height: 420px; border: 0";
            await ({FRAMES[kind]})(frame, query);
            document.body.prepend(frame);
        }}""",
        query,
    )
    frame = page.wait_for_selector("iframe").content_frame()
    assert frame is not None
    until(frame, page, "() => Boolean(window.__ed?.host)")
    return Composer(page, editor, frame)


def redact(composer: Composer) -> None:
    composer.frame.locator("[contenteditable], textarea").first.focus()
    composer.type(TYPED)
    phrase = composer.wait_for_mark("3 year old")
    composer.open_card(phrase)
    composer.press_in_card("Redact")
    composer.wait_for_placeholder(TYPED, phrase)
    composer.page.keyboard.press("Control+z")
    composer.wait_for_text(TYPED)


@pytest.mark.parametrize("editor", ["prosemirror", "textarea"])
@pytest.mark.parametrize("kind", FRAMES)
def test_an_editor_in_a_frame_is_marked_redacted_and_undone(page: Page, kind: str, editor: str) -> None:
    redact(open_frame(page, kind, editor))


def test_an_editor_in_an_empty_frame_is_marked(page: Page) -> None:
    page.goto("https://chatgpt.com/?ed=plain")
    until(page.main_frame, page, "() => Boolean(window.__ed?.host)")
    composer = Composer.in_empty_frame(page)
    composer.type(TYPED)
    composer.wait_for_mark("3 year old")


@pytest.mark.parametrize("editor", ["prosemirror", "lexical", "textarea"])
@pytest.mark.parametrize("mode", ["open", "closed"])
def test_an_editor_in_a_shadow_root_is_marked_redacted_and_undone(
    compose: Callable[..., Composer], page: Page, mode: str, editor: str
) -> None:
    composer = compose(editor, shadow=mode)
    composer.type(TYPED)
    phrase = composer.wait_for_mark("3 year old")
    assert lines_painted(composer, phrase, SLATE_LINE) > 20
    composer.open_card(phrase)
    composer.press_in_card("Redact")
    composer.wait_for_placeholder(TYPED, phrase)
    page.keyboard.press("Control+z")
    composer.wait_for_text(TYPED)


def lines_painted(composer: Composer, phrase: str, colour: tuple[int, int, int]) -> int:
    """How many pixels under the phrase have the colour of the line."""
    x, y, width, height = composer.mark_box(phrase)
    clip = {"x": x, "y": y, "width": width, "height": height + 6}
    return count_near(io.BytesIO(composer.page.screenshot(clip=clip)), colour)


@pytest.mark.parametrize("editor", ["prosemirror", "textarea"])
def test_marks_are_seen_on_a_page_that_allows_no_styles_but_its_own(
    compose: Callable[..., Composer], editor: str
) -> None:
    composer = compose(editor, text=TYPED, csp="1")
    phrase = composer.wait_for_mark("3 year old")
    assert lines_painted(composer, phrase, SLATE_LINE) > 20
    composer.open_card(phrase)
    assert composer.roots.wait_for(".card").box()[2] == 320


def test_marks_on_a_dark_page_are_light(compose: Callable[..., Composer]) -> None:
    composer = compose("prosemirror", text=TYPED, dark="1")
    phrase = composer.wait_for_mark("3 year old")
    assert {name for name, _ in composer.marks()} == {"lm-b-n"}
    assert lines_painted(composer, phrase, SLATE_LINE_NIGHT) > 20


def test_an_unmarked_text_has_no_line(compose: Callable[..., Composer], page: Page) -> None:
    composer = compose("prosemirror", text="How to go from Shanghai to London?")
    page.wait_for_timeout(1500)
    assert composer.marked() == []
