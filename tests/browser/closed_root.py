"""Looking into the extension's closed shadow roots, as a debugger can and the page cannot."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import CDPSession, Error, Frame, Page

PATIENCE_S = 20


@dataclass(frozen=True)
class Found:
    """An element inside a closed root."""

    page: Page
    cdp: CDPSession
    object_id: str
    # The frame that is driven on its own, if the element is in one.
    origin: Frame | None = None

    def call(self, body: str) -> Any:
        """Evaluates a function body with `this` as the element."""
        answer = self.cdp.send(
            "Runtime.callFunctionOn",
            {
                "objectId": self.object_id,
                "functionDeclaration": f"function () {{ {body} }}",
                "returnByValue": True,
            },
        )
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    @property
    def text(self) -> str:
        return str(self.call("return this.textContent"))

    def box(self) -> tuple[float, float, float, float]:
        """x, y, width, height in the page's viewport."""
        rect = self.call("const r = this.getBoundingClientRect(); return [r.x, r.y, r.width, r.height]")
        x, y = rect[0], rect[1]
        if self.origin is not None:
            outer = self.origin.frame_element().bounding_box()
            assert outer is not None
            x, y = x + outer["x"], y + outer["y"]
        return x, y, rect[2], rect[3]

    def click(self) -> None:
        """A real mouse click in its middle, scrolled to as a user would."""
        self.call("this.scrollIntoView({ block: 'nearest' })")
        x, y, width, height = self.box()
        self.page.mouse.click(x + width / 2, y + height / 2)


def _shadow_roots(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for root in node.get("shadowRoots", []):
        yield root
        yield from _shadow_roots(root)
    for child in node.get("children", []):
        yield from _shadow_roots(child)
    if "contentDocument" in node:
        yield from _shadow_roots(node["contentDocument"])


class ClosedRoots:
    """Finds elements by selector in every shadow root of a page (or a frame), open or closed."""

    def __init__(self, page: Page, frame: Frame | None = None) -> None:
        self._page = page
        self._origin: Frame | None = None
        self._cdp = page.context.new_cdp_session(page)
        if frame is not None and frame is not page.main_frame:
            try:
                # A frame of another site is a process of its own.
                self._cdp = page.context.new_cdp_session(frame)
                self._origin = frame
            except Error:
                pass

    def all(self, selector: str) -> list[Found]:
        document = self._cdp.send("DOM.getDocument", {"depth": -1, "pierce": True})
        found: list[Found] = []
        for root in _shadow_roots(document["root"]):
            if root.get("shadowRootType") == "user-agent":
                continue
            query = {"nodeId": root["nodeId"], "selector": selector}
            try:
                nodes = [
                    self._cdp.send("DOM.resolveNode", {"nodeId": node_id})
                    for node_id in self._cdp.send("DOM.querySelectorAll", query)["nodeIds"]
                ]
            except Error as error:
                if "node with given id" not in str(error):
                    raise
                continue  # The root left the page between the two questions: nothing of it is to be found.
            found += [
                Found(self._page, self._cdp, node["object"]["objectId"], self._origin) for node in nodes
            ]
        return found

    def wait_for(self, selector: str, text: str | None = None) -> Found:
        """The first element that matches and, if given, holds `text`."""
        deadline = time.monotonic() + PATIENCE_S
        while True:
            for found in self.all(selector):
                if text is None or text in found.text:
                    return found
            assert time.monotonic() < deadline, f"nothing matches {selector} with {text!r}"
            self._page.wait_for_timeout(50)

    def wait_gone(self, selector: str) -> None:
        deadline = time.monotonic() + PATIENCE_S
        while self.all(selector):
            assert time.monotonic() < deadline, f"{selector} stays"
            self._page.wait_for_timeout(50)
