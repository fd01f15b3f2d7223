"""The optional one-minute calibration: eight short situations, each in four wordings from vague to exact.

The user says which wordings they would send to an AI provider. The answers seed the profile as choices of
their own table, so that answering again replaces them and the history shows only real choices. The next
situation asked is the one whose answers would tell most about all that remain.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import Annotated

import numpy as np
from pydantic import Field, TypeAdapter
from sqlmodel import Session, delete, select

from limen_profiles.errors import SituationMissing
from limen_profiles.prediction import Choice, Item, Predictor
from limen_profiles.records import Level, Name, Record
from limen_profiles.store.tables import CalibrationAnswerRow

ANSWER_WEIGHT = 1.0


class Wording(Record):
    id: str
    granularity: Level
    identifiability: Level
    text: str


class Situation(Record):
    id: Name
    title: str
    scene: str
    category: Name
    subject: Name
    wordings: list[Wording]


class CalibrationAnswer(Record):
    """Which wordings of a situation the user would send; the others they would not."""

    situation: Name
    sent: Annotated[list[str], Field(max_length=8)]


class CalibrationState(Record):
    """`next` is None when every situation has been answered."""

    answered: list[str]
    next: Situation | None
    total: int


@cache
def situations() -> tuple[Situation, ...]:
    content = resources.files("limen_profiles").joinpath("data", "situations.json").read_bytes()
    return tuple(TypeAdapter(list[Situation]).validate_json(content))


def answer(session: Session, given: CalibrationAnswer, *, at_ms: int) -> list[Choice]:
    """Store the answer, replacing an earlier one. Raises: SituationMissing."""
    situation = _situation(given.situation)
    if set(given.sent) - {wording.id for wording in situation.wordings}:
        raise SituationMissing
    for wording in situation.wordings:
        session.merge(
            CalibrationAnswerRow(
                situation=situation.id,
                wording=wording.id,
                accepted=wording.id in given.sent,
                answered_at_ms=at_ms,
            )
        )
    session.flush()
    return [_choice(situation, wording, wording.id in given.sent, at_ms) for wording in situation.wordings]


def forget_answers(session: Session) -> int:
    return int(session.exec(delete(CalibrationAnswerRow)).rowcount)


def answered_situations(session: Session) -> set[str]:
    return set(session.exec(select(CalibrationAnswerRow.situation).distinct()))


def state(answered_ids: set[str], predictor: Predictor, *, now_ms: int) -> CalibrationState:
    """How far the calibration is, with the situation that tells most next."""
    answered = [situation.id for situation in situations() if situation.id in answered_ids]
    remaining = [situation for situation in situations() if situation.id not in answered]
    gains = gains_of(remaining, predictor, now_ms=now_ms)
    following = max(zip(gains, remaining, strict=True), key=lambda one: one[0], default=(0.0, None))[1]
    return CalibrationState(answered=answered, next=following, total=len(situations()))


def gains_of(asked: Sequence[Situation], predictor: Predictor, *, now_ms: int) -> list[float]:
    """For each situation, how much variance its answers would take away from all of them together."""
    if not asked:
        return []
    items = [_item(situation, wording) for situation in asked for wording in situation.wordings]
    covariance, noise = predictor.covariance(items, now_ms=now_ms)
    gains = []
    start = 0
    for situation in asked:
        own = slice(start, start + len(situation.wordings))
        start = own.stop
        seen = covariance[own, own] + np.diag(noise[own])
        gains.append(float(np.trace(covariance[:, own] @ np.linalg.solve(seen, covariance[own, :]))))
    return gains


def answered_choices(session: Session) -> list[Choice]:
    """The stored answers as choices; answers to situations that this version no longer has are left out."""
    known = {(one.id, wording.id): (one, wording) for one in situations() for wording in one.wordings}
    found = []
    for row in session.exec(select(CalibrationAnswerRow)).all():
        if (row.situation, row.wording) in known:
            situation, wording = known[(row.situation, row.wording)]
            found.append(_choice(situation, wording, row.accepted, row.answered_at_ms))
    return found


def _situation(situation_id: str) -> Situation:
    for situation in situations():
        if situation.id == situation_id:
            return situation
    raise SituationMissing


def _choice(situation: Situation, wording: Wording, accepted: bool, at_ms: int) -> Choice:
    return Choice(_item(situation, wording), accepted, ANSWER_WEIGHT, at_ms)


def _item(situation: Situation, wording: Wording) -> Item:
    return Item(
        category=situation.category,
        subject=situation.subject,
        granularity=wording.granularity,
        identifiability=wording.identifiability,
        tier="disclosure",
        site="",
        recipient="ai_provider",
        phrase=wording.text,
        information=wording.text,
    )
