"""Pulling a model from the Hugging Face hub: the one connection that Limen opens, and only when asked to."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from limen_daemon.errors import ExtraMissing, InputError, ModelError, ModelMissing
from limen_daemon.models.adding import install_folder
from limen_daemon.models.folders import make_user_models_folder
from limen_daemon.models.manifest import MANIFEST_NAME, Manifest, file_sha256, read_manifest

_REPOSITORY = re.compile(r"[A-Za-z0-9][\w.-]{0,95}/[A-Za-z0-9][\w.-]{0,95}")
Say = Callable[[str], None]


def pull_model(repository: str, revision: str | None, trusted_sha256: str, say: Say) -> Manifest:
    """Download `owner/name` and install it. A pull that was interrupted goes on where it stopped.

    The repository must hold a manifest.json whose sha256 is `trusted_sha256`; it pins every other file, and
    only files that it lists are downloaded. `say` is told what happens; the hub's client shows the progress.
    Raises: `ExtraMissing` without huggingface_hub; `InputError`; `ModelMissing`, `ModelDamaged`,
    `ModelError`.
    """
    if not _REPOSITORY.fullmatch(repository):
        raise InputError("A model on the hub is called owner/name, for instance limen/limen-e5-small.")
    hub = _client()
    staging = make_user_models_folder() / f".pulling-{repository.replace('/', '--')}"
    staging.mkdir(mode=0o700, exist_ok=True)
    _download(hub, repository, revision, MANIFEST_NAME, staging)
    found = file_sha256(staging / MANIFEST_NAME)
    if found != trusted_sha256.lower():
        shutil.rmtree(staging, ignore_errors=True)
        raise InputError(
            f"The manifest of {repository} has the sha256 {found}, not the one that you trust. "
            "Compare it with the one its author publishes."
        )
    manifest = read_manifest(staging)
    for entry in manifest.files:
        say(f"{entry.file} ({entry.bytes / 1e6:.1f} MB)")
        _download(hub, repository, revision, entry.file, staging)
    installed = install_folder(staging, manifest)
    shutil.rmtree(staging, ignore_errors=True)
    return installed


def _client() -> Any:
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    try:
        import huggingface_hub
    except ImportError:
        raise ExtraMissing(
            "Pulling a model needs huggingface_hub. Install it: pip install huggingface-hub"
        ) from None
    return huggingface_hub


def _download(hub: Any, repository: str, revision: str | None, file: str, folder: Path) -> None:
    from huggingface_hub.errors import (
        EntryNotFoundError,
        LocalEntryNotFoundError,
        RepositoryNotFoundError,
        RevisionNotFoundError,
    )

    try:
        hub.hf_hub_download(repository, file, revision=revision, local_dir=folder)
    except RepositoryNotFoundError:
        raise ModelMissing(f"The hub has no model {repository}, or it is private. Check the name.") from None
    except RevisionNotFoundError:
        raise ModelMissing(f"{repository} has no revision {revision}.") from None
    except EntryNotFoundError as error:
        if isinstance(
            error, LocalEntryNotFoundError
        ):  # no connection, and no earlier download to fall back on
            raise _stopped(file, error) from None
        raise ModelMissing(f"{repository} has no {file}, so it is not a Limen model.") from None
    except Exception as error:  # the client raises many kinds for a lost connection; none holds user text
        raise _stopped(file, error) from None


def _stopped(file: str, error: Exception) -> ModelError:
    return ModelError(
        f"The download of {file} stopped ({type(error).__name__}). Check the connection and run the same "
        "command again: it goes on where it stopped."
    )
