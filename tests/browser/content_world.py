"""The content script's own world in a page, as a debugger sees it: what is running there and listening."""

from __future__ import annotations

import json
import time
from typing import Any

from playwright.sync_api import Page

from browser.extension_build import EXTENSION_ID

PATIENCE_S = 15

# The script names these functions only when it calls them, so it calls ours from here on.
COUNT = """(() => {
  const live = (globalThis.__live = { timers: new Map(), observers: new Set() });
  const once = (start, stop, lasts) => {
    const [begin, end] = [globalThis[start], globalThis[stop]];
    globalThis[start] = (run, ...rest) => {
      const id = begin((...given) => {
        if (!lasts) live.timers.delete(`${start} ${id}`);
        run(...given);
      }, ...rest);
      live.timers.set(`${start} ${id}`, `${start} ${run}`.slice(0, 120));
      return id;
    };
    globalThis[stop] = (id) => {
      live.timers.delete(`${start} ${id}`);
      end(id);
    };
  };
  once("setTimeout", "clearTimeout", false);
  once("setInterval", "clearInterval", true);
  once("requestAnimationFrame", "cancelAnimationFrame", false);
  for (const name of ["MutationObserver", "ResizeObserver", "IntersectionObserver"]) {
    globalThis[name] = class extends globalThis[name] {
      observe(...given) {
        live.observers.add(this);
        super.observe(...given);
      }
      disconnect() {
        live.observers.delete(this);
        super.disconnect();
      }
    };
  }
})()"""

LEFT = """JSON.stringify([
  ...__live.timers.values(),
  ...[...__live.observers].map((one) => Object.getPrototypeOf(Object.getPrototypeOf(one)).constructor.name),
  ...[...document.documentElement.children].map((one) => one.nodeName).slice(2),
  ...CSS.highlights.keys(),
])"""


class ContentWorld:
    """Counts from now on what the content script starts: timers, observers."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._cdp = page.context.new_cdp_session(page)
        worlds: list[dict[str, Any]] = []
        self._cdp.on("Runtime.executionContextCreated", lambda event: worlds.append(event["context"]))
        self._cdp.send("Runtime.enable")
        # The script comes to a page when it is loaded, which may be later than the editor is there.
        deadline = time.monotonic() + PATIENCE_S
        while not (own := [found["id"] for found in worlds if EXTENSION_ID in found["origin"]]):
            assert time.monotonic() < deadline, "the content script never came to the page"
            page.wait_for_timeout(50)
        self._id = own[-1]
        self._evaluate(COUNT)

    def _evaluate(self, expression: str) -> dict[str, Any]:
        request = {"expression": expression, "contextId": self._id}
        answer = self._cdp.send("Runtime.evaluate", request)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        result: dict[str, Any] = answer["result"]
        return result

    def listeners(self) -> list[str]:
        """What is listened for on the window and the document, by this world alone."""
        types: list[str] = []
        for target in ("window", "document"):
            object_id = self._evaluate(target)["objectId"]
            found = self._cdp.send("DOMDebugger.getEventListeners", {"objectId": object_id})
            types += [f"{target} {one['type']}" for one in found["listeners"]]
        return types

    def left(self) -> list[str]:
        """Everything of the extension's that is in the page, running or listening."""
        return [*json.loads(self._evaluate(LEFT)["value"]), *self.listeners()]

    def wait_until_nothing_is_left(self) -> None:
        deadline = time.monotonic() + PATIENCE_S
        while left := self.left():
            assert time.monotonic() < deadline, f"still there: {left}"
            self._page.wait_for_timeout(100)
