"""Drugs and diagnoses: what sort of medication or condition, then only that there is one."""

# ruff: noqa: E501  # patterns and conditions: one a line reads best

from __future__ import annotations

import re
from collections.abc import Iterator

from limen_daemon.findings import Category
from limen_daemon.generalize.asked import Asked
from limen_daemon.generalize.drafts import Part
from limen_daemon.generalize.english import after_determiner, bare, describes
from limen_daemon.generalize.parts.health_de import health_de
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
_DOSE = r"(?: ?(?:at |on )?\d+(?:[.,]\d+)? ?(?:mg|mcg|µg|ml|g|units?|iu|毫克|微克|毫升)\b)?(?: (?:(?:once|twice|three times|four times)(?: (?:a|per|each|every) (?:day|week|month)| daily| weekly)?|daily|a day|each day|every day))?"
_DOSE_AFTER = re.compile(_DOSE, re.I)
_DOSE_ZH = re.compile(r"\d+(?:\.\d+)?(?:mg|毫克|片|粒)", re.I)
_ADJECTIVES_BEFORE = re.compile(
    r"(?:(?:mild|severe|moderate|chronic|acute|early(?:-onset)?|late-stage|stage (?:\d|i{1,3}v?)|advanced|bilateral|left|right|high-functioning|"
    r"recurrent|metastatic|treatment-resistant|generali[sz]ed|clinical|major|postnatal|vascular|bacterial|viral|type \d) )+$",
    re.I,
)
_PREDICATE = re.compile(r"(?:\bam|'m|’m|\bis|\bare|\bwas|\bbeen|\bbeing|\bim)$", re.I)
_ACRONYM = 3
_TREATMENTS = frozenset({"cancer treatment", "抗癌治疗"})
_TAKEN = re.compile(
    r" (?:medication|medicine|tablets?|pills?|injections?|treatment|made|makes|helps?|helped|works?|worked|stopped|gives?|gave|caused?|causes)\b"
)
_GOES_ON = re.compile(
    r" (?:diagnosed|treated|got|gets?|makes?|made|runs?|symptoms|flared?|came|started|worse|badly|sucks|killed|affects?|ruined)\b"
)
_ALLERGIC_EN = re.compile(
    r"\ballergic to (?P<what>[a-z][a-z-]*(?: [a-z-]+)??(?:(?:,| and| or) [a-z-]+)*)(?=$|[.,;]| (?:and|but|so|since|which|that)\b)",
    re.I,
)
_ALLERGIC_ZH = re.compile(r"对(?P<what>[\u4e00-\u9fff]{1,6})过敏")
_ADJECTIVES = frozenset("autistic alcoholic bipolar borderline".split())


def health(asked: Asked) -> Iterator[Part]:
    if asked.category not in _CATEGORIES:
        return
    language, phrase = asked.language, asked.phrase
    if language == "de":
        yield from health_de(asked)
        return
    yield from _allergies(asked)
    for found in terms(language, "drugs").find(phrase):
        dose = (_DOSE_ZH if language == "zh" else _DOSE_AFTER).match(phrase, found.end)
        end = dose.end() if dose else found.end
        rest = phrase[end:] or asked.after
        # An "insulin pump" is no medication.
        if rest[:1] in ("泵", "针", "笔", "瓶", "-") or (
            language == "en" and describes(rest) and not _TAKEN.match(rest)
        ):
            continue
        treatment = found.kind in _TREATMENTS
        kind = (
            ("medical treatment" if treatment else "medication")
            if language == "en"
            else "治疗"
            if treatment
            else "一种药"
        )
        yield _noun(asked, found.start, end, found.kind if found.kind != kind else None, kind)
    for found in terms(language, "conditions").find(phrase):
        said = phrase[found.start : found.end]
        if said.isascii() and len(said) <= _ACRONYM and not said.isupper():
            continue  # "Ms" is no illness
        start = found.start
        if language == "en":
            if describes(phrase[found.end :] or asked.after) and not _GOES_ON.match(
                phrase[found.end :] or asked.after
            ):
                continue  # a "diabetes nurse" has none
            before = _ADJECTIVES_BEFORE.search(phrase[: found.start])
            start = before.start() if before else start
        if phrase[found.start : found.end].lower() in _ADJECTIVES:
            if _PREDICATE.search((asked.before + phrase[:start]).rstrip()):
                yield Part(start, found.end, None, "living with a health condition")
            continue
        kind = {"en": "a health condition", "zh": "健康问题"}[language]
        if language == "zh":
            yield from _condition_zh(asked, start, found.end, found.kind, kind)
            continue
        if _PREDICATE.search((asked.before + phrase[:start]).rstrip()):
            # "she is celiac" says that she has it.
            yield Part(start, found.end, f"living with {found.kind}", f"living with {kind}")
            continue
        yield _noun(asked, start, found.end, found.kind, kind)
    if language != "en":
        return
    for match in _DRUG_EN.finditer(phrase):
        dose = _DOSE_AFTER.match(phrase, match.end())
        rest = phrase[dose.end() if dose else match.end() :] or asked.after
        if not describes(rest) or _TAKEN.match(rest):
            yield _noun(asked, match.start(), dose.end() if dose else match.end(), None, "medication")
    for match in _CONDITION_EN.finditer(phrase):
        cut = max((stop.end() + 1 for stop in _NOT_A_CONDITION.finditer(match[0])), default=0)
        if cut < len(match[0]):
            yield _noun(asked, match.start() + cut, match.end(), None, "a health condition")


def _allergies(asked: Asked) -> Iterator[Part]:
    """ "allergic to peanuts" is "allergic to something"."""
    for found in (_ALLERGIC_ZH if asked.language == "zh" else _ALLERGIC_EN).finditer(asked.phrase):
        said = "某些东西" if asked.language == "zh" else "something"
        yield Part(found.start("what"), found.end("what"), None, said)


def _condition_zh(asked: Asked, start: int, end: int, less: str, kind: str) -> Iterator[Part]:
    """ "姥爷阿尔茨海默" has no verb of its own: the kind of illness needs one, "姥爷有健康问题"."""
    stage = re.match(r"[早中晚一二三四ⅠⅡⅢⅣ1-4]期|[轻中重]度", asked.phrase[end:])
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
    if less == "伤" and ahead.endswith(("摔", "撞", "扭", "砸", "压", "崴")):
        yield Part(start, end, None, "伤")
        return
    got = {"重病": "得了", "急病": "得了", "感染": "有", "伤": "受了"}.get(less, has) if has else ""
    yield Part(start, end, got + less, has + kind)


def _noun(asked: Asked, start: int, end: int, less: str | None, kind: str) -> Part:
    """A part that is a noun phrase: behind "my" or "a" it has no article of its own."""
    if asked.language != "en":
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
