"""Names: who it is to the user, instead of what they are called."""

# ruff: noqa: E501  # patterns and conditions: one a line reads best

from __future__ import annotations

import re
from collections.abc import Iterator

from limen_daemon.findings import Category, Subject
from limen_daemon.generalize.asked import Asked
from limen_daemon.generalize.drafts import Draft
from limen_daemon.generalize.terms import terms

_TITLES_EN = {
    "dr": "the doctor", "dr.": "the doctor", "doctor": "the doctor", "prof": "the professor", "prof.": "the professor",
    "professor": "the professor", "judge": "the judge", "nurse": "the nurse", "coach": "the coach", "father": "the priest",
    "pastor": "the pastor", "uncle": "my uncle", "aunt": "my aunt", "auntie": "my aunt", "grandma": "my grandmother",
    "grandpa": "my grandfather", "cousin": "my cousin", "chef": "the chef", "captain": "the captain", "officer": "the officer",
}  # fmt: skip
_TITLE_ZH = re.compile(
    r"(?:总经理|经理|老师|教授|医生|主任|总|先生|女士|小姐|阿姨|叔叔|大爷|律师|导师|师傅|校长|院长|护士|同学|姐|哥|奶奶|爸爸|妈妈|爷爷)$"
)
_TITLES_ZH = {
    "总": "老板",
    "姐": "一位大姐",
    "哥": "一位大哥",
    "先生": "一位先生",
    "女士": "一位女士",
    "小姐": "一位女士",
    "阿姨": "一位阿姨",
}
_NEAR = 40
_OWNER = re.compile(r"(?:\b(?:my|our|his|her|their|the|meine?[nmr]?|unsere?[nmr]?) )(?:[\w-]+ ){0,2}$", re.I)
_BEING = re.compile(r"\b(?:is|are|was|named|called|heißt|ist|name:)$|['’]s$", re.I)
_SELF = re.compile(
    r"\b(?:i am|i['’]m|im|this is|my name is|name is|ich bin|ich heiße|signed|regards|sincerely|thanks)[,:]?$",
    re.I,
)
_KIN_ZH = re.compile(r"(?:我们?(?:家|的)?)?[\u4e00-\u9fff]{0,4}$")


def people(asked: Asked) -> Iterator[Draft]:
    if asked.category is not Category.NAME or re.search(r"\d|@|/", asked.phrase):
        return
    if asked.language == "zh":
        yield from _people_zh(asked)
        return
    if re.search(
        r"\b(?!(?:de|van|von|der|den|da|di|del|la|le|el|bin|al|ibn|and)\b)[a-z]{2,}\s", asked.phrase
    ) and not re.match(r"(?:my|our|his|her) ", asked.phrase):
        return
    inside = next(iter(terms(asked.language, "relations").find(asked.phrase)), None)
    if inside is not None and inside.end < len(asked.phrase) and asked.phrase[: inside.end].islower():
        yield Draft(asked.phrase[: inside.end], "kind")
        return
    relation = list(terms(asked.language, "relations").find(asked.before))
    near = relation[-1] if relation and asked.before[relation[-1].end :].strip(" ,(\"'“:") == "" else None
    if near is not None and not asked.before[near.end :].strip():
        owner = _OWNER.search(asked.before[: near.start])
        begin = owner.start() if owner else near.start
        said = asked.before[begin : near.end]
        yield Draft(said, "kind", start=asked.start - (len(asked.before) - begin))
        return
    if near is not None and asked.language == "en" and asked.before[near.end :].strip() == ",":
        return
    before = asked.before.rstrip()
    if _SELF.search(before) and asked.subject is Subject.USER:
        if asked.language == "en" and re.search(r"name is$", before, re.I):
            yield Draft("private", "kind")
        return
    if _BEING.search(before) and re.search(r"\bname\b|\bcalled\b|\bnamed\b|\bheißt\b", before, re.I):
        if re.search(r"name(?:['’]s)? is$|names are$", before, re.I):
            yield Draft("private", "kind")
        return
    if asked.language == "de":
        return
    title = asked.phrase.split()[0].lower()
    if title in _TITLES_EN and len(asked.phrase.split()) > 1:
        yield Draft(_begun(asked, _TITLES_EN[title]), "kind")
        return
    if (
        relation
        and asked.subject is Subject.RELATED
        and (kin := _kin(asked, relation[-1].start, relation[-1].end))
    ):
        yield Draft(_begun(asked, kin), "less")
    if asked.subject is Subject.RELATED and asked.previous not in (
        "mr",
        "mrs",
        "ms",
        "dr",
        "miss",
        "a",
        "an",
        "the",
        "my",
        "our",
        "her",
        "his",
        "hi",
        "dear",
        "hey",
        "hello",
    ):
        yield Draft(_begun(asked, "someone I know"), "kind")
    elif asked.previous in ("hi", "dear", "hey", "hello"):
        yield Draft("there" if asked.previous in ("hi", "hey", "hello") else "Sir or Madam", "kind")


def _kin(asked: Asked, start: int, end: int) -> str | None:
    """ "my wife", where the clause spoke of a wife before."""
    noun = asked.before[start:end].lower()
    owner = re.search(r"\b(my|our)\s+$", asked.before[:start], re.I)
    return f"{owner[1].lower()} {noun}" if owner and len(asked.before) - end <= _NEAR else None


def _begun(asked: Asked, text: str) -> str:
    return text[0].upper() + text[1:] if not asked.before.strip() and asked.phrase[:1].isupper() else text


def _people_zh(asked: Asked) -> Iterator[Draft]:
    relation = list(terms("zh", "relations").find(asked.before))
    if relation and relation[-1].end == len(asked.before):
        kin = relation[-1]
        begin = kin.start
        lead = re.search(r"(?:我们?家?的?|咱家?)$", asked.before[:begin])
        begin = lead.start() if lead else begin
        yield Draft(asked.before[begin : kin.end], "kind", start=asked.start - (len(asked.before) - begin))
        return
    if re.search(r"(?:名叫|叫|名字是|姓名[：:])$", asked.before.rstrip()):
        if asked.before.rstrip().endswith((":", "：", "是")):
            yield Draft("保密", "kind")
        return
    title = _TITLE_ZH.search(asked.phrase)
    if title and len(asked.phrase) > len(title[0]):
        said = _TITLES_ZH.get(title[0], f"一位{title[0]}")
        yield Draft(said, "kind")
        return
    if re.search(r"(?:我是|本人|学生|署名|落款)\s*$", asked.before):
        return
    if re.search(r"[：:]\s*$", asked.before):
        yield Draft("保密", "kind")
        return
    yield Draft("我认识的一个人" if asked.subject is Subject.RELATED else "某人", "kind")
