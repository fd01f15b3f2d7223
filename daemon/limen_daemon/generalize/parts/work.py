"""Jobs, employers, schools, creeds, visas and belongings: the field instead of the name."""

# ruff: noqa: E501  # patterns and conditions: one a line reads best

from __future__ import annotations

import re
from collections.abc import Iterator

from limen_daemon.findings import Category
from limen_daemon.generalize.asked import Asked
from limen_daemon.generalize.drafts import Part
from limen_daemon.generalize.english import DETERMINERS, bare, describes
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
    }
)
_ORG_EN = re.compile(
    r"(?P<the>\bthe )?(?P<name>[A-ZÄÖÜ][\w'’&-]*(?:,? (?:of |for |and |the |& )?[A-ZÄÖÜ][\w'’&.-]*){0,5}(?:,? (?:Inc|Ltd|LLC|GmbH|AG|PLC|plc|Co)\b\.?)?)"
)
_BEFORE_JOB = frozenset(
    "a an as the am is was are were i'm im been being become became work worked works job".split()
) | {""}
_AT = re.compile(
    r"(?:\b(?:at|for|with|by|from|of|bei|für|von|join(?:ed|ing)?|left|leaving|to))(?: the)?\s*$", re.I
)
_LEVEL = re.compile(
    r"(?:(?:senior|junior|lead|chief|head|assistant|deputy|trainee|retired|freelance|part-time|full-time|self-employed|registered|qualified|licensed|primary|secondary|night|ward|principal) )+$",
    re.I,
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
        yield from _jobs(asked)
    if asked.category in _ORGANISED:
        yield from _organisations(asked)
    if asked.category is Category.EDUCATION and asked.language == "en":
        for found in _DEGREE.finditer(asked.phrase):
            plain = "degree" if _word_before(asked, found.start()) in ("a", *DETERMINERS) else "a degree"
            if found[0].lower() not in ("degree", "diploma"):
                yield Part(found.start(), found.end(), None, plain)
    for topic, category in (
        ("beliefs", Category.BELIEF),
        ("demographics", Category.DEMOGRAPHIC),
        ("visas", Category.LEGAL),
    ):
        if asked.category is category:
            yield from _predicates(asked, topic)
    if asked.category is Category.POSSESSION:
        yield from _things(asked)


def _jobs(asked: Asked) -> Iterator[Part]:
    language = asked.language
    for found in terms(language, "jobs").find(asked.phrase):
        field = found.kind
        if language == "zh":
            sign = asked.phrase[found.start - 1] if found.start else asked.previous_sign
            if sign in ("是", "当"):
                yield Part(found.start, found.end, f"{field}行业的人", "上班的人")
            elif sign in ("做", "", "\n", "：", "，", "。", "、"):
                yield Part(found.start, found.end, f"{field}方面的工作", "一份工作" if sign == "做" else None)
            continue
        if language == "de":
            if found.start == 0 and asked.previous in ("bin", "ist", "als", "war"):
                yield Part(
                    0,
                    found.end,
                    f"im {field} tätig" if asked.previous != "als" else None,
                    "berufstätig" if asked.previous != "als" else None,
                )
            continue
        level = _LEVEL.search(asked.phrase[: found.start])
        start = level.start() if level else found.start
        before = _word_before(asked, start)
        rest = asked.phrase[found.end :] or asked.after
        # "my teacher" is a relation, and as such general already; in "nurse burnout" the work is not what is told.
        if before not in _BEFORE_JOB or describes(rest) or rest[:1] in ("-", "'", "’", "/"):
            continue
        plural = asked.phrase[found.start : found.end].endswith("s")
        noun = ("people" if plural else "person") + f" working in {field}"
        bare_noun = before in ("a", "an", "the", "this", "as") and before != "as"
        less = noun if bare_noun or plural else f"a {noun}"
        kind = "people with jobs" if plural else ("working person" if bare_noun else "a working person")
        yield Part(start, found.end, less, kind)


def _organisations(asked: Asked) -> Iterator[Part]:
    if asked.language == "zh":
        yield from _organisations_zh(asked)
        return
    for found in _ORG_EN.finditer(asked.phrase):
        ahead = asked.before + asked.phrase[: found.start()]
        if not _AT.search(ahead) and not (found.start() == 0 and asked.category is Category.EMPLOYER):
            continue
        if (
            asked.category is Category.EDUCATION
            and not re.search(
                r"university|college|school|institute|polytechnic|universität", found["name"], re.I
            )
            and not _AT.search(ahead)
        ):
            continue
        kind = _kind_of_organisation(asked, found["name"])
        if kind is None:
            continue
        if asked.language == "de":
            if re.search(r"\bbei\s*$", ahead):
                yield Part(
                    found.start(), found.end(), kind if kind.startswith("ein") else "einem Unternehmen", None
                )
            continue
        before = _word_before(asked, found.start())
        rest = asked.phrase[found.end() :] or asked.after
        attributive = rest.startswith(("'s", "’s")) or describes(rest)
        if attributive:
            continue
        plain = "an employer" if kind.split()[-1] in ("company", "firm", "business") else "an organisation"
        if before in DETERMINERS:
            yield Part(found.start(), found.end(), bare(kind), bare(plain))
        else:
            yield Part(found.start(), found.end(), kind, plain)


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


def _organisations_zh(asked: Asked) -> Iterator[Part]:
    for found in terms("zh", "organisations").find(asked.phrase):
        named = None
        for match in _SCHOOL_ZH.finditer(asked.phrase):
            if match.start() <= found.start < match.end():
                named = match
        start, end = (named.start(), max(named.end(), found.end)) if named else (found.start, found.end)
        # What leads to the name is not part of it: "孩子上 | 运城幼儿园".
        leads = [at.end() for at in re.finditer(r"[上去在到读于从的是]", asked.phrase[start : found.start])]
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
        plain = "单位" if classifier else "一家单位"
        yield Part(start, end, kind if asked.phrase[start:end] != kind else None, plain)


def _predicates(asked: Asked, topic: str) -> Iterator[Part]:
    """What stands behind "I am", as an adjective; before a noun it would not fit."""
    for found in terms(asked.language, topic).find(asked.phrase):
        if asked.language == "zh":
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
                found.start, found.end, None, "visa" if before in ("a", "an", *DETERMINERS) else "a visa"
            )
        elif before in ("a", "an"):
            if not behind and found.kind in ("religious", "LGBTQ+"):
                yield Part(found.start, found.end, None, f"{found.kind} person")
        elif before not in ("", "am", "i'm", "im", "is", "are", "was", "were", "being", "be", "we're"):
            continue
        elif (
            not behind
            or asked.phrase[found.end : found.end + 1] in (",", ";")
            or found.kind in ("religious", "LGBTQ+")
        ):
            yield Part(found.start, found.end, None, found.kind)


def _things(asked: Asked) -> Iterator[Part]:
    for found in terms(asked.language, "things").find(asked.phrase):
        model = re.match(
            r"(?: ?(?:\d{1,4}[A-Za-z]?|Pro|Max|Mini|Ultra|Plus|Air|SE|[A-Z]\d{1,4}|[A-Z]{2,3})\b)*",
            asked.phrase[found.end :],
        )
        end = found.end + (model.end() if model else 0)
        if asked.language == "zh":
            yield Part(found.start, end, None, found.kind)
            continue
        before = _word_before(asked, found.start)
        bare_noun = before in DETERMINERS or before in (
            "a",
            "an",
            "new",
            "old",
            "used",
            "second-hand",
            "first",
            "broken",
        )
        yield Part(found.start, end, None, bare(found.kind) if bare_noun else found.kind)


def _word_before(asked: Asked, start: int) -> str:
    words = re.findall(r"[\w'’-]+", asked.phrase[:start])
    return words[-1].lower() if words else asked.previous
