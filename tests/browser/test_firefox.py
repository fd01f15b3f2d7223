"""The core path in Firefox, in every kind of editor: connect, type, see the mark, card, redact, undo."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import threading
from collections.abc import Iterator
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
def run(daemon: DaemonProcess, address: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    firefox = os.environ.get("LIMEN_FIREFOX") or shutil.which("firefox-esr")
    if not firefox:
        pytest.skip("no Firefox; install firefox-esr, or set LIMEN_FIREFOX to it")
    # Open shadow roots: the driver has no way into closed ones.
    built = build_extension(
        tmp_path_factory.mktemp("firefox"), daemon.port, "--open-shadow", "--match", "http://127.0.0.1/*"
    )
    with daemon.pairing(says_yes=True) as code:
        done = subprocess.run(
            ["node", "firefox.mjs", str(built / "firefox"), address, code],
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
