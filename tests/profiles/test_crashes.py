"""Real processes, killed with SIGKILL while they write and while they change the key."""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import threading
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest

from harness.profile import make_decision
from harness.profile_victims import opened, rotate_forever, write_forever
from limen_profiles import Filter, PageRequest, ProfilePaths, ProfileService
from limen_profiles.store.engine import integrity_problems

KILLS = 20
ROWS = 400
PATIENCE_S = 120.0

pytestmark = pytest.mark.skipif(os.name != "posix", reason="SIGKILL is POSIX")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A profile with a key file and some hundred decisions, closed."""
    paths = ProfilePaths(tmp_path / "profile")
    service = ProfileService(paths)
    service.init("key_file", key_file=tmp_path / "keys" / "profile.key")
    for _ in range(ROWS):
        service.profile().record(make_decision("kept", "type 2 diabetes " * 8))
    service.close()
    return paths.folder


@pytest.fixture(scope="module")
def processes() -> Iterator[Any]:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["harness.profile_victims"])
    yield context


def kill_one(
    context: Any,
    victim: Callable[[str, Connection[Any, None]], None],
    folder: Path,
    *,
    after: int,
    delay_s: float,
) -> list[Any]:
    """Kill `victim` `delay_s` after its `after`th acknowledgement; returns all that it acknowledged."""
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=victim, args=(str(folder), theirs))
    process.start()
    theirs.close()
    heard = []
    while len(heard) < after:
        assert ours.poll(PATIENCE_S), "the victim does not get on"
        heard.append(ours.recv())
    threading.Event().wait(delay_s)  # the moment of death is the point of the test
    os.kill(process.pid, signal.SIGKILL)
    process.join()
    assert process.exitcode == -signal.SIGKILL
    try:
        while True:
            heard.append(ours.recv())
    except (EOFError, OSError):
        ours.close()
    return heard


def test_every_acknowledged_decision_survives_twenty_kills_while_writing(
    folder: Path, processes: Any
) -> None:
    chance = random.Random(5)
    acknowledged: set[int] = set(range(1, ROWS + 1))
    for _ in range(KILLS):
        acknowledged |= set(
            kill_one(
                processes,
                write_forever,
                folder,
                after=chance.randint(1, 12),
                delay_s=chance.uniform(0, 0.01),
            )
        )
        present = ids(folder)
        assert acknowledged <= present
        # At most the one that was being written when the process died was not acknowledged.
        assert len(present) - len(acknowledged) <= KILLS
    assert len(acknowledged) > ROWS + KILLS


def test_profile_opens_with_all_its_rows_after_twenty_kills_while_rotating(
    folder: Path, processes: Any
) -> None:
    chance = random.Random(6)
    next_key = folder.parent / "keys" / "profile.key.next"
    rotations = 0
    in_the_middle = 0
    for kill in range(KILLS):
        heard = kill_one(
            processes, rotate_forever, folder, after=1 + kill % 2, delay_s=chance.uniform(0, 0.25)
        )
        rotations += heard.count("rotated")
        in_the_middle += next_key.exists()
        assert ids(folder) == set(range(1, ROWS + 1))
        assert not next_key.exists()
    assert rotations >= KILLS // 2
    assert in_the_middle >= 3, "too few of the kills came between the two keys to show anything"


def ids(folder: Path) -> set[int]:
    """The ids in the profile, after checking every page of it."""
    service = opened(str(folder))
    try:
        profile = service.profile()
        problems = profile.vault._writer.call_with_engine(
            lambda engine: integrity_problems(engine.raw_connection().driver_connection)
        )
        assert problems == []
        total = profile.summary(Filter()).total
        pages = -(-total // 200)
        found = [
            item.id
            for page in range(1, pages + 1)
            for item in profile.page(PageRequest(page=page, page_size=200)).items
        ]
        assert len(found) == total
        return set(found)
    finally:
        service.close()
