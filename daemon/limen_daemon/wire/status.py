"""`POST /v1/status` on the wire."""

from __future__ import annotations

from limen_daemon.detector.protocol import DetectorInfo
from limen_daemon.profile_port import ProfileMode
from limen_daemon.wire.detect import CheckedBy
from limen_daemon.wire.models import WireModel


class StatusAnswer(WireModel):
    """`detector` is null and `checked_by` "none" when no detector could be loaded."""

    version: str
    detector: DetectorInfo | None
    checked_by: CheckedBy
    profile: ProfileMode
    paused_until: int | None
