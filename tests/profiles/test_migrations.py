"""Old files become new ones, once; newer ones are refused. `old/m001.db` was written by the first form."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine
from sqlmodel import Session, SQLModel, select

from limen_profiles.errors import StoreTooNew
from limen_profiles.settings import load_settings
from limen_profiles.store.engine import connect, integrity_problems, open_engine
from limen_profiles.store.migrations import MIGRATIONS, migrate
from limen_profiles.store.tables import CalibrationAnswerRow, DecisionRow, PlaceholderRow, RuleRow

OLD = Path(__file__).parent / "old" / "m001.db"
OLD_KEY = bytes(range(32))


@pytest.fixture
def old_file(tmp_path: Path) -> Path:
    return Path(shutil.copy(OLD, tmp_path / "profile.db"))


def recorded(path: Path) -> list[str]:
    connection = connect(path, OLD_KEY)
    try:
        rows = connection.execute("SELECT name FROM migration ORDER BY rowid").fetchall()
        return [row[0] for row in rows]
    finally:
        connection.close()


def test_names_are_unique_and_numbered_in_order() -> None:
    names = [step.__name__ for step in MIGRATIONS]
    assert not [name for name, count in Counter(names).items() if count > 1]
    assert [name[:5] for name in names] == [f"m{number:03}_" for number in range(1, len(names) + 1)]


def test_old_file_is_really_old() -> None:
    assert OLD.read_bytes()[:15] != b"SQLite format 3"


def test_old_file_opens_with_its_rows_and_the_new_tables(old_file: Path) -> None:
    assert recorded(old_file) == ["m001_decisions"]
    engine = open_engine(old_file, OLD_KEY)
    with Session(engine) as session:
        decision = session.exec(select(DecisionRow)).one()
        assert (decision.phrase, decision.month, decision.p_accept) == ("type 2 diabetes", 202609, 0.5)
        assert session.exec(select(RuleRow)).one().value == "health"
        assert load_settings(session).caution == "careful"
        assert session.exec(select(PlaceholderRow)).all() == []
        assert session.exec(select(CalibrationAnswerRow)).all() == []
    engine.dispose()
    assert recorded(old_file) == [step.__name__ for step in MIGRATIONS]
    connection = connect(old_file, OLD_KEY)
    assert integrity_problems(connection) == []
    connection.close()


def test_migrating_twice_changes_nothing(old_file: Path) -> None:
    connection = connect(old_file, OLD_KEY)
    assert migrate(connection) == [step.__name__ for step in MIGRATIONS[1:]]
    assert migrate(connection) == []
    connection.close()


def test_a_migration_that_fails_leaves_the_file_as_it_was(old_file: Path) -> None:
    def m002_breaks(connection: Any) -> None:
        connection.execute("CREATE TABLE half (x INTEGER)")
        raise RuntimeError("power cut")

    connection = connect(old_file, OLD_KEY)
    with pytest.raises(RuntimeError):
        migrate(connection, (MIGRATIONS[0], m002_breaks))
    assert connection.execute("SELECT count(*) FROM sqlite_master WHERE name = 'half'").fetchone() == (0,)
    connection.close()
    assert recorded(old_file) == ["m001_decisions"]


def test_a_file_of_a_later_version_is_refused_unchanged(old_file: Path) -> None:
    connection = connect(old_file, OLD_KEY)
    connection.execute("INSERT INTO migration VALUES ('m999_later', 0)")
    connection.commit()
    connection.close()
    before = recorded(old_file)
    with pytest.raises(StoreTooNew):
        open_engine(old_file, OLD_KEY)
    assert recorded(old_file) == before


def test_migrations_and_tables_agree(tmp_path: Path) -> None:
    engine = open_engine(tmp_path / "new.db", OLD_KEY)
    found = {table: columns(engine, table) for table in SQLModel.metadata.tables}
    engine.dispose()
    wanted = {
        name: {(column.name, column.nullable, column.primary_key) for column in table.columns}
        for name, table in SQLModel.metadata.tables.items()
    }
    assert found == wanted


def columns(engine: Engine, table: str) -> set[tuple[str, bool, bool]]:
    with engine.connect() as connection:
        rows = connection.exec_driver_sql(f"PRAGMA table_info({table})").fetchall()
    # SQLite reports a primary key as nullable; ours never are.
    return {(row[1], not row[3] and not row[5], bool(row[5])) for row in rows}
