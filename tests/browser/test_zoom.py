"""Marks stay on their words, and are clicked there, however large the page or the editor is drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page

from browser.composer import Composer
from browser.toolbar import tab_id, worker

MAIL = "jane.cooper@hotmail.com"
TEXT = f"Please write to {MAIL} about it."
WIDTH = 900

STYLES = {
    "zoomed out": "zoom: 0.5",
    "zoomed in": "zoom: 3",
    "scaled down": "transform: scale(0.6); transform-origin: 0 0",
    "scaled up": "transform: scale(1.7); transform-origin: 0 0",
    "both": "zoom: 1.5; transform: scale(0.8); transform-origin: 0 0",
}

WORD = """([text, phrase]) => {
    const host = __ed.host;
    const start = text.indexOf(phrase);
    const range = host.createValueRange(start, start + phrase.length);
    const rects = [...range.getClientRects()].map((rect) => [rect.x, rect.y, rect.width, rect.height]);
    range.disconnect();
    return rects;
}"""


@pytest.fixture
def hidden_marks(browser: object, page: Page) -> Iterator[None]:
    """Marks are drawn as lines over text fields, as in browsers without ranges inside them."""
    write = "(hiddenMarks) => chrome.storage.local.set({ settings: { hiddenMarks } })"
    worker(page).evaluate(write, True)
    yield
    worker(page).evaluate(write, False)


@pytest.fixture
def zoom(page: Page) -> Iterator[Callable[[float], None]]:
    """The browser's own zoom of the tab."""

    def set_(factor: float) -> None:
        worker(page).evaluate("([tab, factor]) => chrome.tabs.setZoom(tab, factor)", [tab_id(page), factor])
        page.wait_for_function(
            "([width, factor]) => Math.abs(innerWidth - width / factor) <= 2", arg=[WIDTH, factor]
        )

    yield set_
    set_(1)


@pytest.mark.parametrize("factor", [0.5, 0.8, 1.5, 3.0])
@pytest.mark.parametrize("editor", ["prosemirror", "textarea"])
def test_with_the_page_zoomed_the_card_opens_from_the_word_and_the_word_is_replaced(
    compose: Callable[..., Composer], page: Page, zoom: Callable[[float], None], editor: str, factor: float
) -> None:
    composer = compose(editor, text=TEXT)
    composer.wait_for_mark(MAIL)
    zoom(factor)
    composer.wait_for_mark(MAIL)
    composer.open_card(MAIL)
    composer.press_in_card("Redact")
    composer.wait_for_placeholder(TEXT, MAIL)


@pytest.mark.parametrize("style", STYLES.values(), ids=STYLES)
@pytest.mark.parametrize("editor", ["prosemirror", "textarea"])
def test_in_an_editor_drawn_larger_or_smaller_the_word_is_where_the_mark_is_clicked(
    compose: Callable[..., Composer], editor: str, style: str
) -> None:
    composer = compose(editor, text=TEXT)
    composer.evaluate("(style) => { __ed.host.style.cssText += `; width: 420px; ${style}` }", style)
    composer.wait_for_mark(MAIL)
    composer.open_card(MAIL)


@pytest.mark.parametrize("style", STYLES.values(), ids=STYLES)
def test_lines_drawn_over_a_field_lie_under_their_word(
    hidden_marks: None, compose: Callable[..., Composer], style: str
) -> None:
    composer = compose("textarea", text=TEXT)
    composer.evaluate(
        "(style) => { __ed.host.style.cssText += `; width: 420px; height: 120px; ${style}` }", style
    )
    composer.roots.wait_for(".line")
    composer.page.wait_for_timeout(400)
    # The page's own ranges say where the browser has put the word.
    words = composer.evaluate(WORD, [TEXT, MAIL])
    boxes = sorted(line.box() for line in composer.roots.all(".line"))
    assert len(boxes) == len(words)
    for (x, y, width, _), (wanted_x, wanted_y, wanted_width, wanted_height) in zip(
        boxes, sorted(words), strict=True
    ):
        assert abs(x - wanted_x) <= 1.5
        assert abs(width - wanted_width) <= 2
        assert abs(y - (wanted_y + wanted_height - 2)) <= 2.5
