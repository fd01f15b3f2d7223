"""Money, counts and measures: a round number, or only that there is one."""

# ruff: noqa: E501  # patterns and conditions: one a line reads best

from __future__ import annotations

import re
from collections.abc import Iterator

from limen_daemon.findings import Category
from limen_daemon.generalize.asked import Asked
from limen_daemon.generalize.drafts import Part
from limen_daemon.generalize.english import DETERMINERS, describes
from limen_daemon.generalize.numbers import WORD_EN, grouped, read_en, rounded, rounded_measure, size_en
from limen_daemon.generalize.parts.amounts_de import amounts_de
from limen_daemon.generalize.parts.amounts_zh import amounts_zh

_NUMBER = r"\d{1,3}(?:[,  ]\d{3})+(?:\.\d+)?|\d+(?:[.,]\d+)?"
_SIGN = "£$€¥₹"
_CODES = "dollars?|bucks|pounds?|quid|euros?|kroner|kronor|kronen|yuan|rmb|rupees|yen|francs?|pesos?|naira|shillings?|baht|won|dirhams?|aed|ringgit|lira|taka|zloty|złoty|rand|reais|forint|koruna|dirham|riyals?|usd|eur|gbp|cad|aud|cny|inr|chf|sek|nok|dkk|jpy|rs"
_EVERY = r"(?: ?(?:a|an|per|each|every|/|im|pro) ?(?:year|annum|month|week|day|hour|night|yr|mo|hr|Jahr|Monat|Woche|Tag|Stunde)\b)?"
_MONEY = re.compile(
    rf"(?<![\w.,])(?P<about>about |around |over |nearly |almost )?"
    rf"(?:(?P<sign>[{_SIGN}]|(?:USD|EUR|GBP|CAD|AUD|CHF|RM|SGD|AED|Rs\.?) ?) ?(?P<n1>{_NUMBER})(?P<k1> ?(?:k|m|bn|million|billion|crore|lakh)\b)?"
    rf"|(?P<n2>{_NUMBER})(?P<k2> ?(?:k|m|bn|thousand|million|billion|crore|lakh|tausend|Millionen)\b)? ?(?P<code>(?:{_CODES})\b|[{_SIGN}])"
    rf"|(?P<n3>{_NUMBER})(?P<k3>k)\b)(?P<every>{_EVERY})",
    re.I,
)
_PLURALS = {
    "£": "pounds", "gbp": "pounds", "pound": "pounds", "quid": "pounds", "$": "dollars", "usd": "dollars", "dollar": "dollars",
    "€": "euros", "eur": "euros", "euro": "euros", "¥": "yuan", "rmb": "yuan", "cny": "yuan", "yuan": "yuan", "₹": "rupees", "inr": "rupees",
    "rs": "rupees", "rs.": "rupees", "yen": "yen", "won": "won", "baht": "baht", "kroner": "kroner", "kronor": "kronor",
}  # fmt: skip
_GIVEN = re.compile(
    r"\b(?:owed?s?|lost|losing|lose|spent|spend|saved|saving|borrowed|lent|paid|won|inherited|donated|invested|sent|stole|transferred)\b(?: (?:me|him|her|us|them|my \w+|our \w+|his \w+|her \w+))? ?$",
    re.I,
)
_THING_OF = re.compile(
    r"\b(?:mortgage|loan|fine|debt|salary|income|rent|deposit|bonus|inheritance|pension|budget|bill|raise|settlement|overdraft)(?P<of> of )$",
    re.I,
)
_MEASURE = re.compile(
    rf"(?<![\w.,£$€#-])(?P<n>{_NUMBER}) ?(?P<unit>kg|kilos?|lbs?|km|cm|m2|sqm|miles?|percent|%|steps|words|mg|ml|lit(?:re|er)s?|grams?|g|tons?|tonnes?|volts?|watts?|gb|tb|mb|acres?|hectares?|feet|inches|calories|kcal|pages?|points?|kilometers?|kilometres?)(?!\w)",
    re.I,
)
_COUNT = re.compile(
    rf"(?<![\w.,£$€#-])(?P<n>\d{{1,3}}(?:,\d{{3}})+|\d+|{WORD_EN}) (?=(?P<noun>[a-z][a-z-]*[a-z])\b)", re.I
)
_TIMES = frozenset("years months weeks days hours minutes nights yrs mins hrs seconds times percent".split())
_SINGULAR = frozenset(
    "s is was has us this plus less yes as its his ss process boss class business address".split()
)
_STATED = re.compile(rf"(?<![\w.,#:/-])(?P<n>{_NUMBER})(?![\w.,:/-]*\d)(?!\w)")


def amounts(asked: Asked) -> Iterator[Part]:
    if asked.language == "zh":
        yield from amounts_zh(asked)
        return
    if asked.language == "de":
        yield from amounts_de(asked)
        return
    for found in _MONEY.finditer(asked.phrase):
        yield _money(asked, found)
    for found in _MEASURE.finditer(asked.phrase):
        value = _value(found["n"])
        near = rounded_measure(value, found["unit"])
        if near is not None and not (found["unit"] == "%" and value < 100 and near == 100):
            gap = "" if found["unit"].startswith("%") else " "
            said = f"{_about(asked, found.start())}{grouped(near)}{gap}{found['unit']}"
            yield Part(found.start(), found.end(), said, None)
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
        if noun.endswith(("ous", "ss", "us", "is")) or noun in _TIMES:
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
        yield Part(found.start(), found.end() - 1, _less_count(number), "many" if number > 12 else None)
    if asked.category in (Category.FINANCE, Category.HEALTH, Category.BUSINESS, Category.SKILL):
        for found in _STATED.finditer(asked.phrase):
            if re.search(
                r"\b(?:under|over|aged?|since|in|till|until|from|by|than|room|ward|bed|number|no|page|chapter|level|grade|stage|type|day|week|form|unit|code)\s*$",
                asked.phrase[: found.start()],
                re.I,
            ) or re.fullmatch(r"(?:19|20)\d\d", found["n"]):
                continue
            near = rounded(_value(found["n"]))
            if near is not None:
                yield Part(found.start(), found.end(), f"{_about(asked, found.start())}{grouped(near)}", None)


def _money(asked: Asked, found: re.Match[str]) -> Part:
    number = _value(found["n1"] or found["n2"] or found["n3"])
    unit = found["k1"] or found["k2"] or found["k3"] or ""
    sign, code, every = found["sign"] or "", found["code"] or "", found["every"] or ""
    near = rounded(number)
    gap = " " if code and code not in _SIGN else ""
    size = _size(number * _factor(unit), sign.strip() or code, every)
    less = size
    if near is not None:
        less = f"{_about(asked, found.start())}{sign}{grouped(near)}{unit}{gap}{code}{every}"
    ahead, rest = asked.phrase[: found.start()], asked.phrase[found.end() :]
    shared = re.match(r" of (?P<word>\w+)", rest)
    if shared and shared["word"].lower() in DETERMINERS:
        return Part(found.start(), found.end(), less, "some")
    if shared:
        return Part(found.start(), found.end() + 3, f"{less} of" if less else None, "some")
    noun_follows = describes(rest or asked.after) and not (
        # "lost 5,000 dollars betting": what they did, not what it was for.
        re.match(r" \w+ing\b", rest or asked.after) and _GIVEN.search(asked.before + ahead)
    )
    if noun_follows and rest:
        return Part(found.start(), found.end() + 1, f"{less} " if less else None, "")
    if noun_follows:
        return Part(found.start(), found.end(), less, None)
    thing = _THING_OF.search(ahead)
    if thing and not every:
        # "a mortgage of 310k" is still a mortgage without its size.
        return Part(thing.start("of"), found.end(), f" of {less}" if less else None, "")
    if not every and _GIVEN.search(asked.before + ahead):
        return Part(found.start(), found.end(), less, "some money")
    return Part(found.start(), found.end(), less, size if size != less else None)


def _size(value: float, currency: str, every: str) -> str | None:
    """ "a few thousand pounds a month"; None for small sums and currencies without a plural of their own here."""
    words, named = (
        size_en(value) if value >= 100 else None,
        _PLURALS.get(currency.lower(), currency if currency.endswith("s") else ""),
    )
    return f"{words} {named}{every}" if words and named else None


def _word_before(asked: Asked, start: int) -> str:
    words = asked.phrase[:start].split()
    return words[-1].lower() if words else asked.previous


def _about(asked: Asked, at: int) -> str:
    """ "about", unless the text says so already."""
    said = (asked.before + asked.phrase[:at]).rstrip().lower()
    return "" if said.endswith(("about", "around", "roughly", "nearly", "almost", "over")) else "about "


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


def _less_count(number: int) -> str | None:
    near = rounded(float(number)) if number > 20 else None
    if near is not None:
        return f"about {grouped(near)}"
    return size_en(float(number)) or ("some" if number < 3 else "a few" if number < 6 else "several")
