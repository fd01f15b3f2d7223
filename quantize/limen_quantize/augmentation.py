"""Disturbs training queries the way people type, moving the phrase offsets along."""

from __future__ import annotations

import random
import string
from collections.abc import Callable, Sequence
from dataclasses import replace

from limen_quantize.config import Augmentation
from limen_quantize.encoding import Encoded
from limen_quantize.queries import AnnotatedQuery, MarkedPhrase

_DROPPED = set(".,;:!?'\"，。；：！？、…~")
_SEPARATORS = {"en": (" ", ". ", "\n", "\n\n"), "zh": ("，", "。", " ", "\n")}
_PASTED_LENGTH = 150


def augment(
    query: AnnotatedQuery, chances: Augmentation, neutral: Sequence[AnnotatedQuery], rng: random.Random
) -> AnnotatedQuery:
    """Return `query` or a disturbed copy. `neutral`: queries of the same language that disclose nothing."""
    result = query
    if neutral and rng.random() < chances.join_neutral:
        result = join(
            result, rng.choice(neutral), rng.choice(_SEPARATORS[query.language]), rng.random() < 0.7
        )
    elif neutral and rng.random() < chances.paste_context:
        long = [
            other for other in rng.sample(neutral, min(12, len(neutral))) if len(other.text) > _PASTED_LENGTH
        ]
        if long:
            result = join(result, long[0], "\n\n", neutral_first=False)
    if rng.random() < chances.no_punctuation:
        result = edit(result, lambda char: "" if char in _DROPPED else char)
    if rng.random() < chances.typos:
        result = edit(result, lambda char: typo(char, rng) if rng.random() < 0.025 else char)
    draw = rng.random()
    if draw < chances.lower_case:
        result = edit(result, lambda char: char.lower() if len(char.lower()) == 1 else char)
    elif draw < chances.lower_case + chances.upper_case:
        result = edit(result, lambda char: char.upper() if len(char.upper()) == 1 else char)
    return result if result.text.strip() else query


def hide_tokens(window: Encoded, unknown_id: int, share: float, rng: random.Random) -> Encoded:
    """Replace about a `share` of the inner tokens by the unknown token; labels stay."""
    if share == 0:
        return window
    inner = [unknown_id if rng.random() < share else token for token in window.ids[1:-1]]
    return replace(window, ids=[window.ids[0], *inner, window.ids[-1]])


def typo(char: str, rng: random.Random) -> str:
    """Drop, double or replace an ASCII letter; any other character stays."""
    if char not in string.ascii_letters:
        return char
    return rng.choice(("", char + char, rng.choice(string.ascii_lowercase)))


def edit(query: AnnotatedQuery, change: Callable[[str], str]) -> AnnotatedQuery:
    """Apply `change` (one character in, its replacement out) to every character and move the offsets."""
    pieces = [change(char) for char in query.text]
    ends = [0]
    for piece in pieces:
        ends.append(ends[-1] + len(piece))
    phrases = [
        phrase.model_copy(update={"start": ends[phrase.start], "end": ends[phrase.end]})
        for phrase in query.phrases
        if ends[phrase.start] < ends[phrase.end]
    ]
    return query.model_copy(update={"text": "".join(pieces), "phrases": tuple(phrases)})


def join(
    query: AnnotatedQuery, neutral: AnnotatedQuery, separator: str, neutral_first: bool
) -> AnnotatedQuery:
    """Put `neutral` before or after `query`."""
    if not neutral_first:
        return query.model_copy(update={"text": query.text + separator + neutral.text})
    shift = len(neutral.text) + len(separator)
    return query.model_copy(
        update={
            "text": neutral.text + separator + query.text,
            "phrases": tuple(_moved(phrase, shift) for phrase in query.phrases),
        }
    )


def _moved(phrase: MarkedPhrase, shift: int) -> MarkedPhrase:
    return phrase.model_copy(update={"start": phrase.start + shift, "end": phrase.end + shift})
