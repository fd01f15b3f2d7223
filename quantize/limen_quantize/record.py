"""The record of a training run: written before the first step as "started", completed at the end."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict

from limen_daemon.detector.decode import DecodingRules
from limen_quantize.config import TrainingConfig
from limen_quantize.errors import DataError
from limen_quantize.member import EpochReport
from limen_quantize.queries import Language
from limen_quantize.scores import Scores

RECORD_NAME = "run.json"
_PACKAGES = ("limen", "torch", "transformers", "tokenizers", "optimum", "onnx", "onnxruntime", "numpy")


class DataFile(BaseModel):
    """One file that was read (or a hub name, without hash)."""

    model_config = ConfigDict(frozen=True)

    source: str
    sha256: str | None
    queries: int
    disclosing: int


class LearnedFile(BaseModel):
    """What was learned from beside the data, with its hash: second readings, answers, a teacher's weights."""

    model_config = ConfigDict(frozen=True)

    source: str
    sha256: str


class Blend(BaseModel):
    """An earlier model whose weights were averaged in, with their share (0 to 1)."""

    model_config = ConfigDict(frozen=True)

    model: str
    sha256: str
    share: float


class RunRecord(BaseModel):
    """What a network was trained on, how, and how well it did on held-out training data."""

    state: Literal["started", "finished"]
    started_at: str
    finished_at: str | None = None
    command: str
    given: dict[str, object]
    config: TrainingConfig
    base_sha256: str | None = None
    """Of the weights that it began with, where they were a file of this machine."""
    data: tuple[DataFile, ...]
    unannotated: tuple[LearnedFile, ...] = ()
    """Files of texts that only teachers spoke of."""
    n_train: int
    n_held_out: int
    n_answered: int = 0
    """How many of the training queries another network had answered beforehand."""
    versions: dict[str, str]
    teachers: tuple[LearnedFile, ...] = ()
    second_readings: tuple[LearnedFile, ...] = ()
    answers: tuple[LearnedFile, ...] = ()
    members: dict[str, list[EpochReport]] = {}
    held_out: dict[Language, Scores] = {}
    """Scores of the averaged network on the held-out split of the training data."""
    held_out_unlike: dict[Language, Scores] = {}
    """The same on those that resemble no training query (`limen_quantize.likeness`)."""
    decoding: DecodingRules = DecodingRules()
    decoding_from: str = "default"
    blend: Blend | None = None

    def write(self, folder: Path) -> None:
        """Replace the folder's record in one step."""
        write_record(self, folder)


def write_record(record: BaseModel, folder: Path) -> None:
    """Replace the folder's record in one step."""
    part = folder / f"{RECORD_NAME}.part"
    part.write_text(record.model_dump_json(indent=1) + "\n", encoding="utf-8")
    part.replace(folder / RECORD_NAME)


def read_record(folder: Path) -> RunRecord | None:
    """The folder's record, or None when it has none."""
    path = folder / RECORD_NAME
    return RunRecord.model_validate_json(path.read_bytes()) if path.is_file() else None


def now() -> str:
    """The time in UTC, ISO 8601, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def versions() -> dict[str, str]:
    """Versions of Python and of the packages that decide a result; missing ones are left out."""
    found = {"python": platform.python_version()}
    for name in _PACKAGES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


def sha256_of(path: Path) -> str:
    """Hex sha256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def hashed(names: Sequence[str]) -> tuple[LearnedFile, ...]:
    """Files with their hashes. Raises: `DataError` for one that cannot be read."""
    try:
        return tuple(LearnedFile(source=name, sha256=sha256_of(Path(name))) for name in names)
    except OSError as error:
        raise DataError(f"{error.filename}: cannot be read ({error.strerror})") from error
