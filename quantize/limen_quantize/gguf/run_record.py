"""The record of a tuning run, written before the first step and again at every score."""

from __future__ import annotations

import hashlib
import importlib.metadata
import platform
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from limen_daemon.models.manifest import file_sha256
from limen_quantize.gguf.tuning_config import TuningConfig
from limen_quantize.readers import files_of

NAME = "run.json"
_PACKAGES = ("limen", "torch", "transformers", "tokenizers", "gguf", "numpy")


class Score(BaseModel):
    """Held-back training queries after `step` steps. Losses are natural logarithms per answer token."""

    model_config = ConfigDict(frozen=True)

    step: int
    training_loss: float
    validation_loss: float
    leak_accuracy: float
    """Share of held-back leak questions that the tuned model answers rightly, 0 to 1."""


class RunRecord(BaseModel):
    """What was done, with what, and what came out."""

    config: TuningConfig
    started: datetime = Field(default_factory=lambda: datetime.now(UTC))
    finished: datetime | None = None
    base_sha256: str
    data_sha256: dict[str, str]
    versions: dict[str, str]
    machine: str
    training_examples: int = 0
    validation_examples: int = 0
    left_out: int = 0
    """Conversations longer than `max_tokens`."""
    tuned_parameters: int = 0
    bfloat16: bool = False
    """What it was computed in: wanted, and faster than float32 on the processor it was started on."""
    steps: int = 0
    seconds: float = 0.0
    """Time spent in training steps, over all resumptions."""
    training_tokens: int = 0
    scores: list[Score] = Field(default_factory=list)

    @property
    def fingerprint(self) -> str:
        """Hash of what a resumed run must share with its first part; it may be given more time."""
        decisive = self.config.model_dump_json(exclude={"threads", "minutes", "save_every", "validate_every"})
        data = "".join(f"{name}{digest}" for name, digest in sorted(self.data_sha256.items()))
        return hashlib.sha256(f"{decisive}{self.base_sha256}{data}".encode()).hexdigest()

    def write(self, folder: Path) -> None:
        """Replace the record in `folder` as a whole."""
        partial = folder / f"{NAME}.part"
        partial.write_text(self.model_dump_json(indent=2) + "\n", encoding="utf-8")
        partial.replace(folder / NAME)


def new_record(config: TuningConfig, base: Path) -> RunRecord:
    """The record of a run that is about to start."""
    return RunRecord(
        config=config,
        base_sha256=file_sha256(base),
        data_sha256=_data_hashes(config.data),
        versions={name: version for name in _PACKAGES if (version := _version(name)) is not None},
        machine=f"{platform.system()} {platform.machine()}, Python {platform.python_version()}",
    )


def _data_hashes(sources: Sequence[str]) -> dict[str, str]:
    return {f"{source}/{path.name}": file_sha256(path) for source in sources for path in files_of(source)} | {
        source: "hub" for source in sources if not files_of(source)
    }


def _version(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None
