"""Adding a model: its files are checked, copied into the user's folder and only then given their name."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from limen_daemon.detector.generative.gguf_file import check_gguf
from limen_daemon.errors import ConfigError, InputError, ModelDamaged
from limen_daemon.models.folders import make_user_models_folder
from limen_daemon.models.manifest import (
    MANIFEST_NAME,
    Manifest,
    ModelFile,
    file_sha256,
    read_manifest,
    verify,
)
from limen_daemon.models.onnx_file import check_onnx
from limen_daemon.models.registry import installed_models
from limen_daemon.private_files import create_private

_NAME = re.compile(r"[^A-Za-z0-9._-]+")
_GIB = 1 << 30
_LARGEST_BYTES = 64 * _GIB


def add_model(source: Path, trusted_sha256: str) -> Manifest:
    """Install a model folder (with a manifest) or a single .gguf file that the user vouches for.

    `trusted_sha256`: of the folder's manifest.json, which pins every other file, or of the .gguf file.
    Raises: `InputError` when it is not that file or the name is taken; `ModelDamaged`, `ModelMissing`.
    """
    pinned = source / MANIFEST_NAME if source.is_dir() else source
    if not pinned.is_file():
        raise InputError(f"{source} is neither a model's folder (with {MANIFEST_NAME}) nor a .gguf file.")
    if file_sha256(pinned) != trusted_sha256.lower():
        raise InputError(
            f"{pinned.name} does not have the sha256 that you trust. Compare it with the one "
            f"its author publishes; print this file's with: sha256sum '{pinned}'"
        )
    if source.is_dir():
        manifest = read_manifest(source)
        return install_folder(source, manifest)
    return _install_gguf(source, trusted_sha256.lower())


def install_folder(source: Path, manifest: Manifest) -> Manifest:
    """Copy the files that the manifest lists, checked on the way, and give the model its name."""
    problems = verify(source, manifest)
    if problems:
        raise ModelDamaged(f"The model {manifest.name} is not whole: {' '.join(problems)} Get it again.")
    with _staged(manifest.name) as folder:
        for entry in manifest.files:
            _copy(source / entry.file, folder / entry.file)
        shutil.copyfile(source / MANIFEST_NAME, folder / MANIFEST_NAME)
        copied = verify(folder, manifest)
        if copied:
            raise ModelDamaged(f"The model {manifest.name} changed while it was copied: {' '.join(copied)}")
        check_files(folder, manifest)
    return manifest


def check_files(folder: Path, manifest: Manifest) -> None:
    """Walk each model file before any runtime sees it. Raises: `ModelDamaged`."""
    for entry in manifest.files:
        path = folder / entry.file
        if path.suffix == ".onnx":
            check_onnx(path.read_bytes())
        elif path.suffix == ".gguf":
            with path.open("rb") as file:
                check_gguf(file)


def _install_gguf(source: Path, sha256: str) -> Manifest:
    if source.suffix != ".gguf":
        raise InputError(f"{source.name} is not a .gguf file. An ONNX model is added by its folder.")
    name = _NAME.sub("-", source.stem).strip("-.")[:64].lower() or "model"
    with source.open("rb") as file:
        check_gguf(file)
    entry = ModelFile(file="model.gguf", bytes=source.stat().st_size, sha256=sha256)
    manifest = Manifest(name=name, format="gguf", licence="unknown (added by hand)", files=(entry,))
    with _staged(name) as folder:
        _copy(source, folder / entry.file)
        create_private(folder / MANIFEST_NAME, manifest.model_dump_json(indent=1).encode() + b"\n")
        if verify(folder, manifest):
            raise ModelDamaged(f"{source.name} changed while it was copied. Try again.")
    return manifest


@contextmanager
def _staged(name: str) -> Iterator[Path]:
    """A private folder that becomes `models/<name>` when the block ends without an error."""
    if any(model.name == name for model in installed_models()):
        raise InputError(f"There is a model called {name} already. See: limen models list")
    root = make_user_models_folder()
    folder = root / f".adding-{name}-{os.getpid()}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700)
    try:
        yield folder
        folder.rename(root / name)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _copy(source: Path, target: Path) -> None:
    """Copy the content, never a link: the copy is a file of its own, readable by its owner alone."""
    if source.is_symlink():
        raise ModelDamaged(f"{source.name} is a link. Put the file itself into the model's folder.")
    size = source.stat().st_size
    if size > _LARGEST_BYTES:
        raise InputError(
            f"{source.name} has {size // _GIB} GiB; the largest model file is {_LARGEST_BYTES // _GIB} GiB."
        )
    free = shutil.disk_usage(target.parent).free
    if size > free:
        raise ConfigError(
            f"There is no room for {source.name}: {size >> 20} MiB needed, {free >> 20} MiB free."
        )
    descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with source.open("rb") as reading, os.fdopen(descriptor, "wb") as writing:
        shutil.copyfileobj(reading, writing, 1 << 20)
