"""A marker in every text: a bounded part of `make security-marker`, and its controls."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from harness.marker import Search
from harness.weaving import LEAK, SEED, forms_of, marker_of, woven

ROOT = Path(__file__).resolve().parents[2]
MARKER = marker_of("a seed")
PART = (
    "tests/daemon/test_api.py::test_detect_speaks_utf16",
    "tests/daemon/test_up.py::test_the_daemon_checks_a_text_with_the_detector_it_names",
    "tests/security/test_silence.py::test_json_abuse",
    "tests/security/test_process.py::test_log_needle",
)
pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="reads /proc"),
    pytest.mark.usefixtures("_once"),
]


@pytest.fixture
def _once() -> None:
    if SEED in os.environ:
        pytest.skip("this run has its marker already")


_RUN = (
    "import json, sys; from harness.marker import run; sys.exit(run(sys.argv[2:], **json.loads(sys.argv[1])))"
)


def look(*tests: str, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", _RUN, json.dumps(more), *tests],
        cwd=ROOT / "tests",
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_marker_of_every_text_is_nowhere() -> None:
    """In no log, no file, no output, no argument, no environment, no core."""
    done = look(*PART)
    assert done.returncode == 0, done.stdout
    assert "seen in 0 places" in done.stdout


def test_the_marker_of_every_text_control() -> None:
    """With the log's rule off, the same run finds the marker, and names the log."""
    done = look(*PART[1:2], **{LEAK: "1"})
    assert done.returncode == 1, done.stdout
    assert "daemon.log (text)" in done.stdout


@pytest.mark.parametrize(
    "content",
    [
        f"a {MARKER} b".encode(),
        MARKER.encode("utf-16-le"),
        MARKER.encode().hex().encode(),
        *(base64.b64encode(b"x" * shift + MARKER.encode() + b"yz") for shift in range(5)),
    ],
)
def test_the_marker_is_seen_in_other_forms(tmp_path: Path, content: bytes) -> None:
    search = Search(forms_of(MARKER))
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "file").write_bytes(b"\x00\xff" * 100 + content)
    search.folder(tmp_path)
    assert search.found
    clean = Search(forms_of(MARKER))
    (tmp_path / "deep" / "file").write_bytes(b"\x00\xff" * 100)
    clean.folder(tmp_path)
    assert (clean.found, clean.files) == (set(), 1)


def test_the_marker_is_seen_in_the_name_of_a_file_and_in_a_process(tmp_path: Path) -> None:
    search = Search(forms_of(MARKER))
    (tmp_path / MARKER).touch()
    search.folder(tmp_path)
    assert len(search.found) == 1
    with subprocess.Popen(
        [sys.executable, "-c", "print(1, flush=True); input()", MARKER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as program:
        assert program.stdout is not None
        program.stdout.readline()
        search.process_list()
        program.kill()
    assert any(place.startswith("cmdline of a process") for place in search.found)


def test_the_marker_stands_in_every_text_and_what_was_refused_stays_refused() -> None:
    assert json.loads(woven(b'{"text":"a","context":"b","site":"c"}', MARKER)) == {
        "text": f"a {MARKER}",
        "context": f"b {MARKER}",
        "site": "c",
    }
    assert woven(b'{"text":"a"', MARKER) == b'{"text":"a" ' + MARKER.encode()
    assert woven(b'{"text":3}', MARKER) == b'{"text":3}'
