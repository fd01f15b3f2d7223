"""What is chosen in the card reaches the encrypted profile, and what the profile knows reaches the marks."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page

from browser.composer import Composer
from browser.daemon_process import DaemonProcess, free_port
from browser.extension_build import EXTENSION_ID, build_extension

MAIL = "jane.cooper@hotmail.com"
TYPED = f"my email is {MAIL} for now"


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory, port: int) -> Iterator[DaemonProcess]:
    """A daemon of this module's own, with a profile that is kept in memory."""
    process = DaemonProcess(tmp_path_factory.mktemp("daemon"), port)
    process.start()
    process.limen("profile", "init", "--memory")
    yield process
    process.stop()


@pytest.fixture(scope="module")
def port() -> int:
    return free_port()


@pytest.fixture(scope="module")
def extension(tmp_path_factory: pytest.TempPathFactory, port: int) -> Any:
    return build_extension(tmp_path_factory.mktemp("extension"), port) / "chromium"


@pytest.fixture
def call(browser: BrowserContext) -> Iterator[Callable[..., Any]]:
    """Asks the daemon as the settings page does: through the background."""
    page = browser.new_page()
    page.goto(f"chrome-extension://{EXTENSION_ID}/options/options.html")

    def ask(path: str, **body: Any) -> Any:
        message = {"kind": "CallDaemon", "path": path, "body": body}
        outcome = page.evaluate("(message) => chrome.runtime.sendMessage(message)", message)
        assert outcome["ok"], outcome
        return outcome["body"]

    yield ask
    page.close()


def wait_for_decisions(call: Callable[..., Any], count: int) -> list[dict[str, Any]]:
    deadline = time.monotonic() + 30
    while True:
        items = call("/v1/decisions/list", page=1, page_size=50)["items"]
        if len(items) == count:
            return list(items)
        assert time.monotonic() < deadline, f"{len(items)} decisions, not {count}"


def forget_all(call: Callable[..., Any]) -> None:
    call("/v1/decisions/delete", filter={})


def test_keeping_is_recorded_and_undo_takes_it_back(
    compose: Callable[..., Composer], page: Page, call: Callable[..., Any]
) -> None:
    page.bring_to_front()
    composer = compose("prosemirror", text=TYPED)
    composer.wait_for_mark(MAIL)
    composer.open_card(MAIL)
    composer.press_in_card("Keep")
    (item,) = wait_for_decisions(call, 1)
    assert (item["decision"], item["phrase"], item["site"]) == ("kept", MAIL, "chatgpt.com")
    assert (item["category"], item["recipient"]) == ("contact", "ai_provider")
    composer.roots.wait_for(".toast button", "Undo").click()
    wait_for_decisions(call, 0)


def test_redacting_is_recorded_without_the_words(
    compose: Callable[..., Composer], page: Page, call: Callable[..., Any]
) -> None:
    page.bring_to_front()
    composer = compose("prosemirror", text=TYPED)
    composer.wait_for_mark(MAIL)
    composer.open_card(MAIL)
    composer.press_in_card("Redact")
    (item,) = wait_for_decisions(call, 1)
    assert item["decision"] == "redacted"
    assert item["phrase"] != MAIL
    forget_all(call)


def test_what_was_sent_with_its_mark_is_recorded_as_sent(
    compose: Callable[..., Composer], page: Page, call: Callable[..., Any]
) -> None:
    page.bring_to_front()
    composer = compose("textarea", text=TYPED)
    composer.wait_for_mark(MAIL)
    page.click("#send")
    composer.wait_for_text("")
    (item,) = wait_for_decisions(call, 1)
    assert (item["decision"], item["phrase"]) == ("sent", MAIL)
    forget_all(call)


def test_a_composer_that_the_page_replaces_when_it_sends_counts_as_sent(
    compose: Callable[..., Composer], page: Page, call: Callable[..., Any]
) -> None:
    page.bring_to_front()
    composer = compose("plain", text=TYPED)
    composer.wait_for_mark(MAIL)
    page.evaluate("""() => __ed.host.addEventListener("keydown", (event) => {
        if (event.key !== "Enter") return;
        event.preventDefault();
        const fresh = __ed.host.cloneNode(false);
        __ed.host.replaceWith(fresh);
        fresh.focus();
    })""")
    page.keyboard.press("Enter")
    (item,) = wait_for_decisions(call, 1)
    assert (item["decision"], item["phrase"]) == ("sent", MAIL)
    forget_all(call)


@pytest.mark.parametrize(
    "rule",
    ["Always keep this phrase", "Always keep this kind", "Never mark this kind on this site"],
)
def test_undo_takes_back_what_was_never_to_be_marked_again(
    compose: Callable[..., Composer], page: Page, call: Callable[..., Any], rule: str
) -> None:
    page.bring_to_front()
    composer = compose("prosemirror", text=TYPED)
    composer.wait_for_mark(MAIL)
    composer.open_card(MAIL)
    composer.press_in_card("Always…")
    composer.press_in_card(rule)
    composer.wait_for_unmarked(MAIL)
    composer.roots.wait_for(".toast button", "Undo").click()
    composer.wait_for_mark(MAIL)
    composer.roots.wait_for(".toast", "Undone.")
    wait_for_decisions(call, 0)
    assert call("/v1/lists/get")["items"] == []
    other = Composer.open(page, "prosemirror", text=TYPED)
    other.focus()
    other.wait_for_mark(MAIL)


def test_undo_of_always_redact_takes_the_rule_back_too(
    compose: Callable[..., Composer], page: Page, call: Callable[..., Any]
) -> None:
    page.bring_to_front()
    composer = compose("prosemirror", text=TYPED)
    composer.wait_for_mark(MAIL)
    before = composer.marks()
    composer.open_card(MAIL)
    composer.press_in_card("Always…")
    composer.press_in_card("Always redact this phrase")
    composer.wait_for_placeholder(TYPED, MAIL)
    wait_for_decisions(call, 1)
    composer.roots.wait_for(".toast button", "Undo").click()
    composer.wait_for_text(TYPED)
    wait_for_decisions(call, 0)
    assert call("/v1/lists/get")["items"] == []
    again = Composer.open(page, "prosemirror", text=TYPED)
    again.focus()
    again.wait_for_mark(MAIL)
    assert again.marks() == before


def test_always_keep_makes_the_phrase_quiet_on_every_page_to_come(
    compose: Callable[..., Composer], page: Page, call: Callable[..., Any]
) -> None:
    page.bring_to_front()
    composer = compose("prosemirror", text=TYPED)
    composer.wait_for_mark(MAIL)
    composer.open_card(MAIL)
    composer.press_in_card("Always…")
    composer.press_in_card("Always keep this phrase")
    composer.roots.wait_for(".toast", "Remembered.")
    (rule,) = call("/v1/lists/get")["items"]
    assert (rule["rule"], rule["scope"]) == ("allow", "value")
    other = Composer.open(
        page, "prosemirror", origin="https://claude.ai", text=f"{TYPED}, and mary.cooper@yahoo.com"
    )
    other.focus()
    other.wait_for_mark("mary.cooper@yahoo.com")
    assert MAIL not in other.marked()
    call("/v1/lists/remove", id=rule["id"])
    forget_all(call)


def test_always_redact_makes_the_phrase_stand_out(
    compose: Callable[..., Composer], page: Page, call: Callable[..., Any]
) -> None:
    page.bring_to_front()
    composer = compose("prosemirror", text=TYPED)
    composer.wait_for_mark(MAIL)
    composer.open_card(MAIL)
    composer.press_in_card("Always…")
    composer.press_in_card("Always redact this phrase")
    composer.wait_for_placeholder(TYPED, MAIL)
    wait_for_decisions(call, 1)
    again = Composer.open(page, "prosemirror", text=TYPED)
    again.focus()
    again.wait_for_mark(MAIL)
    assert ("lm-a", MAIL) in again.marks()
    again.open_card(MAIL)
    again.roots.wait_for(".card", "You always block this.")
    for rule in call("/v1/lists/get")["items"]:
        call("/v1/lists/remove", id=rule["id"])
    forget_all(call)


def test_placeholders_lie_in_the_profile(
    compose: Callable[..., Composer], page: Page, call: Callable[..., Any]
) -> None:
    page.bring_to_front()
    composer = compose("prosemirror", origin="https://chatgpt.com/c/kept", text=TYPED)
    composer.wait_for_mark(MAIL)
    composer.open_card(MAIL)
    composer.press_in_card("Redact")
    composer.wait_for_placeholder(TYPED, MAIL)
    deadline = time.monotonic() + 30
    entries: list[dict[str, str]] = []
    while not entries and time.monotonic() < deadline:
        entries = call("/v1/placeholders/get", conversation="https://chatgpt.com/c/kept")["entries"]
    assert entries == [{"placeholder": "[CONTACT_1]", "value": MAIL}]
    forget_all(call)
