"""English ages: "3 year old" is a young child, 45 somewhere in the forties."""

# ruff: noqa: E501  # patterns and conditions: one a line reads best

from __future__ import annotations

import re
from collections.abc import Iterator

from limen_daemon.findings import Category
from limen_daemon.generalize.asked import Asked
from limen_daemon.generalize.drafts import Part
from limen_daemon.generalize.english import POSSESSIVES, describes
from limen_daemon.generalize.numbers import WORD_EN, read_en
from limen_daemon.generalize.parts.human import NOT_HUMAN, clause_before
from limen_daemon.generalize.terms import terms
from limen_daemon.information.verbs import VERBS, is_past

_PERSON_EN = (
    r"(?:step)?(?:son|daughter|kid|child|boy|girl|toddler|baby|brother|sister|mother|mom|mum|father|dad|grandmother|grandma|"
    r"grandfather|grandpa|husband|wife|partner|man|woman|male|female|nephew|niece|cousin|friend|uncle|aunt|dog|cat|puppy|"
    r"student|patient|neighbou?r|teacher|nurse|house|car|company|building"
    r")s?"
)
_AGED_EN = re.compile(
    rf"(?<![\w.])(?P<n>\d{{1,3}}|{WORD_EN})[- ]?(?P<unit>years?|yrs?|months?|weeks?|days?)[- ]?olds?\b(?P<person> {_PERSON_EN}\b)?"
    r"|(?<![\w.])(?P<yo>\d{1,3}) ?(?:y/?o|yrs)\b(?P<yoperson> (?:fe)?male| (?:wo)?man)?",
    re.I,
)
_STATED_EN = re.compile(
    rf"(?<![\w.£$€-])(?P<label>aged? )?(?P<n>\d{{1,3}}|{WORD_EN})(?![\w%.,:/-]*\d|[\w£$€%])", re.I
)
_OF_A_PERSON = re.compile(r" (?:named|called)\b", re.I)
_AGE_IS_EN = re.compile(
    rf"\b(?:is|turned|are) (?P<n>\d{{1,3}}|{WORD_EN})(?= (?:and|but|now|already)\b|[.,;!?]|$)", re.I
)
_HERS = frozenset(
    "she wife girlfriend fiancee fiancée mother mom mum mam daughter sister aunt auntie niece grandma grandmother granddaughter stepdaughter stepmum"
    " mother-in-law sister-in-law landlady ex-wife goddaughter".split()
)
_HIS = frozenset(
    "he husband boyfriend fiance fiancé dad father son brother uncle nephew grandpa grandfather grandson stepson stepdad father-in-law brother-in-law"
    " landlord ex-husband godson godfather".split()
)
_PETS_EN = frozenset("dog cat puppy kitten horse pony rabbit parrot".split())
_THINGS_EN = frozenset("house car company building laptop phone bike boat business".split())
_DECADES_EN = "twenties thirties forties fifties sixties seventies eighties nineties".split()


def ages_en(asked: Asked) -> Iterator[Part]:
    for found in _AGED_EN.finditer(asked.phrase):
        number = read_en(found["n"] or found["yo"])
        if number is None:
            continue
        if NOT_HUMAN.search(clause_before(asked, found.start())):
            continue  # "my cat is 12 years old": old for a cat
        unit = (found["unit"] or "year").lower()
        years = number if unit.startswith("y") else 0
        person = (found["person"] or found["yoperson"] or "").strip()
        if not person and _OF_A_PERSON.match(asked.phrase[found.end() :]):
            continue
        if person or _is_person(asked.phrase[found.end() :] or asked.after):
            yield _described_en(asked, found, years, person)
            continue
        are = re.search(
            r"(?:\bam|'m|’m|\bim|\bis|\bare|\bwas|'s|\bturned|\bbeing)$", asked.before.rstrip(), re.I
        )
        if are and found.start() == 0 and not found[0].lower().endswith("olds"):
            yield _predicate_en(asked, found.start(), found.end(), years)
            continue
        many = "s" if found[0].lower().endswith("olds") else ""
        kind = _noun_en(years)
        kind = (
            {"young child": "young children", "older person": "older people"}.get(kind, kind + "s")
            if many
            else kind
        )
        less = (
            f"{'people' if many else 'person'} in their {_DECADES_EN[years // 10 - 2]}"
            if 20 <= years < 100
            else None
        )
        yield Part(found.start(), found.end(), less, kind)
    if asked.category is not Category.AGE:
        return
    if NOT_HUMAN.search(clause_before(asked, len(asked.phrase))):
        return
    for found in _AGE_IS_EN.finditer(asked.phrase):
        number = read_en(found["n"])
        if (
            found.end() <= len(asked.phrase)
            and number is not None
            and 0 < number < 120
            and found[0][:2] == "is"
        ):
            yield _predicate_en(asked, found.start("n"), found.end("n"), number)
    stated = _STATED_EN.match(asked.phrase)
    if (
        stated
        and stated.end() == len(asked.phrase.rstrip())
        and asked.next not in ("year", "years", "month", "months", "yo")
    ):
        number = read_en(stated["n"])
        if (
            number is None
            or number > 120
            or asked.previous in ("at", "from", "before", "until", "to", "since", *POSSESSIVES)
        ):
            return
        yield _predicate_en(asked, 0, stated.end(), number)
    turned = re.match(rf"turn(?:ed|s|ing)? (?P<n>\d{{1,3}}|{WORD_EN})\b", asked.phrase, re.I)
    if turned:
        verb = turned[0].split()[0].lower()
        had = {"turned": "had a birthday", "turns": "has a birthday", "turning": "having a birthday"}.get(
            verb, "have a birthday"
        )
        yield Part(0, turned.end(), None, had)


def _described_en(asked: Asked, found: re.Match[str], years: int, person: str) -> Part:
    """ "a 29 year old woman": an adjective where English has one, else the noun alone."""
    rest = re.match(r" (?P<word>[\w-]+)", asked.phrase[found.end() :])
    noun = person or (rest["word"] if rest else "")
    end = found.end() if person or not rest else found.end() + rest.end()
    low = noun.lower().removesuffix("s")
    if (
        low in _PETS_EN
        or low in _THINGS_EN
        or next(iter(terms("en", "things").find(asked.phrase[found.end() :])), None)
    ):
        thing = low in _THINGS_EN
        word = (
            ("newer" if years < 4 else "older")
            if thing
            else "young"
            if years < 4
            else "older"
            if years > 8
            else ""
        )
        return Part(found.start(), end if person else found.end(), None, f"{word} {person}".strip())
    kind = _adjective_en(years)
    if kind == "adult" and low not in ("son", "daughter", "child", "kid"):
        kind = ""
    less = None
    if low in ("woman", "female", "man", "male") and 20 <= years < 100:
        their = _their(asked, found.start())
        whose = their if their == "my" else "her" if low in ("woman", "female") else "his"
        less = f"{noun} in {whose} {_DECADES_EN[years // 10 - 2]}"
    return Part(found.start(), end, less, f"{kind} {noun}".strip())


def _is_person(rest: str) -> bool:
    """Whether what follows "3 year old" is whom it describes, and not what they do."""
    if re.match(rf" {_PERSON_EN}\b", rest, re.I):
        return True
    if not describes(rest):
        return False
    word = rest.split()[0].strip("-,.").lower()
    return not any(form in VERBS for form in (word, word[:-1], word[:-2])) and not is_past(word)


def _predicate_en(asked: Asked, start: int, end: int, years: int) -> Part:
    """What stands behind "I am": "in my forties", "a teenager"."""
    their = _their(asked, start)
    apposed = (asked.before + asked.phrase[:start]).rstrip().endswith(",")
    less = f"in {their} {_DECADES_EN[years // 10 - 2]}" if 20 <= years < 100 else None
    if years < 18:
        kind = "a teenager" if years >= 13 else "a child" if their == "my" else "still young"
    else:
        kind = "an adult" if years < 65 else "an older adult" if their == "my" else "elderly"
    # "my son Liam, 9, has": between two commas only a decade fits.
    return Part(start, end, less, None if apposed else kind)


def _their(asked: Asked, start: int) -> str:
    """Whose decade it is: "she is 41" is in her forties."""
    for word in reversed(re.findall(r"[\w'’-]+", (asked.before + asked.phrase[:start]).lower())):
        if word in _HERS:
            return "her"
        if word in _HIS:
            return "his"
        if word in ("i", "i'm", "i’m", "im", "me"):
            return "my"
    return asked.their


def _noun_en(years: int) -> str:
    for limit, noun in ((1, "baby"), (6, "young child"), (13, "child"), (18, "teenager"), (65, "adult")):
        if years < limit:
            return noun
    return "older person"


def _adjective_en(years: int) -> str:
    for limit, word in (
        (1, "little"),
        (6, "young"),
        (13, "young"),
        (18, "teenage"),
        (65, "adult"),
    ):
        if years < limit:
            return word
    return "elderly"
