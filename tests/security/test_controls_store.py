"""Controls of the profile's rules: the same misfortunes and attacks with one rule off. They do their harm."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import sqlite3
import stat
from pathlib import Path
from typing import Any

import keyring
import pytest
from argon2.low_level import Type, hash_secret_raw
from keyring.backends.null import Keyring as NullKeyring

from harness.profile import Box, make_decision
from harness.profile_victims import acknowledge_too_early
from limen_profiles import sealing
from limen_profiles.errors import WrongKey
from limen_profiles.store.engine import open_engine

NEEDLE = "quillfeather-4711"
PASSPHRASE = "correct horse battery"
posix = pytest.mark.skipif(os.name != "posix", reason="modes and SIGKILL are POSIX")


@pytest.fixture
def box(tmp_path: Path) -> Any:
    made = Box(tmp_path)
    yield made
    made.close()


def test_db_damaged_control(tmp_path: Path) -> None:
    """A database without authentication: a flipped bit changes what the profile remembers, and it opens."""
    path = tmp_path / "plain.db"
    with sqlite3.connect(path) as plain:
        plain.execute("CREATE TABLE decision (phrase TEXT)")
        plain.execute("INSERT INTO decision VALUES ('kept 7 of 8')")
    plain.close()
    raw = path.read_bytes()
    path.write_bytes(raw.replace(b"kept 7", b"kept 6"))
    with sqlite3.connect(path) as plain:
        assert plain.execute("SELECT phrase FROM decision").fetchall() == [("kept 6 of 8",)]
    plain.close()


@posix
def test_db_modes_control(tmp_path: Path) -> None:
    """A file made as files are made: under an open umask everyone may read it."""
    before = os.umask(0)
    try:
        (tmp_path / "plain.db").touch()
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "plain.db").stat().st_mode) & 0o077 != 0


@posix
def test_db_kill9_control(tmp_path: Path) -> None:
    """A writer that says yes before it has written: what it said yes to is gone."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    path = tmp_path / "plain.db"
    process = context.Process(target=acknowledge_too_early, args=(str(path), theirs))
    process.start()
    for _ in range(20):
        assert ours.poll(60)
        ours.recv()
    assert process.pid is not None
    os.kill(process.pid, signal.SIGKILL)
    process.join()
    database = sqlite3.connect(path)
    assert database.execute("SELECT count(*) FROM decision").fetchone()[0] < 20
    database.close()


def test_rotate_kill9_control(box: Box) -> None:
    """A change of key that first puts the new one in the old one's place: killed then, nothing opens it."""
    service = box.service()
    service.init("key_file", key_file=box.key_file)
    service.profile().record(make_decision())
    service.close()
    box.key_file.write_text("ab" * 32)  # and here the power goes
    again = box.service()
    again.start()
    with pytest.raises(WrongKey):
        again.profile()


def test_key_missing_control(box: Box) -> None:
    """A start that makes a new database where the key is missing: the old decisions are lost."""
    service = box.started()
    service.profile().record(make_decision("kept", NEEDLE))
    service.close()
    before = box.paths.database.read_bytes()
    box.paths.database.unlink()
    open_engine(box.paths.database, bytes(32)).dispose()
    assert box.paths.database.read_bytes() != before
    with pytest.raises(WrongKey):
        open_engine(box.paths.database, bytes.fromhex(next(iter(box.keyring.items.values()))))


def test_keyring_backends_control(monkeypatch: pytest.MonkeyPatch) -> None:
    """keyring as it comes takes the backend that the environment names, and that one keeps nothing."""
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.null.Keyring")
    backend = keyring.core.load_env()
    assert isinstance(backend, NullKeyring)
    backend.set_password("limen", "profile", "ab" * 32)
    assert backend.get_password("limen", "profile") is None


def test_keyfile_tamper_control(monkeypatch: pytest.MonkeyPatch) -> None:
    """argon2 itself takes any cost that a file names: 8 KiB, and a passphrase is searched in no time."""
    sealed = json.loads(sealing.WrappingKey.derive(PASSPHRASE).seal(b"content", "export"))
    cost = {"passes": 1, "memory_kib": 8, "lanes": 1}
    assert len(hash_secret_raw(PASSPHRASE.encode(), bytes(16), 1, 8, 1, 32, Type.ID)) == 32
    # With the bounds off a lowered header is read, and used.
    weak = sealing.KdfCost.model_construct(**cost)
    monkeypatch.setattr(sealing, "KdfCost", lambda **given: weak)
    assert sealing.WrappingKey.derive(PASSPHRASE, cost=weak).seal(b"content", "export")
    assert sealed["header"]["cost"]["memory_kib"] >= 64 * 1024


def test_erase_all_control(box: Box) -> None:
    """Files deleted and the key left: an old copy of the database tells everything."""
    service = box.started()
    service.profile().record(make_decision("kept", NEEDLE))
    copy = box.folder / "backup.db"
    service.profile().vault.copy_to(copy)
    service.close()
    for path in box.paths.database_files():
        path.unlink(missing_ok=True)
    engine = open_engine(copy, bytes.fromhex(next(iter(box.keyring.items.values()))))
    with engine.connect() as connection:
        rows = connection.exec_driver_sql("SELECT * FROM decision").fetchall()
    engine.dispose()
    assert NEEDLE in str(rows)


def test_export_sealed_control(box: Box) -> None:
    """The plain export, which needs its own word, holds the phrases for everyone to read."""
    profile = box.started().profile()
    profile.record(make_decision("kept", NEEDLE))
    assert NEEDLE.encode() in profile.export_plain(confirm="plain")
    assert NEEDLE.encode() not in profile.export_sealed(PASSPHRASE)
