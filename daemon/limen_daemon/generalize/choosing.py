"""From what the rules draft to what is offered: checked, without doubles, the most detailed first."""

# ruff: noqa: E501  # patterns and conditions: one a line reads best

from __future__ import annotations

from collections.abc import Callable, Iterator

from limen_daemon.generalize.addresses import addresses
from limen_daemon.generalize.asked import Asked
from limen_daemon.generalize.composed import composed
from limen_daemon.generalize.drafts import Draft, Suggestion
from limen_daemon.generalize.guard import carries, is_sound, reads
from limen_daemon.generalize.identifiers import identifiers
from limen_daemon.generalize.matters import matters
from limen_daemon.generalize.people import people

MAX_SUGGESTIONS = 3
MAX_PHRASE = 300
"""Longer phrases are not details any more: what could be said instead would be a text of its own."""

_RULES: tuple[Callable[[Asked], Iterator[Draft]], ...] = (identifiers, people, addresses, composed, matters)
"""In the order of what they know about a phrase: the next one is asked only if none before had a wording."""


def suggest(asked: Asked) -> tuple[Suggestion, ...]:
    """At most three less detailed wordings that fit in the phrase's place; none where nothing sure can be said.

    Takes well under a millisecond after the first call, which reads the word lists.
    """
    if not asked.phrase.strip() or len(asked.phrase) > MAX_PHRASE or "\n" in asked.phrase.strip():
        return ()
    offered: dict[str, Suggestion] = {}
    for rule in _RULES if asked.is_readable else _RULES[:1]:
        for draft in rule(asked):
            suggestion = _checked(asked, draft)
            if suggestion is not None:
                offered.setdefault(suggestion.text, suggestion)
        if offered:
            break
    ordered = sorted(offered.values(), key=lambda one: -(one.granularity + one.identifiability))
    return tuple(ordered[:MAX_SUGGESTIONS])


def _checked(asked: Asked, draft: Draft) -> Suggestion | None:
    if not is_sound(asked.phrase, draft.text) or carries(
        asked.phrase, draft.text, asked.category, draft.keeps
    ):
        return None
    levels = _reached(asked, draft)
    start = asked.start if draft.start is None else draft.start
    if levels is None or not reads(asked.text[:start], draft.text):
        return None
    return Suggestion(draft.text, start, asked.end, *levels)


def _reached(asked: Asked, draft: Draft) -> tuple[int, int] | None:
    """Granularity and identifiability of the draft; None where neither is lower than the phrase's."""
    before = (asked.granularity, asked.identifiability)
    if draft.step == "kind":
        after = (1, 1)
    elif asked.granularity > 1:
        after = (asked.granularity - 1, min(asked.identifiability, 2))
    else:
        after = (1, max(1, asked.identifiability - 1))
    return after if after < before and after[0] <= before[0] and after[1] <= before[1] else None
