"""Rouge-L F of two texts, by two packages that do not agree.

`rouge_score` (Google) compares sequences of lower-cased alphanumeric words. The scripts published with
Zeng et al. 2025 use the package `rouge` 1.0.1, whose Rouge-L is the summary-level one over *sets* of words:
the text is cut at every full stop, case and punctuation count, repeated words count once. The second is
re-implemented here from that definition so that published tables can be compared to four decimals.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Literal

from limen_eval.errors import EvalError

Flavour = Literal["rouge-score", "published"]
Language = Literal["en", "zh"]
RougeL = Callable[[str, str], float]
"""`(candidate, reference) -> F`, from 0 to 1."""


def rouge_l(flavour: Flavour, language: Language) -> RougeL:
    """Return the Rouge-L function; Chinese is compared character by character in both flavours."""
    if flavour == "published":
        return _published_zh if language == "zh" else _published
    return _google(language)


class _Characters:
    """Every character that is not white space is a token (the interface `rouge_score` expects)."""

    def tokenize(self, text: str) -> list[str]:
        return [character for character in text.lower() if not character.isspace()]


@lru_cache(maxsize=2)
def _google(language: Language) -> RougeL:
    try:
        from rouge_score.rouge_scorer import RougeScorer
    except ImportError as error:
        raise EvalError("rouge-score is not installed: pip install 'limen[eval]'") from error
    scorer = RougeScorer(["rougeL"], tokenizer=_Characters() if language == "zh" else None)

    @lru_cache(maxsize=65_536)
    def score(candidate: str, reference: str) -> float:
        return float(scorer.score(reference, candidate)["rougeL"].fmeasure)

    return score


@lru_cache(maxsize=65_536)
def _published(candidate: str, reference: str) -> float:
    """Summary-level Rouge-L over word sets. Empty text on either side: 0 (the package raises)."""
    candidates, references = _sentences(candidate), _sentences(reference)
    if not candidates or not references:
        return 0.0
    common: set[str] = set()
    for sentence in references:
        for other in candidates:
            common |= _longest_common_words(sentence, other)
    recall = len(common) / len({word for sentence in references for word in sentence})
    precision = len(common) / len({word for sentence in candidates for word in sentence})
    return 2.0 * precision * recall / (precision + recall + 1e-8)


def _published_zh(candidate: str, reference: str) -> float:
    return _published(" ".join(candidate), " ".join(reference))


def _sentences(text: str) -> list[list[str]]:
    """Cut at full stops; white space after the last one is a sentence of one empty word, as published."""
    return [" ".join(part.split()).split(" ") for part in text.split(".") if part]


def _longest_common_words(x: Sequence[str], y: Sequence[str]) -> set[str]:
    """The words of one longest common subsequence; ties go the way the package breaks them."""
    lengths = [[0] * (len(y) + 1) for _ in range(len(x) + 1)]
    for i, a in enumerate(x, 1):
        row, above = lengths[i], lengths[i - 1]
        for j, b in enumerate(y, 1):
            row[j] = above[j - 1] + 1 if a == b else max(above[j], row[j - 1])
    words: set[str] = set()
    i, j = len(x), len(y)
    while i and j:
        if x[i - 1] == y[j - 1]:
            words.add(x[i - 1])
            i, j = i - 1, j - 1
        elif lengths[i - 1][j] > lengths[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return words
