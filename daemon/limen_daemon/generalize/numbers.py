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
    near = round(value / step) * step
    return None if near == value else near


def grouped(value: float, comma: str = ",") -> str:
    return f"{value:,.0f}".replace(",", comma)


def size_en(value: float) -> str | None:
    """The order of magnitude in words, to stand before a plural: "a few hundred"."""
    for least, words in (
        (1_000_000, "millions of"), (200_000, "hundreds of thousands of"), (20_000, "tens of thousands of"),
        (2_000, "a few thousand"), (1_000, "over a thousand"), (200, "a few hundred"), (100, "over a hundred"), (20, "a few dozen"),
    ):  # fmt: skip
        if value >= least:
            return words
    return None


def size_zh(value: float) -> str | None:
    for least, words in ((1e8, "上亿"), (1e6, "上百万"), (1e5, "十几万" if value < 2e5 else "几十万"), (2e4, "几万"), (1e4, "一万多"), (2e3, "几千"),
                         (1e3, "一千多"), (200, "几百"), (100, "一百多"), (20, "几十"), (10, "十几")):  # fmt: skip
        if value >= least:
            return words
    return None
