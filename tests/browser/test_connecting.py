"""Connecting the browser to the daemon, and every way in which it fails, in words."""

from __future__ import annotations

from playwright.sync_api import BrowserContext

from browser.conftest import type_code
from browser.daemon_process import DaemonProcess


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
