"""From past choices to probabilities, and from those to how a mark looks."""

from __future__ import annotations

import pytest

from harness.profile import Box, make_decision, make_exposure
from limen_profiles import Context, Deletion, Filter, Profile, SettingsChange
from limen_profiles.records import Boundary, Caution

SITE = Context(site="chatgpt.com")


def judged(profile: Profile, context: Context = SITE, **changes: object) -> Boundary:
    (boundary,) = profile.judge([make_exposure(**changes)], context)
    return boundary


def record(profile: Profile, decision: str, times: int, **changes: object) -> None:
    for _ in range(times):
        profile.record(make_decision(decision, **changes))


def test_nobodys_boundary_is_soft_and_a_secret_strong(box: Box) -> None:
    profile = box.started().profile()
    assert judged(profile).look == "soft"
    assert judged(profile, tier="secret").look == "strong"
    assert judged(profile).evidence == 0


def test_what_is_always_kept_goes_quiet_and_what_never_is_stands_out(box: Box) -> None:
    profile = box.started().profile()
    record(profile, "kept", 12)
    record(profile, "redacted", 12, category="finance")
    assert judged(profile).look == "quiet"
    assert judged(profile, category="finance").look == "strong"
    assert judged(profile).p_accept > 0.8 > 0.3 > judged(profile, category="finance").p_accept


@pytest.mark.parametrize("caution", ["careful", "balanced", "relaxed"])
def test_nothing_goes_quiet_on_two_choices(box: Box, caution: Caution) -> None:
    profile = box.started().profile()
    profile.change_settings(SettingsChange(caution=caution))
    record(profile, "allowed_always", 2, phrase="another thing")
    assert judged(profile).look != "quiet"


def test_caution_only_ever_moves_towards_marking(box: Box) -> None:
    profile = box.started().profile()
    quiet: dict[str, int] = {}
    for caution in ("careful", "balanced", "relaxed"):
        profile.change_settings(SettingsChange(caution=caution))
        profile.delete(Deletion(filter=Filter()))
        for kept in range(1, 30):
            record(profile, "kept", 1)
            if judged(profile).look == "quiet":
                quiet[caution] = kept
                break
    assert quiet["careful"] > quiet["balanced"] > quiet["relaxed"] >= 3


def test_the_reason_is_told_in_words_and_counts(box: Box) -> None:
    profile = box.started().profile()
    record(profile, "kept", 7)
    record(profile, "redacted", 1)
    boundary = judged(profile)
    assert boundary.evidence == 8
    assert boundary.why == "You kept this kind of thing 7 of 8 times on this site."
    elsewhere = judged(profile, Context(site="claude.ai"))
    assert elsewhere.why == "You kept this kind of thing 7 of 8 times."


def test_a_message_sent_says_less_than_keeping(box: Box) -> None:
    profile = box.started().profile()
    record(profile, "kept", 4)
    record(profile, "sent", 4, category="finance")
    assert judged(profile).p_accept > judged(profile, category="finance").p_accept


def test_generalizing_rejects_the_exact_and_accepts_the_general(box: Box) -> None:
    profile = box.started().profile()
    record(profile, "generalized", 8, granularity=3, to_granularity=1, to_identifiability=1)
    exact, general = judged(profile, granularity=3), judged(profile, granularity=1)
    assert exact.p_accept is not None and general.p_accept is not None
    assert exact.p_accept < 0.3 < 0.7 < general.p_accept


def test_new_choices_win_over_old_contradicting_ones(box: Box) -> None:
    profile = box.started().profile()
    record(profile, "kept", 10)
    box.clock.pass_days(300)
    record(profile, "redacted", 5)
    assert judged(profile).p_accept < 0.5
    assert judged(profile).look != "quiet"


def test_choices_fade_only_while_that_is_on(box: Box) -> None:
    profile = box.started().profile()
    profile.change_settings(SettingsChange(retention_days=None))
    record(profile, "kept", 10)
    fresh = judged(profile).p_accept
    box.clock.pass_days(900)
    faded = judged(profile).p_accept
    profile.change_settings(SettingsChange(half_life_days=None))
    assert fresh is not None and faded is not None
    assert faded < fresh
    assert judged(profile).p_accept == pytest.approx(fresh)


def test_a_deleted_decision_is_unlearned(box: Box) -> None:
    profile = box.started().profile()
    before = judged(profile)
    record(profile, "kept", 6)
    assert judged(profile) != before
    profile.delete(Deletion(filter=Filter()))
    assert judged(profile) == before


def test_a_corrected_decision_counts_the_other_way(box: Box) -> None:
    profile = box.started().profile()
    ids = [profile.record(make_decision("kept")) for _ in range(6)]
    for decision_id in ids:
        assert decision_id is not None
        profile.edit(decision_id, "redacted")
    assert judged(profile).look == "strong"


def test_learning_step_by_step_equals_learning_from_the_database(box: Box) -> None:
    service = box.started()
    for day, decision in enumerate(["kept", "sent", "redacted", "kept", "dismissed", "generalized"] * 5):
        service.profile().record(make_decision(decision, granularity=1 + day % 3))
        box.clock.pass_days(1)
    exposures = [make_exposure(granularity=level) for level in (1, 2, 3)]
    live = service.profile().judge(exposures, SITE)
    service.close()
    again = box.started().profile().judge(exposures, SITE)
    for one, other in zip(live, again, strict=True):
        assert one.p_accept == pytest.approx(other.p_accept, abs=1e-9)
        assert (one.look, one.evidence, one.why) == (other.look, other.evidence, other.why)


def test_messages_sent_take_longer_to_go_quiet_than_choices_made(box: Box) -> None:
    profile = box.started().profile()
    times = {}
    for decision, category in (("kept", "health"), ("sent", "finance")):
        for number in range(1, 40):
            record(profile, decision, 1, category=category)
            if judged(profile, category=category).look == "quiet":
                times[decision] = number
                break
    assert times["sent"] > 2 * times["kept"]


def test_a_rejected_phrase_is_known_again_without_being_stored(box: Box) -> None:
    profile = box.started().profile()
    record(profile, "kept", 3, phrase="a cold")
    record(profile, "redacted", 3, phrase="type 2 diabetes")
    same, other = judged(profile, phrase="Type 2 Diabetes"), judged(profile, phrase="a cold")
    assert same.p_accept is not None and other.p_accept is not None
    assert same.p_accept < other.p_accept - 0.05
