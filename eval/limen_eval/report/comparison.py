"""Two runs of the same kind side by side, with tests of the differences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from limen_eval.cider.scores import CiderScores
from limen_eval.cider.summary import direction
from limen_eval.errors import RunError
from limen_eval.metrics.spread import Comparison, compare
from limen_eval.privacy.scores import ItemScore, PrivacyScores
from limen_eval.records.folder import RunFolder
from limen_eval.report.tables import Cell, percent, table

_MEASURES = ("correct", "phrase_recall", "phrase_precision", "information_recall", "information_precision")


def compare_runs(a: RunFolder, b: RunFolder) -> dict[str, Any]:
    """Compare B with A. Raises: `RunError` for runs that do not measure the same thing."""
    if a.manifest.kind != b.manifest.kind:
        raise RunError(f"{a.path} is a {a.manifest.kind} run, {b.path} a {b.manifest.kind} run")
    if a.manifest.kind == "privacy":
        return _privacy(PrivacyScores.model_validate(a.scores()), PrivacyScores.model_validate(b.scores()))
    if a.manifest.kind == "cider":
        return _cider(CiderScores.model_validate(a.scores()), CiderScores.model_validate(b.scores()))
    raise RunError("latency runs are compared in one run: repeat --detector")


def _privacy(a: PrivacyScores, b: PrivacyScores) -> dict[str, Any]:
    if a.rouge != b.rouge:
        raise RunError(
            f"the runs were scored with different Rouge-L ({a.rouge}, {b.rouge}): rescore one of them"
        )
    left, right = {i.key: i for i in a.items}, {i.key: i for i in b.items}
    keys = sorted(left.keys() & right.keys())
    if not keys:
        raise RunError("the runs have no query in common")

    def values(items: Mapping[str, ItemScore], measure: str) -> list[float | None]:
        return [getattr(items[key], measure) for key in keys]

    metrics = {measure: _entry(values(left, measure), values(right, measure)) for measure in _MEASURES}
    return {"kind": "privacy", "n_common": len(keys), "metrics": metrics}


def _cider(a: CiderScores, b: CiderScores) -> dict[str, Any]:
    if a.protocol != b.protocol:
        raise RunError(
            f"the runs follow different protocols ({a.protocol}, {b.protocol}), which are never mixed"
        )
    left, right = a.chosen, b.chosen
    users = sorted(left.by_user.keys() & right.by_user.keys())
    if not users:
        raise RunError("the runs have no user in common")
    accuracy = _entry([left.by_user[u] for u in users], [right.by_user[u] for u in users])
    variants = {
        label: {
            "a": {"fp": old.fp, "fn": old.fn},
            "b": {"fp": new.fp, "fn": new.fn},
            "fp_shift": direction(old.fp, new.fp),
            "fn_shift": direction(old.fn, new.fn),
        }
        for label, old in left.variants.items()
        for new in [right.variants[label]]
    }
    return {"kind": "cider", "n_common": len(users), "metrics": {"accuracy": accuracy}, "variants": variants}


def _entry(a: list[float | None] | list[float], b: list[float | None] | list[float]) -> dict[str, Any]:
    tested: Comparison = compare(a, b)
    return {"a": _mean(a), "b": _mean(b), **tested._asdict()}


def _mean(values: list[float | None] | list[float]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def comparison_text(comparison: dict[str, Any]) -> str:
    """Tables: the means with their tests, for CIDER also the shift of each variant's errors."""
    rows: list[list[Cell]] = [
        [
            name,
            percent(m["a"]),
            percent(m["b"]),
            percent(m["difference"]),
            _p_value(m["p_one_sided"]),
            _p_value(m["p_paired"]),
            m["n_paired"],
        ]
        for name, m in comparison["metrics"].items()
    ]
    header = ["", "A %", "B %", "B-A", "p one-sided", "p paired", "n paired"]
    parts = [table(header, rows)]
    if "variants" in comparison:
        shifts: list[list[Cell]] = [
            [
                label,
                percent(v["a"]["fp"]),
                percent(v["a"]["fn"]),
                percent(v["b"]["fp"]),
                percent(v["b"]["fn"]),
                v["fp_shift"],
                v["fn_shift"],
            ]
            for label, v in comparison["variants"].items()
        ]
        parts.append(table(["variant", "A FP", "A FN", "B FP", "B FN", "FP shift", "FN shift"], shifts))
    parts.append(
        "p one-sided: independent t-test, halved, as the published scripts do; p paired: two-sided over "
        "the items "
        f"that both runs scored. Common: {comparison['n_common']}."
    )
    return "\n\n".join(parts)


def _p_value(value: float | None) -> str:
    return "-" if value is None else f"{value:.2g}"
