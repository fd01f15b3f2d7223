"""How often a query is seen per epoch: weights of its language and of where it came from."""

from __future__ import annotations

from pathlib import Path

import pytest

from limen_quantize.config import TrainingConfig
from limen_quantize.queries import AnnotatedQuery, Language


@pytest.mark.parametrize(
    ("source", "language", "weight"),
    [
        ("WildChat", "en", 1.0),
        ("PUPA", "en", 1.5),
        ("corpus/en1/work", "en", 0.3),
        ("corpus/en9/work", "en", 1.0),
        ("corpus/en9/travel", "en", 0.5),
        ("corpus/zh1/travel", "zh", 0.6),
    ],
)
def test_the_longest_name_of_a_source_counts(source: str, language: Language, weight: float) -> None:
    config = TrainingConfig(
        base="encoder",
        data=("data",),
        out=Path("out"),
        language_weights={"zh": 2.0},
        source_weights={"corpus": 0.3, "corpus/en9": 1.0, "corpus/en9/travel": 0.5, "PUPA": 1.5},
    )
    query = AnnotatedQuery(id="1", text="text", language=language, source=source)
    assert config.weight_of(query) == pytest.approx(weight)
