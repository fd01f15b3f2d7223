"""Ways to say in one Chinese sentence what a phrase tells; see `frames_en`."""

# ruff: noqa: E501  # tables: one entry a line reads best

from __future__ import annotations

import re
from collections.abc import Callable

from limen_daemon.information.clause_zh import RELATIVES, ChineseClause

ChineseFrame = Callable[[ChineseClause], str | None]

_HAN = re.compile(r"[\u4e00-\u9fff]")
_TAIL = re.compile(r"[了吧啊呢哦呀嘛啦哈哎唉噢喔的!！~～。，,\s]*$")
_ME_AND_KIN = re.compile("我们?家?的?(" + "|".join(sorted(RELATIVES, key=len, reverse=True)) + ")")
_KIN = re.compile("家?的?(?:" + "|".join(sorted(RELATIVES, key=len, reverse=True)) + ")")
_ONLY_KIN = re.compile("用户的(?:" + "|".join(sorted(set(RELATIVES.values()), key=len, reverse=True)) + ")")
_LEADING = re.compile(r"^(?:我们|我|咱们?|俺|本人)")
# A phrase that begins with one of these has its own verb of wishing or negation; no second one goes before it.
_WISH = ("想", "打算", "要", "会", "喜欢", "希望", "需要", "想要", "想吃", "要去")
_VERB_ALREADY = (
    "不",
    "没",
    "想",
    "要",
    "能",
    "希望",
    "打算",
    "会",
    "得",
    "可以",
    "就",
    "真",
    "也",
    "还",
    "再",
)
_RANGE = re.compile(r"(\d)\s?[-~—]\s?(\d)")


def said(phrase: str, *, first: bool = True) -> str:
    """The phrase in the third person. `first`: nothing has named the user yet."""
    text = phrase.strip()
    text = _ME_AND_KIN.sub(
        lambda found: ("用户的" if first and found.start() == 0 else "") + RELATIVES[found[1]], text
    )
    text = text.replace("我们", "用户").replace("咱们", "用户").replace("我自己", "自己")
    text = text.replace("我的", "自己的").replace("我", "自己").replace("咱", "自己")
    text = text.replace("你们", "对方").replace("您", "对方").replace("你", "对方")
    return _RANGE.sub(r"\1至\2", text)


def _core(clause: ChineseClause) -> str:
    """The phrase without the user at its head and without final particles; "妈72了" behind "我" is the user's mother."""
    phrase = clause.phrase.strip()
    if clause.previous in ("我", "咱") and _KIN.match(phrase):
        phrase = "我" + phrase
    core = phrase if _ME_AND_KIN.match(phrase) else _LEADING.sub("", phrase)
    bare = _TAIL.sub("", core)
    return said(bare or core)


def _tail(phrase: str) -> str:
    found = _TAIL.search(phrase.strip())
    return found.group() if found else ""


def _bare(clause: ChineseClause) -> str | None:
    core = _core(clause)
    if _ONLY_KIN.fullmatch(core) or not _HAN.search(core):
        return None  # a relative alone, or a word of another language, is no sentence
    return core if core.startswith("用户") else f"用户{core}"


def _kept_tail(clause: ChineseClause) -> str | None:
    core = _core(clause) + _tail(clause.phrase).rstrip("!！~～。，, ")
    if _ONLY_KIN.fullmatch(core) or not _HAN.search(core):
        return None
    return core if core.startswith("用户") else f"用户{core}"


def _with_user(before: str, clause: ChineseClause) -> str | None:
    core = _core(clause)
    return None if core.startswith("用户") else f"用户{before}{core}"


def _after_me(clause: ChineseClause) -> str | None:
    if not clause.has_me or not clause.after_me.strip() or len(clause.after_me) > 14:
        return None
    return _with_user(said(clause.after_me), clause)


def _segment(clause: ChineseClause) -> str | None:
    segment = clause.segment.strip()
    if not segment or len(segment) > 16:
        return None
    before = segment.replace("我们", "").replace("我", "").replace("咱", "")
    return _with_user(said(before), clause)


def _timed(clause: ChineseClause) -> str | None:
    return _with_user(clause.time, clause) if clause.time else None


def _with_right(clause: ChineseClause) -> str | None:
    right = _TAIL.sub("", clause.right)
    return f"用户{_core(clause)}{said(right)}" if 0 < len(right) <= 8 else None


def _prefix(words: str) -> ChineseFrame:
    def frame(clause: ChineseClause) -> str | None:
        core = _core(clause)
        if words.startswith("用户有") and _ONLY_KIN.fullmatch(core):
            core = core.removeprefix("用户的")
        if words == "用户的" and core.isascii() and not re.search(r"[\d@]", core):
            return None  # "用户的MacBook" tells nothing of it
        if core.startswith(("用户", words[2:])) or (words.endswith(_WISH) and core.startswith(_VERB_ALREADY)):
            return None
        return f"{words}{core}"

    return frame


def _thing(words: str, *, only: str = "") -> ChineseFrame:
    """`words`, the phrase and the thing it describes: "想找 评分5分 的酒店"."""

    def frame(clause: ChineseClause) -> str | None:
        if not clause.thing or (only and clause.thing not in only.split()):
            return None
        core = re.sub(
            r"^(评分|票价|门票|价格|最低价格|人均消费|人均)(?:要是|得?在|是|要|最好是?)", r"\1", _core(clause)
        )
        link = "" if core.endswith(("的", "型")) else "的"
        return f"{words}{core}" if core.endswith(clause.thing) else f"{words}{core}{link}{clause.thing}"

    return frame


def _thing_is(words: str, link: str = "") -> ChineseFrame:
    def frame(clause: ChineseClause) -> str | None:
        return f"{words}{clause.thing}{link}{_core(clause)}" if clause.thing else None

    return frame


def _relative(link: str) -> ChineseFrame:
    def frame(clause: ChineseClause) -> str | None:
        return f"用户的{clause.relative}{link}{_core(clause)}" if clause.relative else None

    return frame


FRAMES_ZH: dict[str, ChineseFrame] = {
    "bare": _bare,
    "kept": _kept_tail,
    "after_me": _after_me,
    "segment": _segment,
    "timed": _timed,
    "with_right": _with_right,
    "is": _prefix("用户是"),
    "has": _prefix("用户有"),
    "of": _prefix("用户的"),
    "in": _prefix("用户在"),
    "wants": _prefix("用户想"),
    "wants_thing": _prefix("用户想要"),
    "eats": _prefix("用户想吃"),
    "going": _prefix("用户要"),
    "plans": _prefix("用户打算"),
    "will": _prefix("用户会"),
    "hopes": _prefix("用户希望"),
    "likes": _prefix("用户喜欢"),
    "thinks": _prefix("用户认为"),
    "finds": _prefix("用户觉得"),
    "feels": _prefix("用户感到"),
    "needs": _prefix("用户需要"),
    "named": _prefix("用户名叫"),
    "goes": _prefix("用户要去"),
    "rides": _prefix("用户要乘出租车"),
    "find": _thing("用户想找"),
    "want_one": _thing("用户想要"),
    "stay": _thing("用户想住", only="酒店 宾馆"),
    "stay_with": _thing("用户想住有", only="酒店 宾馆"),
    "find_with": _thing("用户想找有"),
    "hopes_thing": _thing_is("用户希望"),
    "hopes_has": _thing_is("用户希望", "有"),
    "relative": _relative(""),
    "relative_is": _relative("是"),
    "relative_has": _relative("有"),
    "has_kin": _prefix("用户有一个"),
    "works_as": _prefix("用户的职业是"),
    "lives": _prefix("用户住在"),
    "mentions": _prefix("用户提到"),
}

_GENERAL = "bare kept after_me segment timed with_right"
_SPEAKING = "find want_one stay stay_with find_with hopes_thing hopes_has eats wants wants_thing likes hopes"
_BY_CATEGORY: dict[str, str] = {
    "preference": _SPEAKING,
    "intention": "wants going plans will goes rides needs wants_thing hopes find",
    "opinion": "thinks finds",
    "emotion": "feels finds is has",
    "health": "has is of finds",
    "mental_health": "has is of",
    "relationship": "has has_kin is of",
    "location": "in lives of is",
    "occupation": "is works_as has in",
    "employer": "in is of",
    "education": "is has of in",
    "age": "is of has",
    "demographic": "is has of",
    "name": "named of",
    "finance": "has of is",
    "possession": "has of",
    "skill": "has is",
    "business": "of has",
    "legal": "has of",
    "activity": "in has going",
    "habit": "likes has",
    "belief": "is thinks",
    "address": "lives of",
    "contact": "of",
    "identifier": "of has",
    "credential": "of has",
}


def allowed_frames_zh(category: str, related: bool) -> tuple[str, ...]:
    own = _BY_CATEGORY[category].split()
    kin = ("relative", "relative_is", "relative_has") if related else ()
    return (*_GENERAL.split(), *own, *kin, "mentions")
