"""Recording, listing, correcting and deleting decisions. Every function runs inside one transaction."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import ColumnElement
from sqlmodel import Session, col, delete, func, or_, select

from limen_profiles.errors import DecisionMissing
from limen_profiles.phrases import phrase_hash
from limen_profiles.records import (
    ACCEPTED,
    Decision,
    DecisionIn,
    DecisionOut,
    Deletion,
    Filter,
    Page,
    PageRequest,
)
from limen_profiles.store.tables import DecisionRow, Meta

IDS_PER_STATEMENT = 500


def phrase_key(session: Session) -> bytes:
    """The key of the phrase hashes: made with the database, the same for its life."""
    row = session.get(Meta, "phrase_key")
    if row is None:
        raise LookupError("the database has no phrase key")
    return row.value


def month_of(at_ms: int) -> int:
    """Year and month in UTC, as 202611."""
    moment = datetime.fromtimestamp(at_ms / 1000, UTC)
    return moment.year * 100 + moment.month


def record(session: Session, decision: DecisionIn, *, at_ms: int, key: bytes) -> DecisionRow:
    """Store one decision. Of a rejected phrase only the keyed hash and the kind are kept."""
    fields = decision.model_dump(exclude={"phrase", "information"})
    is_accepted = decision.decision in ACCEPTED
    row = DecisionRow(
        **fields,
        decided_at_ms=at_ms,
        month=month_of(at_ms),
        phrase=decision.phrase if is_accepted else None,
        information=(decision.information or None) if is_accepted else None,
        phrase_hash=phrase_hash(key, decision.phrase),
    )
    session.add(row)
    session.flush()
    return row


def shown(row: DecisionRow) -> DecisionOut:
    fields = row.model_dump(exclude={"decided_at_ms", "month", "phrase_hash"})
    return DecisionOut.model_validate({**fields, "at": row.decided_at_ms})


def page(session: Session, request: PageRequest) -> Page:
    """Newest first."""
    wanted = conditions(request.filter())
    total = session.exec(select(func.count()).select_from(DecisionRow).where(*wanted)).one()
    rows = session.exec(
        select(DecisionRow)
        .where(*wanted)
        .order_by(col(DecisionRow.decided_at_ms).desc(), col(DecisionRow.id).desc())
        .offset((request.page - 1) * request.page_size)
        .limit(request.page_size)
    ).all()
    return Page(items=[shown(row) for row in rows], total=total)


def find(session: Session, decision_id: int) -> DecisionRow:
    """Raises: DecisionMissing."""
    row = session.get(DecisionRow, decision_id)
    if row is None:
        raise DecisionMissing
    return row


def edit(session: Session, row: DecisionRow, decision: Decision) -> DecisionOut:
    """Correct a choice. A phrase that turns out rejected is forgotten; a forgotten one cannot come back."""
    row.decision = decision
    if decision not in ACCEPTED:
        row.phrase = None
        row.information = None
    if decision != "generalized":
        row.to_granularity = None
        row.to_identifiability = None
    session.add(row)
    session.flush()
    return shown(row)


def remove(session: Session, deletion: Deletion) -> int:
    """Delete by ids or by filter; returns how many there were."""
    if deletion.ids is not None:
        ids = sorted(set(deletion.ids))
        chunks = [ids[start : start + IDS_PER_STATEMENT] for start in range(0, len(ids), IDS_PER_STATEMENT)]
        return sum(_delete(session, [col(DecisionRow.id).in_(chunk)]) for chunk in chunks)
    return _delete(session, conditions(deletion.filter or Filter()))


def remove_older(session: Session, before_ms: int) -> int:
    """Delete what was decided before `before_ms` (retention)."""
    return _delete(session, [col(DecisionRow.decided_at_ms) < before_ms])


def conditions(wanted: Filter) -> list[ColumnElement[bool]]:
    """The filter as SQL conditions, all of which must hold."""
    given: list[ColumnElement[bool]] = []
    for name in ("site", "category", "decision", "subject", "granularity", "identifiability"):
        value = getattr(wanted, name)
        if value is not None:
            given.append(col(getattr(DecisionRow, name)) == value)
    if wanted.since is not None:
        given.append(col(DecisionRow.decided_at_ms) >= wanted.since)
    if wanted.until is not None:
        given.append(col(DecisionRow.decided_at_ms) < wanted.until)
    if wanted.search is not None:
        given.append(
            or_(
                col(DecisionRow.phrase).icontains(wanted.search, autoescape=True),
                col(DecisionRow.information).icontains(wanted.search, autoescape=True),
            )
        )
    return given


def _delete(session: Session, wanted: list[ColumnElement[bool]]) -> int:
    return int(session.exec(delete(DecisionRow).where(*wanted)).rowcount)
