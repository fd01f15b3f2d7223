"""What the daemon and its worker say to each other: one JSON object per frame, its length before it."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from limen_daemon.detector.protocol import Detection, DetectorInfo

HEADER = struct.Struct(">I")
MAX_FRAME_BYTES = 4 * 1024 * 1024


if TYPE_CHECKING:
    import numpy as np

    Vectors = np.ndarray[Any, np.dtype[np.float32]]


class _Frame(BaseModel):
    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        hide_input_in_errors=True,
        ser_json_bytes="base64",
        val_json_bytes="base64",
    )


class WorkerSpec(_Frame):
    """The worker's first frame: which detector to load."""

    name: str | None
    device: str
    threads: int


class Ready(_Frame):
    """The worker's first answer. `info` is None when no detector could be loaded; `problem` says why.
    `has_vectors`: whether it answers `EmbedWork`."""

    info: DetectorInfo | None
    problem: str | None
    has_vectors: bool = False


class Work(_Frame):
    text: str
    context: str | None


class EmbedWork(_Frame):
    texts: tuple[str, ...] = Field(min_length=1, max_length=64)


QUESTION: TypeAdapter[Work | EmbedWork] = TypeAdapter(Work | EmbedWork)


class Done(_Frame):
    """`fault`: an error's code, when the text could not be checked."""

    detection: Detection | None = None
    fault: Literal["detector", "input"] | None = None
    fault_kind: str | None = None


class Embedded(_Frame):
    """`values`: float32, one row of `width` for each text. Without rows: the texts could not be embedded."""

    width: int = Field(default=0, ge=0)
    values: bytes = b""

    @classmethod
    def of(cls, vectors: Vectors) -> Self:
        return cls(width=vectors.shape[1], values=vectors.astype("<f4").tobytes())

    def vectors(self, texts: Sequence[str]) -> Vectors | None:
        """(n, width); None when there is not one row for each of the texts."""
        import numpy as np  # its threads must not start before the worker has left the network

        if not self.width or len(self.values) != 4 * self.width * len(texts):
            return None
        return np.frombuffer(self.values, dtype="<f4").reshape(len(texts), self.width)


def pack(frame: BaseModel) -> bytes:
    body = frame.model_dump_json().encode()
    return HEADER.pack(len(body)) + body
