"""Which frame says a phrase best: a linear score per frame over what stands around the phrase.

The weights were fitted with `limen quantize frames` on training data (Rouge-L of each frame's sentence
against the annotated one) and lie in `weights_en.json` and `weights_zh.json`: frame -> feature -> weight.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache, partial
from importlib import resources

from limen_daemon.findings import Category, Subject
from limen_daemon.information.clause_en import clause_of, shape_of
from limen_daemon.information.clause_zh import chinese_clause
from limen_daemon.information.features import features_en, features_zh
from limen_daemon.information.frames_en import FRAMES_EN, allowed_frames
from limen_daemon.information.frames_zh import FRAMES_ZH, allowed_frames_zh

Weights = Mapping[str, Mapping[str, float]]
Sentences = dict[str, Callable[[], str | None]]


def options(
    text: str, start: int, end: int, category: Category, subject: Subject, *, chinese: bool
) -> tuple[list[str], Sentences]:
    """The features of a phrase, and its possible sentences by frame (made when called; None: impossible)."""
    related = subject is Subject.RELATED
    if chinese:
        found = chinese_clause(text, start, end)
        names = allowed_frames_zh(category.value, related)
        made: Sentences = {name: partial(FRAMES_ZH[name], found) for name in names}
        return features_zh(found, category.value, related), made
    clause = clause_of(text, start, end)
    shape = shape_of(clause.phrase, clause.previous)
    sentences: Sentences = {}
    for name in allowed_frames(category.value, related):
        frame, shapes = FRAMES_EN[name]
        if shape in shapes:
            sentences[name] = partial(frame, clause)
    return features_en(clause, category.value, related), sentences


def best(features: list[str], sentences: Sentences, weights: Weights) -> str | None:
    """The sentence of the highest-scored frame that can say it; frames without weights come last."""
    scored = []
    for order, name in enumerate(sentences):
        known = weights.get(name)
        score = sum(known.get(feature, 0.0) for feature in features) if known else -1.0
        scored.append((-score, order, name))
    for _, _, name in sorted(scored):
        sentence = sentences[name]()
        if sentence is not None:
            return sentence
    return None


@cache
def shipped_weights(language: str) -> Weights:
    content = (
        resources.files("limen_daemon.information").joinpath(f"weights_{language}.json").read_text("utf-8")
    )
    weights: Weights = json.loads(content)
    return weights
