"""Which script a text is mostly in: decides the decoding rules, the instructions and a query's language."""

from __future__ import annotations

_HAN_SHARE = 0.2


def is_han(text: str) -> bool:
    """Whether at least a fifth of the letters are Han: Chinese, also with Latin words in it."""
    letters = [char for char in text if char.isalpha()]
    return (
        bool(letters) and sum("\u4e00" <= char <= "\u9fff" for char in letters) / len(letters) >= _HAN_SHARE
    )
