"""Which of the two languages a sentence about a text is written in."""

from __future__ import annotations

import re

_HAN = re.compile(r"[\u4e00-\u9fff]")
_SAMPLE = 2000


def is_chinese(text: str) -> bool:
    """Whether a text is written in Chinese: a fifth of its letters (first 2,000 characters) are Han."""
    sample = text[:_SAMPLE]
    han = len(_HAN.findall(sample))
    return han > 0 and han * 5 >= sum(character.isalpha() for character in sample)
