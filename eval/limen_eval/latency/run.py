"""Measuring several detectors one after the other, each in its own process."""

from __future__ import annotations

import asyncio
import os
import platform
import sys
from collections.abc import Sequence
from typing import Any

from limen_eval.errors import EvalError
from limen_eval.latency.results import DetectorResult, LatencyResult, ProbeOrder
from limen_eval.metrics.rouge import Language
from limen_eval.report.progress import progress
from limen_eval.report.tables import Cell, table


async def measure(
    names: Sequence[str | None],
    *,
    device: str,
    threads: int,
    language: Language,
    lengths: list[int],
    repeats: int,
) -> LatencyResult:
    """Probe every detector; ratios are against the first. Raises: `EvalError` with the probe's reason."""
    detectors: dict[str, DetectorResult] = {}
    with progress("latency", len(names)) as advance:
        for name in names:
            order = ProbeOrder(
                detector=name,
                device=device,
                threads=threads,
                language=language,
                lengths=lengths,
                repeats=repeats,
            )
            result = await _probe(order)
            detectors[name or str(result.detector["id"])] = result
            advance()
    first = next(iter(detectors.values()))
    for result in detectors.values():
        for own, reference in zip(result.lengths, first.lengths, strict=True):
            own.ratio_p50 = own.p50_ms / reference.p50_ms
    return LatencyResult(machine=machine(), threads=threads, language=language, detectors=detectors)


async def _probe(order: ProbeOrder) -> DetectorResult:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "limen_eval.latency.probe",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        output, errors = await process.communicate(order.model_dump_json().encode())
    except BaseException:
        process.kill()
        await process.wait()
        raise
    if process.returncode != 0:
        reason = errors.decode(errors="replace").strip().splitlines()
        raise EvalError(
            f"{order.detector or 'the default detector'}: {reason[-1] if reason else 'the probe died'}"
        )
    return DetectorResult.model_validate_json(output)


def machine() -> dict[str, Any]:
    """What the figures were measured on."""
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    return {
        "system": platform.platform(),
        "processor": platform.processor() or platform.machine(),
        "cores": os.cpu_count(),
        "load_average": load,
    }


def latency_text(result: LatencyResult) -> str:
    """One table of detectors, one of text lengths."""
    heads: list[list[Cell]] = []
    rows: list[list[Cell]] = []
    for name, one in result.detectors.items():
        heads.append(
            [
                name,
                f"{one.cold_start_ms:.0f}",
                f"{one.load_ms:.0f}",
                f"{one.first_ms:.0f}",
                f"{one.peak_rss_mb:.0f}",
            ]
        )
        for own in one.lengths:
            speed = "-" if own.tokens_per_s is None else f"{own.tokens_per_s:.0f}"
            rows.append(
                [
                    name,
                    own.n_characters,
                    own.n_tokens,
                    f"{own.p50_ms:.2f}",
                    f"{own.p95_ms:.2f}",
                    f"{own.p99_ms:.2f}",
                    speed,
                    f"{own.ratio_p50:.3g}",
                ]
            )
    facts = ", ".join(f"{name} {value}" for name, value in result.machine.items())
    return "\n\n".join(
        [
            table(["detector", "cold start ms", "load ms", "first text ms", "peak RSS MiB"], heads),
            table(
                ["detector", "characters", "tokens", "p50 ms", "p95 ms", "p99 ms", "tokens/s", "ratio"], rows
            ),
            f"Ratio: median against the first detector. {result.threads} thread(s). {facts}.",
        ]
    )
