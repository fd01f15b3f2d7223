"""The list of paired browsers: what the settings page shows, and the file it is kept in."""

from __future__ import annotations

import base64
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from harness.daemon import EXTENSION, FIREFOX_EXTENSION, STATUS, running
from harness.paired_client import paired
from limen_daemon.errors import ConfigError
from limen_daemon.pairing.labels import label_for
from limen_daemon.pairing.record import Pairing
from limen_daemon.pairing.service import PairingService
from limen_daemon.pairing.store import PairingFile
from limen_daemon.private_files import create_private, make_private_folder

LIST, REMOVE = "/v1/pairings", "/v1/pairings/remove"
KEYS = {name: bytes([number]) * 32 for number, name in enumerate(("auth", "c2s", "s2c"))}
NOW = datetime(2026, 11, 30, 9, tzinfo=UTC)


def a_pairing(kid: str = "k" * 16) -> Pairing:
    return Pairing(kid, EXTENSION, **KEYS)


async def test_a_browser_sees_who_is_paired_and_which_one_it_is(tmp_path: Path) -> None:
    service = PairingService(PairingFile(tmp_path / "state"))
    async with running(tmp_path / "state", pairing=service) as daemon:
        ours = await paired(daemon, service)
        other = await paired(daemon, service, origin=FIREFOX_EXTENSION)
        rows = {row["id"]: row for row in (await ours.post(LIST, {})).json()["pairings"]}
        mine, theirs = rows[ours.kid], rows[other.kid]
        assert set(mine) == {"id", "label", "paired_at", "last_seen", "this"}
        assert (mine["this"], theirs["this"]) == (True, False)
        assert theirs["last_seen"] is None
        for text in (mine["paired_at"], mine["last_seen"]):
            assert datetime.now(UTC) - datetime.fromisoformat(text) < timedelta(minutes=5)
        await other.post(STATUS, {})
        rows = {row["id"]: row for row in (await ours.post(LIST, {})).json()["pairings"]}
        assert rows[other.kid]["last_seen"] is not None


async def test_a_browser_ends_its_own_pairing_and_no_other(tmp_path: Path) -> None:
    service = PairingService(PairingFile(tmp_path / "state"))
    async with running(tmp_path / "state", pairing=service) as daemon:
        ours, other = await paired(daemon, service), await paired(daemon, service)
        refused = await ours.post(REMOVE, {"id": other.kid})
        assert (refused.status, refused.json()) == (409, {"error": "other_browser"})
        assert (await other.post(STATUS, {})).status == 200
        assert (await ours.post(REMOVE, {"id": ours.kid})).json() == {}
        answer = await ours.post(STATUS, {})
        assert (answer.status, answer.json()) == (401, {"error": "auth"})
        assert (await other.post(STATUS, {})).status == 200


def test_when_a_browser_was_seen_is_not_written_for_every_request(tmp_path: Path) -> None:
    store = PairingFile(tmp_path / "state")
    store.add(a_pairing(), label="Chrome on Linux", created_ms=1)
    file = tmp_path / "state" / "pairings.json"
    before = file.read_bytes()
    for at_ms in range(2, 100):
        store.seen("k" * 16, at_ms)
    assert file.read_bytes() == before
    assert [entry.last_seen_ms for entry in store.all()] == [99]
    store.save_seen()
    assert [entry.last_seen_ms for entry in PairingFile(tmp_path / "state").all()] == [99]
    written = file.stat().st_ino
    store.save_seen()
    assert file.stat().st_ino == written, "nothing changed, so nothing is written"


def test_pairings_of_an_earlier_version_are_read_and_rewritten(tmp_path: Path) -> None:
    state = make_private_folder(tmp_path / "state")
    keys = {name: base64.b64encode(key).decode() for name, key in KEYS.items()}
    old: dict[str, Any] = {"kid": "k" * 16, "origin": EXTENSION, "label": "chrome", "created_ms": 7, **keys}
    create_private(state / "pairings.json", json.dumps([old]).encode())
    store = PairingFile(state)
    assert store.find("k" * 16) == a_pairing()
    store.add(a_pairing("l" * 16), label="Firefox on macOS", created_ms=8)
    again = PairingFile(state)
    assert [(entry.label, entry.created_ms) for entry in again.all()] == [
        ("chrome", 7),
        ("Firefox on macOS", 8),
    ]
    assert again.find("k" * 16) == a_pairing()
    assert again.find("l" * 16) == a_pairing("l" * 16)


@pytest.mark.parametrize("content", [b"", b"[", b"{}x", b'{"format":3,"pairings":[]}', b'[{"kid":"k"}]'])
def test_a_damaged_file_says_what_to_do(tmp_path: Path, content: bytes) -> None:
    state = make_private_folder(tmp_path / "state")
    create_private(state / "pairings.json", content)
    with pytest.raises(ConfigError, match="limen unpair --all"):
        PairingFile(state)


def test_keys_of_the_wrong_length_are_not_used(tmp_path: Path) -> None:
    state = make_private_folder(tmp_path / "state")
    PairingFile(state).add(a_pairing(), label="Chrome", created_ms=1)
    file = state / "pairings.json"
    cut = json.loads(file.read_text())
    cut["pairings"][0]["secret"] = cut["pairings"][0]["secret"][:-4]
    file.write_text(json.dumps(cut))
    with pytest.raises(ConfigError, match="damaged"):
        PairingFile(state)


BRANDS = '"Chromium";v="156", "Google Chrome";v="156"'
CHROME = "Mozilla/5.0 ({}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36{}"


@pytest.mark.parametrize(
    ("user_agent", "brands", "label"),
    [
        (CHROME.format("X11; Linux x86_64", ""), '"Chromium";v="156"', "Chromium on Linux"),
        (CHROME.format("X11; Linux x86_64", ""), BRANDS, "Chrome on Linux"),
        (CHROME.format("Windows NT 10.0", " Edg/156.0.0.0"), '"Chromium";v="156"', "Edge on Windows"),
        (CHROME.format("Macintosh; Intel Mac OS X 10_15_7", ""), "", "Chrome on macOS"),
        ("Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0", "", "Firefox on Linux"),
        ("", "", "Browser"),
        ("<script>needle</script>", "needle", "Browser"),
    ],
)  # fmt: skip
def test_a_browser_is_called_by_a_name_of_ours(user_agent: str, brands: str, label: str) -> None:
    assert label_for(user_agent, brands) == label
