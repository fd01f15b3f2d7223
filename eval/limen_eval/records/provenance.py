"""What produced a run: versions, source revision, hashes of the files it read."""

from __future__ import annotations

import hashlib
import platform
import shutil
import subprocess
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path

from pydantic import BaseModel

PACKAGES = (
    "limen",
    "numpy",
    "onnxruntime",
    "tokenizers",
    "rouge-score",
    "scipy",
    "matplotlib",
    "llama-cpp-python",
)


class Revision(BaseModel):
    """The commit of the checkout that ran, and whether files differed from it."""

    commit: str
    dirty: bool


class FileHash(BaseModel):
    """A file that was read."""

    path: str
    sha256: str
    size_bytes: int


def package_versions() -> dict[str, str]:
    """Versions of the packages that can change a number; those not installed are left out."""
    versions = {"python": platform.python_version()}
    for name in PACKAGES:
        try:
            versions[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return versions


def source_revision() -> Revision | None:
    """The git revision of this package's checkout; None for an installed wheel or without git."""
    git = shutil.which("git")
    folder = Path(__file__).resolve().parent
    if git is None:
        return None
    commit = _output([git, "-C", str(folder), "rev-parse", "HEAD"])
    if commit is None:
        return None
    return Revision(
        commit=commit, dirty=bool(_output([git, "-C", str(folder), "status", "--porcelain", "."]))
    )


def _output(command: list[str]) -> str | None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=10, check=False)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def file_hashes(paths: Iterable[Path]) -> list[FileHash]:
    """SHA-256 and size of each file, in the order given. Blocking."""
    hashes = []
    for path in paths:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        hashes.append(FileHash(path=str(path), sha256=digest, size_bytes=path.stat().st_size))
    return hashes
