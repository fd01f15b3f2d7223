"""What the bytes on disk tell: nothing."""

from __future__ import annotations

import os
import sqlite3
import stat
from pathlib import Path

import pytest
from sqlalchemy import text

from harness.profile import Box, make_decision
from limen_profiles import PlaceholderEntry, PlaceholdersPut, RuleIn
from limen_profiles.errors import NotEncrypted
from limen_profiles.store.engine import open_engine

NEEDLE = "quillfeather-4711"
SCHEMA_WORDS = (b"CREATE TABLE", b"decision", b"phrase_hash", b"SQLite format 3")


def fill(box: Box) -> None:
    profile = box.started().profile()
    for decision in ("kept", "redacted", "sent"):
        profile.record(make_decision(decision, NEEDLE))
    profile.add_rule(RuleIn(rule="allow", scope="value", value=NEEDLE))
    entry = PlaceholderEntry(placeholder="[NAME_1]", value=NEEDLE)
    profile.put_placeholders(PlaceholdersPut(conversation="c-1", entries=[entry]))


def test_database_and_wal_hold_no_phrase_and_no_schema(box: Box) -> None:
    fill(box)
    wal = box.paths.database.with_name("profile.db-wal")
    assert wal.stat().st_size > 0, "the rows must still be in the WAL for this test to mean something"
    raw = box.database_bytes()
    assert NEEDLE.encode() not in raw
    for word in SCHEMA_WORDS:
        assert word not in raw


def test_the_same_rows_without_a_key_would_show(tmp_path: Path) -> None:
    """The control of the test above: the needle is found where nothing encrypts."""
    with sqlite3.connect(tmp_path / "plain.db") as plain:
        plain.execute("CREATE TABLE decision (phrase TEXT)")
        plain.execute("INSERT INTO decision VALUES (?)", (NEEDLE,))
    plain.close()
    raw = (tmp_path / "plain.db").read_bytes()
    assert NEEDLE.encode() in raw and b"CREATE TABLE" in raw


def test_copies_hold_no_phrase(box: Box, tmp_path: Path) -> None:
    fill(box)
    profile = box.opened[0].profile()
    profile.vault.copy_to(tmp_path / "copy.db")
    copies = [(tmp_path / "copy.db").read_bytes(), profile.export_sealed("a long passphrase")]
    for raw in copies:
        assert len(raw) > 500
        assert NEEDLE.encode() not in raw
        for word in SCHEMA_WORDS:
            assert word not in raw


def test_closed_database_holds_no_phrase(box: Box) -> None:
    fill(box)
    box.close()
    assert NEEDLE.encode() not in box.database_bytes()
    assert not box.paths.database.with_name("profile.db-wal").exists()


def test_other_files_of_the_profile_hold_no_phrase_and_no_key(box: Box) -> None:
    fill(box)
    (key,) = box.keyring.items.values()
    for path in box.paths.folder.iterdir():
        raw = path.read_bytes()
        assert NEEDLE.encode() not in raw, path.name
        assert key.encode() not in raw and bytes.fromhex(key) not in raw, path.name


def test_plain_sqlite_driver_is_refused_and_leaves_no_file(tmp_path: Path) -> None:
    path = tmp_path / "profile.db"
    with pytest.raises(NotEncrypted):
        open_engine(path, bytes(32), driver=sqlite3)
    assert not path.exists()


def test_deleted_rows_are_zeroed_in_the_pages(box: Box) -> None:
    """This build's default is off, so the setting must be ours and must hold on the writer's connection."""
    vault = box.started().profile().vault
    assert vault.call(lambda session: session.execute(text("PRAGMA secure_delete")).scalar()) == 1


@pytest.mark.skipif(os.name != "posix", reason="modes mean nothing on this system")
def test_folders_are_0700_and_files_0600_whatever_the_umask(box: Box) -> None:
    before = os.umask(0)
    try:
        fill(box)
    finally:
        os.umask(before)
    assert stat.S_IMODE(box.paths.folder.stat().st_mode) == 0o700
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in box.paths.folder.iterdir()}
    assert len(modes) >= 5
    assert set(modes.values()) == {0o600}, modes
