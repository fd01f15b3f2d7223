"""Who a request comes from, once the gate has let it in."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, Protocol


class BodySeal(Protocol):
    """Opens the body of one request and seals its answer."""

    def open(self, body: bytes) -> bytes:
        """Raises: `BoxDamaged`."""
        ...

    def close(self, answer: bytes) -> bytes: ...


@dataclass(frozen=True, slots=True)
class Identity:
    """`name` is safe to log: "unpaired" or a pairing's key id. `origin` is the extension's exact
    origin. `seal` is there when bodies travel sealed."""

    kind: Literal["pairing", "unpaired"]
    name: str
    origin: str
    seal: BodySeal | None = field(default=None, repr=False)
