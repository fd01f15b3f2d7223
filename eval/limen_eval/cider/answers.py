"""Reading nine YES or NO answers from what a model wrote, as leniently as the published code does.

Strict JSON first, then JSON without trailing commas, then any `variant_N: YES|NO` pairs in the text. An
answer without all nine is a failure: counted, and left out of the accuracy (Guo et al. 2026, B.1).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

_SLOT = re.compile(r"^(?:variant|var|v)?[\s_-]*([1-9])$", re.IGNORECASE)
_PAIR = re.compile(r"""["']?variant[_\s-]?([1-9])["']?\s*[:=]\s*["']?\[?(YES|NO)\b""", re.IGNORECASE)
_TRAILING_COMMA = re.compile(r",(\s*[}\]])")


def read_answers(text: str, order: tuple[int, ...]) -> tuple[bool, ...] | None:
    """The nine answers in the order of `VARIANTS`; `order` maps positions to variants. None if unreadable."""
    for value in _objects(text):
        slots = _slots(value)
        if slots is not None:
            return _in_order(slots, order)
    pairs = {int(match[1]): match[2].upper() == "YES" for match in _PAIR.finditer(text)}
    return _in_order(pairs, order) if len(pairs) == 9 else None


def _in_order(slots: dict[int, bool], order: tuple[int, ...]) -> tuple[bool, ...]:
    answers = [False] * 9
    for position, variant in enumerate(order, 1):
        answers[variant] = slots[position]
    return tuple(answers)


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """Every JSON object that starts somewhere in the text, outermost first."""
    decoder = json.JSONDecoder(strict=False)
    for candidate in (text, _TRAILING_COMMA.sub(r"\1", text)):
        for start in (match.start() for match in re.finditer(r"\{", candidate)):
            try:
                value, _ = decoder.raw_decode(candidate, start)
            except json.JSONDecodeError:
                continue
            if isinstance(value, dict):
                yield value


def _slots(value: dict[str, Any]) -> dict[int, bool] | None:
    predictions = value.get("predictions", value)
    if isinstance(predictions, list):
        predictions = dict(enumerate(predictions, 1)) if len(predictions) == 9 else {}
    if not isinstance(predictions, dict):
        return None
    named = {int(m[1]): said for key, said in predictions.items() if (m := _SLOT.match(str(key).strip()))}
    if not named and len(predictions) == 9:
        # Keyed by the variants' texts, which stand in the order of the prompt.
        named = dict(enumerate(predictions.values(), 1))
    words = {slot: str(said).strip().strip("[]").upper() for slot, said in named.items()}
    if len(words) != 9 or any(word not in ("YES", "NO") for word in words.values()):
        return None
    return {slot: word == "YES" for slot, word in words.items()}
