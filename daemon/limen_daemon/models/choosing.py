"""Choosing a model that is here already. The command line and the settings page both come through this."""

from __future__ import annotations

from limen_daemon.errors import ModelDamaged
from limen_daemon.models.manifest import verify
from limen_daemon.models.registry import PATTERNS, find_model
from limen_daemon.models.selection import select_model


def choose_model(name: str) -> None:
    """Remember `name` (or `patterns`) as the model in use, after hashing its files. Blocking.

    Raises: `ModelMissing`, `ModelDamaged`, `ConfigError`.
    """
    if name != PATTERNS:
        model = find_model(name)
        if model.manifest is None:
            raise ModelDamaged(model.problem or f"{name} cannot be read.")
        problems = verify(model.folder, model.manifest)
        if problems:
            raise ModelDamaged(f"{name} is not whole: {' '.join(problems)} Add it again.")
    select_model(name)
