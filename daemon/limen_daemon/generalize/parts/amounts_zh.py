"""Money, counts and measures in Chinese: "两万三" is 两万多, or 几万."""

# patterns and conditions: one a line reads best

from __future__ import annotations

import re
from collections.abc import Iterator

from limen_daemon.findings import Category
from limen_daemon.generalize.asked import Asked
from limen_daemon.generalize.drafts import Part
from limen_daemon.generalize.numbers import DIGITS_ZH, more_zh, read_zh, rounded_measure, size_zh

_SIGN = "£$€¥₹"
_UNIT = "万元|亿元|千元|百元|元|块钱|块|镑|英镑|美元|美金|欧元|刀|人民币|港币|日元|卢比"
_AMOUNT = re.compile(
    rf"(?P<sign>[{_SIGN}])?(?P<n>\d[\d,]*(?:\.\d+)?[万千亿百]*|[{DIGITS_ZH}]{{2,8}})(?P<unit>{_UNIT})?(?P<more>多|左右)?"
    r"(?P<measure>平方米|平米|公里|公斤|厘米|平|斤|里|人|个|台|只)?(?P<about>左右)?"
)
_OTHER = re.compile(r"[\dA-Za-z.×^~-]")
_COUNTED = frozenset({Category.FINANCE, Category.BUSINESS, Category.POSSESSION, Category.HABIT})
_FEW = re.compile(
    r"(?<![第每\d一二三四五六七八九十百千万零点])[三四五六七八九3-9](?=(?:只|个|条|辆|套|位|名)(?!月|小时|星期|礼拜|半|钟|点))"
)
_OF_BODY = ("身高", "体重", "身高是", "体重是", "身高有", "体重有")
_PAID = re.compile(r"(?:(?:欠|借|花|赚|付|亏|存|收|赔|交|扣)了?|还了|(?<![还没])有)$")


def amounts_zh(asked: Asked) -> Iterator[Part]:
    if asked.category in (Category.POSSESSION, Category.BUSINESS, Category.RELATIONSHIP):
        for few in _FEW.finditer(asked.phrase):
            yield Part(few.start(), few.end(), "几", None)
    for found in _AMOUNT.finditer(asked.phrase):
        part = _amount(asked, found)
        if part is not None:
            yield part


def _amount(asked: Asked, found: re.Match[str]) -> Part | None:
    before, after = asked.phrase[: found.start()], asked.phrase[found.end() :]
    if (
        _OTHER.match(before[-1:])
        or _OTHER.match(after[:1])
        or re.match(r"[年月日号岁点楼栋室幢弄层折成]", after)
        or before.endswith(("第", "周", "初", "十", "双", "零", "星期"))
    ):
        return None
    # "三万四一直": the last sign belongs to the next word.
    if (
        after.startswith("几")
        or before.endswith("几")
        or (found["n"].endswith("一") and re.match(r"[直个次起些样定点下]", after))
    ):
        return None
    unit, sign, measure = found["unit"] or "", found["sign"] or "", found["measure"] or ""
    value = read_zh(found["n"].replace(",", ""))
    of_body = (asked.before + before).endswith(_OF_BODY)
    if (
        value is None
        or (not unit and value < 10)
        or (not unit and not of_body and asked.category not in _COUNTED)
    ):
        return None
    near = rounded_measure(value, measure if of_body else "none")
    coin = re.sub("^[万亿千百]", "", unit)
    size = size_zh(value * (10_000.0 if unit.startswith("万") else 1.0))
    size = None if size is None or of_body else f"{size}{coin}{measure}"
    more = more_zh(found["n"])
    less: str | None = None
    if near is not None and found["n"][0].isdigit() and (unit or sign or measure or of_body):
        less = (
            f"{sign}{_plain(near)}{unit}{measure}左右"
            if found["more"] != "多"
            else f"{sign}{_plain(near)}{unit}多{measure}"
        )
    elif more is not None and not found["more"]:
        less = f"{more}{unit}{measure}"
    money = unit or sign or asked.category is Category.FINANCE
    goes_on = "\u4e00" <= after[:1] <= "\u9fff" and after[0] not in "了的还没就才不"
    kind = (
        "一笔钱" if money and not measure and _PAID.search(before or asked.before) and not goes_on else size
    )
    return Part(
        found.start(), found.end(), less or size, kind if kind != less and (less or kind != size) else None
    )


def _plain(value: float) -> str:
    for unit, name in ((1e8, "亿"), (1e4, "万")):
        if value >= unit and (value / unit).is_integer():
            return f"{value / unit:.0f}{name}"
    return f"{value:.0f}"
