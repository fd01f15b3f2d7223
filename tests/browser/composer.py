"""A page with one genuine editor, driven as a user would and read through the editor's own model."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import Frame, Page

from browser.closed_root import ClosedRoots, Found

MARKED_TEXT = """(range) => range instanceof Range
  ? range.toString()
  : __ed.host.value.slice(range.startOffset, range.endOffset)"""

MARKS = f"""() => {{
  const text = {MARKED_TEXT};
  return [...CSS.highlights]
    .flatMap(([name, highlight]) => [...highlight].map((range) => [name, text(range)]))
    .filter((mark) => mark[1] !== "")
    .sort((a, b) => a[1] < b[1] ? -1 : 1);
}}"""

RECT = f"""(wanted) => {{
  const text = {MARKED_TEXT};
  const range = [...CSS.highlights.values()].flatMap((one) => [...one]).find((one) => text(one) === wanted);
  const rect = range?.getClientRects()[0];
  return rect ? [rect.x, rect.y, rect.width, rect.height] : null;
}}"""


PATIENCE_S = 30


def until(frame: Frame, page: Page, claim: str, argument: Any = None) -> Any:
    """Asks until `claim` (a JavaScript function) gives something true, and returns it.

    Asked from outside: a page's policy may forbid what the driver's own waiting needs.
    """
    deadline = time.monotonic() + PATIENCE_S
    while True:
        value = frame.evaluate(claim, argument)
        if value:
            return value
        assert time.monotonic() < deadline, f"never true: {claim} of {argument!r}"
        page.wait_for_timeout(40)


class Composer:
    """`frame` is where the editor lives: the page itself, or a frame of it."""

    def __init__(self, page: Page, kind: str, frame: Frame | None = None) -> None:
        self.page = page
        self.kind = kind
        self.frame = frame or page.main_frame
        self.roots = ClosedRoots(page, self.frame)

    @classmethod
    def open(
        cls, page: Page, editor: str, *, origin: str = "https://chatgpt.com", text: str = "", **query: str
    ) -> Composer:
        page.goto(f"{origin}/?{urlencode({'ed': editor, 'text': text, **query})}")
        until(page.main_frame, page, "() => Boolean(window.__ed?.host)")
        return cls(page, editor)

    @classmethod
    def in_empty_frame(cls, page: Page) -> Composer:
        """A plain editor that the page makes in a frame without an address, with the focus in it."""
        page.evaluate("""() => {
            const frame = document.createElement("iframe");
            document.body.prepend(frame);
            const host = frame.contentDocument.createElement("div");
            host.contentEditable = "true";
            frame.contentDocument.body.append(host);
            frame.contentWindow.__ed = { host, text: () => host.textContent };
        }""")
        frame = page.wait_for_selector("iframe").content_frame()
        assert frame is not None
        composer = cls(page, "plain", frame)
        frame.locator("[contenteditable]").click()
        return composer

    def focus(self) -> None:
        """Clicks into the editor and puts the caret at its end."""
        self.frame.evaluate("() => { __ed.host.focus() }")
        self.page.keyboard.press("Control+End")

    def type(self, text: str, delay_ms: float = 5) -> None:
        self.page.keyboard.type(text, delay=delay_ms)

    @property
    def text(self) -> str:
        """The text as the editor's own model has it."""
        return str(self.frame.evaluate("() => __ed.text()"))

    def until(self, claim: str, argument: Any = None) -> Any:
        return until(self.frame, self.page, claim, argument)

    def wait_for_text(self, text: str) -> None:
        self.until("(text) => __ed.text() === text", text)

    def wait_for_placeholder(self, text: str, phrase: str, number: int = 1) -> str:
        """Waits until a placeholder stands for `phrase` in `text`, and returns the text with it."""
        before, after = text.split(phrase, 1)
        pattern = rf"^{re.escape(before)}\[[A-Z]+_{number}\]{re.escape(after)}$"
        self.until("(pattern) => new RegExp(pattern).test(__ed.text())", pattern)
        return self.text

    def marks(self) -> list[tuple[str, str]]:
        """(highlight name, text under it), sorted by text; read from the page's own registry."""
        return [(name, text) for name, text in self.frame.evaluate(MARKS)]

    def marked(self) -> list[str]:
        return [text for _, text in self.marks()]

    def wait_for_marks(self, phrases: Sequence[str]) -> None:
        """Waits until exactly these phrases are marked."""
        self.until(
            f"(wanted) => JSON.stringify(({MARKS})().map((mark) => mark[1])) === JSON.stringify(wanted)",
            sorted(phrases),
        )

    def wait_for_mark(self, part: str) -> str:
        """Waits until a phrase that holds `part` is marked, and returns the whole phrase."""
        return str(
            self.until(
                f"(part) => ({MARKS})().map((mark) => mark[1]).find((text) => text.includes(part))", part
            )
        )

    def wait_for_unmarked(self, phrase: str) -> None:
        self.until(f"(phrase) => !({MARKS})().some((mark) => mark[1] === phrase)", phrase)

    def mark_box(self, phrase: str) -> tuple[float, float, float, float]:
        """x, y, width, height of the mark's first line, in the page's viewport."""
        rect = self.frame.evaluate(RECT, phrase)
        assert rect is not None, f"{phrase!r} is not marked; marked are {self.marked()}"
        x, y, width, height = rect
        if self.frame is not self.page.main_frame:
            offset = self.frame.frame_element().bounding_box()
            assert offset is not None
            x, y = x + offset["x"], y + offset["y"]
        return x, y, width, height

    def click_mark(self, phrase: str) -> None:
        x, y, width, height = self.mark_box(phrase)
        self.page.mouse.click(x + width / 2, y + height / 2)

    def open_card(self, phrase: str) -> Found:
        self.click_mark(phrase)
        return self.roots.wait_for(".card", phrase)

    def press_in_card(self, label: str) -> None:
        self.roots.wait_for(".card button", label).click()

    def evaluate(self, script: str, argument: Any = None) -> Any:
        return self.frame.evaluate(script, argument)
