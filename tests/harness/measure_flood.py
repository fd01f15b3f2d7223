"""Floods a daemon and holds sockets open, and prints what its paired client noticed:
`python -m harness.measure_flood [SECONDS]`, in the folder `tests`. Linux (it reads /proc).

The daemon, the flood and the client are processes of their own. Where Debian's `wrk` is installed it makes
the flood, else `harness.flood`. "daemon" and "others": the processors that the daemon, and all that has no
part in this, kept busy.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import resource
import shutil
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from harness.daemon import DETECT, STATUS, RunningDaemon
from harness.measure import resident_mb, spread
from harness.paired_client import PairedClient
from harness.program import free_port, paired_browser, up
from harness.raw_http import exchange
from harness.small_detector import SmallDetector

AT_ONCE = 32
HELD = 800
PAUSE_S = 0.02
_HZ = os.sysconf("SC_CLK_TCK")
_WRK = """
wrk.method = "POST"
wrk.body = ""
for line in io.lines(os.getenv("FLOOD_HEADERS")) do
  local name, value = line:match("([^:]+): (.*)")
  if name then wrk.headers[name] = value end
end
"""
KINDS: dict[str, dict[str, str | None]] = {
    "421 rebound host": {"host": "evil.test"},
    "403 hostile page": {"origin": "https://evil.test"},
    "401 no credential": {"authorization": None},
    "401 forged credential": {
        "authorization": f"PSK1 kid={'A' * 16},t={'1' * 13},n={'A' * 16},mac={'A' * 43}"
    },
}


def processor_s(pid: int) -> float:
    """Processor seconds of `pid` so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _HZ


def busy_s() -> float:
    """Processor seconds of all processes so far."""
    user, nice, system = Path("/proc/stat").read_text().split()[1:4]
    return (int(user) + int(nice) + int(system)) / _HZ


class Flood:
    """One kind of refused request, for `seconds`, from another process."""

    def __init__(self, folder: Path, daemon: RunningDaemon, kind: str, seconds: float) -> None:
        self._folder, self._port, self._kind, self._seconds = folder, daemon.port, kind, seconds
        self._data = daemon.request(DETECT, b"", **{"content_length": "0", **KINDS[kind]})

    async def run(self) -> dict[str, Any]:
        began_s = resource.getrusage(resource.RUSAGE_CHILDREN)
        counts = await (self._wrk() if shutil.which("wrk") else self._own())
        ended_s = resource.getrusage(resource.RUSAGE_CHILDREN)
        used = ended_s.ru_utime + ended_s.ru_stime - began_s.ru_utime - began_s.ru_stime
        return {"answers": counts, "processor_s": used}

    async def _own(self) -> dict[str, int]:
        command = (sys.executable, "-m", "harness.flood", str(self._port), str(self._seconds), str(AT_ONCE))
        found: dict[str, int] = json.loads(await self._output(command, self._data))
        return found

    async def _wrk(self) -> dict[str, int]:
        script, headers = self._folder / "flood.lua", self._folder / "headers"
        script.write_text(_WRK)
        headers.write_bytes(self._data.partition(b"\r\n")[2].replace(b"\r\n", b"\n"))
        url = f"http://127.0.0.1:{self._port}{DETECT}"
        command = ("wrk", "-t1", f"-c{AT_ONCE}", f"-d{self._seconds:g}s", "-s", str(script), url)
        said = (await self._output(command, b"", FLOOD_HEADERS=str(headers))).decode()
        answered, refused = re.search(r"(\d+) requests in", said), re.search(r"Non-2xx.*: (\d+)", said)
        lost = re.search(r"connect (\d+), read (\d+), write (\d+), timeout (\d+)", said)
        assert answered is not None and refused is not None, said
        assert answered[1] == refused[1], "something was served"
        return {self._kind[:3]: int(refused[1]), "lost": sum(map(int, lost.groups())) if lost else 0}

    @staticmethod
    async def _output(command: tuple[str, ...], data: bytes, **more: str) -> bytes:
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env={**os.environ, **more},
        )
        return (await process.communicate(data))[0]


@asynccontextmanager
async def holding(port: int, count: int) -> AsyncIterator[None]:
    """`count` silent sockets of another process; each that the daemon closes is opened again."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "harness.flood", str(port), "hold", str(count)),
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        assert process.stdout is not None
        assert await process.stdout.readline() == b"held\n"
        yield
    finally:
        process.kill()
        await process.communicate()


async def asking(client: PairedClient, stop: asyncio.Event) -> dict[str, Any]:
    """A paired client that asks all the while, on new connections."""
    durations, failures = [], 0
    while not stop.is_set():
        started = time.perf_counter()
        answer = await exchange(client.daemon.port, client.request(STATUS, {}))
        failures += answer is None or answer.status != 200
        durations.append((time.perf_counter() - started) * 1000)
        await asyncio.sleep(PAUSE_S)
    return {"failures": failures, **spread(durations)}


async def one(
    folder: Path, client: PairedClient, pid: int, kind: str | None, seconds: float
) -> dict[str, Any]:
    """Figures of one flood (None: no flood, for comparison)."""
    stop = asyncio.Event()
    asked = asyncio.create_task(asking(client, stop))
    before_mb, began, daemon_s, all_s = resident_mb(pid), time.perf_counter(), processor_s(pid), busy_s()
    own_s = time.process_time()
    flood = {"answers": {}, "processor_s": 0.0}
    if kind is None:
        await asyncio.sleep(seconds)
    else:
        flood = await Flood(folder, client.daemon, kind, seconds).run()
    lasted = time.perf_counter() - began
    daemon_s, all_s = processor_s(pid) - daemon_s, busy_s() - all_s
    others_s = all_s - daemon_s - flood["processor_s"] - (time.process_time() - own_s)
    stop.set()
    figures: dict[str, Any] = {
        "paired_client": await asked,
        "daemon": round(daemon_s / lasted, 2),
        "others": round(max(0.0, others_s) / lasted, 2),
    }
    if kind is not None:
        refused = sum(flood["answers"].values())
        figures |= {
            "answers": flood["answers"],
            "refused_per_s": round(refused / lasted),
            "daemon_us_each": round(daemon_s / max(1, refused) * 1e6),
            "refused_per_daemon_processor_s": round(refused / daemon_s),
        }
    return figures | {"resident_mb": [before_mb, resident_mb(pid)]}


async def measure(folder: Path, seconds: float) -> dict[str, Any]:
    port = free_port()
    unhurried = {"LIMEN_RATE_PER_S": "1000", "LIMEN_RATE_BURST": "1000", "LIMEN_MODEL": "patterns"}
    async with up(folder, port, **unhurried) as process:
        browser = await paired_browser(folder, port)
        client = PairedClient(
            RunningDaemon(port, SmallDetector(), browser), browser.kid, browser.keys, browser.origin
        )
        figures = {"generator": "wrk" if shutil.which("wrk") else "harness.flood"}
        figures["quiet"] = await one(folder, client, process.pid, None, seconds)
        for kind in KINDS:
            figures[kind] = await one(folder, client, process.pid, kind, seconds)
        async with holding(port, HELD):
            for kind in (None, next(iter(reversed(KINDS)))):
                figures[f"{HELD} sockets held, {kind or 'no flood'}"] = await one(
                    folder, client, process.pid, kind, seconds
                )
    return figures


def main() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(max(soft, 4 * HELD), hard), hard))
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 5.0
    with tempfile.TemporaryDirectory(prefix="limen-flood-") as name:
        for what, figures in asyncio.run(measure(Path(name), seconds)).items():
            print(f"{what}: {json.dumps(figures)}")


if __name__ == "__main__":
    main()
