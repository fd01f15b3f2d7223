"""Words that tell nothing by themselves: a phrase made only of them is a slip of the tagger."""

from __future__ import annotations

import re

# Pronouns that stand for a thing that is owned ("mine") can answer a question, so they are left out.
_FUNCTION_WORDS = frozenset(
    """
    a an the and or but nor so yet if of in on at to for from by with about as into onto over under after
    before since until than then that this these those which who whom whose what when where why how i me my
    you your he him his she her it its we us our they them their be am is are was were been being do does did
    have has had having will would shall should can could may might must up out all any some each very just
    also only too there here and/or i'm i'll i'd i've it's that's
    """.split()
)
_ALSO_NAMES = frozenset("will may an so do".split())
"""Of these, what with a capital is a name as well; "My" or "The" only begins a sentence."""
_LINKS = frozenset(
    "a an the and or but in on at to for from by with about as of my your our his her their".split()
)
_TAG = re.compile(r"</?[A-Za-z][\w:-]{0,30} ?/?>")
_WORD = re.compile(r"[^\W_]+(?:['’/][^\W_]+)*")


def tells_something(phrase: str) -> bool:
    """Whether `phrase` holds more than English function words and bare markup ("</s>", "<br>").

    Those that are names too count with a capital ("Will"), and all in capitals they are abbreviations ("IT").
    """
    bare = _TAG.sub(" ", phrase)
    words = _WORD.findall(bare)
    if not words:
        return not bare.isascii()
    return any(_tells(word) for word in words)


def without_link(phrase: str) -> str:
    """`phrase` without the words at its end that only lead to what follows: "nurse in" before "Leeds"."""
    while True:
        before, _, last = phrase.rpartition(" ")
        if not before.strip() or last.isupper() or last.lower() not in _LINKS:
            return phrase
        phrase = before.rstrip()


def _tells(word: str) -> bool:
    plain = word.lower().replace("’", "'")
    if plain not in _FUNCTION_WORDS:
        return True
    return (word.isupper() and len(word) > 1 and "'" not in plain) or (
        plain in _ALSO_NAMES and word[0].isupper()
    )
