"""Case and gender: what has to agree around a German wording."""

from __future__ import annotations

import re

from limen_daemon.generalize.asked import Asked

DATIVE = frozenset(
    "mit von bei zu aus nach seit an in auf unter vor trotz wegen am beim vom zum zur im".split()
)
"""Words a dative stands behind ("wegen einer Krankheit" is a genitive of the same form)."""


def last_word(asked: Asked, start: int) -> str:
    """The word before `start` of the phrase, lower case; "" behind a sign."""
    found = re.search(r"([^\W_]+)[ \u00a0]*$", asked.before + asked.phrase[:start])
    return found.group(1).lower() if found else ""


def dative_of_feminine(noun: str) -> str:
    """ "eine chronische Krankheit" as it stands behind "mit": "einer chronischen Krankheit"."""
    return re.sub(r"^eine ((?:\w+e )*)", lambda found: "einer " + re.sub(r"e ", "en ", found[1]), noun)


def without_article(noun: str) -> str:
    return re.sub(r"^eine? ", "", noun)
