"""A lane in one thread of this process."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from limen_daemon.detector.protocol import Detection, Detector, DetectorInfo
from limen_daemon.detector.union import encoder_of
from limen_daemon.errors import Busy, DetectorError, DetectorTimeout, LimenError
from limen_daemon.lanes.protocol import Encoded, deadline_for


class ThreadLane:
    """Owns `detector` and the one thread it runs in; closes both.

    A thread cannot be stopped: a detector that hangs keeps the lane until it returns, and texts that
    come meanwhile get `DetectorTimeout`, then `Busy`.
    """

    def __init__(self, detector: Detector, *, queue_size: int, deadline_s: float) -> None:
        self._detector = detector
        self._queue_size = queue_size
        self._deadline_s = deadline_s
        self._waiting = 0
        self._is_closed = False
        self._executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix="limen-detector")

    @property
    def info(self) -> DetectorInfo | None:
        return self._detector.info

    async def detect(self, text: str, *, context: str | None = None) -> Detection:
        if self._is_closed:
            raise DetectorError("the detector's lane is closed")
        if self._waiting >= self._queue_size:
            raise Busy(f"{self._queue_size} texts are waiting already")
        deadline_s = deadline_for(text, self._deadline_s)
        work = asyncio.get_running_loop().run_in_executor(
            self._executor, lambda: self._detector.detect(text, context=context)
        )
        self._waiting += 1
        work.add_done_callback(self._finished)
        try:
            # Shielded: a cancelled executor future would free its place while the thread still runs.
            return await asyncio.wait_for(asyncio.shield(work), deadline_s)
        except TimeoutError:
            raise DetectorTimeout(f"no answer within {deadline_s:g} s") from None
        except LimenError:
            raise
        except Exception as error:  # its text may hold the typed text: only the class goes on
            raise DetectorError(f"the detector failed ({type(error).__name__})") from None

    async def embed(self, texts: Sequence[str], *, within_s: float) -> Encoded | None:
        encoder = encoder_of(self._detector)
        if self._is_closed or encoder is None:
            return None
        work = asyncio.get_running_loop().run_in_executor(self._executor, encoder.embed, texts)
        try:
            return Encoded(self._detector.info.id, await asyncio.wait_for(work, within_s))
        except Exception:  # too late, or failed: the profile then compares by words
            return None

    def _finished(self, work: asyncio.Future[Detection]) -> None:
        self._waiting -= 1
        if not work.cancelled():
            work.exception()  # marks it as seen: asyncio would log it, with its text

    async def close(self) -> None:
        if self._is_closed:
            return
        self._is_closed = True
        self._executor.shutdown(wait=False, cancel_futures=True)
        self._detector.close()
