"""The worker process: loads a detector, answers one text after the other, and has no other business.

It opens no connection, starts no process and writes no file: an audit hook refuses all of these once the
model is loaded, and on Linux it gives up the network altogether where the system allows it.
Started by `process.py` as `python -m limen_daemon.lanes.worker`; speaks frames on stdin and stdout.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from typing import Any, BinaryIO, TypeVar

from pydantic import BaseModel

from limen_daemon.detector.protocol import Detector, Encoder
from limen_daemon.detector_loading import load_best
from limen_daemon.errors import InputError, LimenError
from limen_daemon.hardening import forbid_dumps, leave_the_network
from limen_daemon.lanes.frames import (
    HEADER,
    MAX_FRAME_BYTES,
    QUESTION,
    Done,
    Embedded,
    EmbedWork,
    Ready,
    Work,
    WorkerSpec,
    pack,
)

NICENESS = 5
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_NETWORK = ("socket.",)
_FILES = ("os.remove", "os.rename", "os.rmdir", "os.mkdir")
_PROGRAMS = ("subprocess.", "os.exec", "os.fork", "os.posix_spawn", "os.system")

Frame = TypeVar("Frame", bound=BaseModel)


def main() -> None:
    """Serve until stdin ends."""
    forbid_dumps()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the daemon's; it then ends this process
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    incoming = sys.stdin.buffer
    outgoing = _private_stdout()
    spec = _read(incoming, WorkerSpec)
    if spec is None:
        return
    leave_the_network()
    loaded = load_best(spec.name, device=spec.device, threads=spec.threads)
    detector = loaded.detector
    # A GGUF model runs in a further process, which its detector must be able to start again.
    starts_programs = detector is not None and detector.info.format == "gguf"
    sys.addaudithook(_refusal(_NETWORK + _FILES + (() if starts_programs else _PROGRAMS)))
    encoder = loaded.encoder
    info = detector.info if detector else None
    _write(outgoing, Ready(info=info, problem=loaded.problem, has_vectors=encoder is not None))
    while detector is not None and (body := _read_body(incoming)) is not None:
        work = QUESTION.validate_json(body)
        _write(outgoing, _detected(detector, work) if isinstance(work, Work) else _embedded(encoder, work))


def _detected(detector: Detector, work: Work) -> Done:
    try:
        return Done(detection=detector.detect(work.text, context=work.context))
    except Exception as error:  # its message may hold the text: only its class leaves the process
        kind = error.code if isinstance(error, LimenError) else type(error).__name__
        return Done(fault="input" if isinstance(error, InputError) else "detector", fault_kind=kind)


def _embedded(encoder: Encoder | None, work: EmbedWork) -> Embedded:
    try:
        return Embedded.of(encoder.embed(work.texts)) if encoder else Embedded()
    except Exception:  # the profile then compares by words
        return Embedded()


def _private_stdout() -> BinaryIO:
    """Keep stdout for frames: whatever a library prints goes to nowhere instead."""
    outgoing = os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.close(nowhere)
    return outgoing


def _refusal(forbidden: tuple[str, ...]) -> Callable[[str, tuple[Any, ...]], None]:
    """An audit hook that refuses the events that begin so, and files opened for writing."""

    def refuse(event: str, args: tuple[Any, ...]) -> None:
        if event == "open":
            path, _mode, flags = args
            if isinstance(flags, int) and flags & _WRITING and path != os.devnull:
                raise PermissionError("the detector's process writes no files")
        elif event.startswith(forbidden):
            raise PermissionError("the detector's process has no network and starts no programs")

    return refuse


def _read(incoming: BinaryIO, frame: type[Frame]) -> Frame | None:
    body = _read_body(incoming)
    return None if body is None else frame.model_validate_json(body)


def _read_body(incoming: BinaryIO) -> bytes | None:
    head = incoming.read(HEADER.size)
    if len(head) < HEADER.size:
        return None
    (length,) = HEADER.unpack(head)
    if length > MAX_FRAME_BYTES:
        return None
    body = incoming.read(length)
    return body if len(body) == length else None


def _write(outgoing: BinaryIO, frame: BaseModel) -> None:
    outgoing.write(pack(frame))
    outgoing.flush()


if __name__ == "__main__":
    main()
