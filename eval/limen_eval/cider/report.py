"""Tables and figures of a CIDER run."""

from __future__ import annotations

from limen_eval.cider.scores import CiderScores
from limen_eval.cider.summary import summary_text
from limen_eval.records.folder import RunFolder
from limen_eval.report.figures import Series, Shift, bars, lines, rate_scatter, shift_scatter
from limen_eval.report.page import Section


def cider_section(folder: RunFolder) -> Section:
    """Errors per variant (shifted from no history where it was run), strata, and accuracy against k."""
    scores = CiderScores.model_validate(folder.scores())
    chosen, base = scores.chosen, scores.by_k.get(0)
    title = f"{scores.predictor}, {scores.protocol}"
    if base is not None and scores.k:
        shifts = [
            Shift(label, (old.fp, old.fn), (new.fp, new.fn))
            for label, new in chosen.variants.items()
            if (old := base.variants[label]).fp is not None
            and old.fn is not None
            and new.fp is not None
            and new.fn is not None
        ]
        scatter = shift_scatter(title, shifts, before="no history", after=f"k={scores.k}")
    else:
        rates = {
            label: (r.fp, r.fn)
            for label, r in chosen.variants.items()
            if r.fp is not None and r.fn is not None
        }
        scatter = rate_scatter(f"{title}, k={scores.k}", rates)
    figures = {
        "cider_fp_fn": scatter,
        "cider_strata": bars(
            f"{title}: accuracy by agreement of the context",
            list(chosen.strata),
            [Series(f"k={scores.k}", list(chosen.strata.values()))],
            ylabel="accuracy",
        ),
    }
    if len(scores.by_k) > 1:
        points = list(scores.by_k.values())
        figures["cider_accuracy_by_k"] = lines(
            f"{title}: accuracy against k",
            [p.k for p in points],
            [Series(scores.predictor, [p.accuracy for p in points], [p.stderr for p in points])],
            xlabel="scenarios in the history",
            ylabel="user-macro accuracy",
        )
    return Section(summary_text(scores), figures)
