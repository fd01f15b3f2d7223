"""The last resort: what kind of matter a phrase is about, only where a word for it fits the grammar."""

# ruff: noqa: E501  # patterns and conditions: one a line reads best

from __future__ import annotations

import re
from collections.abc import Iterator

from limen_daemon.findings import Category
from limen_daemon.generalize.asked import Asked
from limen_daemon.generalize.drafts import Draft
from limen_daemon.generalize.terms import terms
from limen_daemon.information.clause_en import has_finite_verb, shape_of

_MATTERS_EN: dict[Category, str] = {
    Category.HEALTH: "a health problem", Category.MENTAL_HEALTH: "a health problem",
}  # fmt: skip
_MATTERS_ZH: dict[Category, str] = {
    Category.HEALTH: "身体有点问题", Category.MENTAL_HEALTH: "状态不太好",
}  # fmt: skip
_COMPLAINT_ZH = re.compile(
    r"[疼痛酸肿痒咳晕吐麻累]|发烧|恶心|拉肚子|不舒服|难受|出血|睡不着|失眠|胸闷|心慌|焦虑|崩溃|发炎"
)
_NO_COMPLAINTS = frozenset(
    "see know think want need work ask read hear talk look use care help wonder hope call start go come get do make drive carry walk run live love like"
    " hate book pay buy order write watch play study teach travel visit wait try plan apply move".split()
)
_THIRD = frozenset(
    "he she it child son daughter wife husband mother father mom mum dad brother sister friend partner boss baby kid who".split()
)
_HAVING = frozenset("have has had having with got about of".split())
_FIRST = frozenset("i we they".split())
_CARRY = frozenset("and but so because when if though although since who which that".split())


def matters(asked: Asked) -> Iterator[Draft]:
    if asked.granularity < 2 and asked.identifiability < 2:
        return
    if asked.language == "zh":
        yield from _chinese(asked)
        return
    if asked.language != "en" or asked.category not in _MATTERS_EN:
        return
    rest = asked.after.lstrip()
    # What goes on behind the phrase without a break may belong to it ("had a baby | with").
    if rest and rest[0].isalpha() and asked.next not in _CARRY:
        return
    matter, shape, previous = (
        _MATTERS_EN[asked.category],
        shape_of(asked.phrase, asked.previous),
        asked.previous,
    )
    first = asked.words[0] if asked.words else ""
    if first in _NO_COMPLAINTS:
        return
    if (
        shape in ("verb", "aux_have")
        and first not in ("has", "had")
        and previous in (*_FIRST, "to", "not", "don't", "dont")
    ):
        yield Draft("have " + matter, "kind")
    elif shape == "verb_s" and (previous in _THIRD or _aged(asked)):
        yield Draft("has " + matter, "kind")
    elif shape == "past" and previous in (*_FIRST, *_THIRD):
        yield Draft("had " + matter, "kind")
    elif shape == "gerund" and previous in (
        "am",
        "is",
        "are",
        "was",
        "i'm",
        "im",
        "been",
        "were",
        "keep",
        "keeps",
    ):
        yield Draft("dealing with " + matter, "kind")
    elif (
        shape in ("noun", "a", "number", "adjective")
        and previous in _HAVING
        and not has_finite_verb(asked.phrase)
    ):
        yield Draft(matter, "kind")
    elif shape == "first_person" and re.match(r"(?:i|we)\b", asked.phrase, re.I):
        who = asked.phrase.split()[0]
        if who.lower() in ("i", "we") and has_finite_verb(asked.phrase):
            yield Draft(f"{who} have {matter}", "kind")


def _aged(asked: Asked) -> bool:
    """ "my 3 year old repeats": what stands before is a person after all."""
    return asked.previous == "old"


def _chinese(asked: Asked) -> Iterator[Draft]:
    matter = _MATTERS_ZH.get(asked.category)
    if (
        matter is None
        or asked.after[:1] not in ("", "，", "。", "！", "？", "、", "；", ",", "!", "?")
        or len(asked.phrase) < 3
    ):
        return
    # Whoever else the phrase speaks of would be lost, and what somebody takes or measures is no complaint.
    if (
        not _COMPLAINT_ZH.search(asked.phrase)
        or re.search(r"[我他她你妈爸哥姐弟妹爷奶娃\d药]|医生|老师|开始|没", asked.phrase)
        or next(terms("zh", "relations").find(asked.phrase), None)
    ):
        return
    tail = asked.before.rstrip()[-1:]
    if tail in (
        "",
        "，",
        "。",
        "！",
        "？",
        "；",
        "：",
        ",",
        "我",
        "妈",
        "爸",
        "他",
        "她",
        "也",
        "又",
        "就",
        "们",
    ) or re.search(r"(?:老公|老婆|儿子|女儿|闺女|孩子|最近|一直|奶奶|爷爷)$", asked.before):
        yield Draft(matter, "kind")
