"""Allow always and block always: by value, by category, by site. They win over every prediction.

Between rules the narrower wins: a value over a category, a category over a site. There is one rule for each
value, category or site; a new one replaces the old.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from pydantic import ValidationError
from sqlmodel import Session, col, select

from limen_profiles.errors import InvalidRequest, RuleMissing
from limen_profiles.phrases import masked, phrase_hash
from limen_profiles.records import Context, Decision, Exposure, RuleIn, RuleKind, RuleOut, Scope
from limen_profiles.store.tables import DecisionRow, RuleRow

SCOPES: tuple[Scope, ...] = ("value", "category", "site")
"""Narrowest first."""


RULE_OF: dict[str, RuleKind] = {"allowed_always": "allow", "blocked_always": "block"}
"""The decisions that make a rule about their phrase."""


@dataclass(frozen=True)
class RuleSet:
    """All rules, in memory, looked up by the hash of what they are about."""

    key: bytes
    by_hash: dict[tuple[str, bytes], RuleKind] = field(default_factory=dict)

    def verdict(self, exposure: Exposure, context: Context) -> tuple[RuleKind, Scope] | None:
        """The narrowest rule that fits, or None."""
        about = {"value": exposure.phrase, "category": exposure.category, "site": context.site}
        for scope in SCOPES:
            kind = self.by_hash.get((scope, phrase_hash(self.key, about[scope])))
            if kind is not None:
                return kind, scope
        return None


def load_rules(session: Session, key: bytes) -> RuleSet:
    rows = session.exec(select(RuleRow)).all()
    return RuleSet(key, {(row.scope, row.value_hash): _kind(row) for row in rows})


def list_rules(session: Session) -> list[RuleOut]:
    """Newest first."""
    rows = session.exec(
        select(RuleRow).order_by(col(RuleRow.created_at_ms).desc(), col(RuleRow.id).desc())
    ).all()
    return [shown(row) for row in rows]


def add_rule(session: Session, rule: RuleIn, *, at_ms: int, key: bytes) -> RuleOut:
    """Add or replace. Of a blocked value only the hash and a masked form are kept. Raises: InvalidRequest."""
    value = _checked(rule)
    digest = phrase_hash(key, value)
    row = session.exec(
        select(RuleRow).where(RuleRow.scope == rule.scope, RuleRow.value_hash == digest)
    ).first() or RuleRow(rule=rule.rule, scope=rule.scope, value="", value_hash=digest, created_at_ms=at_ms)
    row.rule = rule.rule
    row.value = masked(value) if rule.scope == "value" and rule.rule == "block" else value
    row.created_at_ms = at_ms
    session.add(row)
    session.flush()
    return shown(row)


def follow_edit(session: Session, row: DecisionRow, decision: Decision, *, at_ms: int) -> None:
    """Bring the value's rule in line with a decision that is about to be changed to `decision`."""
    if row.phrase_hash is None or row.decision == decision:
        return
    there = session.exec(
        select(RuleRow).where(RuleRow.scope == "value", RuleRow.value_hash == row.phrase_hash)
    ).first()
    if there is not None and row.decision in RULE_OF and there.rule == RULE_OF[row.decision]:
        session.delete(there)
        session.flush()
        there = None
    if decision in RULE_OF:
        kind = RULE_OF[decision]
        phrase = row.phrase or masked("")
        rule = there or RuleRow(
            rule=kind, scope="value", value="", value_hash=row.phrase_hash, created_at_ms=at_ms
        )
        rule.rule = kind
        rule.value = masked(phrase) if kind == "block" else phrase
        session.add(rule)


def follow_deletion(session: Session, ids: Collection[int]) -> None:
    """Take back the rules of decisions that are about to be deleted, where no other decision made them."""
    for decision_id in ids:
        row = session.get(DecisionRow, decision_id)
        if row is not None and row.decision in RULE_OF:
            _take_back(session, row, ids)
    session.flush()


def _take_back(session: Session, row: DecisionRow, going: Collection[int]) -> None:
    there = session.exec(
        select(RuleRow).where(
            RuleRow.scope == "value",
            RuleRow.value_hash == row.phrase_hash,
            RuleRow.rule == RULE_OF[row.decision],
        )
    ).first()
    if there is None:
        return
    others = session.exec(
        select(DecisionRow).where(
            DecisionRow.phrase_hash == row.phrase_hash, col(DecisionRow.decision).in_(RULE_OF)
        )
    ).all()
    left = {RULE_OF[other.decision] for other in others if other.id not in going}
    if there.rule in left:
        return
    if "block" in left:
        # What was blocked before it was allowed is blocked again. Nothing is allowed again by itself.
        there.rule, there.value = "block", masked(there.value)
        session.add(there)
    else:
        session.delete(there)


def remove_rule(session: Session, rule_id: int) -> None:
    """Raises: RuleMissing."""
    row = session.get(RuleRow, rule_id)
    if row is None:
        raise RuleMissing
    session.delete(row)


def shown(row: RuleRow) -> RuleOut:
    fields = row.model_dump(exclude={"created_at_ms", "value_hash"})
    return RuleOut.model_validate({**fields, "created_at": row.created_at_ms})


def _checked(rule: RuleIn) -> str:
    """Categories and sites by the same rules as in decisions, so that they compare equal."""
    try:
        if rule.scope == "category":
            return Exposure(phrase="-", category=rule.value, granularity=1, identifiability=1).category
        if rule.scope == "site":
            return Context(site=rule.value).site
    except ValidationError:
        raise InvalidRequest(f"This is not the name of a {rule.scope}.") from None
    return rule.value


def _kind(row: RuleRow) -> RuleKind:
    return "block" if row.rule == "block" else "allow"
