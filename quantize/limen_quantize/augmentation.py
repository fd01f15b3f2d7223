"""Disturbs training queries the way people type, moving phrase offsets and given answers along."""

from __future__ import annotations

import random
import string
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from limen_quantize.answer_file import CharacterAnswer
from limen_quantize.config import Augmentation
from limen_quantize.encoding import Encoded
from limen_quantize.queries import AnnotatedQuery, MarkedPhrase

_DROPPED = set(".,;:!?'\"，。；：！？、…~")
_SEPARATORS = {"en": (" ", ". ", "\n", "\n\n"), "zh": ("，", "。", " ", "\n")}
_PASTED_LENGTH = 150


@dataclass(frozen=True, slots=True)
class View:
    """A query as it is seen once, and what another network answered to it beforehand, if anything."""

    query: AnnotatedQuery
    answer: CharacterAnswer | None = None


def augment(view: View, chances: Augmentation, neutral: Sequence[View], rng: random.Random) -> View:
    """Return `view` or a disturbed copy. `neutral`: queries of the same language that disclose nothing."""
    result = view
    if neutral and rng.random() < chances.join_neutral:
        other, separator = rng.choice(neutral), rng.choice(_SEPARATORS[view.query.language])
        result = join(result, other, separator, neutral_first=rng.random() < 0.7)
    elif neutral and rng.random() < chances.paste_context:
        few = rng.sample(neutral, min(12, len(neutral)))
        long = [other for other in few if len(other.query.text) > _PASTED_LENGTH]
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
    return result if result.query.text.strip() else view


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


def edit(view: View, change: Callable[[str], str]) -> View:
    """Apply `change` (one character in, its replacement out) to every character and move the offsets."""
    pieces = [change(char) for char in view.query.text]
    ends = [0]
    for piece in pieces:
        ends.append(ends[-1] + len(piece))
    phrases = [
        phrase.model_copy(update={"start": ends[phrase.start], "end": ends[phrase.end]})
        for phrase in view.query.phrases
        if ends[phrase.start] < ends[phrase.end]
    ]
    query = view.query.model_copy(update={"text": "".join(pieces), "phrases": tuple(phrases)})
    answer = view.answer
    if answer is not None:
        answer = answer._replace(inside=np.repeat(answer.inside, np.diff(ends)))
    return View(query, answer)


def join(view: View, neutral: View, separator: str, *, neutral_first: bool) -> View:
    """Put `neutral` before or after `view`. What was answered to one of them only is unknown of the other."""
    shift = len(neutral.query.text) + len(separator) if neutral_first else 0
    parts = (neutral, view) if neutral_first else (view, neutral)
    joined = view.query.model_copy(
        update={
            "text": separator.join(part.query.text for part in parts),
            "phrases": tuple(_moved(phrase, shift) for phrase in view.query.phrases),
        }
    )
    if view.answer is None and neutral.answer is None:
        return View(joined)
    first, second = (part.answer or _unknown(part.query.text) for part in parts)
    between = np.zeros(len(separator), dtype=np.float32)
    inside = np.concatenate([first.inside, between, second.inside])
    return View(joined, CharacterAnswer(inside, 1.0 - (1.0 - first.leak) * (1.0 - second.leak)))


def _unknown(text: str) -> CharacterAnswer:
    return CharacterAnswer(np.full(len(text), np.nan, dtype=np.float32), float("nan"))


def _moved(phrase: MarkedPhrase, shift: int) -> MarkedPhrase:
    return phrase.model_copy(update={"start": phrase.start + shift, "end": phrase.end + shift})
