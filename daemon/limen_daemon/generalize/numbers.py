"""Numbers as people write them, and the same number said less exactly."""

# ruff: noqa: E501  # patterns and conditions: one a line reads best

from __future__ import annotations

import math
import re

ONES_EN = {word: value for value, word in enumerate(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen"
    " nineteen".split())}  # fmt: skip
TENS_EN = {word: 10 * value for value, word in enumerate(
    "twenty thirty forty fifty sixty seventy eighty ninety".split(), start=2)}  # fmt: skip
WORD_EN = rf"(?:(?:{'|'.join(TENS_EN)})(?:[- ](?:{'|'.join(list(ONES_EN)[1:10])}))?|(?:{'|'.join(sorted(ONES_EN, key=len, reverse=True))}))"
ONES_DE = {word: value for value, word in enumerate(
    "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf".split())}  # fmt: skip
ONES_ZH = {"零": 0, "〇": 0, "一": 1, "二": 2, "两": 2, "俩": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9,
           "壹": 1, "贰": 2, "叁": 3, "肆": 4, "伍": 5, "陆": 6, "柒": 7, "捌": 8, "玖": 9}  # fmt: skip
UNITS_ZH = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1000, "仟": 1000}
DIGITS_ZH = "零〇一二两三四五六七八九十百千万亿壹贰叁肆伍陆柒捌玖拾佰仟"


def read_en(word: str) -> int | None:
    """ "forty-one" and "12" as numbers."""
    low = word.lower().replace("-", " ")
    if low.isdigit():
        return int(low)
    total = 0
    for one in low.split():
        value = TENS_EN.get(one, ONES_EN.get(one, ONES_DE.get(one)))
        if value is None:
            return None
        total += value
    return total if low.split() else None


def read_zh(word: str) -> float | None:
    """ "四十一", "两万六", "五十有六" and "3.28万" as numbers."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)([万千亿百]*)", word)
    if found:
        value = float(found[1])
        for unit in found[2]:
            value *= {"百": 100, "千": 1000, "万": 10_000, "亿": 100_000_000}[unit]
        return value
    total, section, digit, last_unit = 0, 0, 0, 1
    for sign in word.replace("有", ""):
        if sign in ONES_ZH:
            digit = ONES_ZH[sign]
            if digit == 0:
                last_unit = 1
        elif sign in UNITS_ZH:
            last_unit = UNITS_ZH[sign]
            section += (digit or 1) * last_unit
            digit = 0
        elif sign in "万亿":
            last_unit = 10_000 if sign == "万" else 100_000_000
            total = (total + section + digit) * last_unit
            section, digit = 0, 0
        else:
            return None
    # "两万六" is 26,000: a last digit counts in tenths of the unit before it.
    tail = digit * (last_unit // 10) if last_unit >= 100 else digit
    return float(total + section + tail) if word else None


def rounded(value: float) -> float | None:
    """The nearest round number: one leading digit, or halves of it below two. None where it is round already."""
    if value <= 0 or not math.isfinite(value):
        return None
    magnitude = 10.0 ** math.floor(math.log10(value))
    step = magnitude if value >= 2 * magnitude else magnitude / 2
    if step < 1:
        return None
    near = math.floor(value / step + 0.5) * step
    return None if near == value else near


def rounded_measure(value: float, unit: str) -> float | None:
    """As `rounded`, but to tens where people differ by tens: 178 cm is about 180, and nobody's 200."""
    if 100 <= value < 300 and unit.lower() in ("cm", "kg", "kilo", "kilos", "lb", "lbs", "公斤", "斤", ""):
        near = math.floor(value / 10 + 0.5) * 10.0
        return None if near == value else near
    return rounded(value)


def grouped(value: float, comma: str = ",") -> str:
    return f"{value:,.0f}".replace(",", comma)


def size_en(value: float) -> str | None:
    """The order of magnitude in words, to stand before a plural: "a few hundred"."""
    for least, words in (
        (2_000_000, "millions of"), (1_000_000, "over a million"), (200_000, "hundreds of thousands of"), (100_000, "over a hundred thousand"),
        (20_000, "tens of thousands of"), (10_000, "over ten thousand"), (3_000, "a few thousand"), (2_000, "a couple of thousand"),
        (1_000, "over a thousand"), (300, "a few hundred"), (200, "a couple of hundred"), (100, "over a hundred"), (20, "a few dozen"),
    ):  # fmt: skip
        if value >= least:
            return words
    return None


def size_de(value: float) -> str | None:
    """The same in German, to stand before a plural in any case: "ein paar Hundert"."""
    for least, words in (
        (2_000_000, "Millionen"), (1_000_000, "über eine Million"), (200_000, "Hunderttausende"), (100_000, "über hunderttausend"),
        (20_000, "Zehntausende"), (10_000, "über zehntausend"), (2_000, "ein paar Tausend"), (1_000, "über tausend"),
        (200, "ein paar Hundert"), (100, "über hundert"),
    ):  # fmt: skip
        if value >= least:
            return words
    return None


def more_zh(word: str) -> str | None:
    """A number in Chinese signs with its first place only, "多" for the rest: "两万三" is "两万多"; None where nothing is cut."""
    found = re.fullmatch(rf"(?P<first>[{''.join(ONES_ZH)}])(?P<unit>[百千万])(?P<rest>.+)", word)
    if found is None:
        return None
    wide = re.fullmatch(r".*?(?P<wan>万?)", found["rest"])
    tail = wide["wan"] if wide and found["unit"] != "万" else ""
    return f"{found['first']}{found['unit']}多{tail}" if found["rest"] != tail else None


def size_zh(value: float) -> str | None:
    for least, words in ((1e8, "上亿"), (1e6, "上百万"), (1e5, "十几万" if value < 2e5 else "几十万"), (2e4, "几万"), (1e4, "一万多"), (2e3, "几千"),
                         (1e3, "一千多"), (200, "几百"), (100, "一百多"), (20, "几十"), (10, "十几")):  # fmt: skip
        if value >= least:
            return words
    return None
