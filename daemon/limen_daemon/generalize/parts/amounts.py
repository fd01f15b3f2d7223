"""Money, counts and measures: a round number, or only that there is one."""

# ruff: noqa: E501  # patterns and conditions: one a line reads best

from __future__ import annotations

import re
from collections.abc import Iterator

from limen_daemon.findings import Category
from limen_daemon.generalize.asked import Asked
from limen_daemon.generalize.drafts import Part
from limen_daemon.generalize.english import DETERMINERS, describes
from limen_daemon.generalize.numbers import (
    DIGITS_ZH,
    WORD_EN,
    grouped,
    read_en,
    read_zh,
    rounded,
    size_en,
    size_zh,
)

_NUMBER = r"\d{1,3}(?:[,  ]\d{3})+(?:\.\d+)?|\d+(?:[.,]\d+)?"
_SIGN = "£$€¥₹"
_CODES = "dollars?|bucks|pounds?|quid|euros?|kroner|kronor|kronen|yuan|rmb|rupees|yen|francs?|pesos?|naira|shillings?|baht|won|dirhams?|aed|ringgit|lira|taka|zloty|złoty|rand|reais|forint|koruna|dirham|riyals?|usd|eur|gbp|cad|aud|cny|inr|chf|sek|nok|dkk|jpy|rs"
_EVERY = r"(?: ?(?:a|an|per|each|every|/|im|pro) ?(?:year|annum|month|week|day|hour|night|yr|mo|hr|Jahr|Monat|Woche|Tag|Stunde)\b)?"
_MONEY = re.compile(
    rf"(?<![\w.,])(?P<about>about |around |over |nearly |almost |etwa |rund )?"
    rf"(?:(?P<sign>[{_SIGN}]|(?:USD|EUR|GBP|CAD|AUD|CHF|RM|SGD|AED|Rs\.?) ?) ?(?P<n1>{_NUMBER})(?P<k1> ?(?:k|m|bn|million|billion|crore|lakh)\b)?"
    rf"|(?P<n2>{_NUMBER})(?P<k2> ?(?:k|m|bn|thousand|million|billion|crore|lakh|tausend|Millionen)\b)? ?(?P<code>(?:{_CODES})\b|[{_SIGN}])"
    rf"|(?P<n3>{_NUMBER})(?P<k3>k)\b)(?P<every>{_EVERY})",
    re.I,
)
_MEASURE = re.compile(
    rf"(?<![\w.,£$€#-])(?P<n>{_NUMBER}) ?(?P<unit>kg|kilos?|lbs?|km|cm|m2|sqm|miles?|percent|%|steps|words|mg|ml|lit(?:re|er)s?|grams?|g|tons?|tonnes?|volts?|watts?|gb|tb|mb|acres?|hectares?|feet|inches|calories|kcal|pages?|points?|kilometers?|kilometres?)(?!\w)",
    re.I,
)
_COUNT = re.compile(
    rf"(?<![\w.,£$€#-])(?P<n>\d{{1,3}}(?:,\d{{3}})+|\d+|{WORD_EN}) (?=(?P<noun>[a-z][a-z-]*[a-z])\b)", re.I
)
_SINGULAR = frozenset(
    "s is was has us this plus less yes as its his ss process boss class business address".split()
)
_LABELLED = re.compile(r"(?<=[a-z] )(?:#|no\.? ?)?(?P<n>\d{2,})(?=\s|$)", re.I)
_STATED = re.compile(rf"(?<![\w.,#-])(?P<n>{_NUMBER})(?![\w.,:/-]*\d)(?!\w)")
_UNIT_ZH = "万元|亿元|千元|百元|元|块钱|块|镑|英镑|美元|美金|欧元|刀|人民币|港币|日元|卢比"
_ZH = re.compile(
    rf"(?P<sign>[{_SIGN}])?(?P<n>\d[\d,]*(?:\.\d+)?[万千亿百]*|[{DIGITS_ZH}]{{2,8}})(?P<unit>{_UNIT_ZH})?(?P<more>多|左右)?(?P<measure>[平斤公里人个台万只]?)"
)
_ZH_OTHER = re.compile(r"[\dA-Za-z.×^~-]")


def amounts(asked: Asked) -> Iterator[Part]:
    if asked.language == "zh":
        yield from _amounts_zh(asked)
        return
    german = asked.language == "de"
    for found in _MONEY.finditer(asked.phrase):
        yield _money(asked, found, german)
    for found in _MEASURE.finditer(asked.phrase):
        value = _value(found["n"])
        near = _near(value)
        if near is not None and not (found["unit"] == "%" and value < 100 and near == "100"):
            gap = "" if found["unit"].startswith("%") else " "
            yield Part(
                found.start(),
                found.end(),
                f"{_about(asked, found.start(), german)}{near}{gap}{found['unit']}",
                None,
            )
    if german:
        return
    for found in _COUNT.finditer(asked.phrase):
        number, noun = read_en(found["n"].replace(",", "")), found["noun"].lower()
        plural = (noun.endswith("s") and noun not in _SINGULAR) or noun in (
            "people",
            "children",
            "men",
            "women",
            "kids",
            "dogs",
        )
        is_one = found["n"].lower() == "one"
        if noun.endswith(("ous", "ss", "us", "is")):
            plural = False
        before = _word_before(asked, found.start())
        if before in DETERMINERS or before in ("last", "first", "next", "past", "other"):
            if plural and number is not None and before not in ("some", "any", "no"):
                yield Part(found.start(), found.end(), None, "")
            continue
        if before in (
            "under",
            "over",
            "aged",
            "no",
            "number",
            "page",
            "chapter",
            "day",
            "year",
            "phase",
            "level",
            "grade",
        ):
            continue
        if (
            number is None
            or is_one
            or not plural
            or asked.phrase[found.end() :].lower().startswith(noun + " old")
        ):
            continue
        yield Part(found.start(), found.end() - 1, _less_count(number), "many" if number > 12 else "some")
    if asked.category in (
        Category.BUSINESS,
        Category.FINANCE,
        Category.POSSESSION,
        Category.ACTIVITY,
        Category.LEGAL,
    ):
        for found in _LABELLED.finditer(asked.phrase):
            if not re.search(
                r"\b(?:is|of|to|from|at|for|about|in|than|and|was|until|till|since|by|before|after|over|under|on)\s$",
                asked.phrase[: found.start()],
                re.I,
            ):
                yield Part(found.start() - 1, found.end(), None, "")
    if asked.category in (Category.FINANCE, Category.HEALTH, Category.BUSINESS, Category.SKILL):
        for found in _STATED.finditer(asked.phrase):
            if re.search(
                r"\b(?:under|over|aged?|since|in|till|until|from|by|than)\s*$",
                asked.phrase[: found.start()],
                re.I,
            ):
                continue
            near = _near(_value(found["n"]))
            if near is not None:
                yield Part(found.start(), found.end(), f"{_about(asked, found.start(), german)}{near}", None)


def _money(asked: Asked, found: re.Match[str], german: bool) -> Part:
    number = _value(found["n1"] or found["n2"] or found["n3"])
    unit = found["k1"] or found["k2"] or found["k3"] or ""
    sign, code, every = found["sign"] or "", found["code"] or "", found["every"] or ""
    near = rounded(number)
    about = _about(asked, found.start(), german)
    less: str | None = None
    gap = " " if code and code not in _SIGN else ""
    if near is not None:
        less = f"{about}{sign}{grouped(near, '.' if german else ',')}{unit}{gap}{code}{every}"
    elif (words := size_en(number * _factor(unit))) is not None and not german:
        currency = {"£": "pounds", "$": "dollars", "€": "euros", "¥": "yuan", "₹": "rupees"}.get(
            sign.strip() or code, code or ""
        )
        less = f"{words} {currency}{every}" if currency else None
    rest = asked.phrase[found.end() :]
    noun_follows = describes(rest or asked.after)
    shared = re.match(r" of (?P<word>\w+)", rest)
    if shared and shared["word"].lower() in DETERMINERS:
        return Part(found.start(), found.end(), less, "some")
    if shared:
        return Part(
            found.start(), found.end() + 3, f"{less} of" if less else None, "etwas" if german else "some"
        )
    if noun_follows and rest:
        return Part(found.start(), found.end() + 1, f"{less} " if less else None, "")
    kind = None if noun_follows else ("ein bestimmter Betrag" if german else "a certain amount") + every
    if german and asked.previous not in ("ist", "sind"):
        kind = (
            "einen bestimmten Betrag"
            if asked.previous in ("verdiene", "zahle", "habe", "schulde", "bekomme")
            else None
        )
        kind = kind + every if kind else None
    return Part(found.start(), found.end(), less, kind)


def _word_before(asked: Asked, start: int) -> str:
    words = asked.phrase[:start].split()
    return words[-1].lower() if words else asked.previous


def _about(asked: Asked, at: int, german: bool) -> str:
    """ "about", unless the text says so already."""
    said = (asked.before + asked.phrase[:at]).rstrip().lower()
    if said.endswith(
        ("about", "around", "roughly", "nearly", "almost", "over", "etwa", "rund", "circa", "ca.")
    ):
        return ""
    return "etwa " if german else "about "


def _value(number: str) -> float:
    plain = re.sub(r"(?<=\d)[,  ](?=\d{3})", "", number).replace(",", ".")
    return float(plain)


def _factor(unit: str) -> float:
    return {
        "k": 1e3,
        "m": 1e6,
        "bn": 1e9,
        "thousand": 1e3,
        "million": 1e6,
        "billion": 1e9,
        "crore": 1e7,
        "lakh": 1e5,
    }.get(unit.strip().lower(), 1.0)


def _near(value: float) -> str | None:
    near = rounded(value)
    return None if near is None else grouped(near)


def _less_count(number: int) -> str | None:
    near = rounded(float(number)) if number > 20 else None
    if near is not None:
        return f"about {grouped(near)}"
    return size_en(float(number)) or ("some" if number < 3 else "a few" if number < 6 else "several")


def _amounts_zh(asked: Asked) -> Iterator[Part]:
    for found in _ZH.finditer(asked.phrase):
        before, after = asked.phrase[: found.start()], asked.phrase[found.end() :]
        if (
            _ZH_OTHER.match(before[-1:])
            or _ZH_OTHER.match(after[:1])
            or re.match(r"[年月日号岁点楼栋室幢弄层折成]", after)
            or before.endswith(("第", "周", "初", "十", "双", "零", "星期"))
        ):
            continue
        # "三万四一直": the last sign belongs to the next word.
        if (
            after.startswith("几")
            or before.endswith("几")
            or (found["n"].endswith("一") and re.match(r"[直个次起些样定点下]", after))
        ):
            continue
        unit = found["unit"] or ""
        value = read_zh(found["n"].replace(",", ""))
        if value is None or (not unit and value < 10) or (not unit and asked.category not in _COUNTED_ZH):
            continue
        money = unit or found["sign"] or asked.category is Category.FINANCE
        scale = 10_000.0 if unit.startswith("万") else 1.0
        near = rounded(value)
        measure = found["measure"] or ""
        more = "" if found["more"] else "左右" if near is not None else ""
        coin = unit.removeprefix("万").removeprefix("亿").removeprefix("千").removeprefix("百")
        if near is not None and found["n"][0].isdigit() and (unit or found["sign"] or measure):
            less: str | None = (
                f"{found['sign'] or ''}{_plain_zh(near)}{unit}{measure}{more or found['more'] or ''}"
            )
        else:
            size = size_zh(value * scale)
            less = f"{size}{coin}{measure}" if size else None
        paid = re.search(r"(?:欠|借|花|赚|付|亏|还|有|省|存|收|赔|交|扣)了?$", before or asked.before)
        goes_on = "\u4e00" <= after[:1] <= "\u9fff" and after[0] not in "了的还没就才不"
        kind = "一笔钱" if money and not measure and paid and not goes_on else None
        yield Part(found.start(), found.end(), less, kind)


_COUNTED_ZH = frozenset({Category.FINANCE, Category.BUSINESS, Category.POSSESSION, Category.HABIT})


def _plain_zh(value: float) -> str:
    for unit, name in ((1e8, "亿"), (1e4, "万")):
        if value >= unit and (value / unit).is_integer():
            return f"{value / unit:.0f}{name}"
    return f"{value:.0f}"
