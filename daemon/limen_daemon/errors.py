"""Errors of the daemon and of the command line. No message ever contains text that a user typed.

LimenError
├── InputError            the input cannot be used (not text, too large, unreadable file)
│   ├── NotJson           a request body is not strict JSON
│   ├── SchemaError       a request body does not have the fields of its route
│   └── BodyTimeout       a request body did not arrive in time
├── ConfigError           a setting or an environment variable is wrong
├── PortTaken             another program holds the port
├── PairingError          a pairing step was refused
│   ├── PairingClosed     no window is open
│   ├── CodeWrong         the code was not right
│   ├── BoxDamaged        a sealed body could not be opened
│   └── OtherBrowser      a browser asked to end another one's pairing
├── ModelError            a detector cannot be loaded
│   ├── ModelMissing
│   ├── ModelDamaged
│   ├── ModelFixed        the environment names the model; it cannot be changed from outside
│   └── ExtraMissing      an optional package is not installed
├── DetectorError         a detector failed on a text: the text is "not checked"
│   ├── DetectorTimeout   it did not answer within its deadline
│   ├── DetectorOff       no detector is loaded
│   └── TextRefused       it runs and will take others, but not this text (as one longer than its context)
└── Busy                  too much is waiting already: the text is "not checked"
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


class NotJson(InputError):
    code = "json"


class SchemaError(InputError):
    code = "schema"


class BodyTimeout(InputError):
    code = "body_timeout"
    status = 408


class ConfigError(LimenError):
    code = "config"


class PortTaken(LimenError):
    """Exit code 69 is EX_UNAVAILABLE of sysexits.h."""

    code = "port_taken"
    status = 503
    exit_code = 69


class PairingError(LimenError):
    code = "pairing"
    status = 400


class PairingClosed(PairingError):
    code = "pairing_closed"
    status = 403


class CodeWrong(PairingError):
    """`left` tries remain in the window."""

    code = "code_wrong"
    status = 403

    def __init__(self, left: int) -> None:
        super().__init__(f"that code is not right; {left} tries left")
        self.left = left


class BoxDamaged(PairingError):
    code = "box"


class OtherBrowser(PairingError):
    code = "other_browser"
    status = 409


class ModelError(LimenError):
    code = "model"
    status = 503


class ModelMissing(ModelError):
    code = "model_missing"


class ModelDamaged(ModelError):
    code = "model_damaged"


class ModelFixed(ModelError):
    code = "model_fixed"
    status = 409


class ExtraMissing(ModelError):
    code = "extra_missing"


class DetectorError(LimenError):
    code = "detector"
    status = 504


class DetectorTimeout(DetectorError):
    code = "detector_timeout"


class DetectorOff(DetectorError):
    code = "detector_off"
    status = 503


class TextRefused(DetectorError):
    """To a client it is one more detector that failed: the code is `detector`'s."""


class Busy(LimenError):
    code = "busy"
    status = 503
