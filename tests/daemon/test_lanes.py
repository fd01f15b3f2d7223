"""Both lanes: bounded, with a deadline, and never "nothing found" for a text that was not checked."""

from __future__ import annotations

import asyncio
import gc
import socket
import subprocess
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from harness.small_detector import BrokenDetector, SmallDetector
from limen_daemon.errors import Busy, DetectorError, DetectorOff, DetectorTimeout, InputError
from limen_daemon.lanes.frames import WorkerSpec
from limen_daemon.lanes.process import ProcessLane
from limen_daemon.lanes.protocol import deadline_for
from limen_daemon.lanes.thread import ThreadLane

ODD_WORKER = (sys.executable, str(Path(__file__).resolve().parents[1] / "harness" / "odd_worker.py"))
GOOD = "my 3 year old"


@asynccontextmanager
async def process_lane(
    name: str | None = None, *, queue_size: int = 8, deadline_s: float = 30.0
) -> AsyncIterator[ProcessLane]:
    lane = ProcessLane(
        WorkerSpec(name=name, device="cpu", threads=1),
        queue_size=queue_size,
        deadline_s=deadline_s,
        command=ODD_WORKER,
    )
    try:
        await lane.start()
        yield lane
    finally:
        await lane.close()


async def checked_again(lane: ProcessLane) -> int:
    """Ask until the worker is back; how many findings the good text then has."""
    async with asyncio.timeout(60):
        while True:
            try:
                return len((await lane.detect(GOOD)).findings)
            except DetectorError:
                await asyncio.sleep(0.02)


async def test_a_full_queue_is_busy_and_the_waiting_texts_are_still_checked() -> None:
    gate = threading.Event()
    lane = ThreadLane(SmallDetector(gate), queue_size=2, deadline_s=30)
    waiting = [asyncio.create_task(lane.detect(GOOD)) for _ in range(2)]
    await asyncio.sleep(0)
    with pytest.raises(Busy):
        await lane.detect(GOOD)
    gate.set()
    assert [len(detection.findings) for detection in await asyncio.gather(*waiting)] == [1, 1]
    await lane.close()


async def test_a_slow_thread_times_out_and_keeps_its_place_in_the_queue() -> None:
    gate = threading.Event()
    lane = ThreadLane(SmallDetector(gate), queue_size=1, deadline_s=0.05)
    with pytest.raises(DetectorTimeout):
        await lane.detect(GOOD)
    with pytest.raises(Busy):
        await lane.detect(GOOD)
    gate.set()
    await lane.close()


async def test_a_failing_detector_leaves_only_its_class() -> None:
    lane = ThreadLane(BrokenDetector(), queue_size=1, deadline_s=30)
    with pytest.raises(DetectorError, match=r"^the detector failed \(RuntimeError\)$") as caught:
        await lane.detect("needle")
    assert caught.value.__cause__ is None
    await lane.close()


async def test_a_closed_lane_says_so_and_closing_twice_is_harmless() -> None:
    detector = SmallDetector()
    lane = ThreadLane(detector, queue_size=1, deadline_s=30)
    await lane.close()
    await lane.close()
    assert detector.is_closed
    with pytest.raises(DetectorError, match="closed"):
        await lane.detect(GOOD)


async def test_fifty_lanes_leave_no_thread_behind() -> None:
    for _ in range(50):
        lane = ThreadLane(SmallDetector(), queue_size=1, deadline_s=30)
        await lane.detect(GOOD)
        await lane.close()
    for thread in threading.enumerate():
        if thread.name.startswith("limen-detector"):
            thread.join(20)
            assert not thread.is_alive()


async def test_the_worker_process_finds_what_its_detector_finds() -> None:
    async with process_lane() as lane:
        detection = await lane.detect(GOOD)
        assert [finding.phrase for finding in detection.findings] == ["3 year old"]
        assert lane.info is not None
        assert lane.info.id == "small-1"


async def test_a_worker_without_a_detector_says_why_and_checks_nothing() -> None:
    async with process_lane("none") as lane:
        assert (lane.info, lane.problem) == (None, "there is no such model")
        with pytest.raises(DetectorOff):
            await lane.detect(GOOD)


async def test_a_worker_that_dies_while_loading_is_an_error_and_not_a_hang() -> None:
    lane = ProcessLane(
        WorkerSpec(name="dies", device="cpu", threads=1), queue_size=1, deadline_s=5, command=ODD_WORKER
    )
    with pytest.raises(DetectorError, match="before it was ready"):
        await lane.start()
    assert lane.info is None
    await lane.close()


@pytest.mark.parametrize("order", ["crash", "segfault"])
async def test_a_crash_is_an_error_and_the_next_texts_are_checked(order: str) -> None:
    async with process_lane() as lane:
        with pytest.raises(DetectorError, match="ended"):
            await lane.detect(order)
        assert await checked_again(lane) == 1


async def test_a_hang_is_killed_at_the_deadline_and_the_next_texts_are_checked() -> None:
    async with process_lane(deadline_s=5) as lane:
        process = lane._process
        with pytest.raises(DetectorTimeout):
            await lane.detect("hang")
        assert await checked_again(lane) == 1
        assert process is not None
        assert process.returncode == -9


@pytest.mark.parametrize(
    ("order", "error"), [("raise needle", DetectorError), ("unusable needle", InputError)]
)
async def test_an_error_in_the_worker_crosses_without_its_text(order: str, error: type[Exception]) -> None:
    async with process_lane() as lane:
        with pytest.raises(error) as caught:
            await lane.detect(order)
        assert "needle" not in str(caught.value)
        assert len((await lane.detect(GOOD)).findings) == 1


async def test_a_library_that_prints_does_not_disturb_the_frames() -> None:
    async with process_lane() as lane:
        assert (await lane.detect("print a 4 year old")).findings[0].phrase == "4 year old"
        assert len((await lane.detect(GOOD)).findings) == 1


async def test_a_caller_that_goes_away_does_not_cost_the_worker() -> None:
    async with process_lane() as lane:
        process = lane._process
        leaving = [asyncio.create_task(lane.detect(GOOD)) for _ in range(4)]
        await asyncio.sleep(0)
        for task in leaving:
            task.cancel()
        await asyncio.gather(*leaving, return_exceptions=True)
        assert len((await lane.detect(GOOD)).findings) == 1
        assert lane._process is process


async def test_a_full_process_queue_is_busy() -> None:
    async with process_lane(queue_size=2) as lane:
        waiting = [asyncio.create_task(lane.detect(GOOD)) for _ in range(2)]
        await asyncio.sleep(0)
        with pytest.raises(Busy):
            await lane.detect(GOOD)
        await asyncio.gather(*waiting)


async def test_the_worker_can_neither_connect_nor_write_nor_start_programs(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        async with process_lane() as lane:
            for order in (f"connect {port}", f"write {tmp_path / 'f'}", "start"):
                with pytest.raises(DetectorError, match="PermissionError"):
                    await lane.detect(order)
    assert not _is_written(tmp_path)


@pytest.mark.skipif(sys.platform != "linux", reason="network namespaces are Linux's")
async def test_the_worker_has_no_network_below_python_either() -> None:
    if not await asyncio.to_thread(_may_leave_the_network):
        pytest.skip("this system allows no network namespace to an ordinary user")
    with socket.create_server(("127.0.0.1", 0)) as listener:
        async with process_lane() as lane:
            detection = await lane.detect(f"native-connect {listener.getsockname()[1]}")
    assert detection.findings == ()


def _is_written(folder: Path) -> bool:
    return any(folder.iterdir())


def _may_leave_the_network() -> bool:
    """Tried in a process that can be spared."""
    code = "import sys; from limen_daemon.hardening import leave_the_network as f; sys.exit(not f())"
    return subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.skipif(sys.platform != "linux", reason="counting open files needs /proc")
async def test_process_lanes_leave_no_open_file_behind() -> None:
    async with process_lane() as lane:
        await lane.detect(GOOD)
    gc.collect()
    await asyncio.sleep(0)
    before = _open_files()
    for _ in range(5):
        async with process_lane() as lane:
            await lane.detect(GOOD)
    gc.collect()
    await asyncio.sleep(0)
    assert _open_files() <= before


def _open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


@pytest.mark.parametrize(
    ("characters", "expected_s"), [(0, 5.0), (20_000, 5.0), (40_000, 10.0), (100_000, 25.0)]
)
def test_long_texts_have_a_longer_deadline(characters: int, expected_s: float) -> None:
    assert deadline_for("a" * characters, 5.0) == expected_s
