"""Errors of the evaluation tool; messages never contain the text of a query.

LimenError
└── EvalError        the user can fix it (exit 1, no traceback)
    ├── DataError    a data set is missing or has bad records
    ├── RunError     a run folder cannot be used
    ├── EndpointError a language model could not be reached or refused
    ├── GateNotMet   a `--require` gate failed (exit 3)
    └── Interrupted  stopped by the user; the run can be resumed (exit 130)
"""

from __future__ import annotations

from limen_daemon.errors import LimenError


class EvalError(LimenError):
    code = "eval"


class DataError(EvalError):
    code = "data"


class RunError(EvalError):
    code = "run"


class EndpointError(EvalError):
    code = "endpoint"


class GateNotMet(EvalError):
    code = "gate_not_met"
    exit_code = 3


class Interrupted(EvalError):
    code = "interrupted"
    exit_code = 130
