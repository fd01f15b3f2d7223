"""Places: a city becomes its region or country, a country its continent."""

# ruff: noqa: E501  # patterns and conditions: one a line reads best

from __future__ import annotations

import re
from collections.abc import Iterator

from limen_daemon.findings import Category
from limen_daemon.generalize.asked import Asked
from limen_daemon.generalize.drafts import Part
from limen_daemon.generalize.english import describes
from limen_daemon.information.verbs import VERBS
from limen_daemon.places import City, Country, Region, gazetteer

_PLACED = frozenset({Category.LOCATION, Category.ADDRESS})
_UNPLACED = frozenset({Category.NAME, Category.CONTACT, Category.IDENTIFIER, Category.CREDENTIAL})
_PART_OF_NAME = re.compile(
    r"区|县|机场|火车站|[东西南北]?站|仓|路|街|镇|村|乡|大学|医院|学院|话|菜|大桥|社|银行|[湖山江河寺岛城云]"
)
_AT_ZH = tuple("在去到从来回往住于自飞发离")
_TO_WORDS = frozenset("in to from near around via outside through leaving visiting visit leave is".split())
_TO = re.compile(
    r"\b(?:in|to|from|near|at|of|around|via|outside|through|leave|leaving|visit(?:ing)?|nach|aus|bei|von)(?: the)?\s*$",
    re.I,
)
_NAMED_AFTER = re.compile(
    r"(?: [A-Z][\w'’-]+){0,3} (?:School|Elementary|Primary|High|Middle|Academy|College|University|Hospital|Clinic|Street|Road|Avenue|Park|Church|Library|Council|Bank|United|Airport|Station)\b"
)
# Words that are also cities: only with a preposition before them.
_WORDS = frozenset(
    "nice reading bath mobile orange of date man split most best chat same home sale deal hull march bar bay lens tours ripon china turkey jordan georgia"
    " chad march sandy kent union independence enterprise liberty hope paradise wall batman dame".split()
)


def places(asked: Asked) -> Iterator[Part]:
    if asked.category in _UNPLACED:
        return
    any_case = asked.category in _PLACED
    last = -1
    for found in gazetteer().find(asked.phrase, any_case=any_case):
        name = asked.phrase[found.start : found.end]
        ahead = asked.before + asked.phrase[: found.start]
        latin = name.isascii() or not ("\u4e00" <= name[0] <= "\u9fff")
        listed = last >= 0 and re.fullmatch(r",? (?:and |or |then )?", asked.phrase[last : found.start])
        led = _TO.search(ahead)
        if latin and not listed and not led and not any_case:
            continue
        # "goes to" speaks of no town in the Netherlands; "Lincoln Elementary School" is not in Nebraska.
        if latin and name[0].islower() and not listed and not led and len(name) != len(asked.phrase):
            continue
        if (
            latin
            and asked.category is not Category.LOCATION
            and name.endswith((" Park", " Bridge", " Square", " Hill"))
        ):
            continue
        if latin and name[0].islower() and _is_verb(name):
            continue
        if latin and asked.language == "en" and _NAMED_AFTER.match(asked.phrase[found.end :] or asked.after):
            continue
        last = found.end
        if (
            latin
            and name.lower() in _WORDS
            and not (_TO.search(ahead) or found.end - found.start == len(asked.phrase))
        ):
            continue
        if not latin and not _is_place(asked, found.start, found.end):
            continue
        part = (
            _chinese(asked, found.start, found.end, found.place)
            if asked.language == "zh"
            else _latin(asked, found.start, found.end, found.place)
        )
        if part is not None:
            yield part


def _is_verb(word: str) -> bool:
    return any(form in VERBS for form in (word, word[:-1], word[:-2]))


def _is_place(asked: Asked, start: int, end: int) -> bool:
    """Whether a Chinese name is said as a place: not "浦东机场", not "合作社"."""
    if _PART_OF_NAME.match(asked.phrase[end:] or asked.after):
        return False
    if asked.category in _PLACED or asked.category is Category.DEMOGRAPHIC:
        return True
    if asked.category in (Category.OPINION, Category.PREFERENCE):
        return False
    return (start == 0 and not asked.before) or (asked.before + asked.phrase[:start])[-1:] in _AT_ZH


def _latin(asked: Asked, start: int, end: int, place: City | Country | Region) -> Part | None:
    german = asked.language == "de"
    ahead = (asked.before + asked.phrase[:start]).rstrip().lower()
    rest = asked.phrase[end:] or asked.after
    if rest.startswith(("'s", "’s")):
        return None
    # A country that the text names itself right behind the city: only the city goes.
    follow = re.match(r", ?(?P<next>[A-ZÄÖÜ][\w .-]+)", asked.phrase[end:])
    state = re.match(r",? [A-Z]{2}\b", asked.phrase[end:])
    end += state.end() if state else 0
    if isinstance(place, Country):
        return Part(start, end, None, place.continent("de" if german else "en"))
    if isinstance(place, Region):
        return Part(start, end, None, place.country.name("de" if german else "en"))
    country = place.country.name("de" if german else "en")
    region = place.region.name("de" if german else "en") if place.region else None
    if follow and asked.category is not Category.ADDRESS:
        known = gazetteer().latin(follow["next"].strip())
        if isinstance(known, Country | Region):
            return Part(start, end, None, "einer Stadt" if german else "a city")
    if german:
        if ahead.endswith((" in", " aus", " nach", " bei")) or ahead in ("in", "aus", "nach"):
            if ahead.endswith("nach") and country.startswith(("der ", "den ")):
                return None
            town = None if ahead.endswith("nach") else f"einer Stadt in {region or country}"
            return Part(start, end, town, f"einer Stadt in {country}" if ahead.endswith("bei") else country)
        return Part(start, end, None, country.removeprefix("der ").removeprefix("den "))
    whole = end - start == len(asked.phrase.strip())
    attributive = describes(rest)
    if attributive:
        short = country.removeprefix("the ")
        return Part(start, end, region, short)
    near = re.search(r"\b(?:near|outside|around)$", ahead)
    if near or (whole and (asked.previous in _TO_WORDS or not asked.previous)):
        in_region, in_country = f"a city in {region}" if region else None, f"a city in {country}"
        # Nothing is near a country.
        kind = in_country if in_region else None if near else country
        return Part(start, end, in_region or in_country, kind)
    return Part(start, end, region, country)


def _chinese(asked: Asked, start: int, end: int, place: City | Country | Region) -> Part | None:
    home = isinstance(place, City) and place.country.code == "CN"
    if isinstance(place, Country):
        return Part(start, end, None, place.continent("zh"))
    ahead = asked.before + asked.phrase[:start]
    away = ahead.endswith(("去", "到", "飞", "来", "从")) and not ahead.endswith("来到")
    # Who lives there would not call it 外地, who goes there would.
    somewhere = (
        None if ahead.endswith(("回", "离", "老家在", "老家是", "来自")) else "外地" if away else "国内"
    )
    if isinstance(place, Region):
        return Part(start, end, None, somewhere)
    end += 1 if asked.phrase.startswith(("市", "省"), end) else 0
    # "甘肃临夏": the province before the city goes with it.
    country = place.country.name("zh")
    region = place.region.name("zh") if place.region else None
    whole = end - start == len(asked.phrase)
    if home:
        less = (f"{region}的一个城市" if whole else region) if region else None
        return Part(start, end, less, "国内的一个城市" if whole else somewhere)
    return Part(
        start, end, f"{country}的一个城市" if whole else country, "国外的一个城市" if whole else "国外"
    )
