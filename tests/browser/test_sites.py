"""Replicas of chat sites, with their address, kind of editor and markup: the whole path on each."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from browser.composer import Composer
from browser.extension_build import EXTENSION
from browser.toolbar import worker

MAIL = "jane.cooper@hotmail.com"
TYPED = f"my email is {MAIL} for now"
KEY = "sk-ant-api03-aB3dE5gH7jK9mN1pQ3rS5tU7vW9xY1zA3bC5dE7fG9hJ1kL3mN5pQ7rS9tU1vW3xY5zA7bC9dE1fG3-AAAAAA"
SECRET = f"my key is {KEY} ok"

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
    ("aistudio", "https://aistudio.google.com", "textarea", {"class": "textarea cdk-textarea-autosize"}, ""),
    ("poe", "https://poe.com", "textarea", {"class": "GrowingTextArea_textArea__ZWQbP"}, "growWrap"),
    ("qwen", "https://chat.qwen.ai", "react", {"class": "message-input-textarea"}, ""),
    ("openrouter", "https://openrouter.ai", "react", {"data-testid": "composer-input"}, ""),
    ("openrouter", "https://openrouter.ai", "plaintext", {"data-testid": "composer-input"}, ""),
]

SEND = """
    // No form: the page's own handlers send, as on the site.
    const form = document.getElementById("composer");
    const box = document.createElement("div");
    box.id = "composer";
    box.append(...form.childNodes);
    form.replaceWith(box);
    const button = document.getElementById("send");
    button.type = "button";
    const send = () => {
        if (__ed.text().trim() === "") return;
        const message = document.createElement("div");
        message.className = "message";
        message.textContent = __ed.text();
        document.getElementById("conversation").append(message);
        __ed.set("");
    };
    const sendAt = (isWanted) => __ed.host.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" || event.shiftKey || event.isComposing || !isWanted(event)) return;
        event.preventDefault();
        send();
    });
"""
BEHAVIOURS = {
    # Angular Material's autosize measures at every input by a class and a height. "Run" says nothing of
    # sending and is known from the table.
    "aistudio": """
        const run = document.createElement("ms-run-button");
        button.replaceWith(run);
        run.append(button);
        button.setAttribute("aria-label", "Run");
        button.textContent = "Run Ctrl ⏎";
        button.addEventListener("click", send);
        sendAt((event) => event.ctrlKey);
        __ed.host.addEventListener("input", () => {
            __ed.host.classList.add("cdk-textarea-autosize-measuring");
            const height = __ed.host.scrollHeight;
            __ed.host.classList.remove("cdk-textarea-autosize-measuring");
            __ed.host.style.height = `${height}px`;
        });
    """,
    # The wrapper has a copy of the text in an attribute. Again and again there is a new button in the old
    # one's place; React hears presses at the root, so those on a button that is gone are heard by nobody.
    "poe": """
        const renew = () => {
            const fresh = document.getElementById("send").cloneNode(true);
            fresh.setAttribute("aria-label", __ed.text() === "" ? "Voice" : "Send message");
            document.getElementById("send").replaceWith(fresh);
        };
        renew();
        setInterval(renew, 300);
        box.addEventListener("click", (event) => { if (event.target.closest("[aria-label^=Send]")) send(); });
        sendAt((event) => !event.ctrlKey);
        __ed.host.addEventListener("input", () => {
            __ed.host.parentElement.dataset.replicatedValue = __ed.host.value;
            renew();
        });
    """,
    "qwen": "button.addEventListener('click', send); sendAt((event) => !event.ctrlKey);",
    "openrouter": "button.addEventListener('click', send); sendAt((event) => !event.ctrlKey);",
}


def open_replica(
    page: Page, site: str, address: str, editor: str, attributes: dict[str, str], around: str
) -> Composer:
    query = {"shadow": "open"} if around == "shadow" else {}
    composer = Composer.open(page, editor, origin=address, **query)
    composer.evaluate(
        """([attributes, around]) => {
            for (const [name, value] of Object.entries(attributes)) __ed.host.setAttribute(name, value);
            document.querySelector("#mount").className = around;
        }""",
        [attributes, around],
    )
    if site in BEHAVIOURS:
        composer.evaluate(f"() => {{ {SEND} {BEHAVIOURS[site]} }}")
    composer.focus()
    return composer


def test_the_replicas_are_sites_of_the_table() -> None:
    table = {site["id"] for site in json.loads((EXTENSION / "src" / "sites.json").read_text())}
    assert {name for name, *_ in REPLICAS} <= table
    assert len({name for name, *_ in REPLICAS}) >= 10


@pytest.mark.parametrize(
    ("site", "address", "editor", "attributes", "around"),
    REPLICAS,
    ids=[f"{replica[0]}-{replica[2]}" for replica in REPLICAS],
)
def test_the_whole_path_on_a_replica(
    page: Page, site: str, address: str, editor: str, attributes: dict[str, str], around: str
) -> None:
    composer = open_replica(page, site, address, editor, attributes, around)
    composer.type(TYPED)
    composer.wait_for_mark(MAIL)
    composer.open_card(MAIL)
    composer.press_in_card("Redact")
    composer.wait_for_placeholder(TYPED, MAIL)
    composer.roots.wait_for(".toast", "Redacted.")
    page.keyboard.press("Control+z")
    composer.wait_for_text(TYPED)


@pytest.mark.parametrize(
    ("site", "way"),
    [
        ("aistudio", "Control+Enter"),
        ("aistudio", "button"),
        ("poe", "Enter"),
        ("poe", "button"),
        ("qwen", "Enter"),
        ("openrouter", "Enter"),
        ("openrouter", "button"),
    ],
)
def test_what_sends_on_a_replica_is_held_and_sends_once_when_told_so(page: Page, site: str, way: str) -> None:
    worker(page).evaluate("() => chrome.storage.local.set({ settings: { gate: 'gentle' } })")
    try:
        replica = next(replica for replica in REPLICAS if replica[0] == site)
        composer = open_replica(page, *replica)
        composer.type(SECRET, delay_ms=1)
        composer.wait_for_mark(KEY)
        if way == "button":
            page.click("#send")
        else:
            page.keyboard.press(way)
        composer.roots.wait_for(".gate", "1 thing marked here")
        page.wait_for_timeout(400)
        assert page.locator(".message").count() == 0 and composer.text == SECRET
        composer.roots.wait_for(".gate button", "Send as it is").click()
        composer.wait_for_text("")
        assert page.locator(".message").all_inner_texts() == [SECRET]
    finally:
        worker(page).evaluate("() => chrome.storage.local.set({ settings: {} })")


def test_a_key_that_begins_a_new_line_on_a_site_is_not_held(page: Page) -> None:
    worker(page).evaluate("() => chrome.storage.local.set({ settings: { gate: 'gentle' } })")
    try:
        replica = next(replica for replica in REPLICAS if replica[0] == "aistudio")
        composer = open_replica(page, *replica)
        composer.type(SECRET, delay_ms=1)
        composer.wait_for_mark(KEY)
        page.keyboard.press("Enter")
        composer.wait_for_text(f"{SECRET}\n")
        assert composer.roots.all(".gate") == []
    finally:
        worker(page).evaluate("() => chrome.storage.local.set({ settings: {} })")


def test_a_site_that_is_not_in_the_table_is_left_alone(compose: Callable[..., Composer], page: Page) -> None:
    composer = compose("prosemirror", origin="https://elsewhere.test", text=TYPED)
    composer.type(" ")
    page.wait_for_timeout(1500)
    assert page.evaluate("() => CSS.highlights.size") == 0
