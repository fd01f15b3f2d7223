"""Employers, schools, creeds, visas and belongings: the field instead of the name."""

# ruff: noqa: E501  # patterns and conditions: one a line reads best

from __future__ import annotations

import re
from collections.abc import Iterator

from limen_daemon.findings import Category
from limen_daemon.generalize.asked import Asked
from limen_daemon.generalize.drafts import Part
from limen_daemon.generalize.english import DETERMINERS, bare, describes
from limen_daemon.generalize.german import last_word
from limen_daemon.generalize.parts.jobs import jobs
from limen_daemon.generalize.parts.organisations_de import organisations_de
from limen_daemon.generalize.parts.things import things
from limen_daemon.generalize.terms import terms
from limen_daemon.places import gazetteer

_WORKING = frozenset(
    {
        Category.OCCUPATION,
        Category.EMPLOYER,
        Category.EDUCATION,
        Category.SKILL,
        Category.BUSINESS,
        Category.RELATIONSHIP,
        Category.HABIT,
        Category.LOCATION,
    }
)
_ORGANISED = frozenset(
    {
        Category.EMPLOYER,
        Category.OCCUPATION,
        Category.EDUCATION,
        Category.BUSINESS,
        Category.ACTIVITY,
        Category.NAME,
        Category.FINANCE,
    }
)
_VALUES = frozenset({Category.CONTACT, Category.IDENTIFIER, Category.CREDENTIAL, Category.ADDRESS})
_INSTITUTION = re.compile(
    r"\b(?:Hospital|Clinic|Infirmary|University|College|Polytechnic|School|Academy|Kindergarten)\b"
)
_COMPANIES = frozenset(
    "a bank;a technology company;an engineering company;a transport company;a retailer;a food company;a restaurant chain;a law firm;a consulting firm;a media company".split(
        ";"
    )
)
_GOES_ON = re.compile(r"(?:working|living|and|who|from|in|raised|but)\b")
_ORG_EN = re.compile(
    r"(?P<the>\bthe )?(?P<name>[A-ZÄÖÜ][\w'’&-]*(?:,? (?:of |for |and |the |& )?[A-ZÄÖÜ][\w'’&.-]*){0,5}(?:,? (?:Inc|Ltd|LLC|GmbH|AG|PLC|plc|Co)\b\.?)?)"
)
_AT = re.compile(
    r"(?:\b(?:at|for|with|by|from|of|bei|für|von|join(?:ed|ing)?|left|leaving|to))(?: the)?\s*$", re.I
)
_DEGREE = re.compile(
    r"\b(?:MSc|BSc|MA|BA|MBA|PhD|MPhil|BEng|MEng|LLB|LLM|Master'?s(?: degree)?|Bachelor'?s(?: degree)?|degree|diploma)\b(?: in| of)?(?: [A-Za-z]+){0,3}?(?=,| from| at|$)",
    re.I,
)
_GENERIC_ZH = frozenset(
    "幼儿园 中学 小学 高中 医院 大学 学院 诊所 银行 附中 超市 单位 物流 海关 律所 航空公司".split()
)
_SCHOOL_ZH = re.compile(
    r"[\u4e00-\u9fff]{2,8}?(?:大学|学院|医院|银行|公司|中学|小学|幼儿园|集团|事务所|酒店|工厂|药房|诊所|超市|局|厂)"
)


def work(asked: Asked) -> Iterator[Part]:
    if asked.category in _WORKING:
        yield from jobs(asked)
    yield from _organisations(asked)
    if asked.category is Category.EDUCATION and asked.language == "en":
        for found in _DEGREE.finditer(asked.phrase):
            if re.search(
                r" (?:students?|candidates?|thesis|course|programme?)\b",
                found[0] + asked.phrase[found.end() :][:12],
            ):
                continue  # a "PhD student" has no degree yet
            plain = "degree" if _word_before(asked, found.start()) in ("a", *DETERMINERS) else "a degree"
            if found[0].lower() not in ("degree", "diploma"):
                yield Part(found.start(), found.end(), None, plain)
    for topic, category in (
        ("beliefs", Category.BELIEF),
        ("beliefs", Category.DEMOGRAPHIC),
        ("demographics", Category.DEMOGRAPHIC),
        ("visas", Category.LEGAL),
    ):
        if asked.category is category:
            yield from _predicates(asked, topic)
    yield from things(asked)


def _organisations(asked: Asked) -> Iterator[Part]:
    if asked.language == "zh":
        if asked.category in _ORGANISED:
            yield from _organisations_zh(asked)
        return
    if asked.language == "de":
        yield from organisations_de(asked)
        return
    if asked.category in _VALUES:
        return
    for found in _ORG_EN.finditer(asked.phrase):
        ahead = asked.before + asked.phrase[: found.start()]
        at = _AT.search(ahead)
        if not at and not (found.start() == 0 and asked.category is Category.EMPLOYER):
            continue
        if (
            asked.category is Category.EDUCATION
            and not re.search(
                r"university|college|school|institute|polytechnic|universität", found["name"], re.I
            )
            and not _AT.search(ahead)
        ):
            continue
        # Anywhere a school or a hospital is one; a bank only where money or work is spoken of, "Apple" only at work.
        institution = _INSTITUTION.search(found["name"])
        if asked.category not in _ORGANISED and institution is None:
            continue
        kind = _kind_of_organisation(asked, found["name"])
        if kind is None or (asked.category is Category.FINANCE and kind != "a bank"):
            continue
        before = _word_before(asked, found.start())
        rest = asked.phrase[found.end() :] or asked.after
        # "at MIT studying physics" goes on with what they do there.
        attributive = rest.startswith(("'s", "’s")) or (describes(rest) and not re.match(r" \w+ing\b", rest))
        if attributive:
            continue
        # Of a university nothing more general can be said that people would say.
        worked = asked.category is not Category.FINANCE
        plain = "a company" if kind in _COMPANIES and worked else None
        start = found.start()
        if before == "the":
            # "at the University of X" is at a university.
            start -= re.search(r"the\s*$", ahead, re.I).end() - re.search(r"the\s*$", ahead, re.I).start()  # type: ignore[union-attr]
        elif before in DETERMINERS:
            kind, plain = bare(kind), bare(plain) if plain else None
        yield Part(start, found.end(), kind, plain)


def _kind_of_organisation(asked: Asked, name: str) -> str | None:
    found = list(terms(asked.language, "organisations").find(name))
    if found:
        return found[-1].kind
    if gazetteer().latin(name) is not None:
        return None
    return (
        "a company"
        if asked.category in (Category.EMPLOYER, Category.OCCUPATION)
        or re.search(r"\b(?:Inc|Ltd|LLC|GmbH|AG|PLC|plc|Co|Group)\b", name)
        else None
    )


def _plain_zh(kind: str) -> str | None:
    """Schools, shops and offices have nothing more general that people say: who studies does not do so at a 单位."""
    return (
        "公司"
        if kind.endswith(("银行", "公司", "企业", "律所"))
        else "单位"
        if kind.endswith("医院")
        else None
    )


def _organisations_zh(asked: Asked) -> Iterator[Part]:
    for found in terms("zh", "organisations").find(asked.phrase):
        named = None
        for match in _SCHOOL_ZH.finditer(asked.phrase):
            if match.start() <= found.start < match.end():
                named = match
        start, end = (named.start(), max(named.end(), found.end)) if named else (found.start, found.end)
        # What leads to the name is not part of it: "孩子上 | 运城幼儿园".
        leads = [
            at.end()
            for at in re.finditer(r"(?:上(?!海|饶|虞)|[去在到读于从的是])", asked.phrase[start : found.start])
        ]
        start += leads[-1] if leads else 0
        said = asked.phrase[start:end]
        if said in _GENERIC_ZH or re.match(r"[云通宝付号机卡]", asked.phrase[end:]):
            continue
        lead = re.match(r"(?:我?在|去|到|于|从|我们|的|一家|一所)+", asked.phrase[start:end])
        start += lead.end() if lead else 0
        classifier = asked.phrase[:start].endswith(("一家", "一所", "这家")) or (
            asked.before.endswith(("一家", "一所", "这家")) and start == 0
        )
        kind = re.sub(r"^一[家所]", "", found.kind) if classifier else found.kind
        plain = _plain_zh(kind) if asked.category is not Category.FINANCE else None
        if plain is not None:
            plain = plain if classifier else f"一家{plain}"
        if re.search(r"[开经营办][了着]?(?:一家)?$", asked.before + asked.phrase[:start]):
            plain = None
        yield Part(start, end, kind if asked.phrase[start:end] != kind else None, plain)


def _predicates(asked: Asked, topic: str) -> Iterator[Part]:
    """What stands behind "I am", as an adjective; before a noun it would not fit."""
    for found in terms(asked.language, topic).find(asked.phrase):
        if asked.language == "zh":
            end = found.end + (
                2 if found.kind == "签证" and asked.phrase.startswith("签证", found.end) else 0
            )
            yield Part(found.start, end, None, found.kind)
            continue
        if asked.language == "de":
            if last_word(asked, found.start) in ("bin", "ist", "sind", "war"):
                yield Part(found.start, found.end, None, found.kind)
            continue
        behind = asked.phrase[found.end :].strip() or (
            asked.next
            if asked.next not in ("and", "so", "but", "in", "from", "with", "at", "by", "who", "living")
            else ""
        )
        before = _word_before(asked, found.start)
        if topic == "visas":
            yield Part(
                found.start,
                found.end,
                None,
                bare(found.kind) if before in ("a", "an", *DETERMINERS) else found.kind,
            )
        elif before in ("a", "an"):
            if (not behind or _GOES_ON.match(behind)) and found.kind in ("religious", "LGBTQ+"):
                yield Part(found.start, found.end, None, f"{found.kind} person")
        elif before not in ("", "am", "i'm", "im", "is", "are", "was", "were", "being", "be", "we're"):
            continue
        elif (
            not behind
            or asked.phrase[found.end : found.end + 1] in (",", ";")
            or found.kind in ("religious", "LGBTQ+")
        ):
            yield Part(found.start, found.end, None, found.kind)


def _word_before(asked: Asked, start: int) -> str:
    words = re.findall(r"[\w'’-]+", asked.phrase[:start])
    return words[-1].lower() if words else asked.previous
