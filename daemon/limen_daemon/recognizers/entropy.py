"""How random a string looks, in bits per character."""

from __future__ import annotations

import math
from collections import Counter


def bits_per_character(value: str) -> float:
    """Shannon entropy of the characters of `value`; 0 for the empty string."""
    if not value:
        return 0.0
    total = len(value)
    return -sum(count / total * math.log2(count / total) for count in Counter(value).values())
