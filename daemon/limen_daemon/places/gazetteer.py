"""The table of places, read once from the package's own files."""

# ruff: noqa: E501  # patterns and conditions: one a line reads best

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Literal

Language = Literal["en", "zh", "de"]

_CHINESE_SPEAKING = ("CN", "TW", "HK", "MO")
_WELL_KNOWN = 1_500
"""So many of the largest cities are known by their Chinese names; smaller foreign ones are often words of the
language too ("中央" is a city in Japan)."""
_SHORT = {"GB": ("the UK", "英国", "Großbritannien"), "US": ("the US", "美国", "den USA"), "HK": ("Hong Kong", "香港", "Hongkong"),
          "MO": ("Macau", "澳门", "Macau"), "AE": ("the UAE", "阿联酋", "den Emiraten"), "CZ": ("Czechia", "捷克", "Tschechien"),
          "NL": ("the Netherlands", "荷兰", "den Niederlanden"), "PH": ("the Philippines", "菲律宾", "den Philippinen"),
          "CH": ("Switzerland", "瑞士", "der Schweiz"), "TR": ("Turkey", "土耳其", "der Türkei"), "UA": ("Ukraine", "乌克兰", "der Ukraine"),
          "SK": ("Slovakia", "斯洛伐克", "der Slowakei"), "CD": ("Congo", "刚果", "Kongo"), "CG": ("Congo", "刚果", "Kongo")}  # fmt: skip
"""As one says it in a sentence; the German after "in"."""
_CONTINENTS = {"AF": ("Africa", "非洲", "Afrika"), "AS": ("Asia", "亚洲", "Asien"), "EU": ("Europe", "欧洲", "Europa"),
               "NA": ("North America", "北美", "Nordamerika"), "SA": ("South America", "南美", "Südamerika"),
               "OC": ("Oceania", "大洋洲", "Ozeanien"), "AN": ("Antarctica", "南极洲", "der Antarktis")}  # fmt: skip
_OTHER_NAMES = {
    "München": "Munich", "Cologne": "Köln", "Nürnberg": "Nuremberg", "Wien": "Vienna", "Zurich": "Zürich", "Genf": "Geneva",
    "Frankfurt": "Frankfurt am Main", "Hannover": "Hanover", "Mailand": "Milan", "Rom": "Rome", "Venedig": "Venice",
    "Neapel": "Naples", "Florenz": "Florence", "Turin": "Turin", "Prag": "Prague", "Warschau": "Warsaw", "Moskau": "Moscow",
    "Kopenhagen": "Copenhagen", "Brüssel": "Brussels", "Lissabon": "Lisbon", "Athen": "Athens", "Bukarest": "Bucharest",
    "Belgrad": "Belgrade", "Straßburg": "Strasbourg", "Nizza": "Nice", "Peking": "Beijing", "Mexico City": "Mexico City",
    "New York": "New York City", "NYC": "New York City", "Bombay": "Mumbai", "Bangalore": "Bengaluru", "Calcutta": "Kolkata",
    "Kiev": "Kyiv", "Saigon": "Ho Chi Minh City",
}  # fmt: skip
_COUNTRY_NAMES = {
    "UK": "GB", "USA": "US", "America": "US", "the States": "US",
    "Holland": "NL", "Turkey": "TR", "Czech Republic": "CZ", "Burma": "MM", "Hong Kong": "HK", "Macau": "MO",
    "UAE": "AE", "香港": "HK", "澳门": "MO", "澳洲": "AU", "台湾": "TW", "韩国": "KR", "越南": "VN", "Schweiz": "CH",
    "Großbritannien": "GB", "Niederlande": "NL", "Türkei": "TR", "Taiwan": "TW", "South Korea": "KR", "Russia": "RU",
}  # fmt: skip
# Chinese words that are also cities.
_WORDS_ZH = frozenset(
    "中央 大学 高山 日立 长久 和平 太平 平安 中山路 新安 大同 天府 东方 白山 安宁 关口 浦阳 合作 大学 中和 平安 长安 永安 建设 光明".split()
)
_INDEX: dict[Language, int] = {"en": 0, "zh": 1, "de": 2}
_WORD = re.compile(r"[^\W\d_]+(?:['’.-][^\W\d_]+)*")
MAX_WORDS = 4


@dataclass(frozen=True, slots=True)
class Country:
    code: str
    names: tuple[str, str, str]
    """English, Chinese, German (as after "in")."""
    continents: tuple[str, str, str]

    def name(self, language: Language) -> str:
        return self.names[_INDEX[language]]

    def continent(self, language: Language) -> str:
        return self.continents[_INDEX[language]]


@dataclass(frozen=True, slots=True)
class Region:
    names: tuple[str, str, str]
    country: Country

    def name(self, language: Language) -> str:
        return self.names[_INDEX[language]]


@dataclass(frozen=True, slots=True)
class City:
    name: str
    country: Country
    region: Region | None
    chinese: str
    """"" where none is known."""


@dataclass(frozen=True, slots=True)
class Found:
    """A place in a text, `[start, end)` in code points."""

    start: int
    end: int
    place: City | Country | Region


class Gazetteer:
    def __init__(self) -> None:
        self._countries = {row[0]: _country(row) for row in _rows("countries.tsv")}
        self._regions = {
            (row[0], row[1]): Region((row[2], row[3], row[4]), self._countries[row[0]])
            for row in _rows("regions.tsv")
        }
        self._latin: dict[str, City | Country | Region] = {}
        self._chinese: dict[str, City | Country | Region] = {}
        self._by_country: dict[str, list[City]] = {}
        for country in self._countries.values():
            self._latin.setdefault(country.names[0].removeprefix("the ").casefold(), country)
            self._chinese.setdefault(country.names[1], country)
        for row in _rows("countries.tsv"):
            self._latin.setdefault(row[2].casefold(), self._countries[row[0]])
            self._latin.setdefault(row[4].casefold(), self._countries[row[0]])
        for name, code in _COUNTRY_NAMES.items():
            (self._chinese if name > "一" else self._latin)[name.casefold()] = self._countries[code]
        self._read_cities()
        for name, known in _OTHER_NAMES.items():
            if known.casefold() in self._latin:
                self._latin.setdefault(name.casefold(), self._latin[known.casefold()])
        for region in self._regions.values():
            for name in (region.names[0], region.names[2]):
                self._latin.setdefault(name.removesuffix(" State").casefold(), region)
            self._chinese.setdefault(region.names[1], region)
        self._longest = max(map(len, self._chinese))

    def _read_cities(self) -> None:
        for rank, (name, code, admin, chinese) in enumerate(_rows("cities.tsv")):
            if code not in self._countries:
                continue
            names = [one for one in chinese.split(";") if one]
            city = City(
                name, self._countries[code], self._regions.get((code, admin)), names[0] if names else ""
            )
            self._latin.setdefault(name.casefold(), city)
            self._by_country.setdefault(code, []).append(city)
            if rank < _WELL_KNOWN or code in _CHINESE_SPEAKING:
                for one in names:
                    if one not in _WORDS_ZH:
                        self._chinese.setdefault(one, city)

    def latin(self, name: str) -> City | Country | Region | None:
        """The largest place of this name, in any case."""
        return self._latin.get(name.casefold())

    def chinese(self, name: str) -> City | Country | Region | None:
        return self._chinese.get(name)

    def cities_of(self, country: Country) -> list[City]:
        """Largest first."""
        return self._by_country.get(country.code, [])

    def countries_of(self, continents: tuple[str, str, str]) -> list[Country]:
        """The countries of a continent (its names, as in `Country`) that have a city in the table."""
        return [
            one
            for one in self._countries.values()
            if one.continents == continents and one.code in self._by_country
        ]

    def find(self, text: str, *, any_case: bool) -> Iterator[Found]:
        """The places named in `text`, left to right, the longest name at each spot.

        `any_case`: whether "leeds" counts too (else only names written with a capital).
        """
        yield from self._find_latin(text, any_case)
        yield from self._find_chinese(text)

    def _find_latin(self, text: str, any_case: bool) -> Iterator[Found]:
        words = list(_WORD.finditer(text))
        index = 0
        while index < len(words):
            step = 1
            for count in range(min(MAX_WORDS, len(words) - index), 0, -1):
                last = words[index + count - 1]
                start, end = words[index].start(), last.end()
                name = text[start:end]
                if not (any_case or name[0].isupper()) or len(name) < 2:
                    continue
                place = self.latin(name) or (self.latin(name[:-2]) if name.endswith(("'s", "’s")) else None)
                if place is not None:
                    if name.endswith(("'s", "’s")) and self.latin(name) is None:
                        end -= 2
                    yield Found(start, end, place)
                    step = count
                    break
            index += step

    def _find_chinese(self, text: str) -> Iterator[Found]:
        index = 0
        while index < len(text):
            if text[index] < "一":
                index += 1
                continue
            for length in range(min(self._longest, len(text) - index), 1, -1):
                place = self._chinese.get(text[index : index + length])
                if place is not None:
                    end = index + length
                    if text[end : end + 1] in ("市", "省", "县") and text[end : end + 1]:
                        end += 1
                    yield Found(index, end, place)
                    index = end
                    break
            else:
                index += 1


def _country(row: list[str]) -> Country:
    code, continent, english, chinese, german = row
    return Country(code, _SHORT.get(code, (english, chinese, german)), _CONTINENTS[continent])


def _rows(name: str) -> Iterator[list[str]]:
    content = resources.files("limen_daemon.places").joinpath(name).read_text("utf-8")
    yield from csv.reader(content.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE)


@cache
def gazetteer() -> Gazetteer:
    """Read on first use, in about 60 ms."""
    return Gazetteer()
