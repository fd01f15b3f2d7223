"""What stands around a Chinese phrase: its comma segment, who it speaks of, what is looked for."""

# ruff: noqa: E501  # word lists and patterns: one entry a line reads best

from __future__ import annotations

import re
from dataclasses import dataclass

_SENTENCE_END = "。！？!?\n；;…~～"
_COMMA = "，,、：:（("
_REACH = 60
_THING = re.compile(
    r"酒店|宾馆|餐馆|餐厅|饭店|饭馆|景点|地方|出租车|车|地铁|房间|工作|学校|电影|手机|电脑|相机|房子|公司|医院"
)
RELATIVES = {
    "妈": "母亲", "妈妈": "母亲", "母亲": "母亲", "老妈": "母亲", "爸": "父亲", "爸爸": "父亲", "父亲": "父亲", "老爸": "父亲",
    "爸妈": "父母", "父母": "父母", "老公": "丈夫", "丈夫": "丈夫", "先生": "丈夫", "老婆": "妻子", "妻子": "妻子", "太太": "妻子",
    "媳妇": "妻子", "对象": "对象", "女朋友": "女朋友", "男朋友": "男朋友", "女友": "女友", "男友": "男友", "儿子": "儿子",
    "女儿": "女儿", "闺女": "女儿", "孩子": "孩子", "宝宝": "孩子", "娃": "孩子", "哥": "哥哥", "哥哥": "哥哥", "姐": "姐姐",
    "姐姐": "姐姐", "弟": "弟弟", "弟弟": "弟弟", "妹": "妹妹", "妹妹": "妹妹", "爷爷": "爷爷", "奶奶": "奶奶", "姥姥": "姥姥",
    "外婆": "外婆", "外公": "外公", "朋友": "朋友", "闺蜜": "闺蜜", "同事": "同事", "同学": "同学", "老师": "老师", "老板": "老板",
    "领导": "领导", "经理": "经理", "室友": "室友", "房东": "房东", "客户": "客户", "公司": "公司", "单位": "单位", "学校": "学校",
    "家里": "家里", "家人": "家人", "猫": "猫", "狗": "狗", "店": "店", "团队": "团队", "婆婆": "婆婆", "学生": "学生",
}  # fmt: skip
_RELATIVE = re.compile(
    "(?:我们|我|咱们?|俺)?(?:家|的)?(" + "|".join(sorted(RELATIVES, key=len, reverse=True)) + ")"
)
_TIME = re.compile(
    r"^(?:今天|昨天|明天|后天|前天|今晚|昨晚|明早|明晚|早上|上午|中午|下午|晚上|刚刚?|刚才|最近|现在|目前|以前|去年|今年|明年|上周|下周|周末|一直|已经|"
    r"这几天|这两天|每天|从小|平时|其实|真的|终于|又|也|还|都|就)+"
)


@dataclass(frozen=True, slots=True)
class ChineseClause:
    """`segment`: text from the last comma (or sentence end) to the phrase; `said_by_me`: what of it follows a
    first person ("" and `has_me` False if none); `thing`: the noun looked for, right of the phrase or else left."""

    phrase: str
    segment: str
    has_me: bool
    after_me: str
    thing: str
    relative: str
    time: str
    right: str
    previous: str


def chinese_clause(text: str, start: int, end: int) -> ChineseClause:
    left = text[max(0, start - _REACH) : start]
    left = left[max(left.rfind(mark) for mark in _SENTENCE_END) + 1 :]
    segment = left[max(left.rfind(mark) for mark in _COMMA) + 1 :]
    right = text[end : end + _REACH]
    stops = [position for mark in _SENTENCE_END if (position := right.find(mark)) >= 0]
    right = right[: min(stops)] if stops else right
    me = max(segment.rfind("我们"), segment.rfind("咱们"))
    me, width = (me, 2) if me >= 0 else (max(segment.rfind("我"), segment.rfind("咱")), 1)
    found = _THING.search(right) or None
    before = list(_THING.finditer(left))
    thing = found.group() if found else (before[-1].group() if before else "")
    relatives = list(_RELATIVE.finditer(text[max(0, start - _REACH) : start]))
    time = _TIME.match(segment)
    commas = [position for mark in _COMMA if (position := right.find(mark)) >= 0]
    return ChineseClause(
        phrase=text[start:end],
        segment=segment,
        has_me=me >= 0,
        after_me=segment[me + width :] if me >= 0 else "",
        thing=thing,
        relative=RELATIVES[relatives[-1].group(1)] if relatives else "",
        time=time.group() if time else "",
        right=right[: min(commas)] if commas else right,
        previous=text[max(0, start - 1) : start],
    )
