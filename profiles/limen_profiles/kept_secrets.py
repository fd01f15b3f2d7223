"""Small secrets of the daemon's own that the encrypted database keeps for it, such as the keys of a pairing.

They are rows of the table `meta` with a name of their own, so no export holds them, and erasing the profile
erases them.
"""

from __future__ import annotations

from sqlmodel import Session, col, select

from limen_profiles.store.tables import Meta

PREFIX = "kept/"


def keep_secret(session: Session, name: str, value: bytes) -> None:
    session.merge(Meta(name=PREFIX + name, value=value))


def kept_secrets(session: Session) -> dict[str, bytes]:
    rows = session.exec(select(Meta).where(col(Meta.name).startswith(PREFIX))).all()
    return {row.name.removeprefix(PREFIX): row.value for row in rows}


def forget_secret(session: Session, name: str) -> None:
    row = session.get(Meta, PREFIX + name)
    if row is not None:
        session.delete(row)
