"""Amounts, ages and dates: another number of the same size, the same form around it."""

from __future__ import annotations

import re
import secrets
from datetime import date, timedelta

from limen_daemon.generalize.parts.dates import MONTHS_DE, MONTHS_EN
from limen_daemon.standins.wanted import StandIn, Wanted

_NUMBER = re.compile(r"\d+(?:[,.  ]\d+)*")
_MONTH = "|".join([*MONTHS_EN, *MONTHS_DE])
DATE = re.compile(
    rf"(?P<iso>(?P<y1>(?:19|20)\d\d)(?P<s1>[-/.])(?P<m1>\d\d?)(?P=s1)(?P<d1>\d\d?))"
    rf"|(?P<dmy>(?P<d2>\d\d?)(?P<s2>[-/.])(?P<m2>\d\d?)(?P=s2)(?P<y2>(?:19|20)\d\d))"
    rf"|(?P<day>(?P<d3>\d\d?)(?P<dot>\.|st|nd|rd|th)? (?P<m3>{_MONTH}),? (?P<y3>(?:19|20)\d\d))"
    rf"|(?P<month>(?P<m4>{_MONTH}) (?P<d4>\d\d?)(?:st|nd|rd|th)?, ?(?P<y4>(?:19|20)\d\d))"
    r"|(?P<zh>(?P<y5>(?:19|20)\d\d)年(?P<m5>\d\d?)月(?P<d5>\d\d?)[日号])",
    re.I,
)
_TRIES = 20


def dated(wanted: Wanted) -> list[StandIn]:
    """A phrase that is a whole date, moved by days; all of a conversation's dates move alike."""
    found = DATE.fullmatch(wanted.phrase.strip())
    day = read_date(found) if found else None
    if found is None or day is None:
        return []
    for _ in range(_TRIES):
        moved = day + (
            _shift(wanted) or timedelta(days=secrets.choice((-1, 1)) * (20 + secrets.randbelow(300)))
        )
        said = _written(found, moved)
        if said != wanted.phrase and wanted.is_free(said):
            return [StandIn(said, wanted.phrase)]
    return []


def numbered(wanted: Wanted) -> list[StandIn]:
    """The phrase with its one number changed by up to a quarter, as exact as it was."""
    numbers = list(_NUMBER.finditer(wanted.phrase))
    if len(numbers) != 1:
        return []
    found = numbers[0]
    for _ in range(_TRIES):
        other = _near(found[0])
        said = (
            None if other is None else wanted.phrase[: found.start()] + other + wanted.phrase[found.end() :]
        )
        if said is not None and wanted.is_free(said):
            return [StandIn(said, wanted.phrase)]
    return []


def _near(number: str) -> str | None:
    digits = re.sub(r"\D", "", number)
    zeros = len(digits) - len(digits.rstrip("0"))
    core = int(digits) // 10**zeros
    spread = max(1, core // 4)
    other = core + secrets.choice((-1, 1)) * (1 + secrets.randbelow(spread))
    if other <= 0 or len(str(other * 10**zeros)) != len(digits):
        return None
    made = iter(str(other * 10**zeros))
    return "".join(next(made) if sign.isdigit() else sign for sign in number)


def _shift(wanted: Wanted) -> timedelta | None:
    for one in wanted.known:
        was, now = DATE.fullmatch(one.value.strip()), DATE.fullmatch(one.placeholder)
        if was and now and (before := read_date(was)) and (after := read_date(now)):
            return after - before
    return None


def read_date(found: re.Match[str]) -> date | None:
    for place in "12345":
        year = found[f"y{place}"]
        if year:
            month = found[f"m{place}"]
            number = int(month) if month.isdigit() else _month(month)
            try:
                return date(int(year), number, int(found[f"d{place}"]))
            except ValueError:
                return None
    return None


def _month(name: str) -> int:
    low = name.lower()
    for index, (english, german) in enumerate(zip(MONTHS_EN, MONTHS_DE, strict=True), start=1):
        if low in (english.lower(), german.lower()):
            return index
    return 0


def _written(found: re.Match[str], day: date) -> str:
    if found["zh"]:
        return f"{day.year}年{day.month}月{day.day}日"
    if found["iso"] or found["dmy"]:
        sign = found["s1"] or found["s2"]
        parts = [f"{day.day:02d}", f"{day.month:02d}", str(day.year)]
        return sign.join(reversed(parts) if found["iso"] else parts)
    german = (found["m3"] or found["m4"]).capitalize() in MONTHS_DE and (
        found["dot"] == "." or found["m3"] not in MONTHS_EN
    )
    month = (MONTHS_DE if german else MONTHS_EN)[day.month - 1]
    if found["month"]:
        return f"{month} {day.day}, {day.year}"
    return f"{day.day}{'.' if found['dot'] == '.' else ''} {month} {day.year}"
