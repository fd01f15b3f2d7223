"""The kind of stand-in for each category; the rest is kept back under a tag."""

from __future__ import annotations

from collections.abc import Callable

from limen_daemon.findings import Category
from limen_daemon.generalize.terms import terms
from limen_daemon.standins.contacts import contact, identifier
from limen_daemon.standins.names import name
from limen_daemon.standins.numbers import dated, numbered
from limen_daemon.standins.places import address, place
from limen_daemon.standins.wanted import StandIn, Wanted, pick, pool

MAX_PHRASE = 80
"""A stored placeholder has no more characters (`limen_profiles.placeholders`)."""

__all__ = ["StandIn", "Wanted", "make"]


def _employer(wanted: Wanted) -> list[StandIn]:
    phrase = wanted.phrase
    words = phrase.split()
    is_name = (
        all(word[0].isupper() or word in ("of", "and", "&", "the", "for") for word in words)
        if phrase.isascii()
        else False
    )
    if wanted.language == "zh" and not phrase.isascii():
        is_name = (
            any(one.start == 0 for one in terms("zh", "organisations").find(phrase)) and len(phrase) <= 8
        )
    if not is_name:
        return []
    suffix = {"zh": "_zh", "de": "_de", "en": ""}[wanted.language]
    said = pick(wanted, pool(f"company{suffix}"))
    return [StandIn(said, phrase)] if said else []


_MAKERS: dict[Category, Callable[[Wanted], list[StandIn]]] = {
    Category.NAME: name,
    Category.CONTACT: contact,
    Category.IDENTIFIER: identifier,
    Category.ADDRESS: address,
    Category.LOCATION: place,
    Category.EMPLOYER: _employer,
    Category.AGE: numbered,
    Category.FINANCE: numbered,
}


def make(wanted: Wanted) -> tuple[StandIn, ...]:
    """A stand-in for the phrase, then those that go with it (a first name); empty: none fits.

    Chosen by chance, so that nothing about the value follows from it; the conversation's list makes it stay.
    None stands in the text around the phrase. A credential never has one: a made-up key helps nobody.
    """
    phrase = wanted.phrase
    if (
        not phrase.strip()
        or len(phrase) > MAX_PHRASE
        or "\n" in phrase
        or wanted.category is Category.CREDENTIAL
    ):
        return ()
    maker = _MAKERS.get(wanted.category)
    made = dated(wanted) or (maker(wanted) if maker else [])
    kept: dict[str, StandIn] = {}
    for one in made:
        if 0 < len(one.placeholder) <= MAX_PHRASE and wanted.known_for(one.value) is None:
            kept.setdefault(one.value, one)
    if phrase not in kept:
        return ()
    return (kept.pop(phrase), *kept.values())
