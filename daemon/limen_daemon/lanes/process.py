"""A lane in a process of its own, which can be killed: a model that hangs takes nothing with it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from collections.abc import Mapping, Sequence
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from limen_daemon import journal
from limen_daemon.detector.protocol import Detection, DetectorInfo
from limen_daemon.errors import Busy, DetectorError, DetectorOff, DetectorTimeout, InputError
from limen_daemon.lanes.frames import (
    HEADER,
    MAX_FRAME_BYTES,
    Done,
    Embedded,
    EmbedWork,
    Ready,
    Work,
    WorkerSpec,
    pack,
)
from limen_daemon.lanes.protocol import Encoded, deadline_for

LOAD_DEADLINE_S = 120.0
STOP_DEADLINE_S = 2.0
FIRST_PAUSE_S = 0.5
LONGEST_PAUSE_S = 30.0
WORKER_COMMAND = (sys.executable, "-m", "limen_daemon.lanes.worker")
_PASSED_ON = (
    "PATH",
    "HOME",
    "LANG",
    "LC_ALL",
    "TMPDIR",
    "SYSTEMROOT",
    "LD_LIBRARY_PATH",
    "PYTHONPATH",
    "XDG_DATA_HOME",
    "CUDA_PATH",
    "CUDA_VISIBLE_DEVICES",
)

Frame = TypeVar("Frame", bound=BaseModel)


class ProcessLane:
    """Owns one worker process. It is started again after a crash or a missed deadline, with longer and
    longer pauses while it keeps failing; until it is back, texts are "not checked"."""

    def __init__(
        self,
        spec: WorkerSpec,
        *,
        queue_size: int,
        deadline_s: float,
        command: Sequence[str] = WORKER_COMMAND,
        environ: Mapping[str, str] = os.environ,
    ) -> None:
        self._spec = spec
        self._queue_size = queue_size
        self._deadline_s = deadline_s
        self._command = tuple(command)
        self._environ = {name: environ[name] for name in _PASSED_ON if name in environ}
        self._process: asyncio.subprocess.Process | None = None
        self._info: DetectorInfo | None = None
        self._problem: str | None = None
        self._has_vectors = False
        self._turn = asyncio.Lock()
        self._waiting = 0
        self._restart: asyncio.Task[None] | None = None
        self._failures = 0
        self._is_closed = False

    @property
    def info(self) -> DetectorInfo | None:
        """The detector the worker loaded; it stays known while the worker is being started again."""
        return self._info

    @property
    def problem(self) -> str | None:
        """Why the detector is not the one that was asked for, None when it is."""
        return self._problem

    async def start(self) -> None:
        """Start the worker and wait until it has loaded its detector, or could not."""
        await self._start_worker()

    async def detect(self, text: str, *, context: str | None = None) -> Detection:
        if self._is_closed:
            raise DetectorError("the detector's lane is closed")
        if self._info is None:
            raise DetectorOff("no detector is loaded; `limen models` shows what is installed")
        if self._waiting >= self._queue_size:
            raise Busy(f"{self._queue_size} texts are waiting already")
        self._waiting += 1
        deadline_s = deadline_for(text, self._deadline_s)
        asking: asyncio.Task[Detection] | None = None
        try:
            async with asyncio.timeout(deadline_s):
                await self._turn.acquire()
                asking = asyncio.create_task(self._ask(Work(text=text, context=context), deadline_s))
                asking.add_done_callback(self._asked)
                # Shielded: a caller that goes away must not leave the worker in the middle of an answer.
                return await asyncio.shield(asking)
        except TimeoutError:
            raise DetectorTimeout(f"no answer within {deadline_s:g} s") from None
        finally:
            if asking is None:
                self._waiting -= 1

    def _asked(self, asking: asyncio.Task[Detection]) -> None:
        self._waiting -= 1
        self._turn.release()
        if not asking.cancelled():
            asking.exception()  # marks it as seen: its caller may be gone

    async def _ask(self, work: Work, deadline_s: float) -> Detection:
        done = await self._answer(work, Done, deadline_s)
        if done.fault == "input":
            raise InputError("the detector cannot use this text")
        if done.detection is None:
            raise DetectorError(f"the detector failed ({done.fault_kind})")
        return done.detection

    async def embed(self, texts: Sequence[str], *, within_s: float) -> Encoded | None:
        """See `Lane.embed`. Waits for its turn behind the texts to be checked; who does not come to it
        `within_s` has not kept anyone waiting."""
        if self._is_closed or not self._has_vectors or self._process is None:
            return None
        asking: asyncio.Task[Encoded | None] | None = None
        try:
            async with asyncio.timeout(within_s):
                await self._turn.acquire()
                asking = asyncio.create_task(self._encode(texts))
                asking.add_done_callback(self._encoded)
                return await asyncio.shield(asking)
        except (TimeoutError, DetectorError):
            return None

    async def _encode(self, texts: Sequence[str]) -> Encoded | None:
        info = self._info
        embedded = await self._answer(EmbedWork(texts=tuple(texts)), Embedded, self._deadline_s)
        vectors = embedded.vectors(texts)
        return None if info is None or vectors is None else Encoded(info.id, vectors)

    def _encoded(self, asking: asyncio.Task[Encoded | None]) -> None:
        self._turn.release()
        if not asking.cancelled():
            asking.exception()  # marks it as seen: its caller may be gone

    async def _answer(self, work: BaseModel, frame: type[Frame], deadline_s: float) -> Frame:
        """One question, one answer. A worker that misses the deadline or ends is killed."""
        process = self._process
        if process is None:
            raise DetectorError("the detector is being started again")
        answer: Frame | None = None
        try:
            async with asyncio.timeout(deadline_s):
                await self._send(process, work)
                answer = await self._receive(process, frame)
        except TimeoutError:
            raise DetectorTimeout(f"no answer within {deadline_s:g} s") from None
        finally:
            if answer is None:
                self._lose(process)
        if answer is None:
            raise DetectorError("the detector's process ended")
        self._failures = 0
        return answer

    def _lose(self, process: asyncio.subprocess.Process) -> None:
        journal.event(journal.Event.WORKER_LOST, level=30, failures=self._failures)
        self._process = None
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        if not self._is_closed:
            self._restart = asyncio.create_task(self._start_again(process))

    async def _start_again(self, lost: asyncio.subprocess.Process) -> None:
        await lost.wait()
        while not self._is_closed:
            if self._failures:
                await asyncio.sleep(min(FIRST_PAUSE_S * 2 ** (self._failures - 1), LONGEST_PAUSE_S))
            self._failures += 1
            try:
                await self._start_worker()
            except DetectorError:
                continue
            return

    async def _start_worker(self) -> None:
        process = await asyncio.create_subprocess_exec(
            *self._command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env=self._environ,
            limit=MAX_FRAME_BYTES,
        )
        ready: Ready | None = None
        try:
            async with asyncio.timeout(LOAD_DEADLINE_S):
                await self._send(process, self._spec)
                ready = await self._receive(process, Ready)
        except TimeoutError:
            pass
        finally:
            if ready is None:
                await self._kill(process)
        if ready is None:
            self._problem = "the detector's process ended before it was ready"
            raise DetectorError(self._problem)
        journal.event(journal.Event.WORKER_STARTED, has_detector=ready.info is not None)
        self._info, self._problem = ready.info, ready.problem
        self._has_vectors = ready.has_vectors
        self._process = process

    async def reload(self) -> None:
        """Load the detector anew, as after `limen models use`: the text being checked first, others wait."""
        async with self._turn:
            if self._is_closed or self._process is None:  # a start that is under way reads the choice itself
                return
            process, self._process = self._process, None
            await self._kill(process)
            try:
                await self._start_worker()
            except DetectorError:
                self._restart = asyncio.create_task(self._start_again(process))

    @staticmethod
    async def _send(process: asyncio.subprocess.Process, frame: BaseModel) -> None:
        if process.stdin is None:
            return
        with contextlib.suppress(ConnectionError):  # a worker that is gone shows in the answer
            process.stdin.write(pack(frame))
            await process.stdin.drain()

    @staticmethod
    async def _receive(process: asyncio.subprocess.Process, frame: type[Frame]) -> Frame | None:
        """The next frame, None when the worker ended or sent something else."""
        if process.stdout is None:
            return None
        try:
            (length,) = HEADER.unpack(await process.stdout.readexactly(HEADER.size))
            if length > MAX_FRAME_BYTES:
                return None
            return frame.model_validate_json(await process.stdout.readexactly(length))
        except (asyncio.IncompleteReadError, ConnectionError, ValidationError):
            return None

    @staticmethod
    async def _kill(process: asyncio.subprocess.Process) -> None:
        if process.stdin is not None:
            process.stdin.close()
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()

    async def close(self) -> None:
        if self._is_closed:
            return
        self._is_closed = True
        if self._restart is not None:
            self._restart.cancel()
            await asyncio.gather(self._restart, return_exceptions=True)
        if self._process is not None:
            process, self._process = self._process, None
            await self._kill(process)
