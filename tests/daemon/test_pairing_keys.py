"""Where the keys of the pairings are kept: in the keyring, else in the encrypted profile, else in a file."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest

from harness.daemon import EXTENSION, STATUS, RunningDaemon, running
from harness.paired_client import PairedClient, paired
from harness.profile import Box, DictKeyring, ForgetfulKeyring, LockedKeyring
from limen_daemon.pairing.places import KeyPlace, KeyringPlace, ProfilePlace
from limen_daemon.pairing.record import Pairing
from limen_daemon.pairing.service import PairingService
from limen_daemon.pairing.store import PairingFile
from limen_daemon.private_files import create_private, make_private_folder
from limen_daemon.stored_profile import StoredProfile, stored_profile
from limen_profiles.errors import NoKeyring
from limen_profiles.keys import KeyringItems

PASSPHRASE = "correct horse battery"
KID = "k" * 16
OURS = Pairing(KID, EXTENSION, b"a" * 32, b"b" * 32, b"c" * 32)
ITEM = ("limen", f"pairing-{KID}")


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Box]:
    made = Box(tmp_path / "person")
    yield made
    made.close()


@pytest.fixture
def state(tmp_path: Path) -> Path:
    return make_private_folder(tmp_path / "state")


def in_keyring(keyring: DictKeyring) -> KeyPlace:
    return KeyringPlace(KeyringItems(lambda: keyring))


def no_keyring() -> KeyPlace:
    def find() -> DictKeyring:
        raise NoKeyring

    return KeyringPlace(KeyringItems(find))


def file_of(state: Path) -> dict[str, Any]:
    read: dict[str, Any] = json.loads((state / "pairings.json").read_text())
    return read


def added(state: Path, *places: KeyPlace) -> PairingFile:
    store = PairingFile(state, places)
    store.add(OURS, label="Chrome on Linux", created_ms=1)
    return store


def settled(state: Path, *places: KeyPlace) -> PairingFile:
    store = PairingFile(state)
    store.settle(places)
    return store


def test_with_a_keyring_the_file_holds_no_keys(state: Path) -> None:
    keyring = DictKeyring()
    added(state, in_keyring(keyring))
    (entry,) = file_of(state)["pairings"]
    assert (entry["kept_in"], entry["secret"]) == ("keyring", None)
    assert bytes.fromhex(keyring.items[ITEM]) == OURS.secret
    again = PairingFile(state)
    assert again.is_locked(KID)
    again.settle([in_keyring(keyring)])
    assert (again.find(KID), again.is_locked(KID)) == (OURS, False)


def test_a_file_of_an_earlier_version_is_moved_and_its_keys_are_overwritten(state: Path) -> None:
    named = {"auth": OURS.auth, "c2s": OURS.c2s, "s2c": OURS.s2c}
    keys = {name: base64.b64encode(key).decode() for name, key in named.items()}
    old = [{"kid": KID, "origin": EXTENSION, "label": "chrome", "created_ms": 7, **keys}]
    create_private(state / "pairings.json", json.dumps(old).encode())
    with (state / "pairings.json").open("rb") as before:
        keyring = DictKeyring()
        settled(state, in_keyring(keyring))
        assert set(before.read()) == {0}, "what the old file held is gone from its blocks too"
    assert bytes.fromhex(keyring.items[ITEM]) == OURS.secret
    assert file_of(state)["pairings"][0]["secret"] is None
    assert settled(state, in_keyring(keyring)).find(KID) == OURS


@pytest.mark.parametrize(
    "keyring", [None, LockedKeyring(), ForgetfulKeyring()], ids=["none", "locked", "forgetful"]
)
def test_without_a_keyring_that_works_the_file_keeps_them(state: Path, keyring: DictKeyring | None) -> None:
    place = no_keyring() if keyring is None else in_keyring(keyring)
    added(state, place)
    assert file_of(state)["pairings"][0]["kept_in"] == "file"
    assert (state / "pairings.json").stat().st_mode & 0o777 == 0o600
    assert settled(state, place).find(KID) == OURS


def test_without_a_keyring_the_encrypted_profile_keeps_them(state: Path, box: Box) -> None:
    service = box.service()
    service.init("passphrase", passphrase=PASSPHRASE)
    added(state, no_keyring(), ProfilePlace(service))
    (entry,) = file_of(state)["pairings"]
    assert (entry["kept_in"], entry["secret"]) == ("profile", None)
    service.close()
    assert OURS.auth not in box.database_bytes()

    again = box.service()
    again.start()
    store = settled(state, no_keyring(), ProfilePlace(again))
    assert (store.find(KID), store.is_locked(KID)) == (None, True)
    again.unlock(PASSPHRASE)
    store.settle([no_keyring(), ProfilePlace(again)])
    assert (store.find(KID), store.is_locked(KID)) == (OURS, False)
    again.lock()
    store.settle([no_keyring(), ProfilePlace(again)])
    assert store.find(KID) == OURS, "what was read once serves until the daemon stops"


def test_a_keyring_that_comes_later_takes_them_over_from_the_profile(state: Path, box: Box) -> None:
    service = box.service()
    service.init("key_file", key_file=box.key_file)
    added(state, no_keyring(), ProfilePlace(service))
    keyring = DictKeyring()
    settled(state, in_keyring(keyring), ProfilePlace(service))
    assert bytes.fromhex(keyring.items[ITEM]) == OURS.secret
    assert service.profile().kept_secrets() == {}


def test_a_profile_in_memory_is_no_place(state: Path, box: Box) -> None:
    service = box.service()
    service.init("memory")
    added(state, no_keyring(), ProfilePlace(service))
    assert file_of(state)["pairings"][0]["kept_in"] == "file"


def test_unpairing_deletes_the_keys_where_they_are(state: Path, box: Box) -> None:
    keyring, service = DictKeyring(), box.service()
    service.init("key_file", key_file=box.key_file)
    store = added(state, in_keyring(keyring))
    assert store.remove([KID]) == 1
    assert (keyring.items, store.find(KID)) == ({}, None)
    store = added(state, no_keyring(), ProfilePlace(service))
    store.remove([KID])
    assert service.profile().kept_secrets() == {}


def test_an_item_that_is_gone_is_a_pairing_that_is_over(state: Path) -> None:
    keyring = DictKeyring()
    added(state, in_keyring(keyring))
    keyring.items.clear()
    store = settled(state, in_keyring(keyring))
    assert (store.find(KID), store.is_locked(KID)) == (None, False)


def test_no_export_holds_a_pairing(box: Box, state: Path) -> None:
    service = box.service()
    service.init("key_file", key_file=box.key_file)
    added(state, no_keyring(), ProfilePlace(service))
    plain = service.profile().export_plain(confirm="plain")
    assert KID.encode() not in plain
    assert OURS.auth.hex().encode() not in plain


def serve(state: Path, box: Box, pairing: PairingService) -> AbstractAsyncContextManager[RunningDaemon]:
    def open_profile() -> AbstractAsyncContextManager[StoredProfile]:
        return stored_profile(None, lambda _: None, service=box.service())

    return running(state, pairing=pairing, open_profile=open_profile)


async def until(holds: Callable[[], bool]) -> None:
    """The daemon hears of a change in a thread of its own."""
    async with asyncio.timeout(20):
        while not holds():  # noqa: ASYNC110
            await asyncio.sleep(0.01)


async def test_a_locked_profile_says_so_and_serves_once_it_is_open(state: Path, box: Box) -> None:
    box.keyring = LockedKeyring()
    box.service().init("passphrase", passphrase=PASSPHRASE)
    box.close()
    pairing = PairingService(PairingFile(state))
    async with serve(state, box, pairing) as daemon:
        box.opened[-1].unlock(PASSPHRASE)
        client = await paired(daemon, pairing)
    assert file_of(state)["pairings"][0]["kept_in"] == "profile"

    pairing = PairingService(PairingFile(state))
    async with serve(state, box, pairing) as daemon:
        client = PairedClient(daemon, client.kid, client.keys)
        answer = await client.post(STATUS, {})
        assert (answer.status, answer.json()) == (423, {"error": "pairing_locked"})
        stranger = PairedClient(daemon, "x" * 16, client.keys)
        assert (await stranger.post(STATUS, {})).status == 401
        await asyncio.to_thread(box.opened[-1].unlock, PASSPHRASE)
        await until(lambda: not pairing.store.is_locked(client.kid))
        assert (await client.post(STATUS, {})).status == 200


async def test_a_pairing_outlives_the_profile_that_kept_its_keys(state: Path, box: Box) -> None:
    box.keyring = LockedKeyring()
    box.service().init("key_file", key_file=box.key_file)
    box.close()
    pairing = PairingService(PairingFile(state))
    async with serve(state, box, pairing) as daemon:
        client = await paired(daemon, pairing)
        assert file_of(state)["pairings"][0]["kept_in"] == "profile"
        assert (await client.post("/v1/profile/erase", {"confirm": "erase"})).status == 200
        await until(lambda: file_of(state)["pairings"][0]["kept_in"] == "file")
        assert (await client.post(STATUS, {})).status == 200
    async with serve(state, box, PairingService(PairingFile(state))) as daemon:
        assert (await PairedClient(daemon, client.kid, client.keys).post(STATUS, {})).status == 200
