"""The service's states, and what may happen at the same time."""

from __future__ import annotations

import gc
import threading
from collections import Counter
from pathlib import Path

import pytest

import limen_profiles
from harness.profile import Box, make_decision, make_exposure
from limen_profiles import Context, Filter, ProfileError, vault
from limen_profiles import errors as errors_module
from limen_profiles.errors import (
    KeyringRefused,
    ProfileExists,
    ProfileLocked,
    ProfileOff,
    StoreClosed,
    StoreFailed,
)


def test_judging_answers_in_every_state(box: Box) -> None:
    service = box.service()
    exposures = [make_exposure(), make_exposure(tier="secret")]

    def looks() -> list[str]:
        return [boundary.look for boundary in service.judge(exposures, Context())]

    assert (service.start().mode, looks()) == ("off", ["soft", "strong"])
    service.init("keyring")
    assert (service.status().mode, looks()) == ("on", ["soft", "strong"])
    service.lock()
    assert (service.status().mode, looks()) == ("locked", ["soft", "strong"])
    service.close()
    assert (service.status().mode, looks()) == ("off", ["soft", "strong"])


def test_locked_profile_says_so_and_opens_again(box: Box) -> None:
    service = box.started()
    service.profile().record(make_decision())
    service.lock()
    with pytest.raises(ProfileLocked):
        service.profile()
    service.unlock()
    assert service.profile().summary(Filter()).total == 1


def test_second_start_of_a_profile_is_refused(box: Box) -> None:
    service = box.started()
    with pytest.raises(ProfileExists):
        service.init("keyring")


def test_closing_is_idempotent_and_ends_all_use(box: Box) -> None:
    service = box.started()
    profile = service.profile()
    service.close()
    service.close()
    with pytest.raises(StoreClosed):
        profile.summary(Filter())
    with pytest.raises(ProfileOff):
        service.profile()


def test_rotation_keeps_everything_and_changes_the_key(box: Box) -> None:
    service = box.started()
    profile = service.profile()
    profile.record(make_decision())
    before = dict(box.keyring.items)
    service.rotate()
    assert box.keyring.items.keys() == before.keys()
    assert box.keyring.items != before
    profile.record(make_decision())
    service.close()
    assert box.started().profile().summary(Filter()).total == 2


def test_many_threads_may_use_one_profile(box: Box) -> None:
    profile = box.started().profile()
    faults: list[BaseException] = []

    def work(number: int) -> None:
        try:
            for _ in range(10):
                profile.record(make_decision("kept", f"thing {number}"))
                profile.judge([make_exposure()], Context())
                profile.summary(Filter())
        except BaseException as error:
            faults.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
    assert profile.summary(Filter()).total == 60


def test_fifty_openings_leave_no_thread_and_no_file_open(box: Box) -> None:
    box.started().close()
    threads = Counter(thread.name for thread in threading.enumerate())
    descriptors = open_files(box)
    for _ in range(50):
        service = box.service()
        assert service.start().mode == "on"
        service.close()
    gc.collect()
    left = Counter(thread.name for thread in threading.enumerate()) - threads
    assert left["limen-profile"] == 0
    assert open_files(box) == descriptors == 0


def open_files(box: Box) -> int:
    """How many of the profile's files this process has open (Linux; elsewhere nothing is known)."""
    folder = Path("/proc/self/fd")
    if not folder.is_dir():
        return 0
    count = 0
    for entry in folder.iterdir():
        try:
            count += str(entry.readlink()).startswith(str(box.folder))
        except OSError:
            continue
    return count


def test_public_names_are_sorted_and_there() -> None:
    names = limen_profiles.__all__
    assert list(names) == sorted(names)
    assert all(hasattr(limen_profiles, name) for name in names)


def test_every_error_has_a_code_of_its_own_and_a_sentence() -> None:
    found = [
        item
        for item in vars(errors_module).values()
        if isinstance(item, type) and issubclass(item, ProfileError)
    ]
    assert len(found) > 25
    codes = Counter(item.code for item in found)
    assert not [code for code, count in codes.items() if count > 1]
    for item in found:
        assert str(item()).endswith("."), item
        assert 400 <= item.status < 600
        assert item.__name__ in (errors_module.__doc__ or ""), f"{item.__name__} is not in the tree"


def test_a_folder_that_cannot_be_used_is_a_state_with_a_reason(box: Box) -> None:
    box.folder.mkdir(exist_ok=True)
    box.paths.folder.write_text("a file where the folder should be")
    service = box.service()
    status = service.start(may_create=True)
    assert (status.mode, status.problem) == ("locked", StoreFailed.code)
    assert [boundary.look for boundary in service.judge([make_exposure()], Context())] == ["soft"]


def test_a_keyring_that_refuses_the_new_key_leaves_the_profile_open(box: Box) -> None:
    service = box.started()
    service.profile().record(make_decision())
    kept = box.keyring.set_password
    box.keyring.set_password = lambda *_: None  # type: ignore[method-assign]
    with pytest.raises(KeyringRefused):
        service.rotate()
    assert service.profile().summary(Filter()).total == 1
    box.keyring.set_password = kept  # type: ignore[method-assign]
    service.rotate()
    assert service.profile().summary(Filter()).total == 1


@pytest.mark.parametrize("step", ["_rekey", "_settle"])
def test_a_rotation_that_breaks_off_is_finished_at_the_next_opening(
    box: Box, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    service = box.started()
    service.profile().record(make_decision())

    def breaks(*_: object) -> None:
        raise StoreFailed

    with monkeypatch.context() as patch:
        patch.setattr(vault, step, breaks)
        with pytest.raises(StoreFailed):
            service.rotate()
    assert service.status().mode == "locked"
    assert len(box.keyring.items) == 2
    assert service.unlock().mode == "on"
    assert len(box.keyring.items) == 1
    assert service.profile().summary(Filter()).total == 1
