"""Recording, listing, correcting and deleting decisions."""

from __future__ import annotations

import pytest
from pydantic import ValidationError
from sqlmodel import select

from harness.profile import DAY_MS, NOW_MS, Box, make_decision
from limen_profiles import Deletion, Filter, PageRequest, SettingsChange
from limen_profiles.errors import DecisionMissing
from limen_profiles.phrases import masked, normalised, phrase_hash
from limen_profiles.records import ACCEPTED, Decision
from limen_profiles.store.tables import DecisionRow

ALL: tuple[Decision, ...] = (
    "kept",
    "redacted",
    "generalized",
    "allowed_always",
    "blocked_always",
    "dismissed",
    "sent",
)


@pytest.mark.parametrize("decision", ALL)
def test_phrase_is_kept_for_accepted_choices_and_hashed_for_all(box: Box, decision: Decision) -> None:
    profile = box.started().profile()
    profile.record(make_decision(decision))
    (row,) = profile.vault.call(lambda session: session.exec(select(DecisionRow)).all())
    is_accepted = decision in ACCEPTED
    assert (row.phrase is not None, row.information is not None) == (is_accepted, is_accepted)
    assert row.phrase_hash == phrase_hash(profile._key, "  TYPE 2  Diabetes. ")


def test_hash_depends_on_the_profile(box: Box) -> None:
    assert phrase_hash(b"a" * 32, "Anna") != phrase_hash(b"b" * 32, "Anna")


def test_normalising_keeps_what_differs_apart() -> None:
    assert normalised("Straße 5, ") == normalised("STRASSE  5")
    assert normalised("Straße 5") != normalised("Straße 6")
    assert normalised("...") == "..."


def test_masked_phrase_shows_only_its_ends() -> None:
    assert masked("DE89 3704 0044") == "D•••4"
    assert masked("Anna") == "A•••"


def test_newest_decisions_come_first_and_pages_join_up(box: Box) -> None:
    profile = box.started().profile()
    ids = []
    for _ in range(7):
        ids.append(profile.record(make_decision()))
        box.clock.at_ms += 1000
    pages = [profile.page(PageRequest(page=number, page_size=3)) for number in (1, 2, 3, 4)]
    assert [[item.id for item in page.items] for page in pages] == [ids[6:3:-1], ids[3:0:-1], ids[:1], []]
    assert {page.total for page in pages} == {7}


@pytest.mark.parametrize(
    ("wanted", "phrases"),
    [
        ({"site": "claude.ai"}, {"b"}),
        ({"site": " Claude.AI. "}, {"b"}),
        ({"category": "finance"}, {"c"}),
        ({"decision": "sent"}, {"d"}),
        ({"granularity": 3, "identifiability": 3}, {"e"}),
        ({"since": NOW_MS + 2 * DAY_MS}, {"c", "d", "e"}),
        ({"until": NOW_MS + 2 * DAY_MS}, {"a", "b"}),
        ({"search": "B"}, {"b"}),
        ({"search": "user has d"}, {"d"}),
        ({"search": "%"}, set()),
        ({"site": "claude.ai", "category": "finance"}, set()),
        ({}, {"a", "b", "c", "d", "e"}),
    ],
)
def test_filters_narrow_the_list_and_the_summary_alike(
    box: Box, wanted: dict[str, object], phrases: set[str]
) -> None:
    profile = box.started().profile()
    for phrase, decision, changes in (
        ("a", "kept", {}),
        ("b", "kept", {"site": "claude.ai"}),
        ("c", "kept", {"category": "finance"}),
        ("d", "sent", {}),
        ("e", "kept", {"granularity": 3, "identifiability": 3}),
    ):
        profile.record(make_decision(decision, phrase, **changes))
        box.clock.pass_days(1)
    page = profile.page(PageRequest(**wanted))
    assert {item.phrase for item in page.items} == phrases
    assert page.total == len(phrases) == profile.summary(Filter(**wanted)).total


def test_summary_counts_by_cell_category_site_month_and_decision(box: Box) -> None:
    profile = box.started().profile()
    for decision in ("kept", "kept", "redacted"):
        profile.record(make_decision(decision))
    box.clock.pass_days(31)
    profile.record(make_decision("sent", site="claude.ai", category="finance", granularity=3))
    summary = profile.summary(Filter())
    assert (summary.accepted, summary.total) == (3, 4)
    assert [(c.granularity, c.identifiability, c.accepted, c.total) for c in summary.by_cell] == [
        (2, 1, 2, 3),
        (3, 1, 1, 1),
    ]
    assert [(c.name, c.accepted, c.total) for c in summary.by_category] == [
        ("health", 2, 3),
        ("finance", 1, 1),
    ]
    assert [(s.name, s.total) for s in summary.by_site] == [("chatgpt.com", 3), ("claude.ai", 1)]
    assert [(m.month, m.accepted, m.total) for m in summary.by_month] == [
        ("2026-09", 2, 3),
        ("2026-10", 1, 1),
    ]
    assert summary.by_decision == {"kept": 2, "redacted": 1, "sent": 1}


def test_correcting_to_rejected_forgets_the_phrase_for_good(box: Box) -> None:
    profile = box.started().profile()
    decision_id = profile.record(make_decision("kept"))
    assert decision_id is not None
    assert profile.edit(decision_id, "redacted").phrase is None
    assert profile.edit(decision_id, "kept").phrase is None


def test_correcting_an_unknown_decision_is_refused(box: Box) -> None:
    with pytest.raises(DecisionMissing):
        box.started().profile().edit(1, "kept")


def test_deleting_by_ids_counts_what_was_there(box: Box) -> None:
    profile = box.started().profile()
    first, second = profile.record(make_decision()), profile.record(make_decision())
    assert profile.delete(Deletion(ids=[first, 999])) == 1
    assert [item.id for item in profile.page(PageRequest()).items] == [second]


def test_deleting_by_filter_leaves_the_rest(box: Box) -> None:
    profile = box.started().profile()
    for site in ("claude.ai", "claude.ai", "chatgpt.com"):
        profile.record(make_decision(site=site))
    assert profile.delete(Deletion(filter=Filter(site="claude.ai"))) == 2
    assert profile.page(PageRequest()).total == 1


@pytest.mark.parametrize("given", [{}, {"ids": [1], "filter": {}}, {"ids": []}, {"ids": [0]}])
def test_deletion_must_say_what(given: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Deletion.model_validate(given)


def test_nothing_is_recorded_while_paused(box: Box) -> None:
    service = box.started()
    profile = service.profile()
    until = profile.pause(30)
    assert (service.status().mode, service.status().paused_until) == ("paused", until)
    assert profile.record(make_decision()) is None
    box.clock.at_ms += 30 * 60_000
    assert service.status().mode == "on"
    assert profile.record(make_decision()) is not None
    assert profile.page(PageRequest()).total == 1


def test_pause_outlives_a_restart_and_can_be_ended(box: Box) -> None:
    service = box.started()
    service.profile().pause(30)
    service.close()
    again = box.started()
    assert again.status().mode == "paused"
    again.profile().pause(0)
    assert again.status().mode == "on"


def test_sent_messages_are_recorded_only_while_that_is_on(box: Box) -> None:
    profile = box.started().profile()
    assert profile.record(make_decision("sent")) is not None
    profile.change_settings(SettingsChange(learn_from_sent=False))
    assert profile.record(make_decision("sent")) is None
    assert profile.record(make_decision("kept")) is not None


def test_decisions_past_their_retention_are_deleted(box: Box) -> None:
    profile = box.started().profile()
    profile.record(make_decision())
    box.clock.pass_days(364)
    assert profile.prune() == 0
    box.clock.pass_days(2)
    assert profile.prune() == 1
    assert profile.page(PageRequest()).total == 0


def test_retention_can_be_shortened_and_ended(box: Box) -> None:
    profile = box.started().profile()
    profile.record(make_decision())
    box.clock.pass_days(800)
    assert profile.change_settings(SettingsChange(retention_days=None)).retention_days is None
    assert profile.page(PageRequest()).total == 1
    profile.change_settings(SettingsChange(retention_days=30))
    assert profile.page(PageRequest()).total == 0


def test_models_do_not_show_what_they_refuse() -> None:
    with pytest.raises(ValidationError) as caught:
        make_decision("kept", "secret-needle" * 1000)
    assert "secret-needle" not in str(caught.value)
