"""Chinese ages: 34岁 is 三十多岁, "19岁的时候" was 年轻的时候."""

# patterns and conditions: one a line reads best

from __future__ import annotations

import re
from collections.abc import Iterator

from limen_daemon.findings import Category
from limen_daemon.generalize.asked import Asked
from limen_daemon.generalize.drafts import Part
from limen_daemon.generalize.numbers import DIGITS_ZH, read_zh
from limen_daemon.generalize.parts.human import NOT_HUMAN, clause_before

_AGED_ZH = re.compile(
    rf"(?P<n>\d{{1,3}}|[{DIGITS_ZH}有]{{1,4}})(?P<sui>个?多?(?:周岁|岁|个月大))(?:零?[{DIGITS_ZH}\d]+个月|半)?(?P<tail>多|了)?"
    r"(?P<of>的?(?P<person>小?孩子?|儿子|女儿|娃娃?|宝宝|宝贝|闺女|小朋友|双胞胎|男孩|女孩))?"
)
_STATED_ZH = re.compile(rf"(?P<n>\d{{2,3}}|[{DIGITS_ZH}]{{2,3}}|五十有六)(?P<tail>了)?$")
_NOT_BEFORE_ZH = ("满", "到", "从", "像", "过", "快", "近", "至", "奔", "大", "小", "差")
_FIRST_PLACE_ZH = "〇一二三四五六七八九"


def ages_zh(asked: Asked) -> Iterator[Part]:
    for found in _AGED_ZH.finditer(asked.phrase):
        number = read_zh(found["n"])
        if number is None or number > 130:
            continue
        if NOT_HUMAN.search(clause_before(asked, found.start())):
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
                else f"{'成年' if years >= 18 else '未成年'}{person}"
            )
            # "我12岁的儿子" stays close as "我十几岁的儿子".
            less = f"{decade}的{person}" if (decade := _decade_zh(years)) else None
            yield Part(found.start(), found.end(), less, tie + kind)
        elif found["tail"] != "了" and behind.startswith("的时候"):
            # "19岁的时候" was when they were young, not when they were of age.
            if years < 13 and asked.phrase.startswith("的时候", found.end()):
                yield Part(found.start(), found.end() + len("的时候"), None, "小时候")
            elif years >= 13:
                yield Part(found.start(), found.end(), _decade_zh(years), "年轻" if years < 35 else None)
        elif asked.phrase[found.end() : found.end() + 1] == "的" or asked.after.startswith("的"):
            yield Part(found.start(), found.end(), _decade_zh(years), _adjective_zh(years))
        elif (part := _predicate_zh(asked, found.start(), found.end(), years)) is not None:
            yield part
    if asked.category is Category.AGE:
        stated = _STATED_ZH.search(asked.phrase)
        number = read_zh(stated["n"]) if stated else None
        ahead = asked.before + asked.phrase[: stated.start()] if stated else ""
        if stated and number is not None and 5 < number < 120 and not ahead.endswith(_NOT_BEFORE_ZH):
            part = _predicate_zh(asked, stated.start(), stated.end(), int(number))
            yield from [part] if part is not None else []


def _predicate_zh(asked: Asked, start: int, end: int, years: int) -> Part | None:
    ahead, behind = asked.before + asked.phrase[:start], asked.phrase[end:] or asked.after
    kind: str | None = next(
        word
        for limit, word in ((13, "还小"), (18, "还没成年"), (40, ""), (60, "人到中年"), (999, "年纪大了"))
        if years < limit
    )
    # "今年" wants a number, and what goes on ("7岁了还尿床") had the age for its reason.
    if (
        ahead.endswith(("今年", "明年", "去年", "刚", "都", "也", "是", "才", "就"))
        or "\u4e00" <= behind[:1] <= "\u9fff"
    ):
        kind = None
    less, kind = _decade_zh(years), kind or None
    return None if less is None and kind is None else Part(start, end, less, kind)


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
    if 11 <= years < 20:
        return "十几岁"
    if years < 20 or years > 99 or years % 10 == 0:
        return None
    return f"{_FIRST_PLACE_ZH[years // 10]}十多岁"
