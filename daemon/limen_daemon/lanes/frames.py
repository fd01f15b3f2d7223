"""What the daemon and its worker say to each other: one JSON object per frame, its length before it."""

from __future__ import annotations

import struct
from typing import Literal

from pydantic import BaseModel, ConfigDict

from limen_daemon.detector.protocol import Detection, DetectorInfo

HEADER = struct.Struct(">I")
MAX_FRAME_BYTES = 4 * 1024 * 1024


class _Frame(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)


class WorkerSpec(_Frame):
    """The worker's first frame: which detector to load."""

    name: str | None
    device: str
    threads: int


class Ready(_Frame):
    """The worker's first answer. `info` is None when no detector could be loaded; `problem` says why."""

    info: DetectorInfo | None
    problem: str | None


class Work(_Frame):
    text: str
    context: str | None


class Done(_Frame):
    """`fault`: an error's code, when the text could not be checked."""

    detection: Detection | None = None
    fault: Literal["detector", "input"] | None = None
    fault_kind: str | None = None


def pack(frame: BaseModel) -> bytes:
    body = frame.model_dump_json().encode()
    return HEADER.pack(len(body)) + body
