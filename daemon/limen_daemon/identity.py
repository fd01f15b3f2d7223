"""Who a request comes from, once the gate has let it in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Identity:
    """`name` is safe to log: "token" or a pairing's key id. `origin` is the extension's exact origin."""

    kind: Literal["token", "pairing", "unpaired"]
    name: str
    origin: str
