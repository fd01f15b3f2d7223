"""German employers, schools and hospitals: what kind of place, in the case its preposition asks for."""

# ruff: noqa: E501  # patterns and conditions: one a line reads best

from __future__ import annotations

import re
from collections.abc import Iterator

from limen_daemon.findings import Category
from limen_daemon.generalize.asked import Asked
from limen_daemon.generalize.drafts import Part
from limen_daemon.generalize.terms import terms

_VALUES = frozenset(
    {Category.CONTACT, Category.IDENTIFIER, Category.CREDENTIAL, Category.ADDRESS, Category.NAME}
)
_WORKING = frozenset(
    {
        Category.EMPLOYER,
        Category.OCCUPATION,
        Category.BUSINESS,
        Category.LEGAL,
        Category.FINANCE,
        Category.ACTIVITY,
    }
)
_KINDS = {
    "universität": ("f", "Universität"), "uni": ("f", "Universität"), "tu": ("f", "Universität"), "hochschule": ("f", "Hochschule"),
    "fh": ("f", "Hochschule"), "schule": ("f", "Schule"), "gymnasium": ("n", "Gymnasium"), "kita": ("f", "Kita"), "kindergarten": ("m", "Kindergarten"),
    "klinikum": ("n", "Krankenhaus"), "krankenhaus": ("n", "Krankenhaus"), "klinik": ("f", "Klinik"), "charité": ("n", "Krankenhaus"),
    "sparkasse": ("f", "Bank"), "bank": ("f", "Bank"), "volksbank": ("f", "Bank"), "commerzbank": ("f", "Bank"), "postbank": ("f", "Bank"),
    "allianz": ("f", "Versicherung"), "telekom": ("f", "Firma"), "bahn": ("f", "Firma"),
}  # fmt: skip
_NAME = r"(?:[A-ZÄÖÜ][\w&é-]*(?: (?!in\b|an\b|als\b|bei\b)[A-ZÄÖÜ][\w&é-]*)*)"
_PLACED = re.compile(
    rf"\b(?P<at>an|bei|in|von|auf|aus|mit|für|gegen|zu|seit) (?P<article>der|die|das|dem|den) (?P<name>{_NAME})"
)
_JOINED = re.compile(rf"\b(?P<at>am|beim|im|zur|zum|vom|ins|ans) (?P<name>{_NAME})")
_COMPANY = re.compile(
    r"\bbei (?P<name>[A-ZÄÖÜ][\w&.-]*(?: (?:[A-ZÄÖÜ][\w&-]*|& Co\.?))*)$|\bbei (?P<name2>[A-ZÄÖÜ][\w&.-]*)"
)
_OPENED = {
    "am": "an",
    "beim": "bei",
    "im": "in",
    "zur": "zu",
    "zum": "zu",
    "vom": "von",
    "ins": "in",
    "ans": "an",
}


def organisations_de(asked: Asked) -> Iterator[Part]:
    if asked.category in _VALUES:
        return
    # Clause and phrase together: "an der | TU München" has its article before the phrase.
    clause = asked.before + asked.phrase
    shift = len(asked.before)
    for pattern in (_PLACED, _JOINED):
        for found in pattern.finditer(clause):
            part = _placed(asked, found, shift, joined=pattern is _JOINED)
            if part is not None:
                yield part
    if asked.category in _WORKING:
        for found in _COMPANY.finditer(clause):
            group = "name" if found["name"] else "name2"
            known = list(terms("de", "organisations").find(found[group]))
            start, end = found.start(group) - shift, found.end(group) - shift
            if end <= 0 or not (known or asked.category is Category.EMPLOYER):
                continue
            yield Part(start, end, known[-1].kind if known else "einem Unternehmen", None)


def _placed(asked: Asked, found: re.Match[str], shift: int, joined: bool) -> Part | None:
    end = found.end() - shift
    if end <= 0:
        return None
    name = found["name"]
    kind = next((_KINDS[word] for word in _words(name) if word in _KINDS), None)
    if kind is None or name.lower() == kind[1].lower():
        return None
    gender, noun = kind
    if joined:
        at = found["at"]
        said = _OPENED[at]
        accusative = at in ("ins", "ans")
        return Part(found.start() - shift, end, f"{said} {_article(gender, accusative)} {noun}", None)
    article = found["article"]
    accusative = article in ("die", "das", "den")
    return Part(found.start("article") - shift, end, f"{_article(gender, accusative)} {noun}", None)


def _words(name: str) -> Iterator[str]:
    """The words of a name and the last halves of compounds: "Goethe-Gymnasium", "Stadtsparkasse"."""
    for word in re.findall(r"[\wé]+", name.lower()):
        yield word
        for ending in (
            "universität",
            "hochschule",
            "schule",
            "gymnasium",
            "klinikum",
            "krankenhaus",
            "klinik",
            "sparkasse",
            "bank",
            "kita",
            "kindergarten",
        ):
            if word.endswith(ending):
                yield ending


def _article(gender: str, accusative: bool) -> str:
    if gender == "f":
        return "eine" if accusative else "einer"
    if accusative:
        return "einen" if gender == "m" else "ein"
    return "einem"
