"""One tuning configuration from a file, from `NAME=VALUE` settings, and from the options of the command."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from limen_daemon.errors import ConfigError
from limen_quantize.gguf.tuning_config import TuningConfig


def resolve_config(
    base: str, data: Sequence[str], config: Path | None = None, settings: Sequence[str] = ()
) -> TuningConfig:
    """The file's values, overridden by `settings`. Raises: `ConfigError` naming the first wrong setting."""
    values: dict[str, Any] = {}
    if config is not None:
        try:
            values = json.loads(config.read_text(encoding="utf-8"))
        except ValueError as error:
            raise ConfigError(f"{config} is not JSON.") from error
    for setting in settings:
        name, sign, value = setting.partition("=")
        if not sign:
            raise ConfigError(f"--set takes NAME=VALUE, not {setting!r}.")
        values[name] = _value(value)
    try:
        return TuningConfig.model_validate({**values, "base": base, "data": tuple(data)})
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise ConfigError(f"Setting {where}: {first['msg']}.") from None


def _value(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        return text
