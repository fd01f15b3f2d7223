"""Every way a key can be missing or wrong has its own error, and none of them touches the file."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from harness.profile import (
    Box,
    DictKeyring,
    ForgetfulKeyring,
    HangingKeyring,
    LockedKeyring,
    make_decision,
)
from limen_profiles import Filter
from limen_profiles.errors import (
    KeyFileMissing,
    KeyFileUnsafe,
    KeyMissing,
    KeyringRefused,
    KeyringTimeout,
    NoKeyHolder,
    NoKeyring,
    ProfileError,
    ProfileExists,
    ProfileLocked,
    ProfileOff,
    SealDamaged,
    StoreBusy,
    StoreDamaged,
    StoreTooNew,
    WeakPassphrase,
    WrongKey,
    WrongPassphrase,
)
from limen_profiles.keys import KeyringHolder, keyring_holder

PASSPHRASE = "correct horse battery"


def made(box: Box, holder: str = "keyring") -> bytes:
    """A closed profile with one decision in it; returns its bytes."""
    service = box.service()
    service.init(holder, passphrase=PASSPHRASE, key_file=box.key_file)  # type: ignore[arg-type]
    service.profile().record(make_decision())
    service.close()
    return box.paths.database.read_bytes()


def _no_keyring() -> DictKeyring:
    raise NoKeyring


def fault_of(box: Box, expected: type[ProfileError]) -> ProfileError:
    """Starting gives a locked or off profile; using it raises `expected`."""
    service = box.service()
    status = service.start()
    assert status.mode in ("locked", "off")
    with pytest.raises(expected) as caught:
        service.profile()
    assert type(caught.value) is expected
    assert status.problem == expected.code
    assert status.advice == str(caught.value)
    service.close()
    return caught.value


def test_profile_opens_again_with_its_key(box: Box) -> None:
    made(box)
    service = box.service()
    assert service.start().mode == "on"
    assert service.profile().summary(Filter()).total == 1


def test_missing_key_is_named_and_the_file_left_alone(box: Box) -> None:
    before = made(box)
    box.keyring.items.clear()
    error = fault_of(box, KeyMissing)
    assert error.exit_code == 78
    assert box.paths.database.read_bytes() == before


def test_no_new_database_is_made_over_one_whose_key_is_missing(box: Box) -> None:
    before = made(box)
    box.keyring.items.clear()
    service = box.service()
    service.start(may_create=True)
    with pytest.raises(ProfileExists):
        service.init("keyring")
    assert box.paths.database.read_bytes() == before


def test_wrong_key_is_told_from_a_damaged_file(box: Box) -> None:
    before = made(box)
    (name,) = box.keyring.items
    box.keyring.items[name] = "ab" * 32
    fault_of(box, WrongKey)
    assert box.paths.database.read_bytes() == before


@pytest.mark.parametrize("offset", [100, 5000])
def test_damaged_page_is_named_and_the_file_left_alone(box: Box, offset: int) -> None:
    raw = bytearray(made(box))
    raw[offset] ^= 1
    box.paths.database.write_bytes(bytes(raw))
    service = box.service()
    service.start()
    with pytest.raises(StoreDamaged):
        profile = service.profile()
        profile.vault.copy_to(box.folder / "copy.db")  # reads every page
    service.close()
    assert box.paths.database.read_bytes() == bytes(raw)


def test_damaged_identity_is_named(box: Box) -> None:
    made(box)
    box.paths.identity.write_text("{")
    fault_of(box, StoreDamaged)


def test_missing_identity_is_named_and_the_database_kept(box: Box) -> None:
    before = made(box)
    box.paths.identity.unlink()
    fault_of(box, KeyMissing)
    assert box.paths.database.read_bytes() == before


def test_identity_of_a_later_version_is_refused(box: Box) -> None:
    made(box)
    identity = json.loads(box.paths.identity.read_text())
    box.paths.identity.write_text(json.dumps({**identity, "format": 2}))
    fault_of(box, StoreTooNew)


def test_second_process_is_told_that_the_profile_is_in_use(box: Box) -> None:
    box.started()
    fault_of(box, StoreBusy)


def test_without_a_keyring_the_profile_is_off_and_says_what_to_do(box: Box) -> None:
    service = box.service()
    service._keyring = _no_keyring
    status = service.start(may_create=True)
    assert status.mode == "off"
    assert status.problem == NoKeyHolder.code
    for way in ("--passphrase", "--key-file", "--memory"):
        assert way in (status.advice or "")
    assert not box.paths.database.exists()


def test_with_a_keyring_the_profile_starts_by_itself_once(box: Box) -> None:
    assert box.service().start(may_create=False).mode == "off"
    assert box.service().start(may_create=True).mode == "on"


def test_a_keyring_that_vanished_leaves_the_profile_locked(box: Box) -> None:
    before = made(box)
    service = box.service()
    service._keyring = _no_keyring
    assert service.start(may_create=True).mode == "locked"
    with pytest.raises(NoKeyring):
        service.profile()
    assert box.paths.database.read_bytes() == before


def test_locked_keyring_is_named_and_can_be_tried_again(box: Box) -> None:
    made(box)
    good = box.keyring
    box.keyring = LockedKeyring()
    service = box.service()
    assert service.start().mode == "locked"
    with pytest.raises(KeyringRefused):
        service.unlock()
    box.keyring = good
    assert service.unlock().mode == "on"


def test_hanging_keyring_is_given_up(box: Box) -> None:
    backend = HangingKeyring()
    holder = KeyringHolder("0" * 32, backend, timeout_s=0.05)
    with pytest.raises(KeyringTimeout):
        holder.load("current")
    backend.release.set()


def test_keyring_that_does_not_keep_the_key_is_refused(box: Box) -> None:
    box.keyring = ForgetfulKeyring()
    with pytest.raises(KeyringRefused):
        box.service().init("keyring")
    assert not box.paths.database.exists()


def test_keyring_holding_something_else_is_refused(box: Box) -> None:
    made(box)
    (name,) = box.keyring.items
    for other in ("not hex", "ab"):
        box.keyring.items[name] = other
        fault_of(box, KeyringRefused)


def test_only_backends_of_the_operating_system_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyrings.alt.file.PlaintextKeyring")
    tried = []

    def viable(module: str, name: str) -> None:
        tried.append(module)

    monkeypatch.setattr(keyring_holder, "_viable", viable)
    with pytest.raises(NoKeyring):
        keyring_holder.find_keyring()
    assert tried == [module for module, _ in keyring_holder.ALLOWED_BACKENDS]
    assert all(module.startswith("keyring.backends.") for module in tried)
    assert not any(word in module for module in tried for word in ("fail", "null", "chainer", "alt"))


def test_this_machines_keyring_is_found_or_refused_but_never_a_plain_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.null.Keyring")
    try:
        backend = keyring_holder.find_keyring()
    except (NoKeyring, KeyringTimeout):
        return
    assert type(backend).__module__ in {module for module, _ in keyring_holder.ALLOWED_BACKENDS}


def test_passphrase_profile_is_locked_until_the_passphrase_comes(box: Box) -> None:
    before = made(box, "passphrase")
    service = box.service()
    assert service.start().mode == "locked"
    with pytest.raises(ProfileLocked):
        service.profile()
    with pytest.raises(WrongPassphrase):
        service.unlock("not the passphrase")
    assert box.paths.database.read_bytes() == before
    assert service.unlock(PASSPHRASE).mode == "on"


def test_short_passphrase_is_refused(box: Box) -> None:
    with pytest.raises(WeakPassphrase):
        box.service().init("passphrase", passphrase="elevenchars")
    assert not box.paths.database.exists()


def test_changed_passphrase_replaces_the_old_one(box: Box) -> None:
    made(box, "passphrase")
    service = box.service()
    service.start()
    service.unlock(PASSPHRASE)
    service.rotate(new_passphrase="another long passphrase")
    service.lock()
    with pytest.raises(WrongPassphrase):
        service.unlock(PASSPHRASE)
    assert service.unlock("another long passphrase").mode == "on"


def test_missing_wrapped_key_is_named(box: Box) -> None:
    made(box, "passphrase")
    box.paths.wrapped_key.unlink()
    service = box.service()
    service.start()
    with pytest.raises(KeyMissing):
        service.unlock(PASSPHRASE)


def test_key_file_profile_opens_with_its_file(box: Box) -> None:
    made(box, "key_file")
    assert box.service().start().mode == "on"


def test_missing_key_file_is_named(box: Box) -> None:
    before = made(box, "key_file")
    box.key_file.unlink()
    fault_of(box, KeyFileMissing)
    assert box.paths.database.read_bytes() == before


@pytest.mark.skipif(os.name != "posix", reason="modes mean nothing on this system")
def test_key_file_that_others_may_read_is_refused(box: Box) -> None:
    made(box, "key_file")
    box.key_file.chmod(0o644)
    assert "chmod 600" in str(fault_of(box, KeyFileUnsafe))


@pytest.mark.parametrize("content", ["", "zz" * 32, "ab" * 31, "ab" * 33])
def test_damaged_key_file_is_named(box: Box, content: str) -> None:
    made(box, "key_file")
    box.key_file.write_text(content)
    fault_of(box, SealDamaged)


def test_key_file_in_the_profile_folder_is_refused(box: Box) -> None:
    with pytest.raises(KeyFileUnsafe):
        box.service().init("key_file", key_file=box.paths.folder / "profile.key")
    assert not box.paths.database.exists()


def test_memory_profile_writes_no_database_and_forgets(box: Box) -> None:
    service = box.service()
    service.init("memory")
    service.profile().record(make_decision())
    service.close()
    assert not box.paths.database.exists()
    again = box.service()
    assert again.start().mode == "on"
    assert again.status().holder == "memory"
    assert again.profile().summary(Filter()).total == 0


def test_absent_profile_is_off(box: Box) -> None:
    fault_of(box, ProfileOff)


def test_a_start_that_was_killed_before_the_first_write_can_be_done_again(box: Box) -> None:
    box.paths.folder.mkdir(parents=True)
    box.paths.database.touch()
    assert box.service().start(may_create=True).mode == "on"


def test_keyring_items_are_named_by_profile(tmp_path: Path) -> None:
    shared = DictKeyring()
    first, second = Box(tmp_path / "a", shared), Box(tmp_path / "b", shared)
    first.started()
    second.started()
    assert len(shared.items) == 2
    first.close()
    second.close()
