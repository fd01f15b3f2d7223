"""Coordinates that are fine enough to be a place: four decimals (about 10 m), or degrees with seconds."""

# ruff: noqa: E501  # patterns: one entry a line reads best

from __future__ import annotations

import re
from collections.abc import Iterable

from limen_daemon.recognizers import context
from limen_daemon.recognizers.protocol import Match, Owner

_DECIMAL = re.compile(
    r"(?<![0-9A-Za-z.,\[-])(?<![,\[] )(?P<lat>[-+]?\d{1,2}\.\d{4,10})°?\s?(?P<ns>[NSns北南]?)"
    r"(?:\s?[,;/，]\s?|\s)(?P<lon>[-+]?\d{1,3}\.\d{4,10})°?\s?(?P<ew>[EWOewo东西]?)(?![0-9A-Za-z])(?!\s?[,;\]]\s?[-+]?\d)"
)
_SEXAGESIMAL = re.compile(
    r"(?<![0-9A-Za-z])\d{1,2}°\s?\d{1,2}['′’]\s?(?:\d{1,2}(?:\.\d{1,4})?[\"″”]\s?)?[NSns][,;]?\s{0,2}"
    r"\d{1,3}°\s?\d{1,2}['′’]\s?(?:\d{1,2}(?:\.\d{1,4})?[\"″”]\s?)?[EWOewo](?![0-9A-Za-z])"
)
_PLACE_WORDS = context.words(
    "lat", "latitude", "lon", "lng", "long", "longitude", "gps", "coordinates", "coords", "location", "geo", "maps",
    "live at", "home", "house", "meet", "koordinaten", "standort", "坐标", "经纬度", "位置", "定位", "住在",
)  # fmt: skip
_HOME = context.words("home", "i live", "we live", "my house", "zuhause", "ich wohne", "家", "住在")


def coordinates(text: str) -> Iterable[Match]:
    for found in _DECIMAL.finditer(text):
        latitude, longitude = float(found.group("lat")), float(found.group("lon"))
        if abs(latitude) > 90 or abs(longitude) > 180 or (latitude == 0 and longitude == 0):
            continue
        lettered = bool(found.group("ns")) and bool(found.group("ew"))
        if lettered or context.near(text, found.start(), found.end(), _PLACE_WORDS):
            yield _match(text, found)
    for found in _SEXAGESIMAL.finditer(text):
        yield _match(text, found)


def _match(text: str, found: re.Match[str]) -> Match:
    start, end = found.start(), found.start() + len(found.group().rstrip())
    at_home = context.near(text, start, end, _HOME)
    return Match(start, end, "coordinates", Owner.USER if at_home else None)
