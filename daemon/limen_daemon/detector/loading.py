"""Builds a detector: a model by name, in union with the recognizers."""

from __future__ import annotations

from pathlib import Path

from limen_daemon.detector.protocol import Detector
from limen_daemon.detector.union import UnionDetector, warm_up
from limen_daemon.errors import ModelDamaged, ModelError
from limen_daemon.models.manifest import Manifest, read_manifest
from limen_daemon.models.registry import PATTERNS, Installed, current_model, find_model


def load(name: str | None, *, device: str, threads: int, patterns: bool) -> Detector:
    """See `limen_daemon.detector.load_detector`."""
    chosen = name or current_model()
    if patterns:
        warm_up()
    if chosen == PATTERNS:
        return UnionDetector(None, patterns=patterns)
    model = find_model(chosen)
    if model.manifest is None:
        raise ModelDamaged(model.problem or f"The model {model.name} cannot be read.")
    return UnionDetector(_load(model, model.manifest, device, threads), patterns=patterns)


def load_folder(folder: Path, *, device: str, threads: int, patterns: bool) -> Detector:
    """A model that is not installed, from its folder with a manifest, for measuring. Raises: as `load`."""
    manifest = read_manifest(folder)
    model = Installed(folder.name, folder, shipped=False, manifest=manifest)
    return UnionDetector(_load(model, manifest, device, threads), patterns=patterns)


def _load(model: Installed, manifest: Manifest, device: str, threads: int) -> Detector:
    if manifest.format == "gguf":
        return _load_gguf(model, manifest, device, threads)
    from limen_daemon.detector.onnx import OnnxDetector

    return OnnxDetector(model.folder, device=device, threads=threads)


def _load_gguf(model: Installed, manifest: Manifest, device: str, threads: int) -> Detector:
    from pydantic import ValidationError

    from limen_daemon.detector.gguf import GgufDetector, GgufSettings

    weights = [entry for entry in manifest.files if entry.file.endswith(".gguf")]
    if len(weights) != 1:
        raise ModelError(f"The manifest of {manifest.name} must list exactly one .gguf file.")
    try:
        settings = GgufSettings.model_validate({"languages": manifest.languages, **manifest.gguf})
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        raise ModelDamaged(
            f"The manifest of {manifest.name} has a wrong GGUF setting ({first['msg']})."
        ) from None
    return GgufDetector(
        model.folder / weights[0].file,
        id=manifest.id,
        sha256=weights[0].sha256,
        settings=settings,
        device=device,
        threads=threads,
    )
