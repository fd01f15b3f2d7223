"""Errors of the daemon and of the command line. No message ever contains text that a user typed.

LimenError
├── InputError            the input cannot be used (not text, too large, unreadable file)
├── ConfigError           a setting or an environment variable is wrong
├── ModelError            a detector cannot be loaded
│   ├── ModelMissing
│   ├── ModelDamaged
│   └── ExtraMissing      an optional package is not installed
└── DetectorError         a detector failed on a text: the text is "not checked"
"""

from __future__ import annotations


class LimenError(Exception):
    """Root of Limen's errors.

    `code` is stable and snake_case (clients switch on it), `status` is the HTTP status it maps to,
    `exit_code` what the command line ends with (1: the user can fix it).
    """

    code = "internal"
    status = 500
    exit_code = 1


class InputError(LimenError):
    code = "input"
    status = 422


class ConfigError(LimenError):
    code = "config"


class ModelError(LimenError):
    code = "model"
    status = 503


class ModelMissing(ModelError):
    code = "model_missing"


class ModelDamaged(ModelError):
    code = "model_damaged"


class ExtraMissing(ModelError):
    code = "extra_missing"


class DetectorError(LimenError):
    code = "detector"
    status = 504
