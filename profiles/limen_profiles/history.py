"""The stored decisions and calibration answers as the predictor's choices."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Protocol

from sqlmodel import Session, col, select

from limen_profiles.calibration import answered_choices
from limen_profiles.prediction import CHOICE_WEIGHT, Choice, Item
from limen_profiles.records import ACCEPTED, Decision
from limen_profiles.settings import Settings
from limen_profiles.store.tables import DecisionRow

MAX_CHOICES = 5_000
"""The newest decisions that a predictor is rebuilt from."""


class DecidedRow(Protocol):
    """What a choice is made from: a `DecisionRow`, or its columns without an object around them."""

    decided_at_ms: int
    decision: str
    phrase: str | None
    phrase_hash: bytes | None
    information: str | None
    category: str
    subject: str
    granularity: int
    identifiability: int
    to_granularity: int | None
    to_identifiability: int | None
    tier: str
    site: str
    recipient: str


COLUMNS = [col(getattr(DecisionRow, name)) for name in DecidedRow.__annotations__]


def choices(session: Session, settings: Settings) -> list[Choice]:
    """Oldest first."""
    rows = session.exec(
        select(*COLUMNS)
        .order_by(col(DecisionRow.decided_at_ms).desc(), col(DecisionRow.id).desc())
        .limit(MAX_CHOICES)
    ).all()
    found = [choice for row in rows for choice in choices_of(row, settings)]
    found.extend(answered_choices(session))
    return sorted(found, key=lambda choice: choice.at_ms)


def choices_of(row: DecidedRow, settings: Settings) -> Iterator[Choice]:
    """What one decision says: about the phrase, and, when it was generalized, about the more general one."""
    decision: Decision = row.decision  # type: ignore[assignment]
    if decision == "sent" and not settings.learn_from_sent:
        return
    weight = CHOICE_WEIGHT[decision]
    item = _item(row, row.granularity, row.identifiability)
    yield Choice(item, decision in ACCEPTED, weight, row.decided_at_ms)
    if row.to_granularity is not None and row.to_identifiability is not None:
        general = _item(row, row.to_granularity, row.to_identifiability)
        general = replace(general, phrase_hash=None)  # another wording, which was not seen
        yield Choice(general, True, weight, row.decided_at_ms)


def _item(row: DecidedRow, granularity: int, identifiability: int) -> Item:
    return Item(
        category=row.category,
        subject=row.subject,
        granularity=granularity,
        identifiability=identifiability,
        tier=row.tier,
        site=row.site,
        recipient=row.recipient,
        phrase=row.phrase,
        information=row.information,
        phrase_hash=row.phrase_hash,
    )
