"""Reading a language model's answer, as leniently and as strictly as the published scripts do."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from limen_daemon.detector.generative.rows import Row
from limen_eval.privacy.rows import Item

_FENCED = re.compile(r"```(?:json)?\s*\n(.*?)```", re.DOTALL)


def read_json(text: str) -> object:
    """The whole text as JSON, else its last fenced block; None if neither can be read."""
    for candidate in [text, *reversed(_FENCED.findall(text)[-1:])]:
        try:
            return json.loads(candidate)
        except json.JSONDecodeError:
            continue
    return None


def read_judgement(text: str) -> bool | None:
    """`judgment` (or `judgement`) of the answer, or a bare true or false; None if there is no boolean."""
    value = read_json(text)
    if isinstance(value, bool):
        return value
    if not isinstance(value, dict):
        return None
    judgement = value.get("judgment", value.get("judgement"))
    return judgement if isinstance(judgement, bool) else None


def read_phrases(text: str, query: str) -> list[str] | None:
    """The listed phrases that stand in the query, without those inside a longer one; None if unreadable."""
    value = read_json(text)
    if not isinstance(value, list):
        return None
    phrases = [entry for entry in value if isinstance(entry, str) and entry and entry in query]
    return _without_parts(phrases)


def read_items(text: str, query: str) -> list[Item] | None:
    """Phrases with information. Dropped, as published: phrases not in the query or inside a longer one,
    and items without information or with an object as information. None if unreadable."""
    value = read_json(text)
    if not isinstance(value, list):
        return None
    items = []
    for entry in value:
        category = None
        if isinstance(entry, list) and len(entry) == len(Row._fields):
            # What our tuned models write: `[phrase, category, ..., information]`.
            row = Row(*entry)
            category = str(row.category)
            entry = {"phrase": row.phrase, "privacy information": row.information}
        if not isinstance(entry, dict):
            continue
        phrase, information = (
            _first(entry.get("phrase")),
            _first(entry.get("privacy information"), "Leaks privacy"),
        )
        if not isinstance(phrase, str) or not phrase or phrase not in query:
            continue
        if information is None or isinstance(information, dict):
            continue
        items.append(Item(phrase=phrase, information=information, category=category))
    kept = set(_without_parts([item.phrase for item in items]))
    unique = {item.phrase: item for item in reversed(items) if item.phrase in kept}
    return [unique[phrase] for phrase in dict.fromkeys(item.phrase for item in items) if phrase in kept]


def _first(value: object, empty: object = None) -> object:
    """The first element of a list; a model sometimes wraps what should be a string."""
    if isinstance(value, list):
        return value[0] if value else empty
    return value


def _without_parts(phrases: Sequence[str]) -> list[str]:
    distinct = list(dict.fromkeys(phrases))
    return [p for p in distinct if not any(p != other and p in other for other in distinct)]
