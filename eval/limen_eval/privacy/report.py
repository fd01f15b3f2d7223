"""Tables and figures of a privacy run."""

from __future__ import annotations

from limen_eval.privacy.scores import PrivacyScores
from limen_eval.privacy.summary import summary_text
from limen_eval.records.folder import RunFolder
from limen_eval.report.figures import Series, bars
from limen_eval.report.page import Section


def privacy_section(folder: RunFolder) -> Section:
    """F1 and accuracy by source, and what was found by category."""
    scores = PrivacyScores.model_validate(folder.scores())
    groups = {"all": scores.overall, **scores.by_source}
    figures = {
        "privacy_by_source": bars(
            "Accuracy and F1 by source",
            list(groups),
            [
                Series(
                    "query accuracy",
                    [g.accuracy for g in groups.values()],
                    [g.accuracy_stderr for g in groups.values()],
                ),
                Series(
                    "phrase F1",
                    [g.phrase.f1 for g in groups.values()],
                    [g.phrase.f1_stderr for g in groups.values()],
                ),
                Series(
                    "information F1",
                    [g.information.f1 for g in groups.values()],
                    [g.information.f1_stderr for g in groups.values()],
                ),
            ],
            ylabel="fraction",
        )
    }
    if scores.by_category:
        names = list(scores.by_category)
        figures["privacy_by_category"] = bars(
            "Phrases found by category",
            [f"{name} ({scores.by_category[name].n_gold})" for name in names],
            [Series("recall", [scores.by_category[name].recall for name in names])],
            ylabel="fraction of gold phrases found",
        )
    return Section(summary_text(scores), figures)
