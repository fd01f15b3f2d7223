"""Choices about phrases alike in meaning pull each other: the shipped model in its own process, a real
encrypted profile, and HTTP in front of both."""

from __future__ import annotations

import asyncio
import os
import statistics
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness.daemon import RunningDaemon, running
from harness.profile import Box, make_exposure
from limen_daemon.lanes.frames import WorkerSpec
from limen_daemon.lanes.process import ProcessLane
from limen_daemon.profile_port import ProfilePort
from limen_daemon.stored_profile import stored_profile
from limen_profiles import Context, Embedding
from limen_profiles import profile as profile_module
from limen_profiles.boundary.meanings import Meanings
from limen_profiles.boundary.state import UserState
from limen_profiles.boundary.traits import phrase_number
from limen_profiles.prediction import Choice, Item

DECIDED = "my knee hurts"
ALIKE = "I have pain in my leg"
UNLIKE = "I was diagnosed with hepatitis B"
OTHER = "have HIV"
GROUPS: dict[str, list[tuple[str, ...]]] = {
    "health": [
        (DECIDED, "pain in my leg", "my left knee has been aching"),
        ("I have type 2 diabetes", "diagnosed with diabetes", "my blood sugar is too high, I'm diabetic"),
        ("I take sertraline", "I'm on antidepressants"),
        ("I have asthma", "my asthma got worse", "trouble breathing, asthma"),
        ("I'm pregnant", "I'm expecting a baby in May"),
        ("I had surgery last week", "I was operated on last week"),
    ],
    "finance": [
        ("I earn 52,000 a year", "my salary is 4,300 a month", "I make about 50k"),
        ("I owe 20k on my card", "my credit card debt"),
        ("my rent is 1,200", "I pay 1,200 in rent"),
        ("I lost my savings in crypto", "all my savings are gone after bitcoin crashed"),
    ],
    "relationship": [
        ("I'm getting divorced", "my wife and I are separating"),
        ("my boyfriend cheated on me", "my partner was unfaithful"),
        ("my sister does not talk to me", "I have no contact with my sister"),
    ],
    "location": [
        ("I live in Porto", "my home is in Porto"),
        ("I am in Berlin this week", "visiting Berlin right now"),
        ("I grew up in a village near Lyon", "my childhood was in rural France"),
    ],
}
"""By category: phrases of one tuple mean much the same."""

Start = Callable[[], AbstractAsyncContextManager[tuple[RunningDaemon, ProcessLane]]]


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Box]:
    made = Box(tmp_path / "person")
    yield made
    made.close()


@asynccontextmanager
async def started(name: str | None = None, *, deadline_s: float = 30.0) -> AsyncIterator[ProcessLane]:
    lane = ProcessLane(WorkerSpec(name=name, device="cpu", threads=1), queue_size=8, deadline_s=deadline_s)
    try:
        await lane.start()
        yield lane
    finally:
        await lane.close()


@pytest.fixture
def start(box: Box, tmp_path: Path) -> Start:
    """The daemon with the shipped detector, over the same profile each time."""

    @asynccontextmanager
    async def open_profile() -> AsyncIterator[ProfilePort]:
        async with stored_profile(None, lambda _: None, service=box.service()) as profile:
            yield profile

    @asynccontextmanager
    async def serve() -> AsyncIterator[tuple[RunningDaemon, ProcessLane]]:
        async with started() as lane:
            limits: dict[str, Any] = {"rate_burst": 1000, "rate_per_s": 1000.0}
            async with running(tmp_path / "state", lane=lane, open_profile=open_profile, **limits) as daemon:
                yield daemon, lane

    return serve


async def decide(daemon: RunningDaemon, decision: str, phrase: str = DECIDED, times: int = 1) -> None:
    body = {
        "decision": decision,
        "phrase": phrase,
        "information": f"The user said: {phrase}.",
        "category": "health",
        "subject": "user",
        "granularity": 2,
        "identifiability": 1,
        "site": "chatgpt.com",
    }
    for _ in range(times):
        assert (await daemon.post("/v1/decisions/record", body)).status == 200


async def chance(daemon: RunningDaemon, text: str) -> float:
    """What the daemon says about the health phrase of `text`."""
    answer = await daemon.post("/v1/detect", {"text": text, "site": "chatgpt.com"})
    (found,) = [one for one in answer.json()["findings"] if one["category"] == "health"]
    return float(found["boundary"]["p_accept"])


async def until(holds: Callable[[], Any], *, within_s: float = 60.0) -> None:
    async with asyncio.timeout(within_s):
        while True:
            if await holds():
                return
            await asyncio.sleep(0.05)


def understood(box: Box, phrases: int) -> Callable[[], Any]:
    """Whether the open profile works with the vectors of so many phrases, and none is to come."""

    async def look() -> bool:
        profile = box.opened[-1].profile()
        known = profile._predictor._reader.understood._settled.values()  # type: ignore[attr-defined]
        return sum(vector is not None for vector in known) == phrases and not profile._choices_lacking()

    return look


async def looked_twice(daemon: RunningDaemon, box: Box, text: str) -> float:
    """The second look has the vector that the first one asked for."""
    understanding = box.opened[-1].profile()._understanding
    assert understanding is not None

    async def is_done() -> bool:
        return not understanding._wanted

    await chance(daemon, text)
    await until(is_done)
    return await chance(daemon, text)


async def test_the_worker_gives_the_vectors_of_the_shipped_model() -> None:
    async with started() as lane:
        encoded = await lane.embed([DECIDED, ALIKE, UNLIKE], within_s=20)
        assert encoded is not None
        assert encoded.encoder == lane.info.id if lane.info else False
        assert encoded.vectors.shape[0] == 3
        assert np.linalg.norm(encoded.vectors, axis=1) == pytest.approx(1.0, abs=1e-5)
        one, alike, unlike = encoded.vectors
        assert one @ alike > one @ unlike + 0.1
        again = await lane.embed([ALIKE], within_s=20)
        assert again is not None
        assert np.array_equal(again.vectors[0], alike), "a vector does not hang on what is asked with it"
        assert (await lane.detect(DECIDED)).findings


async def test_phrases_that_mean_the_same_lie_nearer_and_how_far_apart() -> None:
    async with started() as lane:
        same, other = [], []
        for groups in GROUPS.values():
            placed = []
            for number, group in enumerate(groups):
                encoded = await lane.embed(group, within_s=20)
                assert encoded is not None
                placed += [(number, vector) for vector in encoded.vectors]
            for (a, one), (b, two) in combinations(placed, 2):
                (same if a == b else other).append(1.0 - float(one @ two))
    nearer = sum(a < b for a in same for b in other) / (len(same) * len(other))
    apart, others = statistics.median(same), statistics.median(other)
    print(f"the same {apart:.2f} apart, others {others:.2f}; nearer in {nearer:.0%}")
    assert apart < 0.24 < 0.32 < others
    assert nearer > 0.85


async def test_how_far_choices_move_a_phrase_of_like_meaning() -> None:
    kept, rejected = (
        ("my knee hurts", "my left knee has been aching", "my leg is sore"),
        (
            "diagnosed with hepatitis B",
            "have HIV",
            "have diabetes",
        ),
    )
    asked = ("pain in my leg", "have hepatitis C")
    meanings = Meanings()
    by_words, by_meaning = UserState(None), UserState(None, meanings)
    phrases = [*kept, *rejected, *asked]
    numbers = [phrase_number(_item(phrase)) or 0 for phrase in phrases]
    async with started() as lane:
        encoded = await lane.embed(phrases, within_s=20)
    assert encoded is not None
    meanings.put(numbers, Embedding(*encoded), age=meanings.age)
    found = []
    for state in (by_words, by_meaning):
        for at_ms, (yes, no) in enumerate(zip(kept, rejected, strict=True)):
            state.learn(Choice(_item(yes), True, 1.0, 2 * at_ms))
            state.learn(Choice(_item(no), False, 1.0, 2 * at_ms + 1))
        predicted = state.predict([_item(phrase) for phrase in asked], now_ms=0)
        found.append([one.p_accept for one in predicted])
    (leg_by_words, other_by_words), (leg, other) = found
    print(f"by words {leg_by_words:.2f} and {other_by_words:.2f}, by meaning {leg:.2f} and {other:.2f}")
    assert leg_by_words == other_by_words
    assert other < other_by_words - 0.05 < leg_by_words + 0.05 < leg


async def teach(daemon: RunningDaemon, one: str = "kept", other: str = "redacted") -> None:
    """Three choices about a hurting knee, and between them three of the other kind about an infection."""
    for _ in range(3):
        await decide(daemon, one)
        await decide(daemon, other, OTHER)


@pytest.mark.parametrize("knee", ["kept", "redacted"])
async def test_a_choice_moves_phrases_of_like_meaning_more(start: Start, box: Box, knee: str) -> None:
    async with start() as (daemon, _):
        await teach(daemon, knee, "kept" if knee == "redacted" else "redacted")
        await until(understood(box, 2))
        alike, unlike = await looked_twice(daemon, box, ALIKE), await looked_twice(daemon, box, UNLIKE)
        assert alike > unlike + 0.05 if knee == "kept" else alike < unlike - 0.05


async def test_without_vectors_phrases_that_are_not_the_same_look_the_same(
    start: Start, box: Box, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ProcessLane, "embed", _no_vectors)
    async with start() as (daemon, _):
        await teach(daemon)
        assert await chance(daemon, ALIKE) == await chance(daemon, UNLIKE)


async def test_after_a_restart_kept_phrases_still_pull_and_rejected_ones_have_no_vector(
    start: Start, box: Box
) -> None:
    async with start() as (daemon, _):
        await teach(daemon)
        await until(understood(box, 2))
    async with start() as (daemon, _):
        await until(understood(box, 1))
        assert await looked_twice(daemon, box, ALIKE) > await looked_twice(daemon, box, UNLIKE) + 0.03
        await looked_twice(daemon, box, f"I {OTHER}")
        await until(understood(box, 2))
    async with start() as (daemon, _):
        await until(understood(box, 1))


async def test_deleting_a_decision_forgets_its_vector(start: Start, box: Box) -> None:
    async with start() as (daemon, _):
        await teach(daemon)
        await until(understood(box, 2))
        await daemon.post("/v1/decisions/delete", {"filter": {"decision": "redacted"}})
        await until(understood(box, 1))
        assert len(box.opened[-1].profile()._meanings._vectors) == 1


async def test_no_vector_is_in_the_file(start: Start, box: Box) -> None:
    """Neither in its encrypted bytes nor in what they hold: every value of every table is looked at."""
    async with start() as (daemon, lane):
        await decide(daemon, "redacted", times=2)
        await decide(daemon, "kept", "I have asthma")
        await looked_twice(daemon, box, ALIKE)
        await until(understood(box, 2))
        encoded = await lane.embed([DECIDED, "I have asthma", ALIKE], within_s=20)
        assert encoded is not None
        profile = box.opened[-1].profile()

        def everything(session: Any) -> list[Any]:
            connection = session.connection()
            names = connection.exec_driver_sql("SELECT name FROM sqlite_master WHERE type = 'table'")
            tables = [name for (name,) in names]
            rows = [row for one in tables for row in connection.exec_driver_sql(f'SELECT * FROM "{one}"')]
            return [value for row in rows for value in row]

        values = await asyncio.to_thread(profile._call, everything)
        assert "I have asthma" in values and DECIDED not in values
        assert all(len(value) <= 64 for value in values if isinstance(value, bytes))
        held = b"".join(value if isinstance(value, bytes) else str(value).encode() for value in values)
    for vector in encoded.vectors:
        for kept in (held, box.database_bytes()):
            for number in vector[:16]:
                assert np.float32(number).tobytes() not in kept
            assert f"{vector[0]:.5f}".encode() not in kept


async def test_a_killed_worker_costs_the_meaning_alone_and_it_comes_back(start: Start, box: Box) -> None:
    async with start() as (daemon, lane):
        assert lane._process is not None
        os.kill(lane._process.pid, 9)
        await teach(daemon)
        alike, unlike = [await asyncio.to_thread(judged, box, phrase) for phrase in (ALIKE, UNLIKE)]
        assert 0.0 < alike == unlike < 1.0

        async def is_back() -> bool:
            return (await daemon.detect(DECIDED)).status == 200

        await until(is_back)
        await until(understood(box, 2))
        assert await looked_twice(daemon, box, ALIKE) > await looked_twice(daemon, box, UNLIKE) + 0.05


async def test_a_look_that_hangs_on_meaning_waits_for_it(
    start: Start, box: Box, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with start() as (daemon, _):
        await teach(daemon)
        await decide(daemon, "redacted", OTHER)  # the chance of another phrase now lies near a limit
        await until(understood(box, 2))
        monkeypatch.setattr(profile_module, "JUDGE_WAIT_S", 10.0)
        first = await chance(daemon, ALIKE)
        assert await looked_twice(daemon, box, ALIKE) == pytest.approx(first, abs=1e-6)
        monkeypatch.setattr(profile_module, "JUDGE_WAIT_S", 0.0)
        first = await chance(daemon, UNLIKE)
        assert await looked_twice(daemon, box, UNLIKE) < first - 0.02


async def test_a_look_that_meaning_cannot_change_does_not_wait(
    start: Start, box: Box, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(profile_module, "JUDGE_WAIT_S", 10.0)
    async with start() as (daemon, _):
        await decide(daemon, "redacted", times=6)
        await until(understood(box, 1))
        first = await chance(daemon, ALIKE)
        assert await looked_twice(daemon, box, ALIKE) < first - 0.01


async def test_a_detector_without_vectors_changes_nothing(box: Box, tmp_path: Path) -> None:
    @asynccontextmanager
    async def open_profile() -> AsyncIterator[ProfilePort]:
        async with stored_profile(None, lambda _: None, service=box.service()) as profile:
            yield profile

    text = "My phone is 0151 23456789 and my IBAN is DE89370400440532013000"
    async with started("patterns") as lane:
        assert await lane.embed([DECIDED], within_s=5) is None
        async with running(tmp_path / "state", lane=lane, open_profile=open_profile) as daemon:
            await decide(daemon, "kept", times=3)
            answer = await daemon.post("/v1/detect", {"text": text})
            assert answer.status == 200 and answer.json()["findings"]


async def test_who_asks_for_vectors_behind_a_long_text_is_not_kept_waiting() -> None:
    async with started(deadline_s=120.0) as lane:
        long = "My knee hurts and I earn 52,000 a year in Porto. " * 60
        checking = asyncio.create_task(lane.detect(long))
        await asyncio.sleep(0.05)
        begun = asyncio.get_running_loop().time()
        assert await lane.embed([DECIDED], within_s=0.05) is None
        assert asyncio.get_running_loop().time() - begun < 1.0
        assert (await checking).findings
        assert await lane.embed([DECIDED], within_s=20) is not None


def _item(phrase: str) -> Item:
    return Item("health", "user", 2, 1, "disclosure", "chatgpt.com", "ai_provider", phrase)


def judged(box: Box, phrase: str) -> float:
    (boundary,) = box.opened[-1].judge(
        [make_exposure(phrase, identifiability=1)], Context(site="chatgpt.com")
    )
    assert boundary.p_accept is not None
    return boundary.p_accept


async def _no_vectors(lane: ProcessLane, texts: Sequence[str], *, within_s: float) -> None:
    return None
