"""Running a method over queries into a run folder, and scoring what is there."""

from __future__ import annotations

from collections.abc import Sequence

from limen_eval.datasets.annotated import AnnotatedQuery
from limen_eval.errors import RunError
from limen_eval.metrics.rouge import Flavour
from limen_eval.privacy.methods import Method
from limen_eval.privacy.rows import Prediction, Row, make_row
from limen_eval.privacy.scores import PrivacyScores, QueryBy, score_rows
from limen_eval.privacy.summary import summary_json
from limen_eval.records.folder import RunFolder
from limen_eval.report.progress import progress


async def predict(folder: RunFolder, queries: Sequence[AnnotatedQuery], method: Method) -> None:
    """Predict every query that the folder has no row for; each row is on disk before the next query."""
    positions = {query.key: index for index, query in enumerate(queries)}
    done = {row["id"] + "#" + str(row["turn"]) for row in folder.predictions()}
    waiting = [query for query in queries if query.key not in done]
    with folder.journal() as journal, progress("privacy", len(queries), len(done)) as advance:

        def emit(query: AnnotatedQuery, prediction: Prediction) -> None:
            journal.append(make_row(positions[query.key], query, prediction).model_dump(mode="json"))
            advance()

        await method.run(waiting, emit)


def score_folder(folder: RunFolder, *, rouge: Flavour, query_by: QueryBy) -> PrivacyScores:
    """Score the rows of a run. Needs no model and no data set."""
    rows = [Row.model_validate(row) for row in folder.predictions()]
    if not rows:
        raise RunError(f"{folder.path}: no predictions to score")
    return score_rows(rows, rouge=rouge, query_by=query_by)


def finish(folder: RunFolder, *, rouge: Flavour, query_by: QueryBy) -> PrivacyScores:
    """Score the run, write `scores.json` and the summary, and mark it finished."""
    scores = score_folder(folder, rouge=rouge, query_by=query_by)
    folder.finish(summary_json(scores, folder.manifest.detector), scores.model_dump(mode="json"))
    return scores
