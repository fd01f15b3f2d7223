"""`POST /v1/models/...` on the wire."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import StringConstraints

from limen_daemon.wire.models import WireModel

ModelName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")]


class InstalledModel(WireModel):
    """A detector on this computer. Not `is_usable`: its manifest cannot be read, only its name is known."""

    name: str
    version: str
    format: Literal["onnx", "gguf", "patterns", "unknown"]
    bytes: int
    """Of all its files together."""
    languages: tuple[str, ...]
    licence: str
    origin: Literal["shipped", "added"]
    is_usable: bool


class ModelList(WireModel):
    """`chosen` names the one that was chosen; `is_fixed`: LIMEN_MODEL chose it, so that the page cannot."""

    models: tuple[InstalledModel, ...]
    chosen: str
    is_fixed: bool


class UseRequest(WireModel):
    name: ModelName
