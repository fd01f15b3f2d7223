"""Taking the profile elsewhere and bringing it back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import ValidationError

from harness.profile import Box, make_decision, make_exposure
from limen_profiles import (
    CalibrationAnswer,
    Context,
    Deletion,
    Filter,
    PageRequest,
    PlaceholderEntry,
    PlaceholdersPut,
    Profile,
    RuleIn,
    SettingsChange,
)
from limen_profiles.errors import (
    ExportUnreadable,
    NotConfirmed,
    SealDamaged,
    WeakPassphrase,
    WrongPassphrase,
)
from limen_profiles.sealing import KdfCost

PASSPHRASE = "correct horse battery"


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Box]:
    """A second computer."""
    made = Box(tmp_path / "other")
    yield made
    made.close()


def filled(box: Box) -> Profile:
    profile = box.started().profile()
    profile.record(make_decision("kept", "type 2 diabetes"))
    profile.record(make_decision("redacted", "Maren Oduya", category="name"))
    profile.add_rule(RuleIn(rule="block", scope="value", value="Kraanlei 212"))
    profile.add_rule(RuleIn(rule="allow", scope="category", value="skill"))
    profile.answer_calibration(CalibrationAnswer(situation="money", sent=["11"]))
    profile.change_settings(SettingsChange(caution="careful"))
    entry = PlaceholderEntry(placeholder="[NAME_1]", value="Signe Okafor")
    profile.put_placeholders(PlaceholdersPut(conversation="c", entries=[entry]))
    return profile


def test_sealed_export_moves_everything_to_a_fresh_profile(box: Box, other: Box) -> None:
    sealed = filled(box).export_sealed(PASSPHRASE)
    there = other.started().profile()
    imported = there.import_(sealed, PASSPHRASE)
    assert (imported.decisions, imported.rules, imported.calibration, imported.skipped) == (2, 2, 4, 0)
    assert [item.phrase for item in there.page(PageRequest()).items] == [None, "type 2 diabetes"]
    assert there.settings().caution == "careful"
    assert there.calibration().answered == ["money"]
    blocked = there.judge([make_exposure("Kraanlei 212", category="address")], Context())[0]
    assert blocked.look == "strong", "the blocked value is recognized by its hash under the imported key"


def test_importing_again_adds_nothing(box: Box) -> None:
    profile = filled(box)
    sealed = profile.export_sealed(PASSPHRASE)
    imported = profile.import_(sealed, PASSPHRASE)
    assert (imported.decisions, imported.rules, imported.calibration) == (0, 0, 0)
    assert imported.skipped == 8
    assert profile.page(PageRequest()).total == 2


def test_importing_into_a_used_profile_keeps_its_own(box: Box, other: Box) -> None:
    sealed = filled(box).export_sealed(PASSPHRASE)
    there = other.started().profile()
    there.record(make_decision("kept", "a lathe", category="possession"))
    there.add_rule(RuleIn(rule="block", scope="category", value="skill"))
    imported = there.import_(sealed, PASSPHRASE)
    assert (imported.decisions, imported.rules) == (2, 0)
    assert there.settings().caution == "balanced"
    assert there.judge([make_exposure("weld", category="skill")], Context())[0].look == "strong"


def test_plain_export_needs_the_word_and_has_no_hash(box: Box) -> None:
    profile = filled(box)
    with pytest.raises(NotConfirmed):
        profile.export_plain(confirm="yes")
    plain = json.loads(profile.export_plain(confirm="plain"))
    assert plain["decisions"][0]["phrase"] == "type 2 diabetes"
    assert plain["phrase_key"] is None
    assert all(one["phrase_hash"] is None for one in plain["decisions"])
    assert "Oduya" not in json.dumps(plain) and "Kraanlei" not in json.dumps(plain)


def test_plain_export_comes_back_without_what_only_a_hash_knew(box: Box, other: Box) -> None:
    plain = filled(box).export_plain(confirm="plain")
    imported = other.started().profile().import_(plain, None)
    assert (imported.decisions, imported.rules, imported.skipped) == (2, 1, 1)


def test_no_export_holds_what_placeholders_stand_for(box: Box) -> None:
    assert b"Signe" not in filled(box).export_plain(confirm="plain")


def test_sealed_export_needs_its_passphrase(box: Box) -> None:
    profile = filled(box)
    sealed = profile.export_sealed(PASSPHRASE)
    with pytest.raises(WrongPassphrase):
        profile.import_(sealed, "another passphrase")
    with pytest.raises(WeakPassphrase):
        profile.export_sealed("short")


@pytest.mark.parametrize("raw", [b"", b"[]", b"{}", b"\xff\xfe", b'{"format": "limen-export", "version": 2}'])
def test_what_is_no_export_is_refused(box: Box, raw: bytes) -> None:
    with pytest.raises(ExportUnreadable):
        box.started().profile().import_(raw, None)


def test_damaged_seal_is_refused(box: Box) -> None:
    with pytest.raises(SealDamaged):
        box.started().profile().import_(b'{"header": {}, "box": ""}', PASSPHRASE)


def test_a_bad_export_imports_nothing_at_all(box: Box) -> None:
    profile = filled(box)
    plain = json.loads(profile.export_plain(confirm="plain"))
    profile.delete(Deletion(filter=Filter()))
    plain["decisions"][1]["granularity"] = 9
    with pytest.raises(ExportUnreadable):
        profile.import_(json.dumps(plain).encode(), None)
    assert profile.page(PageRequest()).total == 0


def test_cost_has_no_room_below_its_floor() -> None:
    with pytest.raises(ValidationError):
        KdfCost(memory_kib=1024)
