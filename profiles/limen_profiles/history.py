"""The stored decisions and calibration answers as the predictor's choices."""

from __future__ import annotations

from collections.abc import Iterator

from sqlmodel import Session, col, select

from limen_profiles.calibration import answered_choices
from limen_profiles.prediction import CHOICE_WEIGHT, Choice, Item
from limen_profiles.records import ACCEPTED, Decision
from limen_profiles.settings import Settings
from limen_profiles.store.tables import DecisionRow

MAX_CHOICES = 20_000
"""The newest decisions that a predictor is rebuilt from; older ones have faded to next to nothing."""


def choices(session: Session, settings: Settings) -> list[Choice]:
    """Oldest first."""
    rows = session.exec(
        select(DecisionRow)
        .order_by(col(DecisionRow.decided_at_ms).desc(), col(DecisionRow.id).desc())
        .limit(MAX_CHOICES)
    ).all()
    found = [choice for row in rows for choice in choices_of(row, settings)]
    found.extend(answered_choices(session))
    return sorted(found, key=lambda choice: choice.at_ms)


def choices_of(row: DecisionRow, settings: Settings) -> Iterator[Choice]:
    """What one decision says: about the phrase, and, when it was generalized, about the more general one."""
    decision: Decision = row.decision  # type: ignore[assignment]
    if decision == "sent" and not settings.learn_from_sent:
        return
    weight = CHOICE_WEIGHT[decision]
    item = _item(row, row.granularity, row.identifiability)
    yield Choice(item, decision in ACCEPTED, weight, row.decided_at_ms)
    if row.to_granularity is not None and row.to_identifiability is not None:
        general = _item(row, row.to_granularity, row.to_identifiability)
        yield Choice(general, True, weight, row.decided_at_ms)


def _item(row: DecisionRow, granularity: int, identifiability: int) -> Item:
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
    )
