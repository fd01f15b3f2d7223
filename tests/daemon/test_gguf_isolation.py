"""What the worker process gives up, tried in a process of its own; each refusal with its negative control."""

from __future__ import annotations

import platform
import subprocess
import sys
from pathlib import Path

import pytest

ATTEMPTS = {
    "socket": "import socket; socket.socket()",
    "raw socket": "import ctypes, os; c = ctypes.CDLL(None, use_errno=True)\n"
    "if c.socket(2, 1, 0) < 0: raise PermissionError(ctypes.get_errno())",
    "socket in a new thread": "import ctypes, threading; c = ctypes.CDLL(None, use_errno=True); got = []\n"
    "t = threading.Thread(target=lambda: got.append(c.socket(2, 1, 0))); t.start(); t.join()\n"
    "if got[0] < 0: raise PermissionError",
    "program": "import os; os.posix_spawn('/bin/true', ['true'], {})",
    "program in place": "import ctypes; c = ctypes.CDLL(None, use_errno=True)\n"
    "c.execv(b'/bin/true', (ctypes.c_char_p * 2)(b'true', None)); raise PermissionError",
    "file": "f = open('written', 'w'); f.write('x'); f.flush()",
}
ISOLATE = (
    "from limen_daemon.detector.generative.isolation import isolate\n"
    "import signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
    "assert isolate(address_space_bytes=None, programs=False) == 'seccomp'\n"
)

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or platform.machine() not in ("x86_64", "aarch64"),
    reason="the kernel's filter is for Linux on x86-64 and arm64",
)


def _run(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=120, cwd=folder
    )


@pytest.mark.parametrize("attempt", sorted(ATTEMPTS))
def test_an_isolated_process_is_refused(attempt: str, tmp_path: Path) -> None:
    refused = _run(ISOLATE + ATTEMPTS[attempt], tmp_path)
    assert refused.returncode == 1, refused.stderr
    assert "PermissionError" in refused.stderr or "File too large" in refused.stderr


@pytest.mark.parametrize("attempt", sorted(ATTEMPTS))
def test_the_same_is_possible_without_isolation(attempt: str, tmp_path: Path) -> None:
    assert _run(ATTEMPTS[attempt], tmp_path).returncode == 0


def test_threads_and_reading_files_stay_possible(tmp_path: Path) -> None:
    code = (
        "import threading\n"
        "done = []\n"
        "read = lambda: done.append(open('/proc/self/status').read(7))\n"
        "thread = threading.Thread(target=read); thread.start(); thread.join()\n"
        "assert done == ['Name:\\tp'], done"
    )
    assert _run(ISOLATE + code, tmp_path).returncode == 0
