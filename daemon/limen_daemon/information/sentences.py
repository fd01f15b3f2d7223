"""The sentence of a finding: what the text says of the user, in the third person."""

from __future__ import annotations

import re

from limen_daemon.findings import Category, Subject
from limen_daemon.information.choice import best, options, shipped_weights
from limen_daemon.information.language import clause_is_chinese

_SPACE = re.compile(r"\s+")
_END = ' \t\r\n.,;:!?。，；：！？、…~-–—|*#`"“('
_HANGING = re.compile(r"(?<=\w) (?:in|at|of|with|for|from|on|as|near|and)$", re.I)
_GOES_ON = re.compile(r"\s+\w")
_MAX_CHARACTERS = 300


def sentence(text: str, start: int, end: int, *, category: Category, subject: Subject) -> str:
    """One sentence that restates `text[start:end]` from the clause around it; Chinese for a Chinese clause.

    Takes about 0.1 ms. Says nothing that the clause doesn't say.
    """
    chinese = clause_is_chinese(text, start, end)
    features, sentences = options(text, start, end, category, subject, chinese=chinese)
    said = best(features, sentences, shipped_weights("zh" if chinese else "en"))
    if said is None:
        said = ("用户提到" if chinese else "The user mentions ") + text[start:end]
    said = _SPACE.sub("" if chinese and " " not in text[start:end] else " ", said).strip().rstrip(_END)
    if not chinese and _GOES_ON.match(text, end):
        # A phrase that a detector cut behind "nurse in" still says that somebody is a nurse.
        said = _HANGING.sub("", said)
    if len(said) > _MAX_CHARACTERS:
        said = said[: _MAX_CHARACTERS - 1].rstrip() + "…"
    return f"{said[:1].upper()}{said[1:]}{'。' if chinese else '.'}"
