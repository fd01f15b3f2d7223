"""Places: another city of the same country, an address on a street that many towns have."""

from __future__ import annotations

import re
import secrets

from limen_daemon.places import City, Country, gazetteer
from limen_daemon.standins.wanted import StandIn, Wanted, pick, pool

_MOST = 40


def place(wanted: Wanted) -> list[StandIn]:
    """The phrase with its one place exchanged; first letters and the words around it stay."""
    found = list(gazetteer().find(wanted.phrase, any_case=True))
    if len(found) != 1 or not isinstance(found[0].place, City | Country):
        return []
    one = found[0]
    assert isinstance(one.place, City | Country)
    said = wanted.phrase[one.start : one.end]
    chinese = "\u4e00" <= said[0] <= "\u9fff"
    other = (
        _other_city(wanted, one.place, chinese)
        if isinstance(one.place, City)
        else _other_country(wanted, one.place, chinese)
    )
    if other is None:
        return []
    whole = wanted.phrase[: one.start] + other + wanted.phrase[one.end :]
    made = [StandIn(whole, wanted.phrase)]
    return made + ([StandIn(other, said)] if whole != other else [])


def address(wanted: Wanted) -> list[StandIn]:
    towns = [
        one.place for one in gazetteer().find(wanted.phrase, any_case=False) if isinstance(one.place, City)
    ]
    number = secrets.randbelow(89) + 11
    chinese = any("\u4e00" <= sign <= "\u9fff" for sign in wanted.phrase)
    town = _other_city(wanted, towns[-1], chinese) if towns else None
    if chinese:
        street = pick(wanted, pool("street_zh"))
        said = f"{f'{town}市' if town else ''}{street}{number}号"
    elif wanted.language == "de" or re.search(
        r"(?:straße|strasse|str\.|weg|gasse|allee|platz)\b", wanted.phrase, re.I
    ):
        street = pick(wanted, pool("street_de"))
        said = f"{street} {number}{f', {town}' if town else ''}"
    else:
        street = pick(wanted, pool("street"))
        said = f"{number} {street}{f', {town}' if town else ''}"
    is_address = re.search(r"\d|路|街|巷|号|村", wanted.phrase)
    return [StandIn(said, wanted.phrase)] if street and is_address and wanted.is_free(said) else []


def _other_city(wanted: Wanted, city: City, chinese: bool) -> str | None:
    near = [
        one
        for one in gazetteer().cities_of(city.country)[:_MOST]
        if one.name != city.name and one.name.isalpha() and (one.chinese or not chinese)
    ]
    known = wanted.known_for(city.chinese if chinese else city.name)
    return known or pick(wanted, [one.chinese if chinese else one.name for one in near])


def _other_country(wanted: Wanted, country: Country, chinese: bool) -> str | None:
    others = gazetteer().countries_of(country.continents)
    plain = [one.name("zh" if chinese else "en") for one in others if one.code != country.code]
    return pick(wanted, [name for name in plain if not name.startswith("the ")])
