"""Which held-out queries resemble a training query.

People ask the same thing several times in other words, so a random split leaves near copies of what is held
out in the training data, and the more a network learns by heart the better it looks. Queries that resemble
none tell how it does on what it has never met.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from limen_daemon.detector.script import is_han
from limen_quantize.queries import AnnotatedQuery

UNLIKE = 0.1
"""A query that shares less than this with every training query resembles none."""
COMMON = 200
"""Sequences in so many queries ("I want to") are no likeness."""
_LENGTH = 3
_WORD = re.compile(r"\w+")

Run = tuple[str, ...]
"""Three words, or characters, in a row."""


def unlike(queries: Sequence[AnnotatedQuery], training: Iterable[AnnotatedQuery]) -> list[AnnotatedQuery]:
    """Those of `queries` that resemble none in `training`, in their order."""
    holders: dict[Run, list[int]] = defaultdict(list)
    for number, query in enumerate(training):
        for one in sequences(query.text):
            holders[one].append(number)
    return [query for query in queries if _likeness(sequences(query.text), holders) < UNLIKE]


def fit_for_choosing(
    held_out: Sequence[AnnotatedQuery], training: Iterable[AnnotatedQuery]
) -> list[AnnotatedQuery]:
    """The held-out queries to choose decoding rules by: of each language those that resemble no training
    query, where they are at least half and some of them disclose and some don't; all of it otherwise."""
    far = unlike(held_out, training)
    fit: set[str] = set()
    for language in {query.language for query in held_out}:
        every, few = ([query for query in part if query.language == language] for part in (held_out, far))
        enough = 2 * len(few) >= len(every) and {bool(query.phrases) for query in few} == {True, False}
        fit |= {query.id for query in (few if enough else every)}
    return [query for query in held_out if query.id in fit]


def _likeness(own: set[Run], holders: dict[Run, list[int]]) -> float:
    """The largest share, 0 to 1, of the sequences in `own` that one training query holds."""
    return max(shared_with(own, holders).values(), default=0) / len(own)


def shared_with(own: set[Run], holders: Mapping[Run, Sequence[int]]) -> Counter[int]:
    """How many of `own` each query holds, by its number; what very many hold does not count."""
    shared: Counter[int] = Counter()
    for one in own:
        found = holders.get(one, ())
        if len(found) < COMMON:
            shared.update(found)
    return shared


def sequences(text: str) -> set[Run]:
    """Runs of three words, in Chinese of three characters; a shorter text is one run."""
    if is_han(text):
        parts = [character for character in text if not character.isspace()]
    else:
        parts = _WORD.findall(text.lower())
    return {tuple(parts[at : at + _LENGTH]) for at in range(max(1, len(parts) - _LENGTH + 1))}
