"""Connecting the browser to the daemon, and every way in which it fails, in words."""

from __future__ import annotations

from playwright.sync_api import BrowserContext, expect

from browser.closed_root import ClosedRoots
from browser.conftest import type_code
from browser.daemon_process import DaemonProcess
from browser.extension_build import EXTENSION_ID


def test_a_code_connects_once_and_a_wrong_one_says_how_many_tries_are_left(
    unconnected: BrowserContext, daemon: DaemonProcess
) -> None:
    assert "not a whole code" in type_code(unconnected, "K7Q2M")
    assert "no code waiting" in type_code(unconnected, "K7Q2M-9XR4D")
    with daemon.pairing() as code:
        wrong = ("0" if code[0] != "0" else "1") + code[1:]
        assert "4 tries are left" in type_code(unconnected, wrong)
        assert type_code(unconnected, code.lower()).startswith("Connected.")
    assert "no code waiting" in type_code(unconnected, code)


def test_the_token_connects_too_and_a_wrong_one_is_refused(
    unconnected: BrowserContext, daemon: DaemonProcess
) -> None:
    token = daemon.token
    assert "did not accept" in type_code(unconnected, token[::-1])
    assert type_code(unconnected, token).startswith("Connected.")


def test_without_a_daemon_it_says_how_to_start_one(
    unconnected: BrowserContext, daemon: DaemonProcess
) -> None:
    token = daemon.token
    daemon.stop()
    try:
        assert "not running" in type_code(unconnected, token)
    finally:
        daemon.start()


def test_the_first_mark_is_seen_on_the_try_it_page_and_nothing_is_remembered(
    unconnected: BrowserContext, daemon: DaemonProcess
) -> None:
    assert type_code(unconnected, daemon.token).startswith("Connected.")
    page = unconnected.new_page()
    page.goto(f"chrome-extension://{EXTENSION_ID}/options/options.html#connection")
    page.click("#try-it")
    page.get_by_role("button", name="Write it for me").click()
    expect(page.locator(".pointer")).to_contain_text("click them", timeout=60_000)
    roots = ClosedRoots(page)
    rect = page.evaluate(
        "() => { const r = [...[...CSS.highlights.values()].find((one) => one.size > 0)][0]"
        ".getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2] }"
    )
    page.mouse.click(*rect)
    roots.wait_for(".card button", "Keep").click()
    roots.wait_for(".toast", "Kept.")
    for box in ("#rich", "#chat"):
        page.click(box)
        page.keyboard.type("my email is jane.cooper@hotmail.com ")
        page.wait_for_function(
            """(box) => [...CSS.highlights.values()].flatMap((one) => [...one]).some((range) =>
                range instanceof Range && document.querySelector(box).contains(range.startContainer))""",
            arg=box,
        )
    page.close()
