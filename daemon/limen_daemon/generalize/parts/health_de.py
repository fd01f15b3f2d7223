"""Drugs and diagnoses in German, where the case can be told from the word before."""

# ruff: noqa: E501  # patterns and conditions: one a line reads best

from __future__ import annotations

import re
from collections.abc import Iterator

from limen_daemon.generalize.asked import Asked
from limen_daemon.generalize.drafts import Part
from limen_daemon.generalize.german import DATIVE, dative_of_feminine, last_word, without_article
from limen_daemon.generalize.terms import terms

_DOSE = re.compile(
    r"(?: ?(?:mit )?\d+(?:,\d+)? ?(?:mg|µg|ml|g|Tabletten?|Einheiten)\b)?(?: (?:(?:ein|zwei|drei)mal )?(?:täglich|am Tag|pro Tag))?"
)
_STAGE = re.compile(
    r" (?:im (?:Stadium (?:\d|I{1,3}V?)|Endstadium|Frühstadium|\w+ Stadium)|(?:Typ|Grad|Stufe) \d)"
)
_PLAIN = frozenset(
    "habe hatte hat haben hatten hab bekam bekommt bekomme bekamen nehme nimmt nahm nehmen genommen gegen für durch ohne und oder mir ihm ihr uns"
    " leider auch wurde wegen jetzt wieder oft immer noch manchmal derzeit gerade täglich seitdem momentan zusätzlich meine seine ihre unsere eine die".split()
) | {""}
"""What an indefinite noun phrase in the nominative or accusative follows."""
_FEMININE = frozenset("meine seine ihre unsere deine eine die".split())
_FEMININE_DATIVE = frozenset("meiner seiner ihrer unserer einer der".split())
_TREATMENT = re.compile(
    r"(?<!\w)(?P<article>der|die|eine|einer|meine|meiner|ihre|ihrer|seine|seiner) (?:Chemo|Chemotherapie|Strahlentherapie|Bestrahlung|Psychotherapie|Dialyse)(?!\w)"
)
_PAIN = re.compile(
    r"(?<!\w)(?:Rücken|Kopf|Knie|Bauch|Brust|Hals|Zahn|Gelenk|Schulter|Nacken|Hüft|Bein|Unterleibs|Ohren|Magen)schmerzen(?!\w)"
)
_PREGNANT = re.compile(r"(?:in|ab) der \d{1,2}\. (?:Schwangerschafts)?[Ww]oche (?=schwanger)")
_ALLERGIC = re.compile(
    r"gegen (?P<what>[A-ZÄÖÜ]\w+(?:(?:,| und| oder) [A-ZÄÖÜ]\w+)*)(?= allergisch)|allergisch gegen (?P<what2>[A-ZÄÖÜ]\w+(?:(?:,| und| oder) [A-ZÄÖÜ]\w+)*)"
)


def health_de(asked: Asked) -> Iterator[Part]:
    phrase = asked.phrase
    for found in _ALLERGIC.finditer(phrase):
        group = "what" if found["what"] else "what2"
        yield Part(found.start(group), found.end(group), None, "etwas")
    for found in _PREGNANT.finditer(phrase):
        yield Part(found.start(), found.end(), None, "")
    for found in _TREATMENT.finditer(phrase):
        yield Part(found.start(), found.end(), None, f"{found['article']} Behandlung")
    for found in _PAIN.finditer(phrase):
        yield Part(found.start(), found.end(), None, "Schmerzen")
    for drug in terms("de", "drugs").find(phrase):
        dose = _DOSE.match(phrase, drug.end)
        part = _neuter(asked, drug.start, dose.end() if dose else drug.end, drug.kind)
        if part is not None:
            yield part
    for condition in terms("de", "conditions").find(phrase):
        said = phrase[condition.start : condition.end]
        if len(said) <= 3 and not said.isupper():
            continue
        stage = _STAGE.match(phrase, condition.end)
        part = _feminine(asked, condition.start, stage.end() if stage else condition.end, condition.kind)
        if part is not None:
            yield part


def _neuter(asked: Asked, start: int, end: int, less: str) -> Part | None:
    previous, kind = last_word(asked, start), "ein Medikament"
    if previous in DATIVE - {"an", "in", "auf", "am", "beim", "vom", "zum", "zur", "im", "trotz", "wegen"}:
        less, kind = less.replace("ein ", "einem ", 1), "einem Medikament"
    elif previous not in _PLAIN - _FEMININE:
        return None
    return Part(start, end, less if less != kind else None, kind)


def _feminine(asked: Asked, start: int, end: int, less: str) -> Part | None:
    """All kinds of illness are feminine; where the article before is not, nothing is said."""
    previous, kind = last_word(asked, start), "eine Krankheit"
    if previous in _FEMININE:
        return Part(start, end, without_article(less), without_article(kind))
    if previous in _FEMININE_DATIVE:
        bare = [dative_of_feminine(one).removeprefix("einer ") for one in (less, kind)]
        return Part(start, end, bare[0], bare[1])
    if previous in DATIVE - {"am", "beim", "vom", "zum", "im", "zur", "in", "auf", "vor"}:
        return Part(start, end, dative_of_feminine(less), dative_of_feminine(kind))
    return Part(start, end, less, kind) if previous in _PLAIN or previous.isdigit() else None
