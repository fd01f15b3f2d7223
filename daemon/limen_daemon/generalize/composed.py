"""A wording from the details inside a phrase: each is said less exactly, the words around them stay."""

from __future__ import annotations

import re
from collections.abc import Iterator

from limen_daemon.generalize.asked import Asked
from limen_daemon.generalize.drafts import Draft, Part, Step
from limen_daemon.generalize.english import article
from limen_daemon.generalize.parts import parts_of
from limen_daemon.generalize.parts.dates import MONTHS_DE, MONTHS_EN

_ARTICLE_BEFORE = re.compile(r"\b(an?) $", re.I)
_ON_BEFORE = re.compile(r"\b(on|am) (?:the )?$", re.I)
_PREPOSITION_BEFORE = re.compile(r"\b(?:at|on|in|am|aged?) $", re.I)
MONTHS = (*MONTHS_EN, *MONTHS_DE)
_DANGLING_FIRST = re.compile(r"^(?:[,;:.\s]|und |and |or )+", re.I)
_DANGLING_LAST = re.compile(
    r"[,;:\s]+$|\s+(?:of|at|for|in|with|the|a|an|on|to|from|and|or|mit|von|bei|und|oder)$", re.I
)


def composed(asked: Asked) -> Iterator[Draft]:
    parts = parts_of(asked)
    if not parts:
        return
    steps: tuple[Step, ...] = ("less", "kind")
    for step in steps:
        drafted = _compose(asked, parts, step)
        if drafted is not None:
            yield drafted


def _compose(asked: Asked, parts: list[Part], step: Step) -> Draft | None:
    """None where no part has anything for this step."""
    if not any((part.less if step == "less" else part.kind) is not None for part in parts):
        return None
    reach = min(0, parts[0].start)
    text, at = "", reach
    keeps: tuple[str, ...] = ()
    spoken: list[str] = []
    for part in parts:
        wanted, other = (part.less, part.kind) if step == "less" else (part.kind, part.less)
        said = wanted if wanted is not None else other
        if said is None:
            return None
        if wanted is None or step == "less":
            keeps += part.keeps
        between = asked.text[asked.start + at : asked.start + part.start]
        text += _articled(between, said) + said
        at = part.end
        spoken.append(said)
    # "from 41 days to 29 days" would tell nothing, twice.
    if len(spoken) > 1 and spoken[0] and len(set(spoken)) == 1:
        return None
    text = re.sub(r"\s{2,}", " ", text + asked.phrase[at:])
    text = re.sub(r" (?=[,.;:!?])", "", text)
    # Only where a detail went without a word can something be left hanging: "night nurse at" ended so before.
    if not spoken[0] and parts[0].start <= 0:
        text = _DANGLING_FIRST.sub("", text.strip())
    if not spoken[-1] and not asked.phrase[at:].strip():
        text = _DANGLING_LAST.sub("", text.strip())
    text = text.strip()
    if not text:
        return None
    if reach < 0:
        return Draft(text, step, asked.start + reach, keeps)
    return fitted(asked, text, step, keeps)


def _articled(between: str, said: str) -> str:
    """The words before a part, with "a" or "an" as the new words want it."""
    found = _ARTICLE_BEFORE.search(between)
    if found is None or not said:
        return between
    start = found.start(1)
    if re.match(r"(?:an?|some|the|many|several|about|over) ", said, re.I):
        return between[:start]
    return between[:start] + article(said) + " "


def fitted(asked: Asked, text: str, step: Step, keeps: tuple[str, ...] = ()) -> Draft | None:
    """The draft with what stands before the phrase made to agree: "an 8 year old" is "a child" then."""
    if asked.language == "zh":
        return Draft(text, step, keeps=keeps)
    before = asked.before
    start = asked.start
    sentence_start = not before.strip()
    found = _ARTICLE_BEFORE.search(before)
    on = _ON_BEFORE.search(before)
    placed = re.match(r"(?:in|at|on) ", text)
    if found:
        held = found.group(1)
        if re.match(r"(?:an?|some|the|many|several|in|at|from|about|over|my|their) ", text, re.I):
            if re.match(r"about |over ", text):
                text = "roughly " + text.split(" ", 1)[1]
                return (
                    Draft(text, step, keeps=keeps)
                    if held.lower() == "a"
                    else Draft(f"a {text}", step, start - len(found[0]), keeps)
                )
            start -= len(found[0])
        elif article(text) != held.lower():
            text, start = f"{article(text)} {text}", start - len(found[0])
        if start != asked.start and held[0].isupper():
            text = text[0].upper() + text[1:]
    elif on and re.match(r"(?:the |den )?(?:19|20)\d\d", text):
        bare_year = asked.language == "de" and text[:1].isdigit()
        text, start = text if bare_year else f"in {text}", start - len(on[0])
    elif on and re.fullmatch(rf"{'|'.join(MONTHS)}", text):
        text, start = f"{'im' if asked.language == 'de' else 'in'} {text}", start - len(on[0])
    elif placed and _PREPOSITION_BEFORE.search(before):
        ahead = _PREPOSITION_BEFORE.search(before)
        assert ahead is not None
        start -= len(ahead[0])
    if sentence_start and asked.phrase[:1].isupper() and text[:1].islower():
        text = text[0].upper() + text[1:]
    return Draft(text, step, start if start != asked.start else None, keeps)
