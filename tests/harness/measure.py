"""Measures the gate and prints the figures as JSON: `python -m harness.measure`, in the folder `tests`.

The daemon is a process of its own, with the recognizers alone: the gate is measured and not the model.
"""

from __future__ import annotations

import asyncio
import json
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

from harness.daemon import DETECT, STATUS, RunningDaemon
from harness.paired_client import PairedClient
from harness.program import free_port, paired_browser, up
from harness.raw_http import Answer, close, exchange, read_answer
from harness.small_detector import SmallDetector

TIMES = 300
ATTACKERS = 6
FLOOD_S = 5.0
HELD = 800
TEXT = {"text": "I'm a teacher in China, majoring in computer science. I will go back home to London."}


def spread(durations_ms: list[float]) -> dict[str, float]:
    ordered = sorted(durations_ms)
    at_99 = ordered[min(len(ordered) - 1, int(0.99 * len(ordered)))]
    return {"n": len(ordered), "p50_ms": round(statistics.median(ordered), 3), "p99_ms": round(at_99, 3)}


async def timed(call: Callable[[], Awaitable[Any]]) -> float:
    started = time.perf_counter()
    await call()
    return (time.perf_counter() - started) * 1000


def resident_mb(pid: int) -> float:
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return round(pages * resource.getpagesize() / 1e6, 1)


async def refusals(daemon: RunningDaemon) -> dict[str, dict[str, float]]:
    """A new connection each, 200 kB announced, none sent."""
    cases: dict[str, dict[str, str | None]] = {
        "421": {"host": "evil.test"},
        "403": {"origin": "https://evil.test"},
        "401": {"authorization": "Bearer wrong"},
        "415": {"content_type": "text/plain"},
        "413": {"content_length": "999999"},
    }
    found = {}
    for status, changed in cases.items():

        async def refused(data: bytes, status: str = status) -> None:
            answer = await exchange(daemon.port, data)
            assert answer is not None
            assert answer.status == int(status)

        durations = []
        for _ in range(TIMES):  # a header is good once
            data = daemon.request(DETECT, b"", **{"content_length": "200000", **changed})
            durations.append(await timed(partial(refused, data)))
        found[status] = spread(durations)
    return found


class KeptConnection:
    """One keep-alive connection, as a browser holds it."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, data: bytes) -> Answer:
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self._port)
        reader, writer = self._streams
        writer.write(data)
        answer = await read_answer(reader)
        assert answer is not None
        assert answer.status == 200
        return answer

    async def close(self) -> None:
        if self._streams is not None:
            await close(self._streams[1])


@asynccontextmanager
async def plain_daemon(folder: Path) -> AsyncIterator[RunningDaemon]:
    """The same daemon without its question who asks, so that bodies travel in clear."""
    command = (sys.executable, "-m", "harness.plain_daemon", str(folder / "plain"))
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    try:
        assert process.stdout is not None
        yield RunningDaemon(int(await process.stdout.readline()), SmallDetector())
    finally:
        process.kill()
        await process.communicate()


async def sealed_and_plain(
    client: PairedClient, plain: RunningDaemon, path: str, body: Any
) -> dict[str, Any]:
    """By turns, on a connection each: the client's own sealing and opening counts as well."""
    ours, open_one = KeptConnection(client.daemon.port), KeptConnection(plain.port)
    in_clear: list[float] = []
    sealed: list[float] = []
    for _ in range(TIMES):
        in_clear.append(await timed(lambda: open_one.ask(plain.request(path, json.dumps(body).encode()))))
        sealed.append(await timed(lambda: ours.ask(client.request(path, body))))
    await ours.close()
    await open_one.close()
    return {"plain": spread(in_clear), "sealed": spread(sealed)}


async def under(daemon: RunningDaemon, client: PairedClient, is_over: Callable[[], bool]) -> dict[str, Any]:
    """A paired client that asks all the while on new connections; its failures and durations."""
    durations, failures = [], 0
    while not is_over():
        started = time.perf_counter()
        answer = await exchange(daemon.port, client.request(STATUS, {}))
        failures += answer is None or answer.status != 200
        durations.append((time.perf_counter() - started) * 1000)
        await asyncio.sleep(0.02)
    return {"failures": failures, **spread(durations)}


async def flood(daemon: RunningDaemon, client: PairedClient) -> dict[str, Any]:
    until = time.perf_counter() + FLOOD_S
    data = daemon.request(DETECT, b"", authorization="Bearer wrong")

    async def attack() -> int:
        count = 0
        while time.perf_counter() < until:
            await exchange(daemon.port, data)
            count += 1
        return count

    attackers = [asyncio.create_task(attack()) for _ in range(ATTACKERS)]
    paired = await under(daemon, client, lambda: time.perf_counter() > until)
    refused = sum(await asyncio.gather(*attackers))
    return {"refusals_per_s": round(refused / FLOOD_S), "paired_client": paired}


async def held(daemon: RunningDaemon, client: PairedClient) -> dict[str, Any]:
    sockets = [await asyncio.open_connection("127.0.0.1", daemon.port) for _ in range(HELD)]
    until = time.perf_counter() + 2
    paired = await under(daemon, client, lambda: time.perf_counter() > until)
    for _, writer in sockets:
        await close(writer)
    return {"sockets": HELD, "paired_client": paired}


async def measure(folder: Path) -> dict[str, Any]:
    port = free_port()
    unhurried = {"LIMEN_RATE_PER_S": "1000", "LIMEN_RATE_BURST": "1000", "LIMEN_MODEL": "patterns"}
    async with up(folder, port, **unhurried) as process:
        browser = await paired_browser(folder, port)
        daemon = RunningDaemon(port, SmallDetector(), browser)
        client = PairedClient(daemon, browser.kid, browser.keys, browser.origin)
        before = resident_mb(process.pid)
        figures: dict[str, Any] = {"refusals": await refusals(daemon)}
        async with plain_daemon(folder) as plain:
            figures["status"] = await sealed_and_plain(client, plain, STATUS, {})
            figures["detect"] = await sealed_and_plain(client, plain, DETECT, TEXT)
        figures["flood"] = await flood(daemon, client)
        figures["held"] = await held(daemon, client)
        figures["resident_mb"] = {"before": before, "after": resident_mb(process.pid)}
    return figures


def main() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(max(soft, 4 * HELD), hard), hard))
    with tempfile.TemporaryDirectory(prefix="limen-measure-") as name:
        print(json.dumps(asyncio.run(measure(Path(name))), indent=2))


if __name__ == "__main__":
    main()
