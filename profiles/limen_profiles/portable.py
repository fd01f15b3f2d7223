"""Export and import: the whole profile as JSON, sealed under a passphrase unless plain was asked for.

A sealed export carries the key of the phrase hashes, so that a fresh profile recognizes what was rejected.
A plain one leaves the hashes out: without the key nobody, its owner included, can tell what they stood for.
What placeholders stand for is in no export.
"""

from __future__ import annotations

import json
from typing import Annotated, Literal

from pydantic import Field, ValidationError
from sqlmodel import Session, col, func, select

from limen_profiles.decisions import month_of, phrase_key
from limen_profiles.errors import ExportUnreadable
from limen_profiles.phrases import phrase_hash
from limen_profiles.records import (
    ACCEPTED,
    Decision,
    Level,
    Name,
    Phrase,
    Record,
    RuleKind,
    Scope,
    Site,
    TimeMs,
)
from limen_profiles.sealing import Purpose, WrappingKey, check_passphrase, unseal
from limen_profiles.settings import Settings, load_settings, store_settings
from limen_profiles.store.tables import CalibrationAnswerRow, DecisionRow, Meta, RuleRow

Hash = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
PURPOSE: Purpose = "export"


class PortableDecision(Record):
    at: TimeMs
    decision: Decision
    phrase: Phrase | None
    phrase_hash: Hash | None = None
    information: Annotated[str, Field(max_length=2000)] | None
    category: Name
    subject: Name
    granularity: Level
    identifiability: Level
    to_granularity: Level | None
    to_identifiability: Level | None
    tier: Name
    site: Site
    recipient: Name
    p_accept: Annotated[float, Field(ge=0, le=1)] | None
    detector: Annotated[str, Field(max_length=120)]


class PortableRule(Record):
    rule: RuleKind
    scope: Scope
    value: Phrase
    value_hash: Hash | None = None
    created_at: TimeMs


class PortableAnswer(Record):
    situation: Name
    wording: Annotated[str, Field(max_length=40)]
    accepted: bool
    answered_at: TimeMs


class Portable(Record):
    format: Literal["limen-export"] = "limen-export"
    version: Literal[1] = 1
    exported_at: TimeMs
    phrase_key: Hash | None = None
    settings: Settings
    decisions: list[PortableDecision]
    rules: list[PortableRule]
    calibration: list[PortableAnswer]


class Imported(Record):
    """`skipped`: what was there already, or was a blocked value of a plain export (nothing to know it by)."""

    decisions: int
    rules: int
    calibration: int
    skipped: int


def collect(session: Session, *, at_ms: int, with_hashes: bool) -> Portable:
    """The whole profile. `with_hashes` only for an export that will be sealed."""

    def hash_of(raw: bytes | None) -> str | None:
        return raw.hex() if with_hashes and raw is not None else None

    return Portable(
        exported_at=at_ms,
        phrase_key=hash_of(phrase_key(session)),
        settings=load_settings(session),
        decisions=[
            PortableDecision.model_validate(
                {
                    **row.model_dump(exclude={"id", "month", "decided_at_ms", "phrase_hash"}),
                    "at": row.decided_at_ms,
                    "phrase_hash": hash_of(row.phrase_hash),
                }
            )
            for row in session.exec(select(DecisionRow).order_by(col(DecisionRow.id)))
        ],
        rules=[
            PortableRule.model_validate(
                {
                    **row.model_dump(include={"rule", "scope", "value"}),
                    "created_at": row.created_at_ms,
                    "value_hash": hash_of(row.value_hash),
                }
            )
            for row in session.exec(select(RuleRow).order_by(col(RuleRow.id)))
        ],
        calibration=[
            PortableAnswer(
                situation=row.situation,
                wording=row.wording,
                accepted=row.accepted,
                answered_at=row.answered_at_ms,
            )
            for row in session.exec(select(CalibrationAnswerRow))
        ],
    )


def seal(portable: Portable, passphrase: str) -> bytes:
    """Blocking (0.4 s and more). Raises: WeakPassphrase."""
    check_passphrase(passphrase)
    return WrappingKey.derive(passphrase).seal(portable.model_dump_json().encode(), PURPOSE)


def plain(portable: Portable) -> bytes:
    return portable.model_dump_json(indent=1).encode() + b"\n"


def is_sealed(content: bytes) -> bool:
    """Whether reading this takes a passphrase. Raises: ExportUnreadable for what is no JSON object."""
    try:
        head = json.loads(content)
    except (ValueError, RecursionError):
        raise ExportUnreadable from None
    if not isinstance(head, dict):
        raise ExportUnreadable
    return "header" in head


def read(content: bytes, passphrase: str | None) -> Portable:
    """Blocking. Raises: ExportUnreadable, SealDamaged, WrongPassphrase."""
    if is_sealed(content):
        content, _ = unseal(content, passphrase or "", PURPOSE)
    try:
        return Portable.model_validate_json(content)
    except ValidationError:
        raise ExportUnreadable from None


def merge(session: Session, portable: Portable) -> Imported:
    """Add what is not there yet. Settings are taken over only by a profile that holds nothing."""
    key = _key_for(session, portable)
    theirs = bytes.fromhex(portable.phrase_key) if portable.phrase_key else None
    known = {_identity_of(row) for row in session.exec(select(DecisionRow))}
    decisions = rules = answers = skipped = 0
    for one in portable.decisions:
        row = _decision_row(one, key, same_key=theirs == key)
        if _identity_of(row) in known:
            skipped += 1
            continue
        known.add(_identity_of(row))
        session.add(row)
        decisions += 1
    for rule in portable.rules:
        added = _add_rule(session, rule, key, same_key=theirs == key)
        rules += added
        skipped += not added
    for answer in portable.calibration:
        if session.get(CalibrationAnswerRow, (answer.situation, answer.wording)) is not None:
            skipped += 1
            continue
        session.add(
            CalibrationAnswerRow(
                situation=answer.situation,
                wording=answer.wording,
                accepted=answer.accepted,
                answered_at_ms=answer.answered_at,
            )
        )
        answers += 1
    session.flush()
    return Imported(decisions=decisions, rules=rules, calibration=answers, skipped=skipped)


def _key_for(session: Session, portable: Portable) -> bytes:
    """An empty profile takes over the export's key and settings; one with hashes of its own keeps its key."""
    is_empty = (
        not session.exec(select(func.count()).select_from(DecisionRow)).one()
        and not session.exec(select(func.count()).select_from(RuleRow)).one()
    )
    if not is_empty:
        return phrase_key(session)
    store_settings(session, portable.settings)
    if portable.phrase_key:
        session.merge(Meta(name="phrase_key", value=bytes.fromhex(portable.phrase_key)))
        session.flush()
    return phrase_key(session)


def _decision_row(one: PortableDecision, key: bytes, *, same_key: bool) -> DecisionRow:
    is_accepted = one.decision in ACCEPTED
    digest = bytes.fromhex(one.phrase_hash) if one.phrase_hash and same_key else None
    if one.phrase is not None:
        digest = phrase_hash(key, one.phrase)
    fields = one.model_dump(exclude={"at", "phrase", "information", "phrase_hash"})
    return DecisionRow(
        **fields,
        decided_at_ms=one.at,
        month=month_of(one.at),
        phrase=one.phrase if is_accepted else None,
        information=one.information if is_accepted else None,
        phrase_hash=digest,
    )


def _identity_of(row: DecisionRow) -> tuple[object, ...]:
    """What makes two decisions the same one. The hash is left out: it differs between profiles."""
    return (
        row.decided_at_ms,
        row.decision,
        row.category,
        row.subject,
        row.granularity,
        row.identifiability,
        row.site,
        row.phrase,
    )


def _add_rule(session: Session, rule: PortableRule, key: bytes, *, same_key: bool) -> bool:
    is_masked = rule.scope == "value" and rule.rule == "block"
    if is_masked:
        if rule.value_hash is None or not same_key:
            return False
        digest = bytes.fromhex(rule.value_hash)
    else:
        digest = phrase_hash(key, rule.value)
    there = session.exec(
        select(RuleRow).where(RuleRow.scope == rule.scope, RuleRow.value_hash == digest)
    ).first()
    if there is not None:
        return False
    session.add(
        RuleRow(
            rule=rule.rule,
            scope=rule.scope,
            value=rule.value,
            value_hash=digest,
            created_at_ms=rule.created_at,
        )
    )
    session.flush()
    return True
