"""Articles and plurals: what has to change around an English wording."""

# ruff: noqa: E501  # patterns and conditions: one a line reads best

from __future__ import annotations

import re

_INDEFINITE = re.compile(r"^(?:an?|some)\s+", re.I)
POSSESSIVES = frozenset("my our your his her its their whose".split())
FUNCTION_WORDS = frozenset(
    "a an the and or but so if as at by for from in into of off on onto out over since than that then till to until up with within"
    " without after before during because when where while who whom which whose what how why is are was were be been am has have had"
    " do does did will would can could should may might must not no my our your his her its their this these those i we you he she"
    " it they me us him them now today yesterday tomorrow tonight soon again already also too very just still yet once each every per"
    " next last ago later away back here there alone only about around near please plus via until though although unless".split()
)
"""What may follow a noun phrase without belonging to it; any other word is taken for a noun it describes."""
DETERMINERS = POSSESSIVES | frozenset("the this that these those no any some each every another".split())


def article(noun: str) -> str:
    """ "a" or "an", by the sound a noun phrase begins with."""
    return "an" if re.match(r"(?:(?!uni|use|usu|eu|one\b|once)[aeiou]|hour|honest|heir)", noun, re.I) else "a"


def with_article(noun: str) -> str:
    return f"{article(noun)} {noun}"


def bare(noun: str) -> str:
    """A noun phrase without its indefinite article."""
    return _INDEFINITE.sub("", noun)


def after_determiner(noun: str, previous: str) -> str:
    """`noun` ("a condition") as it stands behind the word `previous`: "my" condition, "a" condition."""
    return bare(noun) if previous in DETERMINERS or previous in ("a", "an") else noun


def describes(rest: str) -> bool:
    """Whether what stands before `rest` is an attribute of a noun in it: "a £300 | fine"."""
    found = re.match(r"[ -](?P<word>[A-Za-z]+)", rest)
    return (
        found is not None and found["word"].lower() not in FUNCTION_WORDS and not found["word"].endswith("ly")
    )
