"""Messages to the background from those who may not send them: the page, and the content script in it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page

from browser.composer import Composer
from browser.extension_build import EXTENSION_ID

PRIVILEGED: list[dict[str, Any]] = [
    {"kind": "CallDaemon", "path": "/v1/decisions/list", "body": {"page": 1, "page_size": 1}},
    {"kind": "CallDaemon", "path": "/v1/profile/export", "body": {"passphrase": "correct horse battery"}},
    {"kind": "CallDaemon", "path": "/v1/profile/erase", "body": {"confirm": "erase"}},
    {"kind": "Connect", "code": "K7Q2M-9XR4D"},
    {"kind": "Disconnect"},
    {"kind": "ReadTab", "tabId": 1},
    {"kind": "Nonsense"},
]

FROM_THE_PAGE = """
async (messages) => {
  const seen = [];
  addEventListener("message", (event) => { if (event.data?.isReply) seen.push(event.data); });
  for (const message of messages) {
    postMessage(message, "*");
    postMessage({ source: "limen", ...message }, "*");
    dispatchEvent(new CustomEvent("limen", { detail: message }));
    document.dispatchEvent(new CustomEvent(message.kind, { detail: message }));
  }
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  return { seen, runtime: typeof globalThis.chrome?.runtime?.sendMessage };
}
"""


def ask_from_content_script(page: Page, message: dict[str, Any]) -> Any:
    """Send `message` from the isolated world of the content script, as a script that took it over would."""
    session = page.context.new_cdp_session(page)
    worlds: list[dict[str, Any]] = []
    session.on("Runtime.executionContextCreated", lambda event: worlds.append(event["context"]))
    session.send("Runtime.enable")
    world = next(found for found in worlds if EXTENSION_ID in found["origin"])
    answer = session.send(
        "Runtime.evaluate",
        {
            "expression": f"chrome.runtime.sendMessage({json.dumps(message)})",
            "contextId": world["id"],
            "awaitPromise": True,
            "returnByValue": True,
        },
    )
    session.detach()
    return answer["result"].get("value")


def test_a_page_cannot_talk_to_the_background(compose: Callable[..., Composer], page: Page) -> None:
    compose("prosemirror")
    assert page.evaluate(FROM_THE_PAGE, PRIVILEGED) == {"seen": [], "runtime": "undefined"}
    assert (
        page.evaluate(
            f"fetch('chrome-extension://{EXTENSION_ID}/options/options.html').then(() => 1, () => 0)"
        )
        == 0
    )


def test_a_content_script_gets_nothing_that_only_our_own_pages_may_ask(
    compose: Callable[..., Composer], page: Page
) -> None:
    compose("prosemirror")
    for message in PRIVILEGED:
        assert ask_from_content_script(page, message) == {"kind": "Error", "code": "malformed"}, message[
            "kind"
        ]


def test_our_own_page_gets_an_answer_to_the_same_question(
    compose: Callable[..., Composer], page: Page
) -> None:
    """The control: the first message, sent from the options page, is answered."""
    own = page.context.new_page()
    own.goto(f"chrome-extension://{EXTENSION_ID}/options/options.html")
    answer = own.evaluate("(message) => chrome.runtime.sendMessage(message)", PRIVILEGED[0])
    own.close()
    assert answer != {"kind": "Error", "code": "malformed"}
    assert answer["ok"] in (True, False)
