"""How far a quantized model's answers are from the float model's, run by the detector that ships."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from limen_daemon.detector.onnx import OnnxDetector
from limen_quantize.queries import AnnotatedQuery, Language
from limen_quantize.scores import Scores, score, word_count


class Parity(BaseModel):
    """Scores of both models on the same queries. `loss_points`: worst fall of accuracy or F1, in points."""

    model_config = ConfigDict(frozen=True)

    full: dict[Language, Scores]
    quantized: dict[Language, Scores]
    same_answer: float
    """Share of the queries for which both give exactly the same phrases."""

    @property
    def loss_points(self) -> float:
        falls = [
            getattr(self.full[language], name) - getattr(self.quantized[language], name)
            for language in self.full
            for name in ("accuracy", "f1")
        ]
        return 100.0 * max(falls, default=0.0)


def parity(full: Path, quantized: Path, queries: Sequence[AnnotatedQuery]) -> Parity:
    """Run both model folders over `queries` (any annotated queries but the test sets)."""
    answers = {"full": phrases_of(full, queries), "quantized": phrases_of(quantized, queries)}
    scores = {name: _scores(queries, found) for name, found in answers.items()}
    same = sum(a == b for a, b in zip(answers["full"], answers["quantized"], strict=True))
    return Parity(**scores, same_answer=same / len(queries) if queries else 1.0)


def phrases_of(folder: Path, queries: Sequence[AnnotatedQuery]) -> list[list[str]]:
    """The phrases that a model folder finds in each query."""
    detector = OnnxDetector(folder, device="cpu", threads=1)
    try:
        return [[item.phrase for item in detector.detect(query.text).findings] for query in queries]
    finally:
        detector.close()


def _scores(queries: Sequence[AnnotatedQuery], found: Sequence[Sequence[str]]) -> dict[Language, Scores]:
    scores: dict[Language, Scores] = {}
    languages: tuple[Language, ...] = ("en", "zh")
    for language in languages:
        rows = [index for index, query in enumerate(queries) if query.language == language]
        if rows:
            gold = [[queries[i].text[p.start : p.end] for p in queries[i].phrases] for i in rows]
            n_words = [word_count(queries[i].text) for i in rows]
            scores[language] = score(gold, [found[i] for i in rows], language, n_words=n_words)
    return scores
