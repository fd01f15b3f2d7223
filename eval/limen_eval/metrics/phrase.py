"""Phrase level (Zeng et al. 2025, section 4.4 and equation 1): which phrases were found."""

from __future__ import annotations

from collections.abc import Sequence

from limen_eval.metrics.rouge import RougeL

MATCHING_ROUGE_L = 0.5
_IGNORED = str.maketrans("", "", " \n,")


def phrases_match(gold: str, predicted: str, rouge_l: RougeL) -> bool:
    """Two phrases match if one contains the other (see `_bare`) or if their Rouge-L F exceeds 0.5."""
    a, b = _bare(gold), _bare(predicted)
    return a in b or b in a or rouge_l(predicted, gold) > MATCHING_ROUGE_L


def _bare(phrase: str) -> str:
    """The phrase without spaces, newlines and commas, in lower case."""
    return phrase.translate(_IGNORED).lower()


def phrase_recall(gold: Sequence[str], predicted: Sequence[str], rouge_l: RougeL) -> float | None:
    """Share of gold phrases that some prediction matches; None (not scored) without gold phrases."""
    found = gold_found(gold, predicted, rouge_l)
    return sum(found) / len(found) if found else None


def phrase_precision(gold: Sequence[str], predicted: Sequence[str], rouge_l: RougeL) -> float | None:
    """Share of predicted phrases that match some gold phrase; None (not scored) without predictions."""
    right = predicted_right(gold, predicted, rouge_l)
    return sum(right) / len(right) if right else None


def gold_found(gold: Sequence[str], predicted: Sequence[str], rouge_l: RougeL) -> list[bool]:
    """For each gold phrase, whether some prediction matches it."""
    return [any(phrases_match(g, p, rouge_l) for p in predicted) for g in gold]


def predicted_right(gold: Sequence[str], predicted: Sequence[str], rouge_l: RougeL) -> list[bool]:
    """For each predicted phrase, whether some gold phrase matches it."""
    return [any(phrases_match(g, p, rouge_l) for g in gold) for p in predicted]
