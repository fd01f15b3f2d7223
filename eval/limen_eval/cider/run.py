"""Running a predictor over the held-out cases into a run folder, and scoring what is there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from limen_eval.cider.rows import ContextFacts, Emit, Row
from limen_eval.cider.scores import CiderScores, score_rows, summary_json
from limen_eval.cider.split import Case
from limen_eval.errors import RunError
from limen_eval.records.folder import RunFolder
from limen_eval.report.progress import progress


class Predictor(Protocol):
    """Predicts cases; `describe` goes into the record as `detector`."""

    def describe(self) -> dict[str, Any]: ...

    async def run(self, cases: Sequence[Case], emit: Emit) -> None: ...

    async def close(self) -> None: ...


async def predict(
    folder: RunFolder, by_k: dict[int, list[Case]], facts: ContextFacts, predictor: Predictor
) -> None:
    """Predict every case that the folder has no row for, k by k."""
    done = {Row.model_validate(row).key for row in folder.predictions()}
    total = sum(map(len, by_k.values()))
    with folder.journal() as journal, progress("cider", total, len(done)) as advance:
        for k, cases in by_k.items():
            positions = {(case.participant.id, case.scenario_id): n for n, case in enumerate(cases)}

            def emit(
                case: Case,
                accept: tuple[float, ...] | None,
                detail: str | None = None,
                *,
                k: int = k,
                positions: dict[tuple[str, str], int] = positions,
            ) -> None:
                row = Row(
                    index=positions[case.participant.id, case.scenario_id],
                    k=k,
                    user=case.participant.id,
                    scenario=case.scenario_id,
                    role=case.participant.role,
                    condition=case.participant.condition,
                    truth=case.truth,
                    accept=accept,
                    detail=detail,
                    group=facts.group(case),
                    agreement=facts.agreement(case.context),
                )
                if row.key not in done:
                    journal.append(row.model_dump(mode="json"))
                    advance()

            waiting = [c for c in cases if f"{k}|{c.participant.id}|{c.scenario_id}" not in done]
            if waiting:
                # All cases, not only the waiting ones: chance and fitting depend on the whole set.
                await predictor.run(waiting if predictor.describe()["format"] != "baseline" else cases, emit)


def finish(folder: RunFolder) -> CiderScores:
    """Score the run, write `scores.json` and the summary, and mark it finished."""
    rows = [Row.model_validate(row) for row in folder.predictions()]
    resolved = folder.manifest.resolved
    if not rows:
        raise RunError(f"{folder.path}: no predictions to score")
    scores = score_rows(rows, k=resolved["k"], protocol=resolved["protocol"], predictor=resolved["predictor"])
    if scores.k not in scores.by_k:
        raise RunError(f"{folder.path}: no predictions at k={scores.k} yet; continue with --resume")
    folder.finish(summary_json(scores), scores.model_dump(mode="json"))
    return scores
