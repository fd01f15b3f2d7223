"""Chooses the decoding rules on a held-out split of the training data (never on test data)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from limen_daemon.detector.decode import Decoded, DecodedSpan, DecodingRules, apply_rules
from limen_daemon.detector.layout import LabelLayout
from limen_daemon.detector.script import is_han
from limen_quantize.answers import Answer
from limen_quantize.queries import AnnotatedQuery, Language
from limen_quantize.scores import Scores, matches, score, word_count

_LEAK_WEIGHT = 0.7
_MIN_SPAN = 0.6
"""These two are not chosen anew each time: of a few hundred queries, five numbers chosen on one half do no
better on the other half than fixed ones (the model card has the figures)."""
_INSIDE_BIAS = tuple(0.25 * step for step in range(2, 9))
"""A network that has learned a teacher's softened answers is less sure of a phrase's every word than one that
has learned from marks alone, and needs more of it."""
_MIN_LEAK = tuple(round(0.3 + 0.05 * step, 2) for step in range(14))
_ALARM_FINE = 0.006
"""What one false alarm per 1,000 words costs: a tool that cries wolf is switched off."""


def score_with(
    answers: Sequence[Answer], layout: LabelLayout, rules: DecodingRules
) -> dict[Language, Scores]:
    """Scores per language of the answers, decoded by `rules`."""
    scores: dict[Language, Scores] = {}
    languages: tuple[Language, ...] = ("en", "zh")
    for language in languages:
        gold: list[list[str]] = []
        predicted: list[list[str]] = []
        n_words: list[int] = []
        for answer in answers:
            query = answer.query
            if query.language == language:
                own = rules.of(query.text)
                decoded = answer.decoded(layout, inside_bias=own.inside_bias, sure_leak=own.sure_leak)
                gold.append(_gold(query))
                predicted.append(_texts(query, apply_rules(decoded, own)[0]))
                n_words.append(word_count(query.text))
        if gold:
            scores[language] = score(gold, predicted, language, n_words=n_words)
    return scores


def choose_rules(
    answers: Sequence[Answer], layout: LabelLayout
) -> tuple[DecodingRules, dict[Language, Scores]]:
    """The rules with the best mean of accuracy and phrase F1, less a fine for alarms; and what they score.

    Chinese texts get rules of their own when both kinds are there: what a score of 0.8 means differs
    between a remark of six characters and a page of English. The threshold and the bias are chosen, each pair
    judged together with its neighbours, so that a lucky corner of a small split does not win.
    """
    han = [answer for answer in answers if is_han(answer.query.text)]
    other = [answer for answer in answers if not is_han(answer.query.text)]
    rules = _chosen(other or han, layout)
    if han and other:
        rules = rules.model_copy(update={"han": _chosen(han, layout)})
    return rules, score_with(answers, layout, rules)


def _chosen(answers: Sequence[Answer], layout: LabelLayout) -> DecodingRules:
    rows = np.array([_qualities(answers, layout, bias) for bias in _INSIDE_BIAS])
    quality = np.round(_smoothed(rows), 9)
    bias_at, leak_at = np.unravel_index(int(np.argmax(quality)), quality.shape)
    return DecodingRules(
        min_leak=_MIN_LEAK[int(leak_at)],
        min_span=_MIN_SPAN,
        leak_weight=_LEAK_WEIGHT,
        inside_bias=_INSIDE_BIAS[int(bias_at)],
    )


def _qualities(answers: Sequence[Answer], layout: LabelLayout, bias: float) -> npt.NDArray[np.float64]:
    """How good each threshold of `_MIN_LEAK` is."""
    decoded = [answer.decoded(layout, inside_bias=bias) for answer in answers]
    table = _Table.of(decoded, [answer.query for answer in answers], min_span=_MIN_SPAN)
    return np.array([table.quality(_LEAK_WEIGHT, leak) for leak in _MIN_LEAK])


def _smoothed(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Each value's mean with its neighbours in both directions; beyond an end its value goes on, so that the
    fewer neighbours there are no advantage."""
    windows = np.lib.stride_tricks.sliding_window_view(np.pad(values, 1, mode="edge"), (3, 3))
    return np.asarray(windows.mean(axis=(2, 3)))


@dataclass(frozen=True, slots=True)
class _Table:
    """What each query contributes if its phrases are shown, so that a threshold costs no matching again.

    All arrays are float64 (n_queries,); `recall` is 0 without gold phrases, `precision` without found ones.
    """

    leak: npt.NDArray[np.float64]
    best_span: npt.NDArray[np.float64]
    recall: npt.NDArray[np.float64]
    precision: npt.NDArray[np.float64]
    n_found: npt.NDArray[np.float64]
    discloses: npt.NDArray[np.bool_]
    n_words: npt.NDArray[np.float64]

    @classmethod
    def of(cls, decoded: Sequence[Decoded], queries: Sequence[AnnotatedQuery], *, min_span: float) -> _Table:
        open_gate = DecodingRules(min_leak=0.0, min_span=min_span)
        rows = []
        for item, query in zip(decoded, queries, strict=True):
            gold, found = _gold(query), _texts(query, apply_rules(item, open_gate)[0])
            hit = [any(matches(g, f, query.language) for f in found) for g in gold]
            right = [any(matches(g, f, query.language) for g in gold) for f in found]
            best_span = max((s.score for s in item.spans), default=0.0)
            recall, precision = (float(np.mean(x)) if x else 0.0 for x in (hit, right))
            words = word_count(query.text)
            rows.append((item.leak, best_span, recall, precision, len(found), bool(gold), words))
        leak, best, recalls, precisions, n_found, discloses, n_words = np.asarray(rows, dtype=np.float64).T
        return cls(leak, best, recalls, precisions, n_found, discloses.astype(bool), n_words)

    def quality(self, leak_weight: float, min_leak: float) -> float:
        """When texts below `min_leak` show nothing: mean of accuracy and phrase F1, less the fine."""
        score = leak_weight * self.leak + (1.0 - leak_weight) * self.best_span
        shown = (score >= min_leak) & (self.n_found > 0)
        accuracy = float((shown == self.discloses).mean())
        recall = float((self.recall * shown)[self.discloses].mean()) if self.discloses.any() else 0.0
        precision = float(self.precision[shown].mean()) if shown.any() else 0.0
        f1 = 2 * recall * precision / (recall + precision) if recall + precision else 0.0
        quiet = ~self.discloses
        words = float(self.n_words[quiet].sum())
        alarms = 1000 * float((self.n_found * shown)[quiet].sum()) / words if words else 0.0
        return (accuracy + f1) / 2 - _ALARM_FINE * alarms


def _gold(query: AnnotatedQuery) -> list[str]:
    return [query.text[phrase.start : phrase.end] for phrase in query.phrases]


def _texts(query: AnnotatedQuery, spans: Sequence[DecodedSpan]) -> list[str]:
    return [query.text[span.start : span.end] for span in spans]
