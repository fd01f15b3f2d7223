"""By which held-out queries a run's decoding rules are chosen, and what its record then says."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from limen_quantize.answer_file import GivenAnswer
from limen_quantize.queries import AnnotatedQuery, Language, MarkedPhrase

pytestmark = pytest.mark.train
pytest.importorskip("torch", reason="needs the train extra")

KEPT = [AnnotatedQuery(id="k", text="please write a letter to my landlord", language="en", source="s")]
NEAR = "write a letter to my landlord"
FAR = ("how do tides work at night", "nurses strike over weekend shifts again")


def held_out(text: str, *, discloses: bool, language: Language = "en") -> AnnotatedQuery:
    phrases = (MarkedPhrase(start=0, end=len(text.split()[0])),) if discloses else ()
    return AnnotatedQuery(id=text, text=text, phrases=phrases, language=language, source="s")


def record_of(queries: list[AnnotatedQuery], kept: Sequence[AnnotatedQuery] = KEPT) -> Any:
    """A run's record after a network has answered `queries` rightly; it held other scores before."""
    from limen_quantize.config import TrainingConfig
    from limen_quantize.record import RunRecord
    from limen_quantize.scores import Scores
    from limen_quantize.teaching.run import as_answer
    from limen_quantize.training_run import choose_by_held_out

    earlier = Scores(n_queries=99, accuracy=0.1, recall=0.1, precision=0.1, f1=0.1, alarms_per_1000_words=9.0)
    record = RunRecord(
        state="started",
        started_at="",
        command="",
        given={},
        config=TrainingConfig(base="encoder", data=("data",), out=Path("out")),
        data=(),
        n_train=1,
        n_held_out=len(queries),
        versions={},
        held_out_unlike={"en": earlier},
    )
    answers = []
    for query in queries:
        end = len(query.text.split()[0])
        inside = 0.98 if query.phrases else 0.01
        given = GivenAnswer(
            np.array([[0, end], [end, len(query.text)]], dtype=np.int32),
            np.array([[1 - inside, inside, 0.0], [0.98, 0.01, 0.01]], dtype=np.float32),
            inside,
        )
        answers.append(as_answer(query, given))
    choose_by_held_out(record, answers, kept)
    return record


def test_those_that_resemble_no_training_query_decide_and_are_scored_apart() -> None:
    record = record_of(
        [held_out(NEAR, discloses=False), held_out(FAR[0], discloses=False), held_out(FAR[1], discloses=True)]
    )
    assert record.held_out["en"].n_queries == 3
    assert record.held_out_unlike["en"].n_queries == 2
    assert record.decoding_from.endswith("resemble no training query")


def test_all_decide_where_those_are_of_one_kind_only_and_no_earlier_score_stays() -> None:
    record = record_of([held_out(NEAR, discloses=True), held_out(FAR[0], discloses=False)])
    assert record.held_out["en"].n_queries == 2
    assert record.held_out_unlike == {}
    assert record.decoding_from == "held-out queries of the training data"


def test_the_record_names_the_languages_in_which_the_unlike_ones_decided() -> None:
    near = "我 想给房东写一封信"
    kept = [*KEPT, AnnotatedQuery(id="z", text=near, language="zh", source="s")]
    english = [held_out(FAR[0], discloses=False), held_out(FAR[1], discloses=True)]
    chinese = [
        held_out(near, discloses=True, language="zh"),
        held_out(near + "吧", discloses=False, language="zh"),
    ]
    record = record_of([held_out(NEAR, discloses=False), *english, *chinese], kept)
    assert set(record.held_out) == {"en", "zh"}
    assert set(record.held_out_unlike) == {"en"}
    assert record.decoding_from.endswith(", in en those that resemble no training query")


def test_variants_of_a_query_do_not_make_its_likeness_unlike() -> None:
    """Sequences that stand in very many texts say nothing; unannotated variants must not count as such."""
    copies = [
        AnnotatedQuery(id=f"v{n}", text=f"{KEPT[0].text} {n}", language="en", source="u", annotated=False)
        for n in range(400)
    ]
    queries = [
        held_out(NEAR, discloses=False),
        held_out(FAR[0], discloses=False),
        held_out(FAR[1], discloses=True),
    ]
    assert record_of(queries, [*KEPT, *copies]).held_out_unlike["en"].n_queries == 2
