"""What placeholders stand for, until they expire."""

from __future__ import annotations

from sqlmodel import select

from harness.profile import Box
from limen_profiles import PlaceholderEntry, PlaceholdersGet, PlaceholdersPut, Profile, SettingsChange
from limen_profiles.store.tables import PlaceholderRow


def put(profile: Profile, conversation: str, **entries: str) -> None:
    given = [PlaceholderEntry(placeholder=f"[{name}]", value=value) for name, value in entries.items()]
    profile.put_placeholders(PlaceholdersPut(conversation=conversation, entries=given))


def get(profile: Profile, conversation: str) -> dict[str, str]:
    found = profile.get_placeholders(PlaceholdersGet(conversation=conversation))
    return {entry.placeholder: entry.value for entry in found.entries}


def test_each_conversation_has_its_own(box: Box) -> None:
    profile = box.started().profile()
    put(profile, "a", NAME_1="Signe", CITY_1="Lund")
    put(profile, "b", NAME_1="Tilda")
    assert get(profile, "a") == {"[CITY_1]": "Lund", "[NAME_1]": "Signe"}
    assert get(profile, "b") == {"[NAME_1]": "Tilda"}
    assert get(profile, "c") == {}


def test_a_new_value_replaces_the_old(box: Box) -> None:
    profile = box.started().profile()
    put(profile, "a", NAME_1="Signe")
    put(profile, "a", NAME_1="Tilda")
    assert get(profile, "a") == {"[NAME_1]": "Tilda"}


def test_they_expire_together_after_the_last_use(box: Box) -> None:
    profile = box.started().profile()
    profile.change_settings(SettingsChange(placeholder_days=2))
    put(profile, "a", NAME_1="Signe")
    box.clock.pass_days(1.5)
    put(profile, "a", CITY_1="Lund")
    box.clock.pass_days(1.5)
    assert set(get(profile, "a")) == {"[NAME_1]", "[CITY_1]"}
    box.clock.pass_days(1)
    assert get(profile, "a") == {}


def test_expired_ones_are_deleted(box: Box) -> None:
    profile = box.started().profile()
    put(profile, "a", NAME_1="Signe")
    box.clock.pass_days(31)
    profile.prune()
    assert profile.vault.call(lambda session: session.exec(select(PlaceholderRow)).all()) == []


def test_the_conversation_id_itself_is_not_stored(box: Box) -> None:
    profile = box.started().profile()
    put(profile, "conversation-4711", NAME_1="Signe")
    (row,) = profile.vault.call(lambda session: session.exec(select(PlaceholderRow)).all())
    assert b"4711" not in row.conversation_hash
    assert len(row.conversation_hash) == 32


def test_they_are_kept_while_recording_is_paused(box: Box) -> None:
    profile = box.started().profile()
    profile.pause(60)
    put(profile, "a", NAME_1="Signe")
    assert get(profile, "a") == {"[NAME_1]": "Signe"}
