"""Replicas of chat sites, with their address, kind of editor and markup: the whole path on each."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from browser.composer import Composer
from browser.extension_build import EXTENSION

MAIL = "jane.cooper@hotmail.com"
TYPED = f"my email is {MAIL} for now"

REPLICAS = [
    # site, address, editor, attributes of the editor, markup around it
    ("chatgpt", "https://chatgpt.com", "prosemirror", {"id": "prompt-textarea"}, ""),
    ("chatgpt", "https://chatgpt.com", "textarea", {"data-mobile-composer-prompt": ""}, ""),
    ("claude", "https://claude.ai", "tiptap", {"role": "textbox", "translate": "no"}, ""),
    ("gemini", "https://gemini.google.com", "quill", {"class": "ql-editor textarea"}, "rich-textarea"),
    ("gemini-enterprise", "https://business.gemini.google", "prosemirror", {}, "shadow"),
    ("copilot", "https://copilot.microsoft.com", "react", {"id": "userInput"}, ""),
    (
        "m365-copilot",
        "https://m365.cloud.microsoft",
        "lexical",
        {"id": "m365-chat-editor-target-element"},
        "",
    ),
    ("deepseek", "https://chat.deepseek.com", "react", {"spellcheck": "false", "data-gramm": "false"}, ""),
    ("perplexity", "https://www.perplexity.ai", "lexical", {"id": "ask-input"}, ""),
    ("mistral", "https://chat.mistral.ai", "prosemirror", {}, ""),
    ("grok", "https://grok.com", "tiptap", {}, ""),
    ("kimi", "https://www.kimi.com", "lexical", {"class": "chat-input-editor"}, ""),
    ("doubao", "https://www.doubao.com", "react", {"data-testid": "chat_input_input"}, ""),
    ("qianwen", "https://www.qianwen.com", "slate", {}, "textareaWrap--x1y2"),
    ("yuanbao", "https://yuanbao.tencent.com", "quill", {}, "chat-input-editor"),
    ("huggingchat", "https://huggingface.co/chat", "textarea", {"enterkeyhint": "send"}, ""),
]


def test_the_replicas_are_sites_of_the_table() -> None:
    table = {site["id"] for site in json.loads((EXTENSION / "src" / "sites.json").read_text())}
    assert {name for name, *_ in REPLICAS} <= table
    assert len({name for name, *_ in REPLICAS}) >= 10


@pytest.mark.parametrize(
    ("address", "editor", "attributes", "around"),
    [replica[1:] for replica in REPLICAS],
    ids=[f"{replica[0]}-{replica[2]}" for replica in REPLICAS],
)
def test_the_whole_path_on_a_replica(
    page: Page, address: str, editor: str, attributes: dict[str, str], around: str
) -> None:
    query = {"shadow": "open"} if around == "shadow" else {}
    composer = Composer.open(page, editor, origin=address, **query)
    composer.evaluate(
        """([attributes, around]) => {
            for (const [name, value] of Object.entries(attributes)) __ed.host.setAttribute(name, value);
            document.querySelector("#mount").className = around;
        }""",
        [attributes, around],
    )
    composer.focus()
    composer.type(TYPED)
    composer.wait_for_mark(MAIL)
    composer.open_card(MAIL)
    composer.press_in_card("Redact")
    composer.wait_for_placeholder(TYPED, MAIL)
    composer.roots.wait_for(".toast", "Redacted.")
    page.keyboard.press("Control+z")
    composer.wait_for_text(TYPED)


def test_a_site_that_is_not_in_the_table_is_left_alone(compose: Callable[..., Composer], page: Page) -> None:
    composer = compose("prosemirror", origin="https://elsewhere.test", text=TYPED)
    composer.type(" ")
    page.wait_for_timeout(1500)
    assert page.evaluate("() => CSS.highlights.size") == 0
