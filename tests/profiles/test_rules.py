"""Allow always and block always."""

from __future__ import annotations

import pytest
from sqlmodel import select

from harness.profile import Box, make_decision, make_exposure
from limen_profiles import Context, Deletion, Filter, RuleIn
from limen_profiles.errors import InvalidRequest, RuleMissing
from limen_profiles.records import Look, RuleKind, Scope
from limen_profiles.store.tables import RuleRow

SITE = Context(site="chatgpt.com")


@pytest.mark.parametrize(
    ("scope", "value"), [("value", " Type 2 DIABETES"), ("category", "health"), ("site", "ChatGPT.com")]
)
def test_rules_win_over_the_prediction(box: Box, scope: Scope, value: str) -> None:
    profile = box.started().profile()
    for _ in range(20):
        profile.record(make_decision("kept"))
    exposure = make_exposure()
    assert profile.judge([exposure], SITE)[0].look == "quiet"
    blocked = profile.add_rule(RuleIn(rule="block", scope=scope, value=value))
    assert profile.judge([exposure], SITE)[0].look == "strong"
    boundary = profile.judge([exposure], SITE)[0]
    assert (boundary.why or "").startswith("You always block")
    assert boundary.reason is not None and (boundary.reason.kind, boundary.reason.rule) == ("rule", "block")
    profile.remove_rule(blocked.id)
    assert profile.judge([exposure], SITE)[0].look == "quiet"


def test_allowing_wins_over_a_rejected_history(box: Box) -> None:
    profile = box.started().profile()
    for _ in range(20):
        profile.record(make_decision("redacted"))
    assert profile.judge([make_exposure()], SITE)[0].look == "strong"
    profile.add_rule(RuleIn(rule="allow", scope="value", value="type 2 diabetes"))
    assert profile.judge([make_exposure()], SITE)[0].look == "quiet"


def test_secret_goes_quiet_by_a_rule_only(box: Box) -> None:
    profile = box.started().profile()
    secret = make_exposure("hunter22", category="credential", tier="secret")
    for _ in range(50):
        profile.record(make_decision("kept", "hunter22", category="credential", tier="secret"))
    assert profile.judge([secret], SITE)[0].look == "strong"
    profile.add_rule(RuleIn(rule="allow", scope="value", value="hunter22"))
    assert profile.judge([secret], SITE)[0].look == "quiet"


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ([("block", "site", "chatgpt.com"), ("allow", "category", "health")], "quiet"),
        ([("allow", "category", "health"), ("block", "value", "type 2 diabetes")], "strong"),
        ([("allow", "site", "chatgpt.com"), ("block", "category", "health")], "strong"),
    ],
)
def test_the_narrower_rule_wins(box: Box, rules: list[tuple[RuleKind, Scope, str]], expected: Look) -> None:
    profile = box.started().profile()
    for rule, scope, value in rules:
        profile.add_rule(RuleIn(rule=rule, scope=scope, value=value))
    assert profile.judge([make_exposure()], SITE)[0].look == expected


def test_a_new_rule_replaces_the_old_one_about_the_same(box: Box) -> None:
    profile = box.started().profile()
    profile.add_rule(RuleIn(rule="allow", scope="value", value="Anna"))
    profile.add_rule(RuleIn(rule="block", scope="value", value="anna "))
    (rule,) = profile.rules()
    assert (rule.rule, rule.value) == ("block", "a•••")


def test_blocked_value_is_stored_as_a_hash_only(box: Box) -> None:
    profile = box.started().profile()
    profile.add_rule(RuleIn(rule="block", scope="value", value="DE89 3704 0044 0532"))
    (row,) = profile.vault.call(lambda session: session.exec(select(RuleRow)).all())
    assert row.value == "D•••2"


@pytest.mark.parametrize(("decision", "kind"), [("allowed_always", "allow"), ("blocked_always", "block")])
def test_always_decisions_make_their_rule(box: Box, decision: str, kind: str) -> None:
    profile = box.started().profile()
    profile.record(make_decision(decision))
    (rule,) = profile.rules()
    assert (rule.rule, rule.scope) == (kind, "value")


def test_correcting_an_always_decision_takes_its_rule_along(box: Box) -> None:
    profile = box.started().profile()
    decision_id = profile.record(make_decision("allowed_always"))
    assert decision_id is not None
    profile.edit(decision_id, "blocked_always")
    assert [(rule.rule, rule.value) for rule in profile.rules()] == [("block", "t•••s")]
    profile.edit(decision_id, "redacted")
    assert profile.rules() == []


@pytest.mark.parametrize("decision", ["allowed_always", "blocked_always"])
def test_deleting_an_always_decision_takes_its_rule_along(box: Box, decision: str) -> None:
    profile = box.started().profile()
    before = profile.judge([make_exposure()], SITE)[0].look
    decision_id = profile.record(make_decision(decision))
    assert decision_id is not None
    profile.delete(Deletion(ids=[decision_id]))
    assert profile.rules() == []
    assert profile.judge([make_exposure()], SITE)[0].look == before


def test_a_rule_stays_while_another_decision_stands_behind_it(box: Box) -> None:
    profile = box.started().profile()
    first, second = (profile.record(make_decision("blocked_always")) for _ in range(2))
    assert first is not None and second is not None
    profile.delete(Deletion(ids=[second]))
    assert [rule.rule for rule in profile.rules()] == ["block"]
    profile.delete(Deletion(ids=[first]))
    assert profile.rules() == []


def test_a_phrase_that_was_blocked_is_blocked_again_when_allowing_it_is_taken_back(box: Box) -> None:
    profile = box.started().profile()
    profile.record(make_decision("blocked_always"))
    allowed = profile.record(make_decision("allowed_always"))
    assert allowed is not None
    profile.delete(Deletion(ids=[allowed]))
    assert [(rule.rule, rule.value) for rule in profile.rules()] == [("block", "t•••s")]


def test_a_rule_that_a_decision_did_not_make_outlives_it(box: Box) -> None:
    profile = box.started().profile()
    allowed = profile.record(make_decision("allowed_always"))
    assert allowed is not None
    profile.add_rule(RuleIn(rule="block", scope="value", value="type 2 diabetes"))
    profile.add_rule(RuleIn(rule="allow", scope="category", value="health"))
    profile.delete(Deletion(ids=[allowed]))
    assert sorted(rule.scope for rule in profile.rules()) == ["category", "value"]


def test_clearing_the_history_by_a_filter_and_by_its_age_leaves_the_rules(box: Box) -> None:
    profile = box.started().profile()
    profile.record(make_decision("blocked_always"))
    profile.delete(Deletion(filter=Filter()))
    profile.record(make_decision("blocked_always"))
    box.clock.pass_days(800)
    assert profile.prune() == 1
    assert [rule.rule for rule in profile.rules()] == ["block"]


def test_rules_outlive_a_restart(box: Box) -> None:
    service = box.started()
    service.profile().add_rule(RuleIn(rule="allow", scope="category", value="health"))
    service.close()
    profile = box.started().profile()
    assert profile.judge([make_exposure()], SITE)[0].look == "quiet"


@pytest.mark.parametrize("scope", ["category", "site"])
def test_what_cannot_be_a_name_is_refused_without_showing_it(box: Box, scope: Scope) -> None:
    with pytest.raises(InvalidRequest) as caught:
        box.started().profile().add_rule(RuleIn(rule="allow", scope=scope, value="No such " * 100))
    assert "No such" not in str(caught.value)


def test_removing_an_unknown_rule_is_refused(box: Box) -> None:
    with pytest.raises(RuleMissing):
        box.started().profile().remove_rule(1)
