"""Without ranges in form fields (Firefox) a mirror is measured. Chromium has both, and so can judge."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from browser.composer import Composer

TEXT = (
    "The first line is long enough to be wrapped at least once in a field of this width, with 中文 and 🙂.\n"
    "\n\tA tab, then שלום עולם, then\u00a0no-break spaces, ﬁligatures and a "
    "verylongwordthatmustbebrokensomewherebecauseitdoesnotfitononelineofthefieldatall.\nLast line"
)

CASES = {
    "plain": "",
    "padding and border": "padding: 13px 27px 5px 9px; border: 7px solid",
    "border box": "box-sizing: border-box; padding: 11px",
    "scrolled": "height: 60px",
    "right to left": "direction: rtl",
    "letter spacing": "letter-spacing: 1.7px; word-spacing: 3px",
    "indent": "text-indent: 33px",
    "tab size": "tab-size: 3",
    "no wrap": "white-space: pre; overflow: auto",
    "large": "font: italic 700 23px/1.3 serif",
    "fractional": "font-size: 15.4px; width: 333.3px; padding: 3.3px",
    "capitals": "text-transform: uppercase",
    "centred": "text-align: center",
    "break anywhere": "word-break: break-all",
    "monospace": "font-family: monospace; line-height: 31px",
    "transformed": "transform: scale(1.25); transform-origin: 0 0",
}

MEASURE = """([text, style]) => {
    const host = __ed.host;
    host.style.cssText = `width: 420px; height: 170px; max-height: none; display: block; ${style}`;
    host.value = text;
    host.scrollTop = 25;
    const layer = document.createElement("div");
    const root = layer.attachShadow({ mode: "open" });
    document.documentElement.append(layer);
    const mirror = new limenMirror.Mirror(host, root);
    const field = host.getBoundingClientRect();
    const clip = {
        left: field.left + host.clientLeft, top: field.top + host.clientTop,
        right: field.right - host.clientLeft, bottom: field.bottom - host.clientTop,
    };
    let worst = 0, compared = 0;
    for (const word of text.matchAll(/[\\p{L}\\p{N}]+/gu)) {
        const [start, end] = [word.index, word.index + word[0].length];
        const range = host.createValueRange(start, end);
        const own = [...range.getClientRects()];
        range.disconnect();
        // Parts out of sight are cut away by the mirror: only whole words are compared.
        const isInside = own.every((rect) => rect.left >= clip.left && rect.top >= clip.top
            && rect.right <= clip.right && rect.bottom <= clip.bottom);
        if (!isInside || own.length === 0) continue;
        const ours = mirror.rects(start, end);
        if (ours.length !== own.length) return { worst: Infinity, compared, word: text.slice(start, end) };
        own.forEach((rect, index) => {
            for (const side of ["left", "right", "top", "bottom"]) {
                worst = Math.max(worst, Math.abs(rect[side] - ours[index][side]));
            }
        });
        compared += 1;
    }
    mirror.dispose();
    layer.remove();
    return { worst, compared };
}"""


@pytest.mark.parametrize("style", CASES.values(), ids=CASES)
def test_the_mirror_puts_every_word_where_the_browser_does(
    compose: Callable[..., Composer], page: Page, style: str
) -> None:
    composer = compose("textarea", origin="https://elsewhere.test")
    page.add_script_tag(url="/mirror.js")
    measured = composer.evaluate(MEASURE, [TEXT, style])
    assert measured["compared"] >= 3, measured
    assert measured["worst"] <= 0.3, measured
