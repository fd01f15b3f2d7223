"""Quantization of a float GGUF file through llama.cpp's own function, into a model folder."""

from __future__ import annotations

import ctypes
import os
from pathlib import Path
from typing import Literal

from limen_daemon.detector.generative.gguf_file import check_gguf
from limen_daemon.detector.generative.llama import silence
from limen_daemon.detector.generative.process import require_llama_cpp
from limen_daemon.detector.gguf import GgufSettings
from limen_daemon.errors import ModelMissing
from limen_daemon.models.manifest import MANIFEST_NAME, Manifest, ModelFile, file_sha256
from limen_quantize.errors import TrainingError

Level = Literal["F16", "Q8_0", "Q6_K", "Q5_K_M", "Q4_K_M", "Q4_0"]
LEVELS: dict[str, str] = {
    "F16": "LLAMA_FTYPE_MOSTLY_F16",
    "Q8_0": "LLAMA_FTYPE_MOSTLY_Q8_0",
    "Q6_K": "LLAMA_FTYPE_MOSTLY_Q6_K",
    "Q5_K_M": "LLAMA_FTYPE_MOSTLY_Q5_K_M",
    "Q4_K_M": "LLAMA_FTYPE_MOSTLY_Q4_K_M",
    "Q4_0": "LLAMA_FTYPE_MOSTLY_Q4_0",
}


def quantize_file(source: Path, target: Path, level: str, *, threads: int = 1) -> Path:
    """Write `source` (float GGUF) as `target` at one level; `target` appears when it is whole.

    Where a matrix's rows do not divide into the level's blocks of 256, llama.cpp takes its own fallback type.
    Raises: `ModelMissing`, `ExtraMissing`, `TrainingError`.
    """
    require_llama_cpp()
    import llama_cpp

    if not source.is_file():
        raise ModelMissing(f"There is no model file at {source}.")
    kept = silence(llama_cpp)
    parameters = llama_cpp.llama_model_quantize_default_params()
    parameters.ftype = getattr(llama_cpp, LEVELS[level])
    parameters.nthread = threads
    partial = target.with_name(target.name + ".part")
    status = llama_cpp.llama_model_quantize(
        os.fsencode(source), os.fsencode(partial), ctypes.byref(parameters)
    )
    del kept
    if status != 0 or not partial.is_file():
        partial.unlink(missing_ok=True)
        raise TrainingError(f"llama.cpp could not quantize {source.name} to {level} (status {status}).")
    partial.replace(target)
    with target.open("rb") as file:
        check_gguf(file)
    return target


def write_model_folder(
    source: Path,
    folder: Path,
    level: str,
    *,
    name: str,
    licence: str,
    settings: GgufSettings,
    threads: int = 1,
) -> Manifest:
    """Quantize into `folder` and write its manifest: a model as `limen models add` takes it."""
    if not source.is_file():
        raise ModelMissing(f"There is no model file at {source}.")
    folder.mkdir(parents=True, exist_ok=True)
    target = quantize_file(source, folder / f"{name}.gguf", level, threads=threads)
    asked = settings.model_dump(mode="json", exclude_defaults=True, exclude={"languages"})
    manifest = Manifest(
        name=name,
        format="gguf",
        licence=licence,
        languages=settings.languages,
        files=(ModelFile(file=target.name, bytes=target.stat().st_size, sha256=file_sha256(target)),),
        gguf=asked,
    )
    partial = folder / f"{MANIFEST_NAME}.part"
    partial.write_text(manifest.model_dump_json(indent=2) + "\n", encoding="utf-8")
    partial.replace(folder / MANIFEST_NAME)
    return manifest
