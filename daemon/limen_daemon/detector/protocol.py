"""What every detector offers, whatever runs behind it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from pydantic import BaseModel, ConfigDict, Field

from limen_daemon.findings import Finding

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


class DetectorInfo(BaseModel):
    """Which detector gave an answer and where it ran."""

    model_config = ConfigDict(frozen=True)

    id: str
    """Name and version, for instance `limen-e5-small-1`; stored with each decision."""
    format: str
    """`onnx`, `gguf` or `patterns`."""
    device: str
    """What really runs: `cpu` or `cuda`."""
    languages: tuple[str, ...]


class Detection(BaseModel):
    """The answer for one text. `leak_score`: query-level probability that the text discloses, 0 to 1."""

    model_config = ConfigDict(frozen=True)

    findings: tuple[Finding, ...]
    leak_score: float = Field(ge=0, le=1)
    checked_by: str
    """`model` (model and patterns) or `patterns` (the model is off or failed: say so to the user)."""


class Detector(Protocol):
    """Finds disclosing phrases. Blocking: call from an executor. Thread-safe unless `info` says otherwise."""

    @property
    def info(self) -> DetectorInfo: ...

    def detect(self, text: str, *, context: str | None = None) -> Detection:
        """Return the findings of `text`, sorted by start, not overlapping.

        `context`: the assistant's last turn, if known; it is read but never marked.
        Raises: `DetectorError` when the text could not be checked (the message holds none of it).
        """
        ...

    def close(self) -> None:
        """Release the model. Idempotent."""
        ...


@runtime_checkable
class Encoder(Protocol):
    """A detector whose model also tells how near texts lie in meaning."""

    @property
    def has_vectors(self) -> bool:
        """Whether this model file does."""
        ...

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Vectors of length 1, (n, d). Raises: `DetectorError`."""
        ...
