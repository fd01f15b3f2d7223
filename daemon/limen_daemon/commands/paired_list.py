"""The paired browsers as the command line shows them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from limen_daemon.pairing.client import DaemonDown, control
from limen_daemon.pairing.messages import ListPairings, PairingLine
from limen_daemon.pairing.store import PairingFile


def paired_browsers(state_dir: Path) -> Sequence[PairingLine]:
    """Asked of the daemon, which knows who was seen last; read from the file when none runs."""
    try:
        with control(state_dir) as daemon:
            daemon.say(ListPairings())
            return [event for event in daemon.events() if isinstance(event, PairingLine)]
    except DaemonDown:
        return [PairingLine.of(entry) for entry in PairingFile(state_dir).all()]


def row(pairing: PairingLine) -> str:
    seen = "never" if pairing.last_seen_ms is None else _time(pairing.last_seen_ms)
    paired = _time(pairing.created_ms)
    return f"{pairing.kid}  {pairing.label:20}  paired {paired}  last seen {seen:16}  {pairing.origin}"


def _time(at_ms: int) -> str:
    """Local time, to the minute."""
    return f"{datetime.fromtimestamp(at_ms / 1000).astimezone():%Y-%m-%d %H:%M}"
