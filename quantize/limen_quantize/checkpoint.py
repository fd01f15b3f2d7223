"""Checkpoints that survive a kill: written beside, then moved into place in one step."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import torch

_NAME = "checkpoint.pt"


def save_checkpoint(folder: Path, state: dict[str, Any]) -> None:
    """Replace the folder's checkpoint by `state`; a kill at any moment leaves the old one or the new one."""
    part = folder / f"{_NAME}.part"
    torch.save(state, part)
    with part.open("rb") as written:
        os.fsync(written.fileno())
    part.replace(folder / _NAME)


def load_checkpoint(folder: Path) -> dict[str, Any] | None:
    """The folder's checkpoint, or None when there is none."""
    path = folder / _NAME
    if not path.is_file():
        return None
    state: dict[str, Any] = torch.load(path, map_location="cpu", weights_only=True)
    return state


def drop_checkpoint(folder: Path) -> None:
    """Remove the folder's checkpoint, at the end of a run."""
    (folder / _NAME).unlink(missing_ok=True)
