"""Errors of training and quantization. They name files, lines and ids, never the text of a query."""

from __future__ import annotations

from limen_daemon.errors import ConfigError, InputError


class DataError(InputError):
    """Training data that cannot be used; the message says which file and which line or id."""

    code = "training_data"


class TrainingError(ConfigError):
    """A training or export that cannot go on as configured."""

    code = "training"
