"""Belongings and pets: a car instead of its make, a dog instead of its breed and name."""

# ruff: noqa: E501  # patterns and conditions: one a line reads best

from __future__ import annotations

import re
from collections.abc import Iterator

from limen_daemon.findings import Category
from limen_daemon.generalize.asked import Asked
from limen_daemon.generalize.drafts import Part
from limen_daemon.generalize.english import DETERMINERS, bare
from limen_daemon.generalize.german import last_word
from limen_daemon.generalize.terms import terms

_WITH_PETS = frozenset(
    {
        Category.POSSESSION,
        Category.RELATIONSHIP,
        Category.BUSINESS,
        Category.HABIT,
        Category.ACTIVITY,
        Category.HEALTH,
    }
)
_PETS = frozenset({"a dog", "a cat", "狗", "猫"})
_MODEL = re.compile(
    r"(?: ?(?:\d{1,4}[A-Za-z]?|Pro|Max|Mini|Ultra|Plus|Air|SE|Hybrid|Sport|[A-Z]\d{1,4}|[A-Z]{2,3})\b)*"
)
_PET_NAME = re.compile(r" [A-Z][a-z]+(?=$|[ ,.;!?'’])")
_YEAR_BEFORE = re.compile(r"(?:19|20)\d\d $")
_OLD_OR_NEW = ("a", "an", "new", "old", "used", "second-hand", "first", "broken")
_ARTICLE_DE = re.compile(
    r"(?P<article>\b(?:einen|meinen|unseren|seinen|ihren|ein|mein|unser|sein|ihr|einem|meinem|unserem|seinem|ihrem) )$",
    re.I,
)
_MODEL_DE = re.compile(
    r"(?: ?(?:\d{1,4}[A-Za-z]{0,3}|GTI|GTE|TDI|Kombi|Variant)\b)?(?: (?:von|Baujahr|aus dem Jahr) (?:19|20)\d\d)?"
)


def things(asked: Asked) -> Iterator[Part]:
    if asked.category not in _WITH_PETS:
        return
    if asked.language == "de":
        yield from _german(asked)
        return
    for found in terms(asked.language, "things").find(asked.phrase):
        pet = found.kind in _PETS
        if not pet and asked.category is not Category.POSSESSION:
            continue
        model = (_PET_NAME if pet else _MODEL).match(asked.phrase, found.end)
        end = model.end() if model else found.end
        if asked.language == "zh":
            end += 1 if pet and asked.phrase[end : end + 1] in ("猫", "犬", "狗") else 0
            yield Part(found.start, end, None, found.kind)
            continue
        year = _YEAR_BEFORE.search(asked.phrase[: found.start])
        start = year.start() if year else found.start
        before = _word_before(asked, start)
        yield Part(
            start,
            end,
            None,
            bare(found.kind) if before in DETERMINERS or before in _OLD_OR_NEW else found.kind,
        )


def _german(asked: Asked) -> Iterator[Part]:
    if asked.category is Category.POSSESSION:
        for car in terms("de", "cars").find(asked.phrase):
            # A car is "der Golf" and "das Auto": the article has to change with it.
            ahead = asked.before + asked.phrase[: car.start]
            article = _ARTICLE_DE.search(ahead)
            if article is None:
                continue
            model = _MODEL_DE.match(asked.phrase, car.end)
            said = article["article"].rstrip()
            neuter = said if said.endswith("em") else said.removesuffix("en")
            start = car.start - len(ahead) + article.start()
            yield Part(start, model.end() if model else car.end, None, f"{neuter} {car.kind}")
    for pet in terms("de", "pets").find(asked.phrase):
        previous = last_word(asked, pet.start)
        if (
            re.match(r"(?:ein|mein|unser|sein|ihr|d(?:er|en|em|ie)$)", previous)
            and not asked.phrase[pet.end : pet.end + 1].isalpha()
        ):
            named = _PET_NAME.match(asked.phrase, pet.end)
            yield Part(pet.start, named.end() if named else pet.end, None, pet.kind)


def _word_before(asked: Asked, start: int) -> str:
    words = re.findall(r"[\w'’-]+", asked.phrase[:start])
    return words[-1].lower() if words else asked.previous
