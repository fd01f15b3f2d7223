"""The core path in Firefox, in every kind of editor: connect, type, see the mark, card, redact, undo."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from browser.daemon_process import DaemonProcess
from browser.extension_build import PAGES, build_extension

MAIL = "jane.cooper@hotmail.com"
TYPED = f"{MAIL} is my email"
BOXED = {"textarea", "react"}
"""Firefox has no ranges in form fields: there the lines are drawn over the field."""


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *arguments: Any) -> None:
        """The test's output is not a server's log."""


@pytest.fixture(scope="module")
def address(pages: Path) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(pages)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(scope="module")
def drive(
    daemon: DaemonProcess, address: str, tmp_path_factory: pytest.TempPathFactory
) -> Callable[[Path], dict[str, Any]]:
    """Runs a driver in a fresh Firefox with the extension, and gives what it has seen."""
    firefox = os.environ.get("LIMEN_FIREFOX") or shutil.which("firefox-esr")
    if not firefox:
        pytest.skip("no Firefox; install firefox-esr, or set LIMEN_FIREFOX to it")
    # Open shadow roots: the driver has no way into closed ones.
    built = build_extension(
        tmp_path_factory.mktemp("firefox"), daemon.port, "--open-shadow", "--match", "http://127.0.0.1/*"
    )

    def run_driver(script: Path) -> dict[str, Any]:
        with daemon.pairing(says_yes=True) as code:
            done = subprocess.run(
                ["node", str(script), str(built / "firefox"), address, code],
                cwd=PAGES,
                env={**os.environ, "LIMEN_FIREFOX": firefox},
                capture_output=True,
                text=True,
                timeout=900,
                check=False,
            )
        assert done.returncode == 0, done.stderr[-2000:]
        result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
        return result

    return run_driver


@pytest.fixture(scope="module")
def run(drive: Callable[[Path], dict[str, Any]]) -> dict[str, Any]:
    return drive(PAGES / "firefox.mjs")


@pytest.fixture(scope="module")
def more(drive: Callable[[Path], dict[str, Any]]) -> dict[str, Any]:
    return drive(PAGES / "firefoxMore.mjs")


def test_firefox_connects_by_the_code(run: dict[str, Any]) -> None:
    assert run["connected"].startswith("Connected.")


def test_in_firefox_changed_settings_leave_no_style_sheet_behind(run: dict[str, Any]) -> None:
    assert run["styles"] == [1, 1, 1, 1]


@pytest.mark.parametrize(
    ("editor", "query"),
    [
        *((name, "") for name in ("prosemirror", "tiptap", "lexical", "quill", "slate", "draft")),
        *((name, "") for name in ("codemirror", "plain", "textarea", "react")),
        ("prosemirror", "&shadow=open"),
        ("prosemirror", "&shadow=closed"),
    ],
)
def test_in_firefox_an_editor_is_marked_redacted_and_undone(
    run: dict[str, Any], editor: str, query: str
) -> None:
    seen = next(one for one in run["editors"] if (one["editor"], one["query"]) == (editor, query))
    assert "error" not in seen, seen
    assert seen["typed"] == TYPED
    assert seen["isBox"] == (editor in BOXED)
    assert seen["focusChanges"] == []
    assert seen["redacted"] == TYPED.replace(MAIL, "[CONTACT_1]")
    assert seen["undone"]


@pytest.mark.parametrize("editor", ["prosemirror", "lexical", "textarea", "input"])
def test_in_firefox_a_mark_and_a_choice_change_nothing_in_the_page(more: dict[str, Any], editor: str) -> None:
    assert more["changes"][editor] == []


@pytest.mark.parametrize("editor", ["prosemirror", "lexical", "textarea", "react"])
def test_in_firefox_the_next_key_goes_to_the_caret_and_all_is_undone_and_redone(
    more: dict[str, Any], editor: str
) -> None:
    seen = more["typed"][editor]
    assert "error" not in seen, seen
    assert seen["redacted"] == TYPED.replace(MAIL, "[CONTACT_1]")
    assert seen["next"] == seen["redacted"] + "!"
    assert seen["undone"] and seen["redone"], seen


def test_in_firefox_the_text_read_from_the_dom_is_the_editors_own(more: dict[str, Any]) -> None:
    texts = more["texts"]
    assert len(texts) == 8, texts
    assert {editor: seen["map"] for editor, seen in texts.items()} == {
        editor: seen["model"] for editor, seen in texts.items()
    }
    assert texts["prosemirror"]["map"] == "🙂 a\n\nb c\n中文"


def test_in_firefox_enter_is_held_typing_goes_on_and_what_was_redacted_is_sent(more: dict[str, Any]) -> None:
    seen = more["gate"]
    assert "error" not in seen, seen
    assert seen["held"]["messages"] == []
    assert seen["typedOn"] == seen["held"]["text"] + "!"
    assert len(seen["sent"]) == 1
    assert re.fullmatch(r"my key is \[[A-Z]+_1\] ok!", seen["sent"][0])


def test_in_firefox_a_tab_goes_on_being_checked_when_the_extension_was_loaded_anew(
    more: dict[str, Any],
) -> None:
    """Firefox starts the new script in tabs that are open; what the old one drew must not be left beside."""
    seen = more["reloaded"]
    assert "error" not in seen, seen
    assert seen["typed"] == f"{TYPED} or bob.lee@yahoo.com ok"
    assert seen["words"] == ["bob.lee@yahoo.com", MAIL]
