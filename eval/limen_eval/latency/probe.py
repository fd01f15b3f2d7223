"""Runs in a fresh process: `python -m limen_eval.latency.probe`, order on stdin, result on stdout (JSON).

A process of its own, because cold start and peak memory mean nothing in one that has already worked.
"""

from __future__ import annotations

import resource
import sys
import time
from pathlib import Path

from limen_eval.latency.results import DetectorResult, LengthResult, ProbeOrder

WARM_UPS = 3


def peak_rss_mb() -> float:
    """The most memory this process has held, in MiB. macOS counts in bytes, Linux in KiB."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1024 * 1024 if sys.platform == "darwin" else 1024)


def probe(order: ProbeOrder) -> DetectorResult:
    """Load the detector and time it. Blocking for as long as `repeats` and `lengths` ask for."""
    before_mb = peak_rss_mb()
    started = time.perf_counter()
    import numpy as np

    from limen_daemon.detector import load_detector
    from limen_eval.latency.texts import text_of_length

    detector = load_detector(order.detector, device=order.device, threads=order.threads)
    loaded = time.perf_counter()
    detector.detect(text_of_length(order.language, order.lengths[0]))
    answered = time.perf_counter()
    lengths = []
    for n_characters in order.lengths:
        text = text_of_length(order.language, n_characters)
        for _ in range(WARM_UPS):
            detector.detect(text)
        times_ms = []
        for _ in range(order.repeats):
            begin = time.perf_counter()
            detector.detect(text)
            times_ms.append(1000 * (time.perf_counter() - begin))
        p50, p95, p99 = (float(v) for v in np.percentile(times_ms, (50, 95, 99)))
        n_tokens = _count_tokens(order.detector, text)
        lengths.append(
            LengthResult(
                n_characters=n_characters,
                n_tokens=n_tokens,
                n_runs=order.repeats,
                p50_ms=p50,
                p95_ms=p95,
                p99_ms=p99,
                tokens_per_s=None if n_tokens is None else 1000 * n_tokens / p50,
            )
        )
    result = DetectorResult(
        detector=detector.info.model_dump(mode="json"),
        load_ms=1000 * (loaded - started),
        first_ms=1000 * (answered - loaded),
        cold_start_ms=1000 * (answered - started),
        rss_before_mb=before_mb,
        peak_rss_mb=peak_rss_mb(),
        lengths=lengths,
    )
    detector.close()
    return result


def _count_tokens(name: str | None, text: str) -> int | None:
    from limen_daemon.models.registry import PATTERNS, current_model, find_model

    chosen = name or current_model()
    if chosen == PATTERNS:
        return None
    tokenizer: Path = find_model(chosen).folder / "tokenizer.json"
    if not tokenizer.is_file():
        return None
    from tokenizers import Tokenizer

    return len(Tokenizer.from_file(str(tokenizer)).encode(text).ids)


if __name__ == "__main__":
    from limen_daemon.errors import LimenError

    try:
        print(probe(ProbeOrder.model_validate_json(sys.stdin.read())).model_dump_json())
    except LimenError as error:
        print(error, file=sys.stderr)
        raise SystemExit(1) from None
