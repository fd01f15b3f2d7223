"""An untuned language model, asked through `limen eval privacy`: the baseline that tuning has to beat."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Literal

from limen_quantize.report.examples import write_examples
from limen_quantize.report.measurement import Line
from limen_quantize.report.scoring import run_limen, scores_of

Style = Literal["zero-shot", "icl"]
_NAMES: dict[Style, str] = {"zero-shot": "zero-shot", "icl": "5-shot"}


def prompted_line(
    gguf: Path,
    style: Style,
    data: Path,
    language: str,
    folder: Path,
    *,
    examples: str | None,
    threads: int,
    constrain: bool = False,
) -> Line:
    """One line for the model `gguf` asked in `style` about the queries of `data`.

    `icl` shows five annotated queries from `examples` (training data). `folder` becomes the run's.
    """
    shown: list[str | Path] = []
    if examples is not None:
        file = folder.with_name(f"{folder.name}-examples.json")
        write_examples(examples, language, file)
        shown = ["--examples", file, "--skip-bad", "all"]
    result = run_limen(
        [
            *("eval", "privacy", "--method", style, "--gguf", gguf),
            *("--data", data, "--language", language, "--out", folder, "--json", "-"),
            *("--threads", str(threads), "--concurrency", "1", "--max-tokens", "256"),
            *shown,
            *(("--constrain",) if constrain else ()),
        ]
    )
    latency = result.get("latency_ms") or {}
    overall = json.loads((folder / "scores.json").read_text(encoding="utf-8"))["overall"]
    return Line(
        model=f"{gguf.stem}, {_NAMES[style]}{', JSON enforced' if constrain else ''}",
        format="gguf",
        device=str(result["detector"].get("device", "cpu")),
        language=language,
        file_mb=gguf.stat().st_size / 1e6,
        load_s=None,
        peak_mb=None,
        words_per_s=None,
        p50_ms=latency.get("p50"),
        p95_ms=latency.get("p95"),
        not_checked=overall["n_not_checked"],
        unreadable=overall["n_unreadable"],
        scores=scores_of(result),
    )
