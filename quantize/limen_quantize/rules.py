"""Chooses the decoding rules on a held-out split of the training data (never on test data)."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from limen_daemon.detector.decode import Decoded, DecodingRules, apply_rules
from limen_daemon.detector.layout import LabelLayout
from limen_quantize.answers import Answer
from limen_quantize.queries import AnnotatedQuery, Language
from limen_quantize.scores import Scores, score, word_count

_INSIDE_BIAS = (0.0, 0.5, 1.0)
_SURE_LEAK = (0.6, 0.75, 1.0)
_LEAK_WEIGHT = (0.3, 0.5, 0.7, 1.0)
_MIN_SPAN = (0.0, 0.6, 0.7)
_ALARM_FINE = 0.004
"""What one false alarm per 1,000 words costs: a tool that cries wolf is switched off."""
_MIN_LEAK = tuple(round(0.3 + 0.05 * step, 2) for step in range(14))


def score_with(
    decoded: Sequence[Decoded], queries: Sequence[AnnotatedQuery], rules: DecodingRules
) -> dict[Language, Scores]:
    """Scores per language of decoded queries under `rules`."""
    scores: dict[Language, Scores] = {}
    languages: tuple[Language, ...] = ("en", "zh")
    for language in languages:
        gold: list[list[str]] = []
        predicted: list[list[str]] = []
        n_words: list[int] = []
        for item, query in zip(decoded, queries, strict=True):
            if query.language == language:
                gold.append([query.text[p.start : p.end] for p in query.phrases])
                predicted.append([query.text[s.start : s.end] for s in apply_rules(item, rules)[0]])
                n_words.append(word_count(query.text))
        if gold:
            scores[language] = score(gold, predicted, language, n_words=n_words)
    return scores


def choose_rules(
    answers: Sequence[Answer], layout: LabelLayout
) -> tuple[DecodingRules, dict[Language, Scores]]:
    """The rules with the best mean of accuracy and phrase F1 over the languages, less a fine for alarms.

    Each setting is judged together with its neighbours in `min_leak`, so that one lucky value of a small
    split does not win; among equals the first, plainest one does.
    """
    queries = [answer.query for answer in answers]
    best: tuple[float, DecodingRules, dict[Language, Scores]] | None = None
    for bias, sure in itertools.product(_INSIDE_BIAS, reversed(_SURE_LEAK)):
        decoded = [answer.decoded(layout, inside_bias=bias, sure_leak=sure) for answer in answers]
        for weight, span in itertools.product(_LEAK_WEIGHT, _MIN_SPAN):
            tried = [
                DecodingRules(
                    min_leak=leak, min_span=span, leak_weight=weight, inside_bias=bias, sure_leak=sure
                )
                for leak in _MIN_LEAK
            ]
            scores = [score_with(decoded, queries, rules) for rules in tried]
            quality = [_quality(item) for item in scores]
            for at, rules in enumerate(tried):
                near = quality[max(0, at - 1) : at + 2]
                smoothed = sum(near) / len(near)
                if best is None or smoothed > best[0] + 1e-9:
                    best = (smoothed, rules, scores[at])
    assert best is not None
    return best[1], best[2]


def _quality(scores: dict[Language, Scores]) -> float:
    kept = [
        (item.accuracy + item.f1) / 2 - _ALARM_FINE * item.alarms_per_1000_words for item in scores.values()
    ]
    return sum(kept) / max(1, len(kept))
