"""`POST /v1/pairings` and `/v1/pairings/remove` on the wire."""

from __future__ import annotations

from datetime import datetime

from pydantic import Field

from limen_daemon.wire.models import WireModel


class PairedBrowser(WireModel):
    """`this`: it is the browser that asks. Times are UTC, ISO 8601; `last_seen` is null if it never asked."""

    id: str
    label: str
    paired_at: datetime
    last_seen: datetime | None
    this: bool


class Pairings(WireModel):
    """The oldest first."""

    pairings: list[PairedBrowser]


class RemovePairingRequest(WireModel):
    id: str = Field(max_length=64)
