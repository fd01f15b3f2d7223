"""What the placeholders of a conversation stand for, so that a reply can be shown with the user's own words.

This is the one place where a phrase that was kept back is stored. It is in the encrypted database under a
keyed hash of the conversation's id, it expires, it can be cleared, and no export contains it.
"""

from __future__ import annotations

import hashlib
import hmac
from typing import Annotated

from pydantic import Field
from sqlmodel import Session, col, delete, select

from limen_profiles.records import Phrase, Record
from limen_profiles.store.tables import PlaceholderRow

Conversation = Annotated[str, Field(min_length=1, max_length=512)]
Placeholder = Annotated[str, Field(min_length=1, max_length=80)]


class PlaceholderEntry(Record):
    placeholder: Placeholder
    value: Phrase


class PlaceholdersPut(Record):
    """`conversation`: any stable id of the conversation; only its keyed hash is stored."""

    conversation: Conversation
    entries: Annotated[list[PlaceholderEntry], Field(min_length=1, max_length=200)]


class PlaceholdersGet(Record):
    conversation: Conversation


class PlaceholdersOut(Record):
    entries: list[PlaceholderEntry]


def put_placeholders(session: Session, put: PlaceholdersPut, *, expires_at_ms: int, key: bytes) -> None:
    """Add or replace; the whole conversation's entries now expire at `expires_at_ms`."""
    conversation = conversation_hash(key, put.conversation)
    for row in session.exec(select(PlaceholderRow).where(PlaceholderRow.conversation_hash == conversation)):
        row.expires_at_ms = expires_at_ms
        session.add(row)
    session.flush()
    for entry in put.entries:
        session.merge(
            PlaceholderRow(
                conversation_hash=conversation,
                placeholder=entry.placeholder,
                value=entry.value,
                expires_at_ms=expires_at_ms,
            )
        )


def get_placeholders(session: Session, get: PlaceholdersGet, *, now_ms: int, key: bytes) -> PlaceholdersOut:
    """Those that have not expired; an unknown conversation has none."""
    rows = session.exec(
        select(PlaceholderRow)
        .where(PlaceholderRow.conversation_hash == conversation_hash(key, get.conversation))
        .where(col(PlaceholderRow.expires_at_ms) > now_ms)
        .order_by(col(PlaceholderRow.placeholder))
    ).all()
    entries = [PlaceholderEntry(placeholder=row.placeholder, value=row.value) for row in rows]
    return PlaceholdersOut(entries=entries)


def remove_expired(session: Session, now_ms: int) -> int:
    expired = col(PlaceholderRow.expires_at_ms) <= now_ms
    return int(session.exec(delete(PlaceholderRow).where(expired)).rowcount)


def conversation_hash(key: bytes, conversation: str) -> bytes:
    """Its own label keeps it apart from the hashes of phrases under the same key."""
    return hmac.digest(key, b"conversation\0" + conversation.encode("utf-8", "surrogatepass"), hashlib.sha256)
