"""`--require phrase.f1>=0.78`: a number of the result against a bound; exit code 3 if one is not met."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from limen_eval.errors import GateNotMet

_OPERATORS: dict[str, Callable[[float, float], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
    "==": operator.eq,
}
_GATE = re.compile(r"^\s*([A-Za-z0-9_.\-]+?)\s*(>=|<=|==|>|<)\s*(-?\d+(?:\.\d+)?)\s*$")


@dataclass(frozen=True)
class Gate:
    """One bound on one number of the result; `path` is dotted, as in `variants.G1-I1.fp`."""

    path: str
    comparison: str
    bound: float

    @classmethod
    def parse(cls, text: str) -> Gate:
        """Raises: `ValueError` if the text is not `name OP number`."""
        match = _GATE.match(text)
        if match is None:
            raise ValueError(f"{text!r} is not like phrase.f1>=0.78")
        return cls(match[1], match[2], float(match[3]))

    def __str__(self) -> str:
        return f"{self.path}{self.comparison}{self.bound:g}"

    def unmet(self, result: Mapping[str, Any]) -> str | None:
        """Why the gate is not met, or None. A value that is undefined or absent never meets a gate."""
        value: Any = result
        for part in self.path.split("."):
            value = value.get(part) if isinstance(value, Mapping) else None
        if isinstance(value, bool) or not isinstance(value, int | float):
            return f"{self}: the result has no such number"
        return None if _OPERATORS[self.comparison](value, self.bound) else f"{self}: it is {value:.4f}"


def check_gates(gates: Sequence[Gate], result: Mapping[str, Any]) -> None:
    """Raise `GateNotMet` naming every gate that the result does not meet."""
    failures = [reason for gate in gates if (reason := gate.unmet(result)) is not None]
    if failures:
        raise GateNotMet("not met: " + "; ".join(failures))
