"""What stands around an English phrase: its subject, the words between, the words behind."""

# ruff: noqa: E501  # word lists and patterns: one entry a line reads best

from __future__ import annotations

import re
from dataclasses import dataclass

from limen_daemon.information.verbs import ADVERBS, AUXILIARIES, VERBS, is_past

_LEFT_CHARACTERS = 160
_RIGHT_CHARACTERS = 60
_SENTENCE_END = re.compile(r"[.!?](?=\s|$)|[\n;:()\[\]]|[.]{2,}")
_SUBJECT = re.compile(
    r"(?<![\w'’.@-])(?:i[’'](?:m|ve|d|ll)|we[’'](?:re|ve|d|ll)|im|ive|i|we|my|our)(?![\w@-]|[’'.]\w)",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_]+(?:[’'-][^\W_]+)*", re.UNICODE)
_RELATIONS = (
    "wife|husband|spouse|partner|girlfriend|boyfriend|fiancee?|fiancée?|mother|mom|mum|mam|dad|father|parents|son|daughter|kids?|"
    "child|children|baby|brother|sister|siblings?|uncle|aunt|cousin|niece|nephew|grandma|grandmother|grandpa|grandfather|"
    "friends?|roommate|flatmate|boss|manager|colleagues?|coworkers?|client|clients|customers?|neighbou?rs?|landlord|landlady|"
    "tenants?|doctor|therapist|lawyer|teacher|students?|team|company|business|employer|ex|ex-wife|ex-husband|stepson|stepdaughter|"
    "family|dog|cat|school|university|startup|firm|organi[sz]ation|department|store|shop|website|app|project"
)
_AGED = r"(?P<age>\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten)[ -]?(?P<unit>year|yr|month|week)s?[ -]?olds?"
_RELATIVE = re.compile(
    rf"(?<![\w])(?:my|our)\s+(?P<kin>{_AGED}(?!\w)(?: (?:son|daughter|kid|child|boy|girl|dog|cat))?|"
    rf"(?:[\w-]+\s){{0,2}}?(?:{_RELATIONS})(?!\w))",
    re.IGNORECASE,
)

_LABEL = re.compile(
    r"((?:(?!my|our|the|is|a|to|of|and|with|for|from|in)[A-Za-z]{2,14} ){0,2}(?:number|nmbr|no|nr|id|code|account|acct|reference|ref|"
    r"name|username|login|address|e-?mail|password|passcode|key|token|plate|phone|mobile|extension|host|ip|iban|ssn|pin))"
    r"[.:#]?(?: is| are|:| =)?\s*[\"'(<#:]?$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Clause:
    """`subject`: the nearest first-person word before the phrase in its sentence ("" if none), `between` the text
    from behind it to the phrase; `right` the text behind the phrase up to the end of its clause;
    `relative` the nearest "my <relation>" before it in the whole text ("" if none)."""

    phrase: str
    subject: str
    between: str
    distance: int
    previous: str
    previous_two: str
    right: str
    relative: str
    sentence_start: bool
    label: str
    """What the words right before the phrase call it ("booking number"), else ""."""


def clause_of(text: str, start: int, end: int) -> Clause:
    window = text[max(0, start - _LEFT_CHARACTERS) : start]
    cut = 0
    for found in _SENTENCE_END.finditer(window):
        cut = found.end()
    left = window[cut:]
    subject, between = "", left
    for found in _SUBJECT.finditer(left):
        subject, between = found.group(), left[found.end() :]
    words = [word.lower() for word in _WORD.findall(left)]
    right = text[end : end + _RIGHT_CHARACTERS]
    stop = re.search(r"[.,!?;:\n()\[\]]|\s(?:and|but|so|because|which|how|what|can|please|is it)\s", right)
    right = right[: stop.start()] if stop else right
    relative = ""
    for found in _RELATIVE.finditer(text[max(0, start - 400) : start]):
        relative = found.group("kin").lower()
        if found.group("age"):
            unit = "year" if found.group("unit").lower() == "yr" else found.group("unit").lower()
            rest = relative[found.end("unit") - found.start("kin") :].split("old", 1)[-1].strip("s ")
            relative = f"{found.group('age').lower()}-{unit}-old {rest or 'child'}"
    return Clause(
        phrase=text[start:end],
        subject=subject.lower().replace("’", "'"),
        between=between,
        distance=len(_WORD.findall(between)),
        previous=words[-1] if words else "",
        previous_two=" ".join(words[-2:]),
        right=right,
        relative=relative,
        sentence_start=not left.strip(),
        label=_label(window[-60:]),
    )


def _label(left: str) -> str:
    found = _LABEL.search(left)
    return str(found.group(1)).lower().strip() if found else ""


_DETERMINERS = frozenset("a an the this that these those some any one two three four five".split())
_NOUN_FOLLOWS = frozenset(
    "the a an my our your his her their its this that these those some any no of".split()
)
_PREPOSITIONS = frozenset(
    "in at on for with from to of about by into near under over after before since during as without within".split()
)


def shape_of(phrase: str, previous: str = "") -> str:
    """What kind of words a phrase begins with, one of about twenty names. `previous`: the word before it, lower case."""
    words: list[str] = [word.lower().replace("’", "'") for word in _WORD.findall(phrase)]
    if not words:
        return "sign"
    first = words[0]
    if first in ADVERBS and len(words) > 1:
        first = words[1]
    if first in ("i", "we", "im", "ive", "i'm", "i've", "we're", "i'd", "i'll", "we've"):
        return "first_person"
    if first in ("my", "our"):
        return "my"
    if first in ("not", "no"):
        return "no"
    if previous in _NOUN_FOLLOWS and (first in VERBS or is_past(first)):
        return "noun"
    if first in ("want", "wants", "need", "like", "love", "plan", "hope", "wish"):
        return "verb_" + first
    if first in AUXILIARIES or first.endswith("n't") or first in ("dont", "cant", "didnt", "havent", "wont"):
        return (
            "aux_be"
            if first in ("am", "is", "are", "was", "were", "be", "been")
            else ("aux_have" if first in ("have", "has", "had") else "aux")
        )
    if first in VERBS:
        return "verb"
    if first.endswith("ing") and len(first) > 4:
        return "gerund"
    if is_past(first):
        return "past"
    if first in ("a", "an"):
        return "a"
    if first in _DETERMINERS:
        return "the"
    if first in _PREPOSITIONS:
        return "preposition"
    if first in ("he", "she", "they", "his", "her", "their", "it", "you", "your"):
        return "third_person"
    if first[0].isdigit() or phrase.lstrip()[:1] in "$€£¥":
        return "number"
    if first in VERBS or (first.endswith("s") and first[:-1] in VERBS):
        return "verb_s"
    if phrase.lstrip()[:1].isupper() and not phrase.isupper():
        return "proper"
    return "adjective" if first.endswith(("ed", "ive", "ful", "ous", "able", "ish", "ic", "al")) else "noun"


_FINITE = re.compile(
    r"\b(?:is|are|was|were|am|has|have|had|does|do|did|will|would|can|could|should|must|needs?|wants?|costs?|lives?|works?|'s"
    r"|\w+n['’]t)\b",
    re.IGNORECASE,
)


_PERSON_NOUN = re.compile(
    r"(?:\w(?:er|or|ist|ian|ant|ent|eer|man|woman|men|women|ee|male)s?|nurse|chef|citizen|graduate|fresher|pilot|guy|girl|boy|"
    r"lady|mom|mum|dad|mother|father|parent|widow|minor|adult|novice|expert|host|intern|coach|clerk|judge|vegan|vegetarian|"
    r"muslim|christian|catholic|hindu|jew|native|resident|refugee|veteran|athlete|single|virgin|introvert|orphan|twin|head|lead|"
    r"(?:year|yr)s?[ -]?old|yo|analyst|architect|associate|executive|rep|dev|artist|postdoc|major|alumnus|undergrad)"
    r"(?:\s(?:of|with|at|in|for|from|on|who|and|by|working|specializ|specialis|to|since|\d|\().*)?$",
    re.IGNORECASE,
)


def names_a_person(phrase: str) -> bool:
    """Whether the phrase is a noun for a person ("software engineer at X"), so that "The user is a" can precede it."""
    return _PERSON_NOUN.search(phrase.strip()) is not None


_ALSO_NOUNS = frozenset(
    "answers books calls changes charges checks claims costs deals designs drinks dates downloads exercises experiences"
    " faces files forms fights hopes leads lists loads looks markets measures minds moves notices offers orders paints"
    " passes plans plants plays posts presents processes promises purchases records refunds rents repairs reports"
    " requests returns reviews runs shares shops shows signs smokes stands stays stops struggles studies supplies"
    " talks tests tracks trades trains transfers travels turns updates upgrades uses visits walks watches wishes ships"
    " supports likes lands hosts issues ends drops cuts bikes cycles dances reads".split()
)


_ACTS = re.compile(
    rf"(?<!\w)(?:{_RELATIONS})\s+(?P<verb>[a-z]+)\s+(?:his|her|their|its|my|our|the|an?|us|me)\s",
    re.IGNORECASE,
)


def has_finite_verb(phrase: str) -> bool:
    """Whether the phrase has a verb of its own behind its first word ("ad account was restricted").

    A past form counts where someone does something to something ("husband lost his job"): elsewhere it may be
    a participle ("son diagnosed with autism").
    """
    acts = _ACTS.search(phrase)
    if _FINITE.search(phrase) or (acts and is_past(acts["verb"])):
        return True
    words = [word.lower() for word in _WORD.findall(phrase)]
    return any(
        word.endswith("s") and word not in _ALSO_NOUNS and (word[:-1] in VERBS or word[:-2] in VERBS)
        for word in words[1:]
    )
