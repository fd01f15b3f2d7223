"""From rows to the numbers of Tables 2 and 3 of Zeng et al. 2025, per set, source and category."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Literal

import numpy as np
from pydantic import BaseModel

from limen_eval.metrics.information import information_precision, information_recall
from limen_eval.metrics.phrase import gold_found, predicted_right
from limen_eval.metrics.rouge import Flavour, rouge_l
from limen_eval.metrics.spread import f1, f1_stderr, spread
from limen_eval.privacy.rows import Row

QueryBy = Literal["phrases", "score"]
SCORE_THRESHOLD = 0.5


class ItemScore(BaseModel):
    """The scores of one query; None where the query does not take part in a mean."""

    key: str
    correct: float
    phrase_recall: float | None
    phrase_precision: float | None
    information_recall: float | None
    information_precision: float | None


class LevelScore(BaseModel):
    """Recall over the queries with gold items, precision over those with predicted ones."""

    recall: float | None
    precision: float | None
    f1: float | None
    recall_stderr: float | None
    precision_stderr: float | None
    f1_stderr: float | None
    recall_deviation: float | None
    precision_deviation: float | None
    n_recall: int
    n_precision: int


class GroupScore(BaseModel):
    """All levels over one group of queries."""

    n_queries: int
    n_leak: int
    n_not_checked: int
    n_unreadable: int
    accuracy: float | None
    accuracy_stderr: float | None
    accuracy_deviation: float | None
    phrase: LevelScore
    information: LevelScore
    false_alarms_per_1000_words: float | None
    latency_ms_p50: float | None
    latency_ms_p95: float | None


class CategoryScore(BaseModel):
    """Gold phrases of a category that were found; predicted ones of it that were right."""

    n_gold: int
    recall: float | None
    n_predicted: int
    precision: float | None


class PrivacyScores(BaseModel):
    """`scores.json` of a privacy run."""

    rouge: Flavour
    query_by: QueryBy
    overall: GroupScore
    by_source: dict[str, GroupScore]
    by_language: dict[str, GroupScore]
    by_category: dict[str, CategoryScore]
    items: list[ItemScore]


def score_rows(rows: Iterable[Row], *, rouge: Flavour, query_by: QueryBy = "phrases") -> PrivacyScores:
    """Score all rows; the order in which they were predicted does not matter."""
    ordered = sorted(rows, key=lambda row: row.index)
    scored = [(row, _score(row, rouge, query_by)) for row in ordered]
    sources, languages = defaultdict(list), defaultdict(list)
    for row, item in scored:
        sources[row.source].append((row, item))
        languages[row.language].append((row, item))
    return PrivacyScores(
        rouge=rouge,
        query_by=query_by,
        overall=_group(scored),
        by_source={name: _group(part) for name, part in sorted(sources.items())},
        by_language={name: _group(part) for name, part in sorted(languages.items())},
        by_category=_categories(ordered, rouge),
        items=[item for _, item in scored if item is not None],
    )


def says_leak(row: Row, query_by: QueryBy) -> bool:
    """The query-level answer: a judgement if the method gave one, else its score or its phrases."""
    if query_by == "score" and row.prediction.leak_score is not None:
        return row.prediction.leak_score >= SCORE_THRESHOLD
    if row.prediction.leaks is not None:
        return row.prediction.leaks
    return bool(row.predicted_phrases)


def _score(row: Row, rouge: Flavour, query_by: QueryBy) -> ItemScore | None:
    if row.prediction.failure == "not_checked":
        return None
    similar = rouge_l(rouge, row.language)
    gold, predicted = row.gold_phrases, row.predicted_phrases
    found, right = gold_found(gold, predicted, similar), predicted_right(gold, predicted, similar)
    return ItemScore(
        key=row.key,
        correct=float(says_leak(row, query_by) == bool(row.gold)),
        phrase_recall=sum(found) / len(found) if found else None,
        phrase_precision=sum(right) / len(right) if right else None,
        information_recall=information_recall(row.gold_information, row.predicted_information, similar),
        information_precision=information_precision(row.gold_information, row.predicted_information, similar),
    )


def _group(pairs: Sequence[tuple[Row, ItemScore | None]]) -> GroupScore:
    items = [item for _, item in pairs if item is not None]
    accuracy = spread([item.correct for item in items])
    clean = [row for row, item in pairs if item is not None and not row.gold]
    n_clean_words = sum(row.n_words for row in clean)
    n_alarms = sum(len(row.predicted_phrases) for row in clean)
    latencies = [row.prediction.latency_ms for row, _ in pairs if row.prediction.latency_ms is not None]
    return GroupScore(
        n_queries=len(pairs),
        n_leak=sum(bool(row.gold) for row, _ in pairs),
        n_not_checked=len(pairs) - len(items),
        n_unreadable=sum(row.prediction.failure == "unreadable" for row, _ in pairs),
        accuracy=accuracy.mean,
        accuracy_stderr=accuracy.stderr,
        accuracy_deviation=accuracy.deviation,
        phrase=_level([i.phrase_recall for i in items], [i.phrase_precision for i in items]),
        information=_level([i.information_recall for i in items], [i.information_precision for i in items]),
        false_alarms_per_1000_words=1000 * n_alarms / n_clean_words if n_clean_words else None,
        latency_ms_p50=float(np.percentile(latencies, 50)) if latencies else None,
        latency_ms_p95=float(np.percentile(latencies, 95)) if latencies else None,
    )


def _level(recalls: Sequence[float | None], precisions: Sequence[float | None]) -> LevelScore:
    recall = spread([value for value in recalls if value is not None])
    precision = spread([value for value in precisions if value is not None])
    return LevelScore(
        recall=recall.mean,
        precision=precision.mean,
        f1=f1(recall.mean, precision.mean),
        recall_stderr=recall.stderr,
        precision_stderr=precision.stderr,
        f1_stderr=f1_stderr(recalls, precisions),
        recall_deviation=recall.deviation,
        precision_deviation=precision.deviation,
        n_recall=recall.n,
        n_precision=precision.n,
    )


def _categories(rows: Sequence[Row], rouge: Flavour) -> dict[str, CategoryScore]:
    found: dict[str, list[bool]] = defaultdict(list)
    right: dict[str, list[bool]] = defaultdict(list)
    for row in rows:
        if row.prediction.failure == "not_checked":
            continue
        similar = rouge_l(rouge, row.language)
        for item, hit in zip(
            row.gold, gold_found(row.gold_phrases, row.predicted_phrases, similar), strict=True
        ):
            if item.category:
                found[item.category].append(hit)
        hits = predicted_right(row.gold_phrases, [i.phrase for i in row.prediction.items], similar)
        for item, hit in zip(row.prediction.items, hits, strict=True):
            if item.category:
                right[item.category].append(hit)
    return {
        name: CategoryScore(
            n_gold=len(found[name]),
            recall=sum(found[name]) / len(found[name]) if found[name] else None,
            n_predicted=len(right[name]),
            precision=sum(right[name]) / len(right[name]) if right[name] else None,
        )
        for name in sorted(found.keys() | right.keys())
    }
