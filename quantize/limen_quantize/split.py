"""Splits training queries into a part to learn from and a held-out part, the same way every time."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from limen_quantize.queries import AnnotatedQuery


def split(
    queries: Sequence[AnnotatedQuery], holdout: float
) -> tuple[list[AnnotatedQuery], list[AnnotatedQuery]]:
    """Hold out about a `holdout` share, chosen by a hash of the text: equal texts never part.

    Only real queries are held out where there are any: the written corpus is easier, so it would flatter.
    """
    kept: list[AnnotatedQuery] = []
    held: list[AnnotatedQuery] = []
    any_real = any(not is_written(query) for query in queries)
    for query in queries:
        if any_real and is_written(query):
            kept.append(query)
            continue
        digest = hashlib.sha256(" ".join(query.text.lower().split()).encode()).digest()
        draw = int.from_bytes(digest[:8], "big") / 2**64
        (held if draw < holdout else kept).append(query)
    return kept, held


def is_written(query: AnnotatedQuery) -> bool:
    """Whether the query was written for training (the inline-mark corpus), not typed by a user."""
    return query.source.startswith("corpus/")
