"""Ages: "3 year old" is a young child, 45 somewhere in the forties."""

# ruff: noqa: E501  # patterns and conditions: one a line reads best

from __future__ import annotations

import re
from collections.abc import Iterator

from limen_daemon.findings import Category
from limen_daemon.generalize.asked import Asked
from limen_daemon.generalize.drafts import Part
from limen_daemon.generalize.english import POSSESSIVES, describes
from limen_daemon.generalize.numbers import DIGITS_ZH, ONES_DE, WORD_EN, read_en, read_zh
from limen_daemon.information.verbs import VERBS, is_past

_PERSON_EN = (
    r"(?:step)?(?:son|daughter|kid|child|boy|girl|toddler|baby|brother|sister|mother|mom|mum|father|dad|grandmother|grandma|"
    r"grandfather|grandpa|husband|wife|partner|man|woman|male|female|nephew|niece|cousin|friend|uncle|aunt|dog|cat|puppy|"
    r"student|patient|neighbou?r|teacher|nurse|house|car|company|building"
    r")s?"
)
_AGED_EN = re.compile(
    rf"(?<![\w.])(?P<n>\d{{1,3}}|{WORD_EN})[- ]?(?P<unit>years?|yrs?|months?|weeks?|days?)[- ]?olds?\b(?P<person> {_PERSON_EN}\b)?"
    r"|(?<![\w.])(?P<yo>\d{1,3}) ?(?:y/?o|yrs)\b(?P<yoperson> (?:fe)?male| (?:wo)?man)?",
    re.I,
)
_STATED_EN = re.compile(
    rf"(?<![\w.£$€-])(?P<label>aged? )?(?P<n>\d{{1,3}}|{WORD_EN})(?![\w%.,:/-]*\d|[\w£$€%])", re.I
)
_DECADES_EN = "twenties thirties forties fifties sixties seventies eighties nineties".split()
_AGED_DE = re.compile(rf"(?<!\w)(?P<n>\d{{1,3}}|{'|'.join(ONES_DE)}) ?[- ]?(?:jährig\w*|Jahre alt)", re.I)
_DECADES_DE = (
    "Zwanzigern Dreißigern Vierzigern Fünfzigern Sechzigern Siebzigern Achtzigern Neunzigern".split()
)
_AGED_ZH = re.compile(
    rf"(?P<n>\d{{1,3}}|[{DIGITS_ZH}有]{{1,4}})(?P<sui>个?多?(?:周岁|岁|个月大))(?:零?[{DIGITS_ZH}\d]+个月|半)?(?P<tail>多|了)?"
    r"(?P<of>的?(?P<person>小?孩子?|儿子|女儿|娃娃?|宝宝|宝贝|闺女|小朋友|双胞胎|男孩|女孩))?"
)
_STATED_ZH = re.compile(rf"(?P<n>\d{{2,3}}|[{DIGITS_ZH}]{{2,3}}|五十有六)(?P<tail>了)?$")
_NOT_BEFORE_ZH = ("满", "到", "从", "像", "过", "快", "近", "至", "奔", "大", "小", "差")
_FIRST_PLACE_ZH = "〇一二三四五六七八九"


def ages(asked: Asked) -> Iterator[Part]:
    if asked.language == "zh":
        yield from _ages_zh(asked)
    elif asked.language == "de":
        yield from _ages_de(asked)
    else:
        yield from _ages_en(asked)


def _ages_en(asked: Asked) -> Iterator[Part]:
    for found in _AGED_EN.finditer(asked.phrase):
        number = read_en(found["n"] or found["yo"])
        if number is None:
            continue
        unit = (found["unit"] or "year").lower()
        years = number if unit.startswith("y") else 0
        person = (found["person"] or found["yoperson"] or "").strip()
        if person or _is_person(asked.phrase[found.end() :] or asked.after):
            kind = _adjective_en(years)
            yield Part(found.start(), found.end(), None, f"{kind} {person}".strip())
            continue
        are = re.search(
            r"(?:\bam|'m|’m|\bim|\bis|\bare|\bwas|'s|\bturned|\bbeing)$", asked.before.rstrip(), re.I
        )
        if are and found.start() == 0 and not found[0].lower().endswith("olds"):
            yield _predicate_en(asked, found.start(), found.end(), years)
            continue
        many = "s" if found[0].lower().endswith("olds") else ""
        kind = _noun_en(years)
        kind = (
            {"young child": "young children", "older person": "older people"}.get(kind, kind + "s")
            if many
            else kind
        )
        less = (
            f"{'people' if many else 'person'} in their {_DECADES_EN[years // 10 - 2]}"
            if 20 <= years < 100
            else None
        )
        yield Part(found.start(), found.end(), less, kind)
    if asked.category is not Category.AGE:
        return
    stated = _STATED_EN.match(asked.phrase)
    if (
        stated
        and stated.end() == len(asked.phrase.rstrip())
        and asked.next not in ("year", "years", "month", "months", "yo")
    ):
        number = read_en(stated["n"])
        if (
            number is None
            or number > 120
            or asked.previous in ("at", "from", "before", "until", "to", "since", *POSSESSIVES)
        ):
            return
        yield _predicate_en(asked, 0, stated.end(), number)
    turned = re.match(rf"turn(?:ed|s|ing)? (?P<n>\d{{1,3}}|{WORD_EN})\b", asked.phrase, re.I)
    if turned:
        verb = turned[0].split()[0].lower()
        had = {"turned": "had a birthday", "turns": "has a birthday", "turning": "having a birthday"}.get(
            verb, "have a birthday"
        )
        yield Part(0, turned.end(), None, had)


def _is_person(rest: str) -> bool:
    """Whether what follows "3 year old" is whom it describes, and not what they do."""
    if re.match(rf" {_PERSON_EN}\b", rest, re.I):
        return True
    if not describes(rest):
        return False
    word = rest.split()[0].strip("-,.").lower()
    return not any(form in VERBS for form in (word, word[:-1], word[:-2])) and not is_past(word)


def _predicate_en(asked: Asked, start: int, end: int, years: int) -> Part:
    """What stands behind "I am": "in my forties", "a teenager"."""
    less = f"in {asked.their} {_DECADES_EN[years // 10 - 2]}" if 20 <= years < 100 else None
    if years < 18:
        kind = "a teenager" if years >= 13 else "a child"
    else:
        kind = "an adult" if years < 65 else f"at a certain age in {asked.their} life"
    return Part(start, end, less, kind if years < 65 else "an older person")


def _noun_en(years: int) -> str:
    for limit, noun in ((1, "baby"), (6, "young child"), (13, "child"), (18, "teenager"), (65, "adult")):
        if years < limit:
            return noun
    return "older person"


def _adjective_en(years: int) -> str:
    for limit, word in (
        (1, "little"),
        (6, "young"),
        (13, "school-age"),
        (18, "teenage"),
        (40, "grown-up"),
        (65, "middle-aged"),
    ):
        if years < limit:
            return word
    return "elderly"


def _ages_de(asked: Asked) -> Iterator[Part]:
    for found in _AGED_DE.finditer(asked.phrase):
        years = read_en(found["n"])
        if years is None:
            continue
        ending = re.search(r"jährig(\w*)", found[0], re.I)
        if ending:
            kind = (
                "klein"
                if years < 12
                else "jugendlich"
                if years < 18
                else "erwachsen"
                if years < 65
                else "älter"
            )
            yield Part(found.start(), found.end(), None, kind + ending[1])
        else:
            less = f"in den {_DECADES_DE[years // 10 - 2]}" if 20 <= years < 100 else None
            yield Part(found.start(), found.end(), less, "noch ein Kind" if years < 18 else "erwachsen")


def _ages_zh(asked: Asked) -> Iterator[Part]:
    for found in _AGED_ZH.finditer(asked.phrase):
        number = read_zh(found["n"])
        if number is None or number > 130:
            continue
        years = 0 if "月" in found["sui"] else int(number)
        behind = asked.phrase[found.end() :] or asked.after
        if (asked.before + asked.phrase[: found.start()]).endswith(_NOT_BEFORE_ZH) or (
            behind and behind[0] in "再才就时那以生起前后"
        ):
            continue
        if found["of"]:
            # "我三岁的孩子": the 的 that tied the age to the child now ties the child to its parent.
            owner = asked.phrase[: found.start()] or asked.before
            tie = "的" if found.start() and owner.endswith(("我", "我们", "咱", "她", "他")) else ""
            person = found["person"]
            kind = (
                {"孩子": "小孩", "娃": "小孩", "娃娃": "小孩"}.get(person, person)
                if years < 13
                else f"{'成年' if years >= 18 else '十几岁的'}{person}"
            )
            yield Part(found.start(), found.end(), None, tie + kind)
        elif asked.phrase[found.end() : found.end() + 1] == "的" or asked.after.startswith("的"):
            yield Part(found.start(), found.end(), _decade_zh(years), _adjective_zh(years))
        else:
            yield _predicate_zh(found.start(), found.end(), years)
    if asked.category is Category.AGE:
        stated = _STATED_ZH.search(asked.phrase)
        number = read_zh(stated["n"]) if stated else None
        ahead = asked.before + asked.phrase[: stated.start()] if stated else ""
        if stated and number is not None and 5 < number < 120 and not ahead.endswith(_NOT_BEFORE_ZH):
            yield _predicate_zh(stated.start(), stated.end(), int(number))


def _predicate_zh(start: int, end: int, years: int) -> Part:
    kind = (
        "还小"
        if years < 13
        else "还没成年"
        if years < 18
        else "已经成年"
        if years < 40
        else "人到中年"
        if years < 60
        else "年纪大了"
    )
    return Part(start, end, _decade_zh(years), kind)


def _adjective_zh(years: int) -> str:
    return (
        "年幼"
        if years < 13
        else "未成年"
        if years < 18
        else "成年"
        if years < 40
        else "中年"
        if years < 60
        else "上了年纪"
    )


def _decade_zh(years: int) -> str | None:
    if years < 20 or years > 99 or years % 10 == 0:
        return None
    return f"{_FIRST_PLACE_ZH[years // 10]}十多岁"
