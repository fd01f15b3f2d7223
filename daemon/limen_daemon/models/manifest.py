"""The manifest of a model: its files with size and sha256, its licence and languages."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from limen_daemon.errors import ModelDamaged, ModelMissing

MANIFEST_NAME = "manifest.json"
_MAX_MANIFEST_BYTES = 1 << 20
_READ_BYTES = 1 << 20


class ModelFile(BaseModel):
    """One file of a model. `file` is a bare name inside the model's folder."""

    model_config = ConfigDict(frozen=True)

    file: str = Field(min_length=1, max_length=255)
    bytes: int = Field(ge=0)
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")

    @field_validator("file")
    @classmethod
    def _bare_name(cls, name: str) -> str:
        if name in {".", ".."} or any(sign in name for sign in "/\\\0:") or name.startswith("."):
            raise ValueError("a file of a model must be a plain name in the model's own folder")
        return name


class Manifest(BaseModel):
    """`manifest.json`. Further keys (training data, scores, the command that printed them) are kept."""

    model_config = ConfigDict(frozen=True, extra="allow")

    name: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")
    version: str = "1"
    format: Literal["onnx", "gguf"]
    licence: str
    languages: tuple[str, ...] = ("en", "zh")
    files: tuple[ModelFile, ...] = Field(min_length=1)
    gguf: dict[str, Any] = Field(default_factory=dict)
    """For GGUF models: the fields of `GgufSettings`."""

    @property
    def id(self) -> str:
        """Name and version, as stored with each decision."""
        return f"{self.name}-{self.version}"

    def entry(self, file: str) -> ModelFile:
        """Raises: `ModelDamaged` when the manifest has no such file."""
        for entry in self.files:
            if entry.file == file:
                return entry
        raise ModelDamaged(f"The manifest of {self.name} does not list {file}. Add the model again.")


def read_manifest(folder: Path) -> Manifest:
    """Raises: `ModelMissing` without a manifest, `ModelDamaged` when it cannot be used."""
    path = folder / MANIFEST_NAME
    try:
        with path.open("rb") as file:
            raw = file.read(_MAX_MANIFEST_BYTES + 1)
    except OSError:
        raise ModelMissing(f"There is no model in {folder}: it has no {MANIFEST_NAME}.") from None
    if len(raw) > _MAX_MANIFEST_BYTES:
        raise ModelDamaged(f"{path} is too large to be a manifest.")
    try:
        return Manifest.model_validate_json(raw)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise ModelDamaged(f"{path} cannot be used ({where}: {first['msg']}). Add the model again.") from None


def verify(folder: Path, manifest: Manifest) -> list[str]:
    """One sentence for each file that is missing or differs from the manifest; empty when all is well."""
    problems = []
    for entry in manifest.files:
        path = folder / entry.file
        if not path.is_file():
            problems.append(f"{entry.file} is missing.")
        elif path.stat().st_size != entry.bytes:
            problems.append(f"{entry.file} has {path.stat().st_size} bytes instead of {entry.bytes}.")
        elif file_sha256(path) != entry.sha256:
            problems.append(f"{entry.file} is not the file that the manifest describes (its sha256 differs).")
    return problems


def file_sha256(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(_READ_BYTES):
            digest.update(block)
    return digest.hexdigest()


def read_verified(folder: Path, manifest: Manifest, file: str) -> bytes:
    """The content of one file, hashed: the very bytes that were checked are returned, for loading.

    Raises: `ModelMissing`, `ModelDamaged`.
    """
    entry = manifest.entry(file)
    try:
        content = (folder / file).read_bytes()
    except OSError:
        raise ModelMissing(f"{file} of the model {manifest.name} is missing. {_repair(folder)}") from None
    if hashlib.sha256(content).hexdigest() != entry.sha256:
        raise ModelDamaged(
            f"{file} of the model {manifest.name} is damaged (its sha256 differs). {_repair(folder)}"
        )
    return content


def _repair(folder: Path) -> str:
    if "site-packages" in folder.parts:
        return "Install Limen again: pip install --force-reinstall limen"
    return "Restore it, or choose another model: limen models list"
