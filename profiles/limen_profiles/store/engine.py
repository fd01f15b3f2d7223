"""Opening the database file with SQLCipher 4, or refusing in a sentence. Nothing is ever written in clear.

A SQLite without SQLCipher ignores `PRAGMA key` and writes plain text, so the cipher's version is asked
before anything is written, and its status once something has been.
"""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import sqlcipher3.dbapi2  # type: ignore[import-untyped]
from sqlalchemy import Engine
from sqlalchemy.pool import StaticPool
from sqlmodel import create_engine

from limen_profiles.errors import NotEncrypted, StoreBusy, StoreDamaged, StoreFailed, WrongKey
from limen_profiles.private_files import create_private
from limen_profiles.store.migrations import migrate

CIPHER_MAJOR = "4."  # SQLCipher 5 writes another file format
PRAGMAS = (
    "journal_mode=WAL",
    "synchronous=FULL",  # an acknowledged decision survives a power cut
    "secure_delete=ON",  # off by default in this build: deleted phrases would stay in free pages
    "temp_store=MEMORY",
    "foreign_keys=ON",
    "trusted_schema=OFF",
    "busy_timeout=2000",
    "cache_size=-32768",  # KiB of decrypted pages: a search of 100,000 decisions takes half as long
)

Connection = Any  # sqlcipher3 ships no types


def open_engine(path: Path | None, key: bytes, *, driver: ModuleType = sqlcipher3.dbapi2) -> Engine:
    """Open (or start) the database at `path`, migrated to the newest form; None keeps it in memory.

    One connection, for one thread. Blocking. The file is left as it was when this raises.
    Raises: WrongKey (also for a file whose first page is damaged), StoreDamaged, NotEncrypted, StoreBusy,
    StoreTooNew, StoreFailed.
    """
    connection = connect(path, key, driver=driver)
    try:
        try:
            migrate(connection)
        except driver.DatabaseError as error:
            raise fault_of(error) from None
        if path is not None and connection.execute("PRAGMA cipher_status").fetchone() != ("1",):
            raise NotEncrypted
    except BaseException:
        connection.close()
        raise
    return create_engine(
        "sqlite://", creator=lambda: connection, module=driver, poolclass=StaticPool, hide_parameters=True
    )


def connect(path: Path | None, key: bytes, *, driver: ModuleType = sqlcipher3.dbapi2) -> Connection:
    """A keyed raw connection with our settings, without migrating. Blocking. Raises as `open_engine`."""
    is_new = path is not None and (not path.exists() or path.stat().st_size == 0)
    if path is not None and not path.exists():
        create_private(path)
    try:
        return _keyed(path, key, driver)
    except BaseException:
        if path is not None and is_new and path.exists() and path.stat().st_size == 0:
            path.unlink()
        raise


def integrity_problems(connection: Connection) -> list[str]:
    """What SQLCipher's page authentication and SQLite's structure check complain about; empty is good."""
    problems = [row[0] for row in connection.execute("PRAGMA cipher_integrity_check").fetchall()]
    structure = [row[0] for row in connection.execute("PRAGMA integrity_check").fetchall()]
    return problems + [line for line in structure if line != "ok"]


def _keyed(path: Path | None, key: bytes, driver: ModuleType) -> Connection:
    connection = driver.connect(":memory:" if path is None else str(path), check_same_thread=False)
    try:
        connection.execute("PRAGMA cipher_log_level = NONE")  # else three lines on stderr for a wrong key
        connection.execute(f"PRAGMA key = \"x'{key.hex()}'\"")
        version = connection.execute("PRAGMA cipher_version").fetchone()
        if not version or not version[0].startswith(CIPHER_MAJOR):
            raise NotEncrypted
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        for pragma in PRAGMAS:
            connection.execute(f"PRAGMA {pragma}")
    except driver.DatabaseError as error:
        connection.close()
        raise fault_of(error) from None
    except BaseException:
        connection.close()
        raise
    return connection


def fault_of(error: BaseException) -> WrongKey | StoreDamaged | StoreBusy | StoreFailed:
    """Our error for one of the driver's. Its text is read, not passed on: it can quote statements."""
    text = str(error)
    if "not a database" in text:
        return WrongKey()
    if "malformed" in text or "corrupt" in text:
        return StoreDamaged()
    if "locked" in text:
        return StoreBusy()
    return StoreFailed()
