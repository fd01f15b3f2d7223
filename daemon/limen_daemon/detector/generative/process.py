"""The daemon's end of the worker process: start it, ask it, kill it at the deadline, start it again.

Nothing of a request enters an error message.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Generator, Sequence
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, NamedTuple, Self

from pydantic import ValidationError

from limen_daemon.detector.generative.gguf_file import check_gguf
from limen_daemon.detector.generative.instructions import Segment
from limen_daemon.detector.generative.messages import (
    EVENT,
    MAX_NEW_TOKENS,
    Choose,
    Chosen,
    End,
    Event,
    Failed,
    Generate,
    Piece,
    Ready,
    Start,
    Stop,
)
from limen_daemon.errors import (
    DetectorError,
    ExtraMissing,
    ModelDamaged,
    ModelError,
    ModelMissing,
    TextRefused,
)

LOAD_DEADLINE_S = 120.0
MAX_BACK_OFF_S = 60.0
_HEADROOM_BYTES = 6 << 30
_KEPT_ENVIRONMENT = ("PATH", "LD_LIBRARY_PATH", "SYSTEMROOT", "CUDA_VISIBLE_DEVICES", "CUDA_PATH", "LANG")


def require_llama_cpp() -> None:
    """Raises: `ExtraMissing` with the install line when llama-cpp-python is not installed."""
    if importlib.util.find_spec("llama_cpp") is None:
        raise ExtraMissing('A GGUF model needs llama-cpp-python: pip install "limen[gguf]"')


class Generation(NamedTuple):
    """Why a generation ended and how long it was."""

    reason: str
    prompt_tokens: int
    new_tokens: int


class ModelProcess:
    """One GGUF model in one worker process, started when first asked.

    One request at a time (the caller holds a lock). A worker that misses a deadline is killed; one that
    failed is started again at the next request, after a pause that doubles with each failure in a row.
    """

    def __init__(
        self,
        path: Path,
        *,
        sha256: str | None = None,
        threads: int = 1,
        gpu: bool = False,
        context_tokens: int = 2048,
    ) -> None:
        require_llama_cpp()
        self._path = path
        self._sha256 = sha256
        self._threads = threads
        self._gpu = gpu
        self._context_tokens = context_tokens
        self._process: subprocess.Popen[bytes] | None = None
        self._events: queue.Queue[bytes | None] = queue.Queue()
        self._failures = 0
        self._not_before_s = 0.0
        self._closed = False
        self.ready: Ready | None = None
        self.last_generation: Generation | None = None
        self.control_tokens: frozenset[str] = frozenset()
        """What the vocabulary of the file holds of the form `<|name|>`; known once it was started."""

    @property
    def pid(self) -> int | None:
        """Process id of the running worker, or None."""
        return self._process.pid if self._process is not None else None

    def start(self) -> Ready:
        """Check the file, start the worker and load the model; does nothing when it runs.

        Raises: `ModelMissing`, `ModelDamaged`, `ModelError`; `DetectorError` during the pause after failures.
        """
        if self._closed:
            raise DetectorError("The GGUF detector is closed.")
        if self.ready is not None and self._process is not None and self._process.poll() is None:
            return self.ready
        wait_s = self._not_before_s - time.monotonic()
        if wait_s > 0:
            raise DetectorError(f"The model's process failed and is started again in {wait_s:.0f} s.")
        self._end_process()
        try:
            with self._open_checked() as file:
                self._spawn(file)
            event = self._next_event(time.monotonic() + LOAD_DEADLINE_S, "loading the model")
        except DetectorError as error:
            raise ModelError("The model's process ended while it loaded the model.") from error
        if isinstance(event, Failed):
            self._fail()
            raise ModelError(event.message)
        if not isinstance(event, Ready):
            self._fail()
            raise ModelError("The model's process answered out of turn.")
        self.ready = event
        return event

    def _open_checked(self) -> BinaryIO:
        """The model file, open, with its header and its hash checked: the same open file is loaded."""
        try:
            file = self._path.open("rb")
        except FileNotFoundError as error:
            raise ModelMissing(
                f"There is no model file at {self._path}; pull or convert it first."
            ) from error
        try:
            self.control_tokens = check_gguf(file).control_tokens
            if self._sha256 is not None:
                file.seek(0)
                if hashlib.file_digest(file, "sha256").hexdigest() != self._sha256.lower():
                    raise ModelDamaged(
                        f"{self._path.name} does not have the sha256 of its manifest; pull it again."
                    )
        except BaseException:
            file.close()
            raise
        return file

    def _spawn(self, file: BinaryIO) -> None:
        descriptor = file.fileno()
        path = str(self._path)
        passed: tuple[int, ...] = ()
        for folder in (Path("/proc/self/fd"), Path("/dev/fd")):
            if folder.exists():
                path, passed = str(folder / str(descriptor)), (descriptor,)
                break
        start = Start(
            path=path,
            context_tokens=self._context_tokens,
            threads=self._threads,
            gpu=self._gpu,
            address_space_bytes=None if self._gpu else 2 * self._path.stat().st_size + _HEADROOM_BYTES,
        )
        try:
            process = subprocess.Popen(
                [sys.executable, "-I", "-B", "-m", "limen_daemon.detector.generative.worker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                pass_fds=passed,
                cwd="/" if os.name == "posix" else None,
                env={name: os.environ[name] for name in _KEPT_ENVIRONMENT if name in os.environ},
            )
        except OSError as error:
            raise DetectorError("The model's process cannot be started; the text is not checked.") from error
        self._process = process
        self._events = queue.Queue()
        threading.Thread(target=_read_events, args=(process, self._events), daemon=True).start()
        self._write(start.model_dump_json())

    def choose(self, prompt: Sequence[Segment], answers: Sequence[str], *, deadline_s: float) -> list[float]:
        """Probabilities of `answers` as the continuation; `deadline_s` is a `time.monotonic()` time."""
        self.start()
        self._write(Choose(prompt=list(prompt), answers=list(answers)).model_dump_json())
        event = self._next_event(deadline_s, "reading the text")
        if isinstance(event, Failed):
            raise TextRefused(event.message)
        if not isinstance(event, Chosen) or len(event.probabilities) != len(answers):
            self._fail()
            raise DetectorError("The model's process answered out of turn.")
        self._failures = 0
        return event.probabilities

    def generate(
        self,
        prompt: Sequence[Segment],
        *,
        grammar: str | None,
        deadline_s: float,
        max_tokens: int = MAX_NEW_TOKENS,
    ) -> Generator[Piece, None, None]:
        """Stream the tokens of a continuation; closing the iterator early ends the generation.

        After the end `last_generation` says why it ended.
        Raises: `TextRefused` for a prompt that does not fit; `DetectorError` at the deadline or when the
        worker dies; the worker is killed then.
        """
        self.start()
        self.last_generation = None
        request = Generate(prompt=list(prompt), grammar=grammar, max_tokens=max_tokens)
        self._write(request.model_dump_json())
        finished = False
        try:
            while True:
                event = self._next_event(deadline_s, "writing its answer")
                if isinstance(event, Piece):
                    yield event
                    continue
                finished = True
                self._finish(event)
                return
        finally:
            if not finished and self._process is not None:
                self._stop_generation(deadline_s)

    def _finish(self, event: Event) -> None:
        if isinstance(event, Failed):
            raise TextRefused(event.message)
        if not isinstance(event, End):
            self._fail()
            raise DetectorError("The model's process answered out of turn.")
        self._failures = 0
        self.last_generation = Generation(event.reason, event.prompt_tokens, event.new_tokens)

    def _stop_generation(self, deadline_s: float) -> None:
        """Tell the worker to stop and read what it had already sent."""
        self._write(Stop().model_dump_json())
        with contextlib.suppress(DetectorError):
            event: Event = self._next_event(deadline_s, "stopping")
            while isinstance(event, Piece):
                event = self._next_event(deadline_s, "stopping")
            self._finish(event)

    def _write(self, line: str) -> None:
        process = self._process
        if process is None or process.stdin is None:
            raise DetectorError("The model's process is not running.")
        try:
            process.stdin.write(line.encode("utf-8") + b"\n")
            process.stdin.flush()
        except OSError as error:
            self._fail()
            raise DetectorError("The model's process ended unexpectedly; the text is not checked.") from error

    def _next_event(self, deadline_s: float, doing: str) -> Event:
        try:
            line = self._events.get(timeout=max(0.0, deadline_s - time.monotonic()))
        except queue.Empty:
            self._fail()
            raise DetectorError(
                f"The model missed its deadline while {doing}; the text is not checked."
            ) from None
        if line is None:
            self._fail()
            raise DetectorError("The model's process ended unexpectedly; the text is not checked.")
        try:
            return EVENT.validate_json(line)
        except ValidationError:
            self._fail()
            raise DetectorError("The model's process sent something unreadable.") from None

    def _fail(self) -> None:
        self._end_process()
        pause_s = 0.0 if self._failures == 0 else min(MAX_BACK_OFF_S, 2.0 ** (self._failures - 1))
        self._failures += 1
        self._not_before_s = time.monotonic() + pause_s

    def _end_process(self) -> None:
        process, self._process, self.ready = self._process, None, None
        if process is None:
            return
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()

    def close(self) -> None:
        """Kill the worker. Idempotent; later requests raise `DetectorError`."""
        self._closed = True
        self._end_process()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _read_events(process: subprocess.Popen[bytes], events: queue.Queue[bytes | None]) -> None:
    """Move the worker's lines to the queue; None marks its end."""
    if process.stdout is not None:
        with contextlib.suppress(OSError, ValueError):
            for line in process.stdout:
                events.put(line)
    events.put(None)
