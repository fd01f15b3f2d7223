"""Addresses: the town, then only that it is an address."""

# ruff: noqa: E501  # patterns and conditions: one a line reads best

from __future__ import annotations

import re
from collections.abc import Iterator

from limen_daemon.findings import Category, Subject
from limen_daemon.generalize.asked import Asked
from limen_daemon.generalize.drafts import Draft
from limen_daemon.places import City, gazetteer

_STREET = re.compile(
    r"\d|\b(?:street|st|road|rd|lane|ln|avenue|ave|drive|close|row|mews|parade|court|flat|unit|apt|apartment|towers?|house|square|terrace|way)\b|(?:straße|strasse|str\.|weg|gasse|platz|allee)\b",
    re.I,
)
_LEAD = re.compile(
    r"^(?P<lead>.*?\b(?:at|in front of|on|near|in|opposite|behind|next to|to|outside|bei) )(?=.*\d)", re.I
)
_TOWN_ZH = re.compile(
    r"^(?:.*?[：:])?(?P<lead>.*?(?:住在|住|地址是|位于|在|老家在?)?)(?P<town>[\u4e00-\u9fff]{2,6}?(?:市|州|县))"
)
_ROOM_ZH = re.compile(r"[路街巷弄道村镇区号室栋楼座幢]")


def addresses(asked: Asked) -> Iterator[Draft]:
    if asked.category is not Category.ADDRESS:
        return
    if asked.language == "zh":
        yield from _chinese(asked)
        return
    town = _town(asked)
    lead = _LEAD.match(asked.phrase)
    start = lead.end() if lead else 0
    ahead = asked.phrase[:start]
    street = asked.phrase[start:]
    if not _STREET.search(street):
        if asked.language == "en" and asked.previous in ("at", "in", "of", "to"):
            yield Draft(ahead + "a building", "kind")
        return
    german = asked.language == "de"
    if german:
        if town and asked.previous in ("in", ""):
            yield Draft(town.country.name("de"), "less")
        yield from ([Draft("meine Adresse", "kind")] if asked.previous == "" else [])
        return
    if lead:
        place = lead["lead"].split()[-1].lower()
        before = re.sub(rf"{place} $", "", ahead, flags=re.I)
        name = None if town is None else town.name
        if place in ("at", "in", "on", "near", "to", "outside"):
            if name:
                yield Draft(f"{before}in {name}", "less")
            if before.strip():
                yield Draft(before.strip(), "kind")
        else:
            yield Draft(
                f"{ahead}a house in {name}" if name else f"{ahead}a house", "less" if name else "kind"
            )
        return
    mine = "my address" if asked.subject is Subject.USER else "their address"
    previous = asked.previous
    if town is not None:
        name = town.name
        country = town.country.name("en")
        if previous in ("is", "are", "residing", "live", "lives", "living", "am", "i'm"):
            yield Draft(f"in {name}", "less")
            yield Draft(f"in {country}", "kind")
            return
        noun = "a place" if previous in ("in", "to", "from", "near") else "an address"
        yield Draft(f"{noun} in {name}", "less")
        yield Draft(f"{noun} in {country}", "kind")
    if previous in ("in",):
        yield Draft("my neighbourhood", "kind")
    elif previous in ("is", "are", "residing", "live", "lives"):
        if previous in ("is", "are"):
            yield Draft("private", "kind")
    elif previous == "of":
        yield Draft("a building", "kind")
    else:
        yield Draft(mine, "kind")


def _town(asked: Asked) -> City | None:
    """The last town that the address names, unless it is the first word: streets are named after towns too."""
    towns = [
        found for found in gazetteer().find(asked.phrase, any_case=False) if isinstance(found.place, City)
    ]
    for found in reversed(towns):
        rest = asked.phrase[found.end :]
        if re.match(
            r"\s*(?:street|st\b|road|rd\b|lane|avenue|row|mews|parade|court|close|way|house|drive|straße|strasse|platz|weg|allee)",
            rest,
            re.I,
        ):
            continue
        if re.search(
            r"(?:street|road|lane|avenue|\d\w?),?\s*$|,\s*$|\d\s*$|^$", asked.phrase[: found.start], re.I
        ):
            place = found.place
            assert isinstance(place, City)
            return City(asked.phrase[found.start : found.end], place.country, place.region, place.chinese)
    return None


def _chinese(asked: Asked) -> Iterator[Draft]:
    found = _TOWN_ZH.match(asked.phrase)
    lead = re.match(r"^(?:.*?(?:住在|住|地址是|地址|位于|老家在|在))?", asked.phrase)
    ahead = lead[0] if lead else ""
    street = asked.phrase[len(ahead) :]
    towns = list(gazetteer().find(street, any_case=False))
    city = next((one.place for one in towns if isinstance(one.place, City)), None)
    if found and len(found["town"]) < len(street.strip()):
        inner = re.match(r"[\u4e00-\u9fff]{2,8}?(?:市|州|县)", street)
        if inner:
            yield Draft(f"{ahead}{inner[0]}", "less")
    if city is not None and city.region is not None:
        yield Draft(f"{ahead}{city.region.name('zh')}" + ("" if ahead else "的一个地方"), "kind")
    elif _ROOM_ZH.search(street):
        mine = "我家的地址" if asked.subject is Subject.USER else "对方的地址"
        yield Draft(
            f"{ahead}某个地方"
            if ahead
            else ("某个地方" if asked.before.endswith(("在", "到", "去")) else mine),
            "kind",
        )
