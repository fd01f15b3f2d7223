"""Jobs: the field that someone works in. "I'm a nurse" is "I work in health care" then, not "a person working in"."""

# ruff: noqa: E501  # patterns and conditions: one a line reads best

from __future__ import annotations

import re
from collections.abc import Iterator

from limen_daemon.generalize.asked import Asked
from limen_daemon.generalize.drafts import Part
from limen_daemon.generalize.english import describes
from limen_daemon.generalize.terms import Kind, terms

_LEVEL = (
    r"(?:(?:senior|junior|lead|chief|head|assistant|deputy|trainee|retired|freelance|part-time|full-time|self-employed|registered|qualified|licensed|"
    r"primary|secondary|night|ward|principal|local|professional|commercial|\d(?:st|nd|rd|th) grade|(?:first|second|third|fourth|fifth)[- ](?:grade|year)) )*"
)
_BEING_EN = re.compile(
    rf"(?P<verb>\b(?:I|we|you|they) (?:am|are|was|were)|\b(?:I|we|you|they)['’](?:m|re)|\b(?:Im|im|i['’]m|i am|i was)|(?:\b(?:he|she)['’]s|\b(?:is|was)))(?P<too> (?:also|now|still|just))? (?P<article>an?|the) {_LEVEL}$",
    re.I,
)
_WORKING_EN = re.compile(
    rf"\b(?P<verb>work|works|worked|working|job|career)\b[^.,;!?]{{0,40}}? (?P<as>as (?:an?|the) ){_LEVEL}$",
    re.I,
)
_BEEN_EN = re.compile(rf"\b(?:have|has|had|\w+['’](?:ve|d)) (?P<been>been an? ){_LEVEL}$", re.I)
_AS_EN = re.compile(rf"(?:^|[.,;:] )(?P<as>as an? ){_LEVEL}$", re.I)
_GOES_ON = re.compile(
    r"(?:$|[,;:.!?)]| (?:in|at|for|with|from|near|on|who|by|because|so|but|until|till|since|while|when|if|where|now|and (?:I|he|she|we|it|they|my|our|his|her|the|just|am|is|was|have|has|had|want|need|earn|live|love|hate|work)\b|earning|making|living)\b)"
)
_BEING_DE = re.compile(
    r"\b(?P<verb>bin|ist|war|waren|sind)(?P<too> (?:auch|jetzt|noch))? (?P<article>eine? )?(?:(?!pension|ehemalig|früher|angehend|arbeitslos|gelernt|verrentet)\w+[er] )?$",
    re.I,
)
_AS_DE = re.compile(
    r"\b(?P<verb>arbeite|arbeitet|arbeitete|arbeiten|gearbeitet|jobbe|tätig)(?P<mid> [^.,;]{0,40}?)? (?P<as>als (?:eine? )?)(?:\w+[er] )?$",
    re.I,
)
_WORKS_DE = {
    "bin": "arbeite",
    "ist": "arbeitet",
    "war": "arbeitete",
    "waren": "arbeiteten",
    "sind": "arbeiten",
}
_GOES_ON_DE = re.compile(
    r"(?:$|[,;:.!?)]| (?:in|bei|an|am|im|für|mit|aus|auf|und (?:ich|er|sie|es|wir|mein\w*|verdien\w*|wohn\w*|leb\w*|hab\w*|hat|hatte|arbeit\w*|will|möchte|kann|muss)\b)\b)"
)
_BEING_ZH = re.compile(
    r"(?P<verb>是|当)(?:一名|一个|一位|名|个|位)?(?:夜班|白班|高级|资深|初级|全职|兼职|小学|初中|高中|大学|住院|急诊|主任|实习)?$"
)


def jobs(asked: Asked) -> Iterator[Part]:
    rule = {"en": _english, "de": _german, "zh": _chinese}[asked.language]
    for found in terms(asked.language, "jobs").find(asked.phrase):
        part = rule(asked, found)
        if part is not None:
            yield part


def _english(asked: Asked, found: Kind) -> Part | None:
    ahead = asked.before + asked.phrase[: found.start]
    rest = asked.phrase[found.end :] or asked.after
    # In "nurse burnout" the work is not what is told.
    if describes(rest) or rest[:1] in ("-", "'", "’", "/") or asked.phrase[: found.end].lower().endswith("s"):
        return None
    here = found.start - len(ahead)
    """Where `ahead` begins, within the phrase."""
    if working := _WORKING_EN.search(ahead):
        return Part(here + working.start("as"), found.end, f"in {found.kind}", None)
    if like := _AS_EN.search(ahead):
        return Part(
            here + like.start("as"),
            found.end,
            f"{_like(like['as'], 'as')} someone who works in {found.kind}",
            None,
        )
    if been := _BEEN_EN.search(ahead):
        return (
            Part(here + been.start("been"), found.end, f"worked in {found.kind}", None)
            if _GOES_ON.match(rest)
            else None
        )
    being = _BEING_EN.search(ahead)
    if being is None or not _GOES_ON.match(rest):
        return None
    if being["verb"].lower() in ("is", "was") and not _of_a_person(asked, ahead[: being.start("verb")]):
        return None
    who, verb = _verb_en(being["verb"])
    works, has = {"present": ("work", "have"), "third": ("works", "has"), "past": ("worked", "had")}[verb]
    too = being["too"] or ""
    if re.search(r"\bretired\b", being[0], re.I):
        said = being["verb"] + too
        return Part(
            here + being.start("verb"),
            found.end,
            f"{who} used to work in {found.kind}".strip(),
            f"{said} retired",
        )
    begin = who + too + (" " if who or too else "")
    return Part(
        here + being.start("verb"),
        found.end,
        f"{begin.lstrip()}{works} in {found.kind}",
        f"{begin.lstrip()}{has} a job",
    )


def _of_a_person(asked: Asked, subject: str) -> bool:
    """ "The problem is a teacher" is about no teacher's work."""
    words = subject.rstrip().lower().split()
    if words and words[-1] in ("he", "she", "who", "ich", "er", "sie", "wir", "die", "der"):
        return words[-1] not in ("die", "der") or subject.rstrip().endswith((", die", ", der"))
    last = list(terms(asked.language, "relations").find(subject))
    return bool(last) and not subject[last[-1].end :].strip()


def _verb_en(said: str) -> tuple[str, str]:
    """The subject, and the time of the verb: "I'm" is I, "present"."""
    parts = re.split(r"[ '’]", said)
    low = said.lower()
    if low in ("is", "was"):
        return "", "third" if low == "is" else "past"
    who = said[:1] if low in ("im",) else parts[0]
    return who, "past" if parts[-1].lower() in ("was", "were") else "third" if who.lower() in (
        "he",
        "she",
    ) else "present"


def _like(pattern: str, word: str) -> str:
    return word.capitalize() if pattern[:1].isupper() else word


def _german(asked: Asked, found: Kind) -> Part | None:
    """ "bin Krankenpfleger" is "arbeite im Gesundheitswesen"; the kinds come with their preposition."""
    ahead = asked.before + asked.phrase[: found.start]
    rest = asked.phrase[found.end :] or asked.after
    here = found.start - len(ahead)
    if working := _AS_DE.search(ahead):
        return Part(here + working.start("as"), found.end, found.kind, None)
    being = _BEING_DE.search(ahead)
    if being is None or not _GOES_ON_DE.match(rest):
        return None
    too, verb = being["too"] or "", being["verb"]
    if verb.lower() != "bin" and not _of_a_person(asked, ahead[: being.start("verb")]):
        return None
    return Part(
        here + being.start("verb"),
        found.end,
        f"{_WORKS_DE[verb.lower()]}{too} {found.kind}",
        f"{verb}{too} berufstätig",
    )


def _chinese(asked: Asked, found: Kind) -> Part | None:
    ahead = asked.before + asked.phrase[: found.start]
    rest = asked.phrase[found.end :] or asked.after
    if re.match(r"[\u4e00-\u9fff]", rest) and rest[0] not in "了，":
        return None
    clause = re.split(r"[，,；。：]", ahead)[-1]
    being = _BEING_ZH.search(ahead)
    if being is not None:
        start = found.start - len(ahead) + being.start()
        if re.search(r"在[\u4e00-\u9fff]", clause):
            return Part(start, found.end, f"做{_work_zh(found.kind)}", "上班")
        return Part(start, found.end, _field_zh(found.kind), "有工作")
    if clause.endswith("做"):
        at_work = re.search(r"在[\u4e00-\u9fff]", clause)
        return Part(
            found.start - 1, found.end, f"做{_work_zh(found.kind)}", "上班" if at_work else "有一份工作"
        )
    if not clause and found.start == 0 and rest[:1] in ("，", "。", ","):
        return Part(found.start, found.end, f"做{_work_zh(found.kind)}", None)
    return None


def _work_zh(field: str) -> str:
    return f"{'技术' if field == '互联网' else field}方面的工作"


def _field_zh(field: str) -> str:
    if field.endswith("业"):
        return f"从事{field}"
    return f"在{field}工作" if field == "公共部门" else f"在{field}行业工作"
