"""A page with one genuine editor, driven as a user would and read through the editor's own model."""

from __future__ import annotations

import re
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


class Composer:
    """`frame` is where the editor lives: the page itself, or a frame of it."""

    def __init__(self, page: Page, kind: str, frame: Frame | None = None) -> None:
        self.page = page
        self.kind = kind
        self.frame = frame or page.main_frame
        self.roots = ClosedRoots(page)

    @classmethod
    def open(
        cls, page: Page, editor: str, *, origin: str = "https://chatgpt.com", text: str = "", **query: str
    ) -> Composer:
        page.goto(f"{origin}/?{urlencode({'ed': editor, 'text': text, **query})}")
        page.wait_for_function("window.__ed?.host")
        return cls(page, editor)

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

    def wait_for_text(self, text: str) -> None:
        self.frame.wait_for_function("(text) => __ed.text() === text", arg=text, timeout=20_000)

    def wait_for_placeholder(self, text: str, phrase: str, number: int = 1) -> str:
        """Waits until a placeholder stands for `phrase` in `text`, and returns the text with it."""
        before, after = text.split(phrase, 1)
        pattern = rf"^{re.escape(before)}\[[A-Z]+_{number}\]{re.escape(after)}$"
        self.frame.wait_for_function(
            "(pattern) => new RegExp(pattern).test(__ed.text())", arg=pattern, timeout=20_000
        )
        return self.text

    def marks(self) -> list[tuple[str, str]]:
        """(highlight name, text under it), sorted by text; read from the page's own registry."""
        return [(name, text) for name, text in self.frame.evaluate(MARKS)]

    def marked(self) -> list[str]:
        return [text for _, text in self.marks()]

    def wait_for_marks(self, phrases: Sequence[str]) -> None:
        """Waits until exactly these phrases are marked."""
        self.frame.wait_for_function(
            f"(wanted) => JSON.stringify(({MARKS})().map((mark) => mark[1])) === JSON.stringify(wanted)",
            arg=sorted(phrases),
            timeout=30_000,
        )

    def wait_for_mark(self, part: str) -> str:
        """Waits until a phrase that holds `part` is marked, and returns the whole phrase."""
        found = self.frame.wait_for_function(
            f"(part) => ({MARKS})().map((mark) => mark[1]).find((text) => text.includes(part))",
            arg=part,
            timeout=30_000,
        )
        return str(found.json_value())

    def wait_for_unmarked(self, phrase: str) -> None:
        self.frame.wait_for_function(
            f"(phrase) => !({MARKS})().some((mark) => mark[1] === phrase)", arg=phrase, timeout=30_000
        )

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
