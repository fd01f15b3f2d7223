"""What runs in the processes that the crash tests kill."""

from __future__ import annotations

from multiprocessing.connection import Connection
from pathlib import Path

from harness.profile import make_decision
from limen_profiles import ProfilePaths, ProfileService


def write_forever(folder: str, acknowledged: Connection[int | None, None]) -> None:
    """Record decisions and tell each one's id after `record` has returned."""
    service = opened(folder)
    while True:
        acknowledged.send(service.profile().record(make_decision("kept", "type 2 diabetes " * 8)))


def rotate_forever(folder: str, acknowledged: Connection[str, None]) -> None:
    """Change the key again and again; tells when it begins and after each change."""
    service = opened(folder)
    acknowledged.send("begins")
    while True:
        service.rotate()
        acknowledged.send("rotated")


def opened(folder: str) -> ProfileService:
    service = ProfileService(ProfilePaths(Path(folder)))
    status = service.start()
    assert status.mode == "on", status.problem
    return service
