"""Every change of the tables, named and in order. Applied once each, recorded with its time.

A migration that has shipped is never edited: old files were written by it. The tables of `tables.py` are
what the last one leaves; a test compares the two.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from typing import Any

from limen_profiles.errors import StoreTooNew

Connection = Any
Migration = Callable[[Connection], None]


def m001_decisions(connection: Connection) -> None:
    connection.execute("CREATE TABLE meta (name TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT")
    connection.execute("CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT")
    connection.execute(
        """CREATE TABLE decision (
            id INTEGER PRIMARY KEY,
            decided_at_ms INTEGER NOT NULL,
            month INTEGER NOT NULL,
            decision TEXT NOT NULL,
            phrase TEXT,
            phrase_hash BLOB,
            information TEXT,
            category TEXT NOT NULL,
            subject TEXT NOT NULL,
            granularity INTEGER NOT NULL,
            identifiability INTEGER NOT NULL,
            to_granularity INTEGER,
            to_identifiability INTEGER,
            tier TEXT NOT NULL,
            site TEXT NOT NULL,
            recipient TEXT NOT NULL,
            p_accept REAL,
            detector TEXT NOT NULL
        ) STRICT"""
    )
    connection.execute(
        """CREATE TABLE rule (
            id INTEGER PRIMARY KEY,
            rule TEXT NOT NULL,
            scope TEXT NOT NULL,
            value TEXT NOT NULL,
            value_hash BLOB NOT NULL,
            created_at_ms INTEGER NOT NULL,
            UNIQUE (scope, value_hash)
        ) STRICT"""
    )
    # Newest first, alone and within each filter of the history page.
    connection.execute("CREATE INDEX decision_time ON decision (decided_at_ms, id)")
    connection.execute("CREATE INDEX decision_site ON decision (site, decided_at_ms, id)")
    connection.execute("CREATE INDEX decision_category ON decision (category, decided_at_ms, id)")
    connection.execute("CREATE INDEX decision_kind ON decision (decision, decided_at_ms, id)")
    # In the summary's group order, so that it is one walk without sorting; the time, so that a summary of
    # some days stays on the index.
    connection.execute(
        """CREATE INDEX decision_summary ON decision
            (site, category, granularity, identifiability, month, decision, decided_at_ms)"""
    )
    connection.execute("INSERT INTO meta VALUES ('phrase_key', ?)", (secrets.token_bytes(32),))


def m002_placeholders_and_calibration(connection: Connection) -> None:
    connection.execute(
        """CREATE TABLE placeholder (
            conversation_hash BLOB NOT NULL,
            placeholder TEXT NOT NULL,
            value TEXT NOT NULL,
            expires_at_ms INTEGER NOT NULL,
            PRIMARY KEY (conversation_hash, placeholder)
        ) STRICT"""
    )
    connection.execute("CREATE INDEX placeholder_expiry ON placeholder (expires_at_ms)")
    connection.execute(
        """CREATE TABLE calibration_answer (
            situation TEXT NOT NULL,
            wording TEXT NOT NULL,
            accepted INTEGER NOT NULL,
            answered_at_ms INTEGER NOT NULL,
            PRIMARY KEY (situation, wording)
        ) STRICT"""
    )


MIGRATIONS: tuple[Migration, ...] = (m001_decisions, m002_placeholders_and_calibration)


def migrate(connection: Connection, migrations: tuple[Migration, ...] = MIGRATIONS) -> list[str]:
    """Apply what is missing, each in a transaction of its own, and return the names applied.

    Blocking. Raises: StoreTooNew when the file records a migration this version does not have.
    """
    isolation = connection.isolation_level
    connection.isolation_level = None  # transactions by hand: the driver does not open one for DDL
    try:
        connection.execute(
            "CREATE TABLE IF NOT EXISTS migration"
            " (name TEXT PRIMARY KEY, applied_at_ms INTEGER NOT NULL) STRICT"
        )
        recorded = {row[0] for row in connection.execute("SELECT name FROM migration").fetchall()}
        if recorded - {step.__name__ for step in MIGRATIONS}:
            raise StoreTooNew
        applied = []
        for step in migrations:
            if step.__name__ in recorded:
                continue
            connection.execute("BEGIN IMMEDIATE")
            try:
                step(connection)
                connection.execute(
                    "INSERT INTO migration VALUES (?, ?)", (step.__name__, time.time_ns() // 1_000_000)
                )
                connection.execute("COMMIT")
            except BaseException:
                connection.execute("ROLLBACK")
                raise
            applied.append(step.__name__)
        return applied
    finally:
        connection.isolation_level = isolation
