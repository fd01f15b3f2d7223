"""Dates: the day goes first, then the year becomes its decade."""

# ruff: noqa: E501  # patterns and conditions: one a line reads best

from __future__ import annotations

import re
from collections.abc import Iterator

from limen_daemon.generalize.asked import Asked
from limen_daemon.generalize.drafts import Part

MONTHS_EN = "January February March April May June July August September October November December".split()
MONTHS_DE = "Januar Februar März April Mai Juni Juli August September Oktober November Dezember".split()
_MONTH = "|".join([*MONTHS_EN, *MONTHS_DE, *(name[:3] for name in MONTHS_EN), "Sept", "Mär", "Okt", "Dez"])
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_ON = r"(?P<on>(?:on|am) (?:the )?)?"
_DAY = r"\d{1,2}(?:st|nd|rd|th|\.)?"
_FULL = re.compile(
    rf"(?<![\w.]){_ON}(?:{_DAY}(?: of)? (?P<m1>{_MONTH})\b\.?,? {_YEAR}|(?P<m2>{_MONTH})\b\.? {_DAY},? (?P<year2>(?:19|20)\d\d)"
    r"|(?P<year3>(?:19|20)\d\d)[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](?P<year4>(?:19|20)\d\d))(?![\w-])",
    re.I,
)
_MONTH_YEAR = re.compile(rf"(?<![\w.])(?P<m>{_MONTH})\b\.?,? (?P<year>(?:19|20)\d\d)(?!\w)", re.I)
_DAY_MONTH = re.compile(
    rf"(?<![\w.]){_ON}(?:{_DAY}(?: of)? (?P<m1>{_MONTH})|(?P<m2>{_MONTH})\.? \d{{1,2}}(?:st|nd|rd|th)?)(?![\w:.]*\d)(?!\w)",
    re.I,
)
_BORN = re.compile(r"(?<![\w.,/-])(?P<in>in |im Jahr )?(?P<year>19[2-9]\d|20[0-2]\d)(?![\w%/-]|[.,:]\d)")
_YEAR_EN = re.compile(r"(?<![\w.,/-])in (?P<year>19[2-9]\d|20[0-2]\d)(?![\w%/-]|[.,:]\d)", re.I)
_YEAR_DE = re.compile(
    r"(?<![\w.,/-])(?P<year>19[2-9]\d|20[0-2]\d)(?![\w%/-]|[.,:]\d| (?:Euro|€|Schritte|km|kg))"
)
_NOT_BEFORE_YEAR = (
    "von", "seit", "bis", "ab", "nach", "vor", "jahr", "jahre", "modell", "um", "auf", "zwischen", "und", "für", "aus", "in", "im", "etwa", "nur", "-", "–",
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december",
    "januar", "februar", "märz", "mai", "juni", "juli", "oktober", "dezember", "mit", "nummer", "baujahr", "die", "den", "der",
)  # fmt: skip
_LAST_PAST = 2025
_HOUR = re.compile(r"(?<![\w:])at (?P<h>\d{1,2})(?:[:.]\d\d)? ?(?P<half>am|pm)\b", re.I)
_ZH = re.compile(r"(?P<year>(?:19|20)\d\d)年(?P<day>\d{1,2}月(?:\d{1,2}[日号])?)?(?:出生)?")
_ZH_BORN_IN = re.compile(r"(?:19|20)(?P<decade>[5-9]|[01])\d年(?:的$|生的?|出生的)")
_ZH_DAY_ONLY = re.compile(
    r"(?:这个月|下个月|上个月|本月|下月|上月)(?P<day>(?:\d{1,2}|[一二三四五六七八九十]{1,3})[日号])"
)
_ZH_DAY = re.compile(
    r"(?P<month>\d{1,2}|[一二三四五六七八九十腊正]{1,2})月(?:\d{1,2}|[一二三四五六七八九十]{1,3})[日号]"
)


def dates(asked: Asked) -> Iterator[Part]:
    if asked.language == "zh":
        yield from _dates_zh(asked)
        return
    phrase, german = asked.phrase, asked.language == "de"
    for found in _FULL.finditer(phrase):
        year = next(found[name] for name in ("year", "year2", "year3", "year4") if found[name])
        # "on 12 March 1987" may begin before the phrase: the composer of drafts takes care of that preposition.
        on = "in " if found["on"] else ""
        less = year if german else f"{on}{year}"
        yield Part(found.start(), found.end(), less, f"{on}{decade(year, asked.language)}", keeps=(year,))
    for found in _MONTH_YEAR.finditer(phrase):
        yield Part(
            found.start(),
            found.end(),
            found["year"],
            decade(found["year"], asked.language),
            keeps=(found["year"],),
        )
    for found in _DAY_MONTH.finditer(phrase):
        name = _month_name(found["m1"] or found["m2"], german)
        yield Part(
            found.start(), found.end(), f"{'im ' if german else 'in '}{name}" if found["on"] else name, None
        )
    yield from _years(asked, german)
    for found in _HOUR.finditer(phrase):
        yield Part(found.start(), found.end(), _time_of_day(int(found["h"]), found["half"].lower()), None)
    if re.search(r"\bborn\b|\bgeboren\b|\bsince\b|\bseit\b", f"{asked.before} {phrase}", re.I):
        for found in _BORN.finditer(phrase):
            yield Part(
                found.start(), found.end(), None, (found["in"] or "") + decade(found["year"], asked.language)
            )


def _years(asked: Asked, german: bool) -> Iterator[Part]:
    """A bare year in which something happened: "in 2019" was some time ago."""
    if re.search(r"\bborn\b|\bgeboren\b", f"{asked.before} {asked.phrase}{asked.after}", re.I):
        return
    for found in (_YEAR_DE if german else _YEAR_EN).finditer(asked.phrase):
        year = found["year"]
        ahead = (asked.before + asked.phrase[: found.start()]).rstrip().lower()
        if int(year) > _LAST_PAST or ahead.endswith(_NOT_BEFORE_YEAR):
            continue
        # Nobody says "in the 2020s" of a year that is hardly over.
        said = decade(year, asked.language)
        less = None if year >= "2020" else f"in {said}"
        yield Part(
            found.start(),
            found.end(),
            less,
            "vor einiger Zeit" if german else "some time ago",
            keeps=(year,) if year[3] == "0" else (),
        )


def decade(year: str, language: str) -> str:
    """ "the 1980s", "den 1980ern", "上世纪八十年代"."""
    first = year[:3] + "0"
    if language == "de":
        return f"den {first}ern"
    if language == "zh":
        tens = "〇一二三四五六七八九"[int(year[2])]
        if year[:2] == "19":
            return f"上世纪{tens}十年代"
        return f"二〇{tens}〇年代"
    return f"the {first}s"


def _month_name(name: str, german: bool) -> str:
    short = name[:3].lower()
    for english, own in zip(MONTHS_EN, MONTHS_DE, strict=True):
        if short in (english[:3].lower(), own[:3].lower()):
            return own if german else english
    return name


def _time_of_day(hour: int, half: str) -> str:
    hour = hour % 12 + (12 if half == "pm" else 0)
    if hour < 5 or hour >= 22:
        return "at night"
    return "in the morning" if hour < 12 else "in the afternoon" if hour < 18 else "in the evening"


def _long_ago_zh(year: int, behind: str) -> str | None:
    if year > _LAST_PAST or behind.startswith(("以", "之", "前", "后", "到", "至", "年", "级", "届")):
        return None
    return "几年前" if year >= 2015 else "多年前" if year >= 2000 else decade(str(year), "zh")


def _dates_zh(asked: Asked) -> Iterator[Part]:
    for found in _ZH_BORN_IN.finditer(asked.phrase):
        # "我是1988年的": people say the decade they are of.
        if (asked.before + asked.phrase[: found.start()]).endswith(("是", "我", "属")):
            yield Part(found.start(), found.end(), None, f"{found['decade']}0后")
    for found in _ZH.finditer(asked.phrase):
        year, born = found["year"], "出生" if found[0].endswith("出生") else ""
        less = f"{year}年{born}" if found["day"] else None
        if born or re.match(r".{0,12}出生", asked.phrase[found.end() :] + asked.after):
            kind = decade(year, "zh") + born if year < "2000" else None
        else:
            kind = _long_ago_zh(int(year), asked.phrase[found.end() :])
        if less or kind:
            yield Part(found.start(), found.end(), less, kind, keeps=(year,) if less else ())
    for found in _ZH_DAY_ONLY.finditer(asked.phrase):
        yield Part(found.start("day"), found.end(), None, "")
    for found in _ZH_DAY.finditer(asked.phrase):
        month = f"{found['month']}月"
        yield Part(found.start(), found.end(), month, None, keeps=(found["month"],))
