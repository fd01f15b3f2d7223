"""Tables and the figure of a latency run."""

from __future__ import annotations

from limen_eval.latency.results import LatencyResult
from limen_eval.latency.run import latency_text
from limen_eval.records.folder import RunFolder
from limen_eval.report.figures import Series, lines
from limen_eval.report.page import Section


def latency_section(folder: RunFolder) -> Section:
    """Median time against text length, one line per detector."""
    result = LatencyResult.model_validate(folder.scores())
    first = next(iter(result.detectors.values()))
    figure = lines(
        "Median time by text length",
        [length.n_characters for length in first.lengths],
        [Series(name, [length.p50_ms for length in one.lengths]) for name, one in result.detectors.items()],
        xlabel="characters",
        ylabel="milliseconds",
        log=True,
    )
    return Section(latency_text(result), {"latency_by_length": figure})
