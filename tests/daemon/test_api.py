"""The API as the extension calls it: a real server on a real port."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from harness.daemon import DETECT, STATUS, RunningDaemon, running
from harness.small_detector import BrokenDetector
from limen_daemon.findings import Finding
from limen_daemon.lanes.protocol import EmptyLane
from limen_daemon.profile_port import Boundary, ProfilePort, ProfileState
from limen_daemon.routes import ROUTES

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "api.md"


async def test_status_names_the_detector_and_who_checks(daemon: RunningDaemon) -> None:
    answer = await daemon.post(STATUS, {})
    assert answer.status == 200
    body = answer.json()
    assert body.pop("version")
    assert body == {
        "detector": {"id": "small-1", "format": "patterns", "device": "cpu", "languages": ["en"]},
        "checked_by": "patterns",
        "profile": "off",
        "paused_until": None,
    }


async def test_detect_speaks_utf16(daemon: RunningDaemon) -> None:
    text = "\U0001f600 my 3 year old has sk-abcdefgh1"
    body = (await daemon.detect(text)).json()
    javascript = text.encode("utf-16-le")
    for finding in body["findings"]:
        seen = javascript[2 * finding["start"] : 2 * finding["end"]].decode("utf-16-le")
        assert seen == finding["phrase"]
    assert [finding["start"] for finding in body["findings"]] == [6, 21]


async def test_without_a_profile_secrets_look_strong_and_the_rest_soft(daemon: RunningDaemon) -> None:
    body = (await daemon.detect("my 3 year old has sk-abcdefgh1")).json()
    assert [finding["boundary"] for finding in body["findings"]] == [
        {"look": "soft", "p_accept": None, "evidence": 0, "why": None, "reason": None},
        {"look": "strong", "p_accept": None, "evidence": 0, "why": None, "reason": None},
    ]
    assert {key: body[key] for key in ("leak_score", "checked_by", "detector", "profile")} == {
        "leak_score": 0.9,
        "checked_by": "patterns",
        "detector": "small-1",
        "profile": "off",
    }


async def test_a_finding_has_the_fields_the_extension_reads(daemon: RunningDaemon) -> None:
    (finding,) = (await daemon.detect("a 3 year old")).json()["findings"]
    assert set(finding) == {
        "start", "end", "phrase", "category", "subject", "granularity", "identifiability",
        "score", "information", "tier", "source", "boundary",
    }  # fmt: skip


async def test_a_clean_text_has_no_findings_and_says_who_looked(daemon: RunningDaemon) -> None:
    body = (await daemon.detect("How to go from Shanghai to London?")).json()
    assert (body["findings"], body["checked_by"]) == ([], "patterns")


class KnownBoundary:
    async def state(self) -> ProfileState:
        return ProfileState(mode="on")

    async def judge(
        self, findings: Sequence[Finding], *, site: str | None, recipient: str
    ) -> Sequence[Boundary]:
        return [
            Boundary(look="quiet", p_accept=0.93, evidence=7, why=f"{site} {recipient}") for _ in findings
        ]


@asynccontextmanager
async def known_boundary() -> AsyncIterator[ProfilePort]:
    yield KnownBoundary()


async def test_the_profile_decides_how_a_finding_looks(tmp_path: Path) -> None:
    async with running(tmp_path, open_profile=known_boundary) as daemon:
        answer = await daemon.post(DETECT, {"text": "a 3 year old", "site": "chatgpt.com"})
    assert answer.json()["profile"] == "on"
    assert answer.json()["findings"][0]["boundary"] == {
        "look": "quiet",
        "p_accept": 0.93,
        "evidence": 7,
        "why": "chatgpt.com ai_provider",
        "reason": None,
    }


async def test_a_failed_detector_is_an_error_and_its_text_stays_inside(tmp_path: Path) -> None:
    async with running(tmp_path, detector=BrokenDetector()) as daemon:
        answer = await daemon.detect("needle in the text")
    assert (answer.status, answer.json()) == (504, {"error": "detector"})


async def test_without_a_detector_the_daemon_serves_and_says_so(tmp_path: Path) -> None:
    async with running(tmp_path, lane=EmptyLane()) as daemon:
        status = (await daemon.post(STATUS, {})).json()
        answer = await daemon.detect("a 3 year old")
    assert (status["checked_by"], status["detector"]) == ("none", None)
    assert (answer.status, answer.json()) == (503, {"error": "detector_off"})


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"text": 3},
        {"text": None},
        {"text": "a", "more": 1},
        {"text": "a", "site": "https://chatgpt.com/"},
        {"text": "a", "recipient": "AI Provider"},
        {"text": "a" * 100_001},
        [],
        "text",
    ],
    ids=lambda body: repr(body)[:30],
)
async def test_a_body_that_does_not_fit_is_refused(daemon: RunningDaemon, body: object) -> None:
    answer = await daemon.post(DETECT, body)
    assert (answer.status, answer.json()) == (422, {"error": "schema"})
    assert daemon.calls == 0


async def test_the_longest_text_is_checked(daemon: RunningDaemon) -> None:
    assert (await daemon.detect("a" * 99_987 + " a 3 year old")).status == 200


async def test_an_unknown_route_is_not_found(daemon: RunningDaemon) -> None:
    answer = await daemon.post("/v1/nothing", {})
    assert (answer.status, answer.json()) == (404, {"error": "not_found"})


async def test_one_connection_carries_many_requests(daemon: RunningDaemon) -> None:
    import aiohttp

    url = f"http://127.0.0.1:{daemon.port}{DETECT}"
    connector = aiohttp.TCPConnector(limit=1)
    async with aiohttp.ClientSession(connector=connector) as session:
        for age in range(20):
            header, body = daemon.sealed(DETECT, json.dumps({"text": f"a {age} year old"}).encode())
            async with session.post(url, data=body, headers=daemon.headers(authorization=header)) as answer:
                assert answer.status == 200
    assert daemon.texts == [f"a {age} year old" for age in range(20)]


def test_every_route_is_documented_and_every_documented_route_exists() -> None:
    headings = {
        line.removeprefix("### `POST ").rstrip("`")
        for line in DOCUMENT.read_text(encoding="utf-8").splitlines()
        if line.startswith("### `POST ")
    }
    assert headings == {route.path for route in ROUTES}


def test_every_route_is_listed_once() -> None:
    paths = [route.path for route in ROUTES]
    assert len(paths) == len(set(paths))
