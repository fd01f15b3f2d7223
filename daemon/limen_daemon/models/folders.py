"""Where models lie: inside the package, and in the user's own data folder (0700)."""

from __future__ import annotations

from pathlib import Path

import platformdirs

from limen_daemon.private_files import make_private_folder

DEFAULT_MODEL = "limen-e5-small"


def shipped_folder() -> Path:
    return Path(__file__).resolve().parent.parent / "shipped"


def user_models_folder() -> Path:
    """The folder of added models; it need not exist. `XDG_DATA_HOME` moves it on Linux."""
    return platformdirs.user_data_path("limen") / "models"


def make_user_models_folder() -> Path:
    """Create it (0700). Raises: `ConfigError` when it is open to others or not ours."""
    folder = user_models_folder()
    make_private_folder(folder.parent)
    return make_private_folder(folder)
