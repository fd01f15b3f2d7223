"""Drugs and diagnoses: what sort of medication or condition, then only that there is one."""

# ruff: noqa: E501  # patterns and conditions: one a line reads best

from __future__ import annotations

import re
from collections.abc import Iterator

from limen_daemon.findings import Category
from limen_daemon.generalize.asked import Asked
from limen_daemon.generalize.drafts import Part
from limen_daemon.generalize.english import after_determiner, bare
from limen_daemon.generalize.terms import terms

_CATEGORIES = frozenset(
    {
        Category.HEALTH,
        Category.MENTAL_HEALTH,
        Category.DEMOGRAPHIC,
        Category.HABIT,
        Category.ACTIVITY,
        Category.RELATIONSHIP,
        Category.INTENTION,
    }
)
_DRUG_EN = re.compile(
    r"(?<![\w-])[a-z]{3,}(?:pril|sartan|olol|statin|prazole|mycin|cillin|oxacin|gliptin|gliflozin|glutide|azepam|azolam|triptan|oxetine|"
    r"tidine|parin|xaban|mab|tinib|vir|fenac|profen|dipine|semide|thiazide)(?![\w-])",
    re.I,
)
_CONDITION_EN = re.compile(
    r"(?<![\w-])(?:[a-z]{3,}(?:itis|emia|aemia|osis|pathy|algia|plegia|oma)|[a-z'’-]+ (?:cancer|disease|syndrome|disorder|deficiency|infection|fracture|dystrophy))(?![\w-])",
    re.I,
)
_NOT_A_CONDITION = re.compile(
    r"\b(?:diploma|aroma|oklahoma|tacoma|roma|sympathy|empathy|diagnosis|hypnosis|osmosis|have|has|had|my|his|her|no|of|with|a|an|the)\b",
    re.I,
)
_DOSE = r"(?: ?(?:at |on )?\d+(?:[.,]\d+)? ?(?:mg|mcg|µg|ml|g|units?|iu|毫克|微克|毫升)\b)?(?: (?:once|twice|daily|a day|each day|every day))?"
_DOSE_AFTER = re.compile(_DOSE, re.I)
_DOSE_ZH = re.compile(r"\d+(?:\.\d+)?(?:mg|毫克|片|粒)", re.I)
_ADJECTIVES_BEFORE = re.compile(
    r"(?:(?:mild|severe|moderate|chronic|acute|early(?:-onset)?|late-stage|stage (?:\d|i{1,3}v?)|advanced|bilateral|left|right|high-functioning|"
    r"recurrent|metastatic|treatment-resistant|generali[sz]ed|clinical|major|postnatal|vascular|bacterial|viral|type \d) )+$",
    re.I,
)
_PREDICATE = re.compile(r"(?:\bam|'m|’m|\bis|\bare|\bwas|\bbeen|\bbeing|\bim)$", re.I)
_ACRONYM = 3
_ADJECTIVES = frozenset("autistic alcoholic bipolar borderline".split())


def health(asked: Asked) -> Iterator[Part]:
    if asked.category not in _CATEGORIES:
        return
    language, phrase = asked.language, asked.phrase
    for found in terms(language, "drugs").find(phrase):
        dose = (_DOSE_ZH if language == "zh" else _DOSE_AFTER).match(phrase, found.end)
        end = dose.end() if dose else found.end
        kind = {"en": "a medication", "zh": "一种药", "de": "ein Medikament"}[language]
        yield _noun(asked, found.start, end, found.kind, kind)
    for found in terms(language, "conditions").find(phrase):
        said = phrase[found.start : found.end]
        if said.isascii() and len(said) <= _ACRONYM and not said.isupper():
            continue  # "Ms" is no illness
        start = found.start
        if language == "en":
            before = _ADJECTIVES_BEFORE.search(phrase[: found.start])
            start = before.start() if before else start
        if phrase[found.start : found.end].lower() in _ADJECTIVES:
            if _PREDICATE.search((asked.before + phrase[:start]).rstrip()):
                yield Part(start, found.end, None, "living with a health condition")
            continue
        kind = {"en": "a health condition", "zh": "健康问题", "de": "eine Krankheit"}[language]
        if language == "zh":
            yield from _condition_zh(asked, start, found.end, found.kind, kind)
            continue
        if language == "en" and _PREDICATE.search((asked.before + phrase[:start]).rstrip()):
            # "she is celiac" says that she has it.
            yield Part(start, found.end, f"living with {found.kind}", f"living with {kind}")
            continue
        yield _noun(asked, start, found.end, found.kind, kind)
    if language != "en":
        return
    for match in _DRUG_EN.finditer(phrase):
        dose = _DOSE_AFTER.match(phrase, match.end())
        yield _noun(asked, match.start(), dose.end() if dose else match.end(), None, "a medication")
    for match in _CONDITION_EN.finditer(phrase):
        cut = max((stop.end() + 1 for stop in _NOT_A_CONDITION.finditer(match[0])), default=0)
        if cut < len(match[0]):
            yield _noun(asked, match.start() + cut, match.end(), None, "a health condition")


def _condition_zh(asked: Asked, start: int, end: int, less: str, kind: str) -> Iterator[Part]:
    """ "姥爷阿尔茨海默" has no verb of its own: the kind of illness needs one, "姥爷有健康问题"."""
    stage = re.match(r"[早中晚]期|[轻中重]度", asked.phrase[end:])
    end += stage.end() if stage else 0
    ahead, behind = asked.before + asked.phrase[:start], asked.phrase[end:] or asked.after
    if ahead.endswith(("对", "被")) or (
        "\u4e00" <= behind[:1] <= "\u9fff" and behind[0] not in "了的和跟吗呢吧复怎能会要还也"
    ):
        return
    has = (
        ""
        if ahead.endswith(
            (
                "得",
                "得了",
                "患",
                "有",
                "查出",
                "确诊",
                "诊断",
                "是",
                "因为",
                "因",
                "了",
                "像",
                "成",
                "出",
                "说",
                "的",
                "性",
            )
        )
        else "有"
    )
    yield Part(start, end, has + less, has + kind)


def _noun(asked: Asked, start: int, end: int, less: str | None, kind: str) -> Part:
    """A part that is a noun phrase: behind "my" or "a" it has no article of its own."""
    if asked.language != "en":
        # German nouns change with their case: only what fits behind "nehme" and "habe" is offered.
        if asked.language == "de":
            verbs = ("nehme", "habe", "hatte", "nimmt", "hat", "bekomme", "bekommt")
            last = asked.phrase[:start].split()[-1:] or [asked.previous]
            if last[0].lower() not in verbs:
                return Part(0, 0, None, None)
        return Part(start, end, less, kind)
    words = re.findall(r"[\w'’]+", asked.phrase[:start])
    previous = words[-1].lower() if words else asked.previous
    if re.search(r"(?:al|ic|ous|ive|ar|ory|ed|ine|ish)$", previous) and previous not in (
        "and",
        "diagnosed",
        "developed",
    ):
        less, kind = bare(less) if less else None, bare(kind)
    follows = re.match(
        r" (?:medication|medicine|tablets?|pills?|injections?|treatment)\b", asked.phrase[end:]
    )
    stop = end + follows.end() if follows else end
    return Part(
        start, stop, after_determiner(less, previous) if less else None, after_determiner(kind, previous)
    )
