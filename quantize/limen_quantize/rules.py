"""Chooses the decoding rules on a held-out split of the training data (never on test data)."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from limen_daemon.detector.decode import Decoded, DecodingRules, apply_rules
from limen_quantize.queries import AnnotatedQuery, Language
from limen_quantize.scores import Scores, score

_MIN_LEAK = (0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7)
_MIN_SPAN = (0.35, 0.45, 0.5, 0.55, 0.6, 0.65)
_LEAK_WEIGHT = (0.3, 0.5, 0.7, 1.0)


def score_with(
    decoded: Sequence[Decoded], queries: Sequence[AnnotatedQuery], rules: DecodingRules
) -> dict[Language, Scores]:
    """Scores per language of decoded queries under `rules`."""
    scores: dict[Language, Scores] = {}
    languages: tuple[Language, ...] = ("en", "zh")
    for language in languages:
        gold: list[list[str]] = []
        predicted: list[list[str]] = []
        for item, query in zip(decoded, queries, strict=True):
            if query.language == language:
                gold.append([query.text[p.start : p.end] for p in query.phrases])
                predicted.append([query.text[s.start : s.end] for s in apply_rules(item, rules)[0]])
        if gold:
            scores[language] = score(gold, predicted, language)
    return scores


def choose_rules(
    decoded: Sequence[Decoded], queries: Sequence[AnnotatedQuery], *, inside_bias: float = 0.0
) -> tuple[DecodingRules, dict[Language, Scores]]:
    """The rules with the best mean of accuracy and phrase F1 over the languages, by grid search.

    Each setting is judged together with its neighbours in `min_leak`, so that one lucky value of a small
    split does not win.
    """
    quality: dict[tuple[float, float, float], float] = {}
    for weight, span, leak in itertools.product(_LEAK_WEIGHT, _MIN_SPAN, _MIN_LEAK):
        rules = DecodingRules(min_leak=leak, min_span=span, leak_weight=weight, inside_bias=inside_bias)
        scores = score_with(decoded, queries, rules).values()
        quality[weight, span, leak] = sum(s.accuracy + s.f1 for s in scores) / (2 * len(scores))

    def smoothed(key: tuple[float, float, float]) -> float:
        weight, span, leak = key
        near = [
            quality[weight, s, k] for s in _neighbours(_MIN_SPAN, span) for k in _neighbours(_MIN_LEAK, leak)
        ]
        return sum(near) / len(near)

    weight, span, leak = max(quality, key=smoothed)
    best = DecodingRules(min_leak=leak, min_span=span, leak_weight=weight, inside_bias=inside_bias)
    return best, score_with(decoded, queries, best)


def _neighbours(grid: Sequence[float], value: float) -> Sequence[float]:
    at = grid.index(value)
    return grid[max(0, at - 1) : at + 2]
