"""Splits training queries into a part to learn from and a held-out part, the same way every time."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from limen_quantize.queries import AnnotatedQuery


def split(
    queries: Sequence[AnnotatedQuery], holdout: float
) -> tuple[list[AnnotatedQuery], list[AnnotatedQuery]]:
    """Hold out about a `holdout` share, chosen by a hash of the text: equal texts never part."""
    kept: list[AnnotatedQuery] = []
    held: list[AnnotatedQuery] = []
    for query in queries:
        digest = hashlib.sha256(" ".join(query.text.lower().split()).encode()).digest()
        draw = int.from_bytes(digest[:8], "big") / 2**64
        (held if draw < holdout else kept).append(query)
    return kept, held
