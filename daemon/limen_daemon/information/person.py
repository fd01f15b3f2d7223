"""From the first person to the third: I becomes the user, my becomes their."""

from __future__ import annotations

import re

from limen_daemon.information.verbs import ADVERBS, VERBS, plural_form, third_person

_WORD = re.compile(r"[\w$€£¥%]+(?:[’'.,/&-][\w%]+)*|[^\w\s]|\s+")
_LATER = {
    "my": "their", "mine": "theirs", "me": "them", "myself": "themselves", "our": "their", "ours": "theirs",
    "us": "them", "ourselves": "themselves", "i": "they", "we": "they",
}  # fmt: skip
_CONTRACTION = re.compile(r"^(i|we)[’'](m|ve|d|ll|re)$", re.IGNORECASE)
_JOINED = {"im": "is", "ive": "has", "i'm": "is", "ill": "will", "id": "would"}


def tokens(text: str) -> list[str]:
    """Words, signs and white space of `text`; joined they are the text again."""
    return _WORD.findall(text)


def shifted(text: str) -> str:
    """`text` with every first-person word in the third person, as after "The user" has been named."""
    out: list[str] = []
    agree = False
    for token in tokens(text):
        low = token.lower()
        contracted = _CONTRACTION.match(token)
        if contracted:
            out.append("they " + plural_form("'" + contracted.group(2).lower()))
            agree = False
        elif low in _LATER and not (low == "us" and token.isupper()):
            out.append(_LATER[low])
            agree = low in ("i", "we")
        elif agree and not token.isspace():
            out.append(plural_form(token) if low not in ADVERBS else token)
            agree = low in ADVERBS
        else:
            out.append(token)
    return "".join(out)


def as_subject(clause: str, subject: str = "The user") -> str | None:
    """A clause in the first person, with `subject` instead: "I have a cat" gives "The user has a cat".

    "my X ..." gives "The user's X ...". None when the clause begins otherwise.
    """
    parts = tokens(clause)
    if not parts:
        return None
    first = parts[0].lower()
    contracted = _CONTRACTION.match(parts[0])
    if contracted:
        verb = {"m": "is", "re": "is", "ve": "has", "d": "would", "ll": "will"}[contracted.group(2).lower()]
        return f"{subject} {verb}{_rest(parts[1:], verb)}"
    if first == "im" or (first == "ive"):
        return f"{subject} {_JOINED[first]}{_rest(parts[1:], _JOINED[first])}"
    if first in ("my", "our"):
        return f"{subject}'s{shifted(''.join(parts[1:]))}"
    if first in ("i", "we"):
        return f"{subject}{_agreeing(parts[1:])}"
    return None


def _agreeing(parts: list[str]) -> str:
    """The rest of a clause whose first verb (behind adverbs) takes the third person."""
    out: list[str] = []
    for index, part in enumerate(parts):
        low = part.lower()
        if part.isspace() or low in ADVERBS or (low.endswith("ly") and low not in VERBS):
            out.append(part)
            continue
        verb = third_person(part)
        out.append(verb)
        return "".join(out) + _rest(parts[index + 1 :], verb)
    return "".join(out)


def _rest(parts: list[str], verb: str) -> str:
    """The words behind the verb, shifted; a verb joined to a present one by "and" agrees with it."""
    text = shifted("".join(parts))
    if verb.lower() in ("is", "has", "does", "was", "had", "will", "would", "can", "could", "did"):
        return text
    return re.sub(
        r"( and (?:also )?)([a-z]+)(?= )",
        lambda found: found[1] + third_person(found[2]) if found[2] in VERBS else found[0],
        text,
        count=1,
    )
