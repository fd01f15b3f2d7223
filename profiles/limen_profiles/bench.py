"""How long the profile takes: `python -m limen_profiles.bench [--rows 100000] [--json]`.

Runs on a profile of its own in a temporary folder, with a key file, on this disk. Medians in milliseconds,
of the clock and of the processor: they differ when the computer is busy with other things. Judging and
learning are timed with 1,000 decisions in the profile, without and with vectors of what their phrases mean
(made-up ones: making a vector is the detector's work).
"""

from __future__ import annotations

import json
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import click
import numpy as np

from limen_profiles import decisions
from limen_profiles.boundary.meanings import Embedding
from limen_profiles.decisions import month_of, phrase_key
from limen_profiles.history import choices_of
from limen_profiles.paths import ProfilePaths
from limen_profiles.phrases import phrase_hash
from limen_profiles.profile import Profile
from limen_profiles.records import Context, DecisionIn, Deletion, Exposure, Filter, PageRequest
from limen_profiles.service import ProfileService, now_ms
from limen_profiles.settings import DAY_MS
from limen_profiles.store.tables import DecisionRow

SITES = ("chatgpt.com", "claude.ai", "gemini.google.com", "chat.deepseek.com", "copilot.microsoft.com")
CATEGORIES = ("health", "finance", "name", "location", "occupation", "relationship", "belief", "intention")
KINDS = ("kept", "sent", "redacted", "generalized")
DAYS = 360
PREDICTION_ROWS = 1000
CHUNK_ROWS = 5000
LEARNED = 10
"""Decisions recorded by one median: all of them stay below the number at which old choices are dropped."""
VECTOR_SIZE = 384


def made_up_rows(count: int, key: bytes, chance: random.Random) -> list[DecisionRow]:
    """Decisions spread over a year, newest last, that look like real ones in length and variety."""
    end = now_ms()
    rows = []
    for number in range(count):
        at = end - round((count - number) / count * DAYS * DAY_MS)
        kind = chance.choice(KINDS)
        phrase = f"a phrase about something, number {number}"
        rows.append(
            DecisionRow(
                decided_at_ms=at,
                month=month_of(at),
                decision=kind,
                phrase=phrase if kind in ("kept", "sent") else None,
                phrase_hash=phrase_hash(key, phrase),
                information=f"The user tells something, number {number}." if kind == "kept" else None,
                category=chance.choice(CATEGORIES),
                subject=chance.choice(("user", "related")),
                granularity=chance.randint(1, 3),
                identifiability=chance.randint(1, 3),
                tier="disclosure",
                site=chance.choice(SITES),
                recipient="ai_provider",
                p_accept=chance.random(),
                detector="limen-e5-small",
            )
        )
    return rows


class Took(NamedTuple):
    """Medians, in milliseconds: by the clock, and of processor time in all threads of this process."""

    wall_ms: float
    cpu_ms: float


def median(action: Callable[[], object], repeat: int) -> Took:
    wall, cpu = [], []
    for _ in range(repeat):
        wall_start, cpu_start = time.perf_counter_ns(), time.process_time_ns()
        action()
        cpu.append((time.process_time_ns() - cpu_start) / 1e6)
        wall.append((time.perf_counter_ns() - wall_start) / 1e6)
    return Took(statistics.median(wall), statistics.median(cpu))


def fill(profile: Profile, count: int, chance: random.Random) -> None:
    rows = made_up_rows(count, profile.vault.call(phrase_key), chance)
    for start in range(0, count, CHUNK_ROWS):
        chunk = rows[start : start + CHUNK_ROWS]
        profile.vault.call(lambda session, chunk=chunk: session.add_all(chunk))  # type: ignore[misc]


def made_up_vectors(texts: Sequence[str], within_s: float) -> Embedding:
    """The same for the same text, of length 1, and at once."""
    rows = np.stack(
        [np.random.default_rng(list(text.encode())).standard_normal(VECTOR_SIZE) for text in texts]
    )
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return Embedding("made-up-1", rows.astype(np.float32))


def understand(profile: Profile) -> None:
    """Give every stored phrase its vector, and wait until the predictor uses them."""
    profile.use_encoder(made_up_vectors)
    while profile.lacks_meaning():
        time.sleep(0.05)


def durations(profile: Profile, decision: DecisionIn, what: str) -> dict[str, Took]:
    """What a judgement and a decision cost."""
    exposure = Exposure.model_validate(decision.model_dump(include=set(Exposure.model_fields)))
    context, key = Context(site=decision.site), profile.vault.call(phrase_key)

    def write() -> DecisionRow:
        return profile.vault.call(
            lambda session: decisions.record(session, decision, at_ms=now_ms(), key=key)
        )

    row = write()
    return {
        f"judge one finding, {what}": median(lambda: profile.judge([exposure], context), 200),
        f"judge ten findings, {what}": median(lambda: profile.judge([exposure] * 10, context), 30),
        f"learn from a decision, {what}": median(
            lambda: profile.learn(choices_of(row, profile.settings())), LEARNED
        ),
        f"write a decision to the disk, {what}": median(write, 100),
        f"record: write and learn, {what}": median(lambda: profile.record(decision), LEARNED),
    }


def measure(folder: Path, rows: int) -> dict[str, Took]:
    """Medians by what was timed. Blocking, about a minute for 100,000 rows."""
    chance = random.Random(1)  # noqa: S311 - made-up rows, the same at every run
    service = ProfileService(ProfilePaths(folder / "profile"))
    service.init("key_file", key_file=folder / "keys" / "profile.key")
    try:
        fill(service.profile(), PREDICTION_ROWS, chance)
        service.lock()
        service.unlock()
        profile = service.profile()
        decision = DecisionIn(
            phrase="a phrase about something",
            information="The user tells something.",
            category="health",
            granularity=2,
            identifiability=2,
            decision="kept",
            site="chatgpt.com",
        )
        begun = now_ms()
        figures = durations(profile, decision, f"{PREDICTION_ROWS} decisions")
        profile.delete(Deletion(filter=Filter(since=begun)))
        understand(profile)
        figures |= durations(profile, decision, f"{PREDICTION_ROWS} decisions with meaning")
        profile.use_encoder(None)
        fill(profile, rows, chance)
        figures |= {
            f"list page 1 of {rows}": median(lambda: profile.page(PageRequest()), 30),
            f"list page 1 of one site of {rows}": median(
                lambda: profile.page(PageRequest(site="claude.ai")), 30
            ),
            f"list last page of {rows}": median(lambda: profile.page(PageRequest(page=rows // 50)), 10),
            f"search of {rows}": median(lambda: profile.page(PageRequest(search="number 77")), 10),
            f"summary of {rows}": median(lambda: profile.summary(Filter()), 20),
            f"summary of one site of {rows}": median(lambda: profile.summary(Filter(site="claude.ai")), 20),
            f"summary since a day of {rows}": median(
                lambda: profile.summary(Filter(since=now_ms() - 200 * DAY_MS)), 10
            ),
            f"record: write and learn, {rows} decisions": median(lambda: profile.record(decision), 100),
            f"change the key of {rows}": median(profile.rotate, 3),
        }
        service.lock()
        figures[f"open a profile of {rows}"] = median(service.unlock, 1)
        return figures
    finally:
        service.close()


@click.command()
@click.option("--rows", default=100_000, show_default=True, type=click.IntRange(1000))
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def bench(rows: int, as_json: bool) -> None:
    """Print how long the profile takes, in milliseconds (medians)."""
    with tempfile.TemporaryDirectory(prefix="limen-bench-") as folder:
        figures = measure(Path(folder), rows)
    if as_json:
        click.echo(json.dumps({what: took._asdict() for what, took in figures.items()}))
        return
    click.echo("      wall        cpu")
    for what, took in figures.items():
        click.echo(f"{took.wall_ms:10.3f} {took.cpu_ms:10.3f} ms  {what}")


if __name__ == "__main__":
    bench()
