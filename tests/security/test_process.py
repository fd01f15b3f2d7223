"""The daemon as a process: what it listens on, what it leaves in logs, dumps and lists, whom it calls."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from harness.daemon import DETECT, STATUS
from harness.program import call, environment, free_port, limen, paired_browser, up
from limen_daemon.pairing.encoding import as_base64, encode

NEEDLE = "needle-4711"
NOBODY = 65534
linux = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


def _listeners(pid: int) -> set[tuple[str, int]]:
    """Addresses a process listens on, IPv4 and IPv6, TCP."""
    inodes = set()
    for link in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(FileNotFoundError):  # looking needs an open file itself
            target = str(link.readlink())
            if target.startswith("socket:["):
                inodes.add(target[8:-1])
    found = set()
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/{pid}/net/{table}").read_text().splitlines()[1:]:
            fields = line.split()
            if fields[3] == "0A" and fields[9] in inodes:
                address, _, port = fields[1].partition(":")
                found.add((address, int(port, 16)))
    return found


@linux
@pytest.mark.skipif(os.geteuid() != 0, reason="the daemon hides its files from users that are not root")
async def test_bind_only_loopback(tmp_path: Path) -> None:
    port = free_port()
    async with up(tmp_path, port) as process:
        assert _listeners(process.pid) == {("0100007F", port)}


def test_bind_elsewhere_is_a_start_error(tmp_path: Path) -> None:
    done = limen(tmp_path, "up", LIMEN_HOST="0.0.0.0", LIMEN_PORT=str(free_port()))
    assert done.returncode == 1
    assert "LIMEN_HOST" in done.stderr


async def test_port_taken(tmp_path: Path) -> None:
    """The second of two daemons ends with 69 and listens nowhere; the first goes on."""
    port = free_port()
    async with up(tmp_path, port):
        second = await asyncio.to_thread(limen, tmp_path / "two", "up", LIMEN_PORT=str(port))
        assert second.returncode == 69
        assert f"port {port} on 127.0.0.1 is used by another program" in second.stderr
        assert "listens" not in second.stderr
        assert (await call(tmp_path, port, STATUS, b"{}")).status == 200


def _all_text(folder: Path) -> Iterator[str]:
    for path in folder.rglob("*"):
        yield str(path)
        if path.is_file():
            yield path.read_bytes().decode("latin-1")


async def test_log_needle(tmp_path: Path) -> None:
    """Every kind of answer at DEBUG with a marker in every text: it is in no file, no output, no list."""
    port, temporary = free_port(), tmp_path / "tmp"
    temporary.mkdir()
    bodies = [
        json.dumps({"text": f"my name is {NEEDLE}, my 3 year old", "context": NEEDLE}),
        json.dumps({"text": f"{NEEDLE} my email is {NEEDLE}@gmail.com", "site": NEEDLE}),
        json.dumps({"text": NEEDLE, "more": NEEDLE}),
        json.dumps({"text": NEEDLE})[:-1],
        f'{{"text":"\\ud800{NEEDLE}"}}',
        NEEDLE,
    ]
    async with up(tmp_path, port, LIMEN_LOG_LEVEL="DEBUG", TMPDIR=str(temporary)) as process:
        statuses = [(await call(tmp_path, port, DETECT, body.encode())).status for body in bodies]
        await call(tmp_path, port, f"/v1/{NEEDLE}", b"{}")
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        lists = [Path(f"/proc/{pid}/cmdline").read_text() for pid in [str(process.pid), *children]]
        process.send_signal(signal.SIGTERM)
        out, err = await process.communicate()
    assert set(statuses[2:]) == {422}
    assert set(statuses[:2]) <= {200, 503}
    files = list(_all_text(tmp_path))
    assert any("refused status=422" in text for text in files), "the log at DEBUG says something"
    assert NEEDLE not in "".join([*files, *lists, out.decode(), err.decode()])


@linux
async def test_argv_env(tmp_path: Path) -> None:
    """A pairing's keys are in no argument and no environment of any process of the daemon."""
    port = free_port()
    async with up(tmp_path, port) as process:
        keys = (await paired_browser(tmp_path, port)).keys
        secrets = {form for key in (keys.auth, keys.c2s, keys.s2c) for form in _forms(key)}
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        for pid in [str(process.pid), *children]:
            seen = Path(f"/proc/{pid}/cmdline").read_bytes() + _environment_of(pid)
            assert not [form for form in secrets if form in seen]
        assert children, "the detector runs in a process of its own"


def _forms(key: bytes) -> tuple[bytes, ...]:
    return key, key.hex().encode(), encode(key).encode(), as_base64(key)


def _environment_of(pid: str) -> bytes:
    try:
        return Path(f"/proc/{pid}/environ").read_bytes()
    except PermissionError:  # not dumpable: another process may not look at all
        return b""


_ORDINARY = f"""
import ctypes, os, sys
if os.geteuid() == 0:  # root may read everything: become an ordinary user, as dumpable as one
    os.setgroups([]); os.setgid({NOBODY}); os.setuid({NOBODY})
    ctypes.CDLL(None).prctl(4, 1, 0, 0, 0)
"""

_TRY_MEMORY = (
    _ORDINARY
    + """
try:
    with open(f"/proc/{sys.argv[1]}/mem", "rb"): print("open")
except PermissionError: print("refused")
"""
)

_SLEEPER = (
    """
import resource, time
from limen_daemon.hardening import harden
"""
    + _ORDINARY
    + """
if sys.argv[1] == "hardened": harden()
print(resource.getrlimit(resource.RLIMIT_CORE)[0], flush=True)
time.sleep(600)
"""
)


@linux
@pytest.mark.parametrize(("how", "expected"), [("hardened", "refused"), ("plain", "open")])
def test_crash_dump(tmp_path: Path, how: str, expected: str) -> None:
    """Another process of the same user cannot open the daemon's memory, and a crash leaves no core.
    The control is one that is not hardened."""
    tmp_path.chmod(0o777)
    with subprocess.Popen(
        [sys.executable, "-c", _SLEEPER, how], stdout=subprocess.PIPE, text=True, cwd=tmp_path
    ) as sleeper:
        assert sleeper.stdout is not None
        try:
            core_limit = sleeper.stdout.readline().strip()
            tried = subprocess.run(
                [sys.executable, "-c", _TRY_MEMORY, str(sleeper.pid)],
                capture_output=True,
                text=True,
                check=True,
            ).stdout.strip()
            sleeper.send_signal(signal.SIGSEGV)
            sleeper.wait(60)
        finally:
            sleeper.kill()
    if how == "plain" and tried != expected:
        pytest.skip("this system never lets a process look at another's memory (ptrace_scope)")
    assert tried == expected
    if how == "hardened":
        assert core_limit == "0"
        assert list(tmp_path.iterdir()) == []


@linux
async def test_crash_dump_daemon_and_worker(tmp_path: Path) -> None:
    """`limen up` and its worker are both not dumpable: their files in /proc belong to root."""
    port = free_port()
    async with up(tmp_path, port) as process:
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        assert children
        for pid in [str(process.pid), *children]:
            limits = Path(f"/proc/{pid}/limits").read_text()
            core = next(line for line in limits.splitlines() if line.startswith("Max core file size"))
            assert core.split()[4:6] == ["0", "0"]


_EGRESS = """
import asyncio, socket, sys
if sys.argv[1] == "forbidden":
    from limen_daemon.hardening import forbid_egress
    forbid_egress()
port = int(sys.argv[2])
socket.create_connection(("127.0.0.1", port)).close()
left, right = socket.socketpair(); left.close(); right.close()
refused = 0
def attempt(call):
    global refused
    try: call()
    except PermissionError: refused += 1
    except OSError: pass
def tcp(address):
    with socket.socket() as s:
        s.settimeout(0.2); s.connect(address)
def udp(address):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s: s.sendto(b"x", address)
attempt(lambda: tcp(("192.0.2.1", 80)))
attempt(lambda: udp(("192.0.2.1", 53)))
attempt(lambda: socket.getaddrinfo("evil.invalid", 80))
attempt(lambda: socket.gethostbyname("evil.invalid"))
async def loop_connect(): await asyncio.wait_for(asyncio.open_connection("192.0.2.1", 80), 0.2)
def run():
    try: asyncio.run(loop_connect())
    except TimeoutError: pass
attempt(run)
print(refused)
"""


@pytest.mark.parametrize(("how", "refused"), [("forbidden", "5"), ("plain", "0")])
def test_no_egress(how: str, refused: str) -> None:
    """Connections, datagrams and name look-ups that leave this computer are refused; loopback is not."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        done = subprocess.run(
            [sys.executable, "-c", _EGRESS, how, str(listener.getsockname()[1])],
            capture_output=True,
            text=True,
            check=False,
        )
    assert (done.stdout.strip(), done.stderr) == (refused, "")


@pytest.mark.parametrize("name", ["PYTHONASYNCIODEBUG", "PYTHONDEVMODE", "AIOHTTP_NO_EXTENSIONS"])
def test_debug_switches(tmp_path: Path, name: str) -> None:
    done = limen(tmp_path, "up", **{"LIMEN_PORT": str(free_port()), name: "1"})
    assert done.returncode == 1
    assert name in done.stderr


def test_debug_flag(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-X", "dev", "-W", "ignore", "-m", "limen_daemon", "up"],
        env=environment(tmp_path, LIMEN_PORT=str(free_port())),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "-X dev" in done.stderr


def test_state_files_are_private_under_any_umask(tmp_path: Path) -> None:
    async def start() -> None:
        async with up(tmp_path, free_port()):
            pass

    old = os.umask(0)
    try:
        asyncio.run(start())
    finally:
        os.umask(old)
    modes = {
        path.name: path.stat().st_mode & 0o777
        for path in (tmp_path / "state").rglob("*")
        if not path.is_socket()
    }
    assert modes.pop("log") == 0o700
    assert set(modes.values()) == {0o600}
    assert (tmp_path / "state").stat().st_mode & 0o777 == 0o700
