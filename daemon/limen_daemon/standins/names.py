"""Names: another name of the same form. First name, family name and full name stay one person."""

from __future__ import annotations

import re

from limen_daemon.generalize.terms import terms
from limen_daemon.standins.wanted import StandIn, Wanted, pick, pool

_TITLE = re.compile(
    r"^(?:(?:mr|mrs|ms|miss|mx|dr|prof|professor|sir|madam|herr|frau|signor|señor|sra|sr|doctor|coach|judge|"
    r"aunt|auntie|uncle)\.? )+",
    re.I,
)
_TITLE_ZH = re.compile(
    r"(?:总经理|经理|老师|教授|医生|主任|总|先生|女士|小姐|阿姨|叔叔|大爷|律师|导师|师傅|校长|院长|护士|同学|姐|哥|奶奶|爸爸|妈妈|爷爷)$"
)
_LEAD_ZH = re.compile(r"^[小老阿]")
_DOUBLE_ZH = ("欧阳", "司马", "上官", "诸葛", "东方", "皇甫", "尉迟", "公孙", "慕容", "令狐")
_SHE = re.compile(
    r"\b(?:she|her|hers|mrs|ms|miss|wife|mother|mom|mum|daughter|sister|girlfriend|aunt|frau|mutter|tochter)\b",
    re.I,
)
_HE = re.compile(
    r"\b(?:he|him|his|mr|husband|father|dad|son|brother|boyfriend|uncle|herr|vater|sohn)\b", re.I
)
_NAME = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*\.?")
_HAN = re.compile(r"[\u4e00-\u9fff]{1,6}")
_NEAR = 60


def name(wanted: Wanted) -> list[StandIn]:
    if _HAN.fullmatch(wanted.phrase):
        return _chinese(wanted)
    relation = next(iter(terms(wanted.language, "relations").find(wanted.phrase)), None)
    said = wanted.phrase[: relation.end] if relation else ""
    if said.islower() and said != wanted.phrase:
        # "colleague Anna Weber": who it is to the user is no name.
        start = len(wanted.phrase) - len(wanted.phrase[len(said) :].lstrip())
        inner = name(Wanted(wanted.text, wanted.start + start, wanted.end, wanted.category, wanted.known))
        return [StandIn(wanted.phrase[:start] + inner[0].placeholder, wanted.phrase), *inner] if inner else []
    title = _TITLE.match(wanted.phrase)
    lead = title[0] if title else ""
    words = wanted.phrase[len(lead) :].split()
    if not words or not all(_NAME.fullmatch(word) and word[0].isupper() for word in words) or len(words) > 4:
        return []
    # Behind "Mr" a single word is the family name, elsewhere it is the first name.
    only_family = bool(title) and len(words) == 1
    first = None if only_family else (wanted.known_for(words[0]) or pick(wanted, _given(wanted)))
    last = None
    if only_family or len(words) > 1:
        last = wanted.known_for(words[-1]) or pick(
            wanted, pool("surname_de" if wanted.language == "de" else "surname")
        )
    parts = [one for one in (first, last) if one is not None]
    if not parts:
        return []
    made = [StandIn(lead + " ".join(parts), wanted.phrase)]
    if lead or len(words) > 1:
        made += [StandIn(first, words[0])] if first else []
        made += [StandIn(last, words[-1])] if last else []
        if lead and first and last:
            made.append(StandIn(f"{first} {last}", " ".join(words)))
    return made


def _given(wanted: Wanted) -> tuple[str, ...]:
    near = wanted.text[max(0, wanted.start - _NEAR) : wanted.end + _NEAR]
    she, he = len(_SHE.findall(near)), len(_HE.findall(near))
    if she > he:
        return pool("given_f")
    return pool("given_m") if he > she else (*pool("given_f"), *pool("given_m"))


def _chinese(wanted: Wanted) -> list[StandIn]:
    phrase = wanted.phrase
    title, lead = _TITLE_ZH.search(phrase), _LEAD_ZH.match(phrase)
    if (title and len(phrase) > len(title[0])) or (lead and len(phrase) == 2):
        inner = phrase[: -len(title[0])] if title else phrase[1:]
        family = _family(wanted, inner[:1]) if len(inner) == 1 else None
        if title and len(inner) > 1:
            whole = name(
                Wanted(wanted.text, wanted.start, wanted.start + len(inner), wanted.category, wanted.known)
            )
            return [StandIn(whole[0].placeholder + title[0], phrase), *whole] if whole else []
        if family is None:
            return []
        return [StandIn(f"{family}{title[0]}" if title else f"{phrase[0]}{family}", phrase)]
    if not 2 <= len(phrase) <= 4:
        return []
    width = 2 if phrase.startswith(_DOUBLE_ZH) else 1
    family = _family(wanted, phrase[:width])
    given = wanted.known_for(phrase[width:]) or pick(wanted, pool("given_zh"))
    if family is None or given is None:
        return []
    made = [StandIn(family + given, phrase)]
    return made + ([StandIn(given, phrase[width:])] if len(phrase) - width > 1 else [])


def _family(wanted: Wanted, own: str) -> str | None:
    """Another family name: the one that stands for `own` already, where a known name has it."""
    for one in wanted.known:
        if (
            one.value.startswith(own)
            and _HAN.fullmatch(one.value)
            and one.placeholder[:1] in pool("family_zh")
        ):
            return one.placeholder[:1]
    return pick(wanted, [one for one in pool("family_zh") if one != own])
