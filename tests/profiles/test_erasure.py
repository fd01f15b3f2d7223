"""Erasing: the key first, then the files, and nothing comes back by itself."""

from __future__ import annotations

import shutil

import pytest

from harness.profile import Box, LockedKeyring, make_decision
from limen_profiles.errors import KeyMissing, NotConfirmed, ProfileOff, StoreBusy
from limen_profiles.keys import HolderKind

NEEDLE = "quillfeather-4711"


@pytest.mark.parametrize("holder", ["keyring", "passphrase", "key_file", "memory"])
def test_nothing_is_left_of_an_erased_profile(box: Box, holder: HolderKind) -> None:
    service = box.service()
    service.init(holder, passphrase="correct horse battery", key_file=box.key_file)
    service.profile().record(make_decision("kept", NEEDLE))
    erased = service.erase(confirm="erase")
    assert erased.key_deleted
    assert box.keyring.items == {}
    left = [path for path in box.folder.rglob("*") if path.is_file()]
    assert left == [box.paths.turned_off]
    with pytest.raises(ProfileOff):
        service.profile()


def test_an_old_copy_of_the_database_cannot_be_opened_any_more(box: Box) -> None:
    service = box.started()
    service.profile().record(make_decision("kept", NEEDLE))
    identity = box.paths.identity.read_bytes()
    service.profile().vault.copy_to(box.folder / "backup.db")
    service.erase(confirm="erase")
    shutil.copy(box.folder / "backup.db", box.paths.database)
    box.paths.identity.write_bytes(identity)
    again = box.service()
    again.start()
    with pytest.raises(KeyMissing):
        again.profile()


def test_the_key_goes_before_the_files(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    service = box.started()
    key_was_there = []

    def remove(paths: object) -> list[object]:
        key_was_there.append(bool(box.keyring.items))
        raise RuntimeError("power cut")

    monkeypatch.setattr("limen_profiles.erasure.remove_files", remove)
    with pytest.raises(RuntimeError):
        service.erase(confirm="erase")
    assert key_was_there == [False]


def test_locked_profile_can_be_erased(box: Box) -> None:
    service = box.service()
    service.init("passphrase", passphrase="correct horse battery")
    service.lock()
    assert service.erase(confirm="erase").key_deleted
    assert not box.paths.wrapped_key.exists()


def test_a_keyring_that_is_gone_is_told_and_does_not_keep_the_files(box: Box) -> None:
    service = box.started()
    service.close()
    box.keyring = LockedKeyring()
    erased = box.service().erase(confirm="erase")
    assert not erased.key_deleted
    assert any("could not be deleted" in sentence for sentence in erased.left)
    assert not box.paths.database.exists()


def test_erasing_needs_the_word(box: Box) -> None:
    service = box.started()
    with pytest.raises(NotConfirmed):
        service.erase(confirm="yes")
    assert service.status().mode == "on"


def test_profile_of_another_process_is_not_erased(box: Box) -> None:
    box.started()
    with pytest.raises(StoreBusy):
        box.service().erase(confirm="erase")
    assert box.keyring.items and box.paths.database.exists()


def test_erased_profile_stays_off_until_asked_for(box: Box) -> None:
    box.started().erase(confirm="erase")
    service = box.service()
    assert service.start(may_create=True).mode == "off"
    assert service.init("keyring").mode == "on"
    service.close()
    assert box.service().start(may_create=True).mode == "on"
