"""What runs in the processes that the crash tests kill."""

from __future__ import annotations

import itertools
import sqlite3
from multiprocessing.connection import Connection
from pathlib import Path

from harness.profile import make_decision
from limen_profiles import ProfilePaths, ProfileService


def write_forever(folder: str, acknowledged: Connection[int | None, None]) -> None:
    """Record decisions and tell each one's id after `record` has returned."""
    service = opened(folder)
    while True:
        acknowledged.send(service.profile().record(make_decision("kept", "type 2 diabetes " * 8)))


def acknowledge_too_early(path: str, acknowledged: Connection[int, None]) -> None:
    """The mistake that the profile does not make: says yes to rows that are not committed yet."""
    database = sqlite3.connect(path)
    database.execute("CREATE TABLE decision (id INTEGER)")
    database.commit()
    for number in itertools.count():
        database.execute("INSERT INTO decision VALUES (?)", (number,))
        acknowledged.send(number)


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
