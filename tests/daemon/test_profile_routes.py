"""The profile over HTTP: behind the real gate, with a real encrypted profile."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from harness.daemon import RunningDaemon, running
from harness.profile import Box, LockedKeyring
from harness.program import call, free_port, limen, up
from limen_daemon.profile_port import ProfilePort
from limen_daemon.stored_profile import stored_profile

PASSPHRASE = "correct horse battery"
NEEDLE = "quillfeather-4711"
DECISION = {
    "decision": "kept",
    "phrase": NEEDLE,
    "information": "An age.",
    "category": "age",
    "subject": "related",
    "granularity": 2,
    "identifiability": 2,
    "tier": "disclosure",
    "site": "chatgpt.com",
    "recipient": "ai_provider",
    "p_accept": None,
    "detector": "small-1",
}
CALLS: dict[str, Any] = {
    "/v1/decisions/record": DECISION,
    "/v1/decisions/list": {},
    "/v1/decisions/edit": {"id": 1, "decision": "kept"},
    "/v1/decisions/delete": {"ids": [1]},
    "/v1/decisions/summary": {},
    "/v1/lists/get": {},
    "/v1/lists/add": {"rule": "allow", "scope": "value", "value": NEEDLE},
    "/v1/lists/remove": {"id": 1},
    "/v1/profile/settings/get": {},
    "/v1/profile/settings/set": {"caution": "careful"},
    "/v1/profile/pause": {"minutes": 5},
    "/v1/profile/calibration/get": {},
    "/v1/profile/calibration/answer": {"situation": "health", "sent": ["11"]},
    "/v1/profile/calibration/forget": {},
    "/v1/profile/export": {"passphrase": PASSPHRASE},
    "/v1/placeholders/put": {"conversation": "c", "entries": [{"placeholder": "[A_1]", "value": NEEDLE}]},
    "/v1/placeholders/get": {"conversation": "c"},
}


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Box]:
    made = Box(tmp_path / "person")
    yield made
    made.close()


Serve = Callable[[], AbstractAsyncContextManager[RunningDaemon]]


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def serve(box: Box, tmp_path: Path, said: list[str]) -> Serve:
    @asynccontextmanager
    async def open_profile() -> AsyncIterator[ProfilePort]:
        async with stored_profile(None, said.append, service=box.service()) as profile:
            yield profile

    return lambda: running(tmp_path / "state", open_profile=open_profile, rate_burst=1000, rate_per_s=1000.0)


async def test_status_and_detect_name_the_profile(serve: Serve) -> None:
    async with serve() as daemon:
        status = (await daemon.post("/v1/status", {})).json()
        assert (status["profile"], status["paused_until"]) == ("on", None)
        detected = (await daemon.detect("my 3 year old")).json()
        assert detected["profile"] == "on"
        assert detected["findings"][0]["boundary"]["look"] == "soft"
        until = (await daemon.post("/v1/profile/pause", {"minutes": 5})).json()["paused_until"]
        status = (await daemon.post("/v1/status", {})).json()
        assert (status["profile"], status["paused_until"]) == ("paused", until)


async def test_a_kind_of_thing_kept_again_and_again_goes_quiet(serve: Serve) -> None:
    async with serve() as daemon:
        for _ in range(12):
            answer = await daemon.post("/v1/decisions/record", DECISION)
            assert answer.status == 200 and answer.json()["id"] >= 1
        answer = await daemon.post("/v1/detect", {"text": "my 3 year old", "site": "chatgpt.com"})
        boundary = answer.json()["findings"][0]["boundary"]
        assert boundary["look"] == "quiet"
        assert boundary["evidence"] == 12
        assert boundary["why"].startswith("You kept this kind of thing 12 of 12 times")
        assert (boundary["reason"]["accepted"], boundary["reason"]["total"]) == (12, 12)


async def test_recorded_decisions_are_listed_corrected_added_up_and_deleted(serve: Serve) -> None:
    async with serve() as daemon:
        first = (await daemon.post("/v1/decisions/record", DECISION)).json()["id"]
        await daemon.post("/v1/decisions/record", {**DECISION, "decision": "redacted"})
        listed = (await daemon.post("/v1/decisions/list", {"page": 1, "page_size": 10})).json()
        assert [item["phrase"] for item in listed["items"]] == [None, NEEDLE]
        assert listed["total"] == 2
        edited = await daemon.post("/v1/decisions/edit", {"id": first, "decision": "redacted"})
        assert edited.json()["phrase"] is None
        summary = (await daemon.post("/v1/decisions/summary", {"site": "chatgpt.com"})).json()
        assert summary["by_cell"] == [{"accepted": 0, "total": 2, "granularity": 2, "identifiability": 2}]
        deleted = await daemon.post("/v1/decisions/delete", {"filter": {"decision": "redacted"}})
        assert deleted.json() == {"deleted": 2}


async def test_rules_are_added_listed_obeyed_and_removed(serve: Serve) -> None:
    async with serve() as daemon:
        rule = {"rule": "block", "scope": "value", "value": "3 Year Old"}
        added = (await daemon.post("/v1/lists/add", rule)).json()
        assert added["value"] == "3•••d"
        assert (await daemon.post("/v1/lists/get", {})).json() == {"items": [added]}
        assert (await daemon.detect("my 3 year old")).json()["findings"][0]["boundary"]["look"] == "strong"
        assert (await daemon.post("/v1/lists/remove", {"id": added["id"]})).json() == {}
        assert (await daemon.detect("my 3 year old")).json()["findings"][0]["boundary"]["look"] == "soft"
        assert (await daemon.post("/v1/lists/remove", {"id": added["id"]})).json() == {
            "error": "rule_missing"
        }


async def test_settings_are_read_and_changed(serve: Serve) -> None:
    async with serve() as daemon:
        assert (await daemon.post("/v1/profile/settings/get", {})).json()["caution"] == "balanced"
        changed = await daemon.post(
            "/v1/profile/settings/set", {"caution": "relaxed", "retention_days": None}
        )
        assert (changed.json()["caution"], changed.json()["retention_days"]) == ("relaxed", None)
        wrong = await daemon.post("/v1/profile/settings/set", {"caution": "reckless"})
        assert (wrong.status, wrong.json()) == (422, {"error": "schema"})


async def test_calibration_is_asked_and_answered(serve: Serve) -> None:
    async with serve() as daemon:
        first = (await daemon.post("/v1/profile/calibration/get", {})).json()
        assert (first["answered"], first["total"]) == ([], 8)
        answer = {"situation": first["next"]["id"], "sent": [first["next"]["wordings"][0]["id"]]}
        second = (await daemon.post("/v1/profile/calibration/answer", answer)).json()
        assert second["answered"] == [first["next"]["id"]] != [second["next"]["id"]]
        assert (await daemon.post("/v1/profile/calibration/forget", {})).json() == {"deleted": 4}


async def test_placeholders_come_back(serve: Serve) -> None:
    async with serve() as daemon:
        await daemon.post("/v1/placeholders/put", CALLS["/v1/placeholders/put"])
        found = (await daemon.post("/v1/placeholders/get", {"conversation": "c"})).json()
        assert found == {"entries": [{"placeholder": "[A_1]", "value": NEEDLE}]}


async def test_export_is_sealed_and_can_be_imported_after_erasing(serve: Serve) -> None:
    async with serve() as daemon:
        await daemon.post("/v1/decisions/record", DECISION)
        sealed = (await daemon.post("/v1/profile/export", {"passphrase": PASSPHRASE})).json()["sealed"]
        assert NEEDLE not in sealed
        erased = (await daemon.post("/v1/profile/erase", {"confirm": "erase"})).json()
        assert erased["key_deleted"] is True
        assert (await daemon.post("/v1/status", {})).json()["profile"] == "off"
        assert (await daemon.post("/v1/profile/start", {})).json()["mode"] == "on"
        wrong = await daemon.post("/v1/profile/import", {"content": sealed, "passphrase": "another one"})
        assert (wrong.status, wrong.json()) == (403, {"error": "wrong_passphrase"})
        imported = await daemon.post("/v1/profile/import", {"content": sealed, "passphrase": PASSPHRASE})
        assert imported.json()["decisions"] == 1


async def test_erasing_needs_the_word(serve: Serve) -> None:
    async with serve() as daemon:
        answer = await daemon.post("/v1/profile/erase", {"confirm": "yes"})
        assert (answer.status, answer.json()) == (422, {"error": "not_confirmed"})
        assert (await daemon.post("/v1/status", {})).json()["profile"] == "on"


@pytest.mark.parametrize("path", ["/v1/profile/rotate", "/v1/profile/export_plain", "/v1/profile/init"])
async def test_what_only_the_command_line_may_do_is_not_on_http(serve: Serve, path: str) -> None:
    async with serve() as daemon:
        answer = await daemon.post(path, {})
        assert (answer.status, answer.json()) == (404, {"error": "not_found"})


async def test_a_profile_that_is_off_stops_no_detection_and_says_so(serve: Serve, box: Box) -> None:
    box.keyring = LockedKeyring()
    async with serve() as daemon:
        detected = await daemon.detect("my 3 year old and sk-abcdefgh")
        assert detected.status == 200
        assert detected.json()["profile"] == "off"
        looks = [finding["boundary"]["look"] for finding in detected.json()["findings"]]
        assert looks == ["soft", "strong"]
        for path, body in CALLS.items():
            answer = await daemon.post(path, body)
            assert (answer.status, answer.json()) == (409, {"error": "profile_off"}), path


async def test_without_a_place_for_the_key_the_user_is_told_what_to_do(
    serve: Serve, box: Box, said: list[str]
) -> None:
    box.keyring = LockedKeyring()
    async with serve() as daemon:
        status = (await daemon.post("/v1/profile/status", {})).json()
        assert (status["mode"], status["problem"]) == ("off", "no_key_holder")
    assert len(said) == 1 and "--passphrase" in said[0] and "--key-file" in said[0]


async def test_a_locked_profile_stops_no_detection_and_opens_with_its_passphrase(
    serve: Serve, box: Box
) -> None:
    service = box.service()
    service.init("passphrase", passphrase=PASSPHRASE)
    service.close()
    async with serve() as daemon:
        detected = await daemon.detect("my 3 year old")
        assert (detected.status, detected.json()["profile"]) == (200, "locked")
        for path, body in CALLS.items():
            answer = await daemon.post(path, body)
            assert (answer.status, answer.json()) == (423, {"error": "profile_locked"}), path
        wrong = await daemon.post("/v1/profile/unlock", {"passphrase": "another one"})
        assert (wrong.status, wrong.json()) == (403, {"error": "wrong_passphrase"})
        assert (await daemon.post("/v1/profile/unlock", {"passphrase": PASSPHRASE})).json()["mode"] == "on"
        assert (await daemon.post("/v1/decisions/record", DECISION)).status == 200
        assert (await daemon.post("/v1/profile/lock", {})).json()["mode"] == "locked"


@pytest.mark.parametrize("path", sorted(CALLS))
async def test_refusals_do_not_repeat_what_was_sent(serve: Serve, path: str) -> None:
    async with serve() as daemon:
        answer = await daemon.post(path, {**CALLS[path], "unknown": NEEDLE})
        assert (answer.status, answer.json()) == (422, {"error": "schema"})
        assert NEEDLE.encode() not in answer.body


async def test_a_restarted_daemon_remembers(serve: Serve) -> None:
    async with serve() as daemon:
        await daemon.post("/v1/decisions/record", DECISION)
    async with serve() as daemon:
        assert (await daemon.post("/v1/decisions/list", {})).json()["total"] == 1


async def test_a_fault_in_judging_costs_the_boundary_and_not_the_marks(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise RuntimeError(NEEDLE)

    monkeypatch.setattr("limen_profiles.service.ProfileService.judge", fails)
    async with serve() as daemon:
        detected = await daemon.detect("my 3 year old")
        assert detected.status == 200
        assert detected.json()["findings"][0]["boundary"]["look"] == "soft"
        assert NEEDLE.encode() not in detected.body


async def test_started_daemon_shares_its_profile_with_the_commands_and_survives_a_kill(
    tmp_path: Path,
) -> None:
    """The whole way: `limen profile init`, `limen up`, a decision over HTTP, kill -9, `profile show`."""
    where = {"LIMEN_PROFILE_DIR": str(tmp_path / "profile")}
    port = free_port()
    made = limen(tmp_path, "profile", "init", "--key-file", str(tmp_path / "profile.key"), **where)
    assert made.returncode == 0, made.stderr
    async with up(tmp_path, port, **where) as process:
        recorded = await call(tmp_path, port, "/v1/decisions/record", json.dumps(DECISION).encode())
        assert recorded.json() == {"id": 1}
        shown = await asyncio.to_thread(limen, tmp_path, "profile", "show", **where)
        assert NEEDLE in shown.stdout, shown.stderr
        process.kill()
        await process.wait()
    shown = limen(tmp_path, "profile", "show", "--json", **where)
    assert json.loads(shown.stdout)["items"][0]["phrase"] == NEEDLE
