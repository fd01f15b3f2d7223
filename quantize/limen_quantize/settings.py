"""One configuration from a file, from `NAME=VALUE` settings, and from the options of a command."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from limen_quantize.errors import TrainingError

Configuration = TypeVar("Configuration", bound=BaseModel)


def resolve(kind: type[Configuration], fields: Mapping[str, object]) -> Configuration:
    """The validated object. Raises: `TrainingError` naming the first wrong setting."""
    try:
        return kind.model_validate(fields)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise TrainingError(f"Setting {where}: {first['msg']}." if where else f"{first['msg']}.") from None


def from_file(path: Path | None) -> dict[str, Any]:
    """A configuration file's fields; none without a file. Raises: `TrainingError` when it is not one."""
    if path is None:
        return {}
    try:
        fields = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        raise TrainingError(f"{path}: not valid JSON") from None
    if not isinstance(fields, dict):
        raise TrainingError(f"{path}: must hold one JSON object")
    return fields


def assigned(settings: Sequence[str]) -> dict[str, Any]:
    """`NAME=VALUE` each; a value that is not JSON is taken as text. Raises: `TrainingError` without "="."""
    fields: dict[str, Any] = {}
    for setting in settings:
        name, sign, value = setting.partition("=")
        if not sign:
            raise TrainingError(f"--set takes NAME=VALUE, not {setting!r}.")
        try:
            fields[name] = json.loads(value)
        except ValueError:
            fields[name] = value
    return fields
