"""How long or how often: "3 weeks" is a few weeks, or some time."""

# ruff: noqa: E501  # patterns and conditions: one a line reads best

from __future__ import annotations

import re
from collections.abc import Iterator

from limen_daemon.generalize.asked import Asked
from limen_daemon.generalize.drafts import Part
from limen_daemon.generalize.english import describes
from limen_daemon.generalize.numbers import DIGITS_ZH, ONES_DE, WORD_EN, read_en, read_zh

_EN = re.compile(
    rf"(?<![\w.-])(?P<n>\d{{1,4}}(?:\.\d)?|{WORD_EN}) (?P<unit>years?|yrs?|months?|weeks?|wks?|days?|hours?|hrs?|minutes?|mins?|nights?)\b(?! olds?)",
    re.I,
)
_UNITS = {"yr": "year", "wk": "week", "hr": "hour", "min": "minute"}
_DE = re.compile(
    rf"(?<![\w.-])(?P<n>\d{{1,4}}|{'|'.join(ONES_DE)}) (?P<unit>Jahren?|Monaten?|Wochen?|Tagen?|Stunden?|Minuten?)\b"
)
_ZH = re.compile(
    rf"(?P<n>\d{{1,4}}|[{DIGITS_ZH}]{{1,5}}个半|[{DIGITS_ZH}]{{1,5}}|半)(?P<unit>个?多?(?:年|月|个月|周|星期|礼拜|天|小时|分钟|晚上|晚))(?!底|初|中|[\d{DIGITS_ZH}]+[日号月])"
    rf"(?:零?(?:\d{{1,2}}|[{DIGITS_ZH}]{{1,3}})(?:个月|天)|半)?(?P<month>份)?"
)
_DATIVE = frozenset("seit vor nach in mit zu von aus".split())


def durations(asked: Asked) -> Iterator[Part]:
    if asked.language == "zh":
        yield from _durations_zh(asked)
    elif asked.language == "de":
        for found in _DE.finditer(asked.phrase):
            words = asked.phrase[: found.start()].lower().split()
            before = words[-1] if words else asked.previous
            dative = before in _DATIVE
            some = "einigen" if dative else "einige"
            unit = found["unit"]
            behind = asked.phrase[found.end() :] or asked.after
            if re.match(r" (?:alt|jung|lang|groß)\b", behind):
                continue
            regular = re.match(r" (?:pro|am|im|in der|jeden?|täglich)\b", behind)
            kind = "einiger Zeit" if dative else "eine Zeit lang"
            yield Part(
                found.start(),
                found.end(),
                f"{some} {unit}",
                None if regular or unit.startswith(("Stunde", "Minute")) else kind,
            )
    else:
        for found in _EN.finditer(asked.phrase):
            number = read_en(found["n"])
            word = found["unit"].lower().rstrip("s")
            unit = _UNITS.get(word, word)
            ahead = asked.phrase[found.end() :] or asked.after
            if found.end() - found.start() == len(asked.phrase) and asked.before.rstrip().endswith(","):
                continue  # "pregnant, 22 weeks, and": nothing else fits between two commas
            if not found["unit"].lower().endswith("s") and number != 1 and describes(ahead):
                continue  # "a 10 minute call"
            if number is not None and re.match(r"\s*(?:pregnant|into)\b", ahead):
                yield Part(found.start(), found.end(), None, "")
                continue
            less = f"several {unit}s" if number and number > 8 else f"a few {unit}s"
            every = re.search(
                r"\b(?:every|each|last|next|another)\s*$", asked.before + asked.phrase[: found.start()], re.I
            )
            led = re.search(
                r"\b(?:for|in|after|within|over|about|almost|nearly|past|last|takes?|took|since)\s*$",
                asked.before + asked.phrase[: found.start()],
                re.I,
            )
            spans = led or re.match(r"\s*(?:ago|later|now)\b", ahead)
            yield Part(
                found.start(),
                found.end(),
                f"few {unit}s" if every else less,
                "some time" if spans and not every else None,
            )


def _unit(said: str) -> str:
    return re.sub(r"^个?多?", "", said) or said


def _durations_zh(asked: Asked) -> Iterator[Part]:
    for found in _ZH.finditer(asked.phrase):
        if found["month"] or (found["unit"] == "年" and len(found["n"]) == 4) or found["unit"] == "月":
            continue  # a date
        ahead = (asked.before + asked.phrase[: found.start()])[-1:]
        if ahead in ("第", "前", "每", "头", "整", "近", "下", "上", "这", "周", "初"):
            continue
        behind = asked.phrase[found.end() :]
        # "一周打三次球" says how often, and minutes tell little.
        if _unit(found["unit"]) == "分钟" or (
            found["n"] == "一" and behind and behind[0] not in "了没左多，。" and not ahead.endswith("了")
        ):
            continue
        number = 1.0 if "半" in found["n"] else read_zh(found["n"])
        unit = _unit(found["unit"])
        unit = {"月": "个月", "小时": "个小时", "星期": "个星期", "礼拜": "个礼拜", "晚上": "个晚上"}.get(
            unit, unit
        )
        less = f"{few}{unit}" if number and (few := _few_zh(number)) else None
        end = found.end() + (2 if asked.phrase.startswith(("左右", "以上"), found.end()) else 0)
        clause = re.split(r"[，,；。]", asked.before + asked.phrase[: found.start()])[-1]
        regular = re.search(r"每[天周晚月年日]|一[天周]|天天|只", clause)
        kind = None if regular or ahead in ("那", "孕") or re.match(r".{0,4}一次", behind) else "一段时间"
        if less or kind:
            yield Part(found.start(), end, less, kind)


def _few_zh(number: float) -> str | None:
    """A number of days or weeks less exactly: 几, 十几, 二十多."""
    if number < 2:
        return None
    if number < 10:
        return "几"
    if number < 20:
        return "十几" if number > 10 else "十来"
    tens = "〇一二三四五六七八九"[int(number) // 10] if number < 100 else None
    return f"{tens}十{'多' if number % 10 else '来'}" if tens else None
