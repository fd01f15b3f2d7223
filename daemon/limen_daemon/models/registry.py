"""The models there are: shipped ones first, then the user's."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from limen_daemon.errors import LimenError, ModelMissing
from limen_daemon.models.folders import DEFAULT_MODEL, shipped_folder, user_models_folder
from limen_daemon.models.manifest import MANIFEST_NAME, Manifest, read_manifest
from limen_daemon.models.selection import selected_model

PATTERNS = "patterns"
"""The name that stands for the recognizers alone, without a model."""


@dataclass(frozen=True, slots=True)
class Installed:
    """A model's folder. `manifest` is None when it cannot be read; `problem` then says why."""

    name: str
    folder: Path
    shipped: bool
    manifest: Manifest | None
    problem: str | None = None


def installed_models() -> list[Installed]:
    """Every folder with a manifest. A user's model cannot take a shipped model's name."""
    found: dict[str, Installed] = {}
    for root, shipped in ((shipped_folder(), True), (user_models_folder(), False)):
        if not root.is_dir():
            continue
        for folder in sorted(root.iterdir()):
            if folder.name.startswith(".") or not (folder / MANIFEST_NAME).is_file():
                continue
            found.setdefault(folder.name, _installed(folder, shipped))
    return list(found.values())


def find_model(name: str) -> Installed:
    """The model called `name` (its folder's name).

    Raises: `ModelMissing`.
    """
    for model in installed_models():
        if model.name == name:
            return model
    if name == DEFAULT_MODEL:
        raise ModelMissing(
            f"The model {name} that ships with Limen is not here. "
            "Install Limen again: pip install --force-reinstall limen"
        )
    raise ModelMissing(f"There is no model called {name}. See which there are: limen models list")


def current_model() -> str:
    """The name in use: the user's choice, else the shipped model."""
    return selected_model() or DEFAULT_MODEL


def _installed(folder: Path, shipped: bool) -> Installed:
    try:
        return Installed(folder.name, folder, shipped, read_manifest(folder))
    except LimenError as error:
        return Installed(folder.name, folder, shipped, None, str(error))
