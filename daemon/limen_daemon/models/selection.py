"""Which model the user chose with `limen models use`. The daemon and `limen check` both read it."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from limen_daemon.errors import ConfigError
from limen_daemon.models.folders import make_user_models_folder, user_models_folder
from limen_daemon.private_files import replace_private

_NAME = "selected.json"


class Selection(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    model: str


def selection_path() -> Path:
    """The file that holds the choice; watch its modification time to follow a switch."""
    return user_models_folder() / _NAME


def selected_model() -> str | None:
    """The chosen model's name; None when nothing was chosen.

    Raises: `ConfigError` when the file cannot be read as a choice.
    """
    path = selection_path()
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ConfigError(f"{path} cannot be read ({type(error).__name__}).") from None
    try:
        return Selection.model_validate_json(raw).model
    except ValidationError:
        raise ConfigError(f"{path} is damaged. Choose again: limen models use NAME") from None


def select_model(name: str) -> None:
    """Remember the choice, atomically."""
    make_user_models_folder()
    replace_private(selection_path(), Selection(model=name).model_dump_json().encode() + b"\n")
