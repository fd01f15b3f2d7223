"""Fits the weights by which the daemon chooses a phrase's sentence frame (`limen_daemon.information.choice`).

For each frame, a ridge regression predicts the Rouge-L of the frame's sentence against the annotated one from
the names of what stands around the phrase. Scores are printed from three-fold cross-validation by query.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from limen_daemon.findings import Category, Subject
from limen_daemon.information.choice import best, options
from limen_daemon.information.language import is_chinese
from limen_quantize.queries import AnnotatedQuery, Language
from limen_quantize.scores import rouge_l

FOLDS = 3
_PENALTY = 20.0
_BIAS_PENALTY = 0.1
_CENTRE = 0.55
"""Near the mean score, so that features pull a frame towards the average where little is known."""
_FEWEST_FEATURE = {"en": 8, "zh": 5}
_FEWEST_FRAME = {"en": 25, "zh": 15}
_SMALLEST_WEIGHT = 0.004

Weights = dict[str, dict[str, float]]


@dataclass(frozen=True, slots=True)
class Example:
    """One annotated phrase: its features, each frame's sentence with its Rouge-L, the template's."""

    fold: int
    category: Category
    features: list[str]
    sentences: dict[str, tuple[str, float]]
    template: float
    gold: str


@dataclass(frozen=True, slots=True)
class CategoryScore:
    category: str
    phrases: int
    template: float
    chosen: float


def examples_of(queries: Sequence[AnnotatedQuery], language: Language) -> list[Example]:
    """The examples of one language; phrases without an annotated sentence or category are left out."""
    found: list[Example] = []
    for query in queries:
        chinese = is_chinese(query.text)
        if chinese != (language == "zh"):
            continue
        fold = int(hashlib.sha256(query.text.encode()).hexdigest()[:8], 16) % FOLDS
        for phrase in query.phrases:
            if not phrase.information or phrase.category is None:
                continue
            subject = phrase.subject or Subject.USER
            features, made = options(
                query.text, phrase.start, phrase.end, phrase.category, subject, chinese=chinese
            )
            gold = phrase.information
            said = {name: text for name, make in made.items() if (text := make()) is not None}
            plain = ("用户" if chinese else "The user ") + query.text[phrase.start : phrase.end]
            found.append(
                Example(
                    fold,
                    phrase.category,
                    features,
                    {name: (text, rouge_l(text, gold, language)) for name, text in said.items()},
                    rouge_l(plain, gold, language),
                    gold,
                )
            )
    return found


def fit(examples: Sequence[Example], language: Language) -> Weights:
    """Weights by frame and feature. Features and frames that are too rare get none."""
    counts = Counter(name for example in examples for name in set(example.features))
    index = {
        name: place
        for place, name in enumerate(sorted(n for n, c in counts.items() if c >= _FEWEST_FEATURE[language]))
    }
    frames = sorted({name for example in examples for name in example.sentences})
    weights: Weights = {}
    for frame in frames:
        rows = [example for example in examples if frame in example.sentences]
        if len(rows) < _FEWEST_FRAME[language]:
            continue
        matrix = np.zeros((len(rows), len(index)))
        for row, example in enumerate(rows):
            matrix[row, [index[name] for name in example.features if name in index]] = 1.0
        target = np.array([example.sentences[frame][1] - _CENTRE for example in rows])
        penalty = np.full(len(index), _PENALTY)
        penalty[index["bias"]] = _BIAS_PENALTY
        solved = np.linalg.solve(matrix.T @ matrix + np.diag(penalty), matrix.T @ target)
        weights[frame] = {
            name: round(float(solved[place]), 3)
            for name, place in index.items()
            if abs(solved[place]) >= _SMALLEST_WEIGHT
        }
    return weights


def cross_validated(examples: Sequence[Example], language: Language) -> list[CategoryScore]:
    """Mean Rouge-L per category of the plain template and of the chosen frames, each from the other folds."""
    by_category: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for fold in range(FOLDS):
        weights = fit([example for example in examples if example.fold != fold], language)
        for example in examples:
            if example.fold == fold:
                pair = (example.template, chosen_score(example, weights))
                by_category[example.category.value].append(pair)
                by_category["all"].append(pair)
    return [
        CategoryScore(
            name,
            len(pairs),
            sum(pair[0] for pair in pairs) / len(pairs),
            sum(pair[1] for pair in pairs) / len(pairs),
        )
        for name, pairs in sorted(by_category.items(), key=lambda item: (item[0] != "all", item[0]))
    ]


def chosen_score(example: Example, weights: Weights) -> float:
    scores = dict(example.sentences.values())
    chosen = best(
        example.features,
        {name: partial(str, text) for name, (text, _) in example.sentences.items()},
        weights,
    )
    return scores[chosen] if chosen is not None else 0.0
