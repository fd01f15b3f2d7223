"""Ways to say in one English sentence what a phrase tells. Each frame gives a sentence or None.

Which one is used is decided by `choice` from weights fitted on training data, never by the frames themselves.
"""

# ruff: noqa: E501  # tables: one entry a line reads best

from __future__ import annotations

import re
from collections.abc import Callable

from limen_daemon.information.clause_en import Clause, has_finite_verb, names_a_person
from limen_daemon.information.person import as_subject, shifted, tokens
from limen_daemon.information.verbs import (
    ADVERBS,
    AUXILIARIES,
    VERBS,
    add_s,
    base_of_gerund,
    is_past,
    is_verb_base,
    third_person,
)

Frame = Callable[[Clause], str | None]

_MAX_BETWEEN = 9
_MEASURE = re.compile(
    r"^((?:[A-Za-z-]+ ){0,2}[A-Za-z-]+?)(?: of|:| =)? ([$€£¥]? ?\d[\w.,]*(?: ?[A-Za-z%$€£/]+){0,3})$"
)
_BEING = re.compile(
    r"(?:^|\s)(?:am|i['’]m|im|as|was|being|become|became|becoming|been)(?:\s(?:an?|the|only|now|also|still))?$"
)
_LEADING = re.compile(r"^(?:i|we|my|our|me|im|ive|i[’']m|i[’']ve|we[’']re)\s+", re.IGNORECASE)
_AGE = re.compile(r"\d{1,2}[- ](?:year|month|week|yr)s?[- ]old\b", re.IGNORECASE)
_ARTICLE = re.compile(r"^(?:a|an|the|my|our|some|any|this|that|one)\s", re.IGNORECASE)


def _said(phrase: str) -> str:
    """The phrase in the third person, without a pronoun at its head."""
    return shifted(_LEADING.sub("", phrase.strip()))


def _first(phrase: str) -> str:
    return next((token for token in tokens(phrase.strip())), "")


def _an(noun: str) -> str:
    if _AGE.match(noun):
        return f"a {noun}"
    if not noun or _ARTICLE.match(noun) or noun[0].isdigit() or noun[:1] in "$€£":
        return noun
    return ("an " if noun[0].lower() in "aeiou" else "a ") + noun


def _agree(phrase: str) -> str:
    """The phrase with its first verb (behind adverbs) in the third person singular."""
    parts = tokens(phrase)
    for index, part in enumerate(parts):
        if part.isspace() or part.lower() in ADVERBS:
            continue
        parts[index] = third_person(part)
        break
    return "".join(parts)


def _bare(clause: Clause) -> str | None:
    inside = as_subject(clause.phrase.strip())
    return inside if inside is not None else f"The user {_agree(_said(clause.phrase))}"


def _own(clause: Clause) -> str | None:
    """The bare phrase where it is the user who speaks of themselves: for phrases about related people."""
    if as_subject(clause.phrase.strip()) is None and not (
        clause.subject in ("i", "we") and clause.distance <= 2
    ):
        return None
    return _bare(clause)


def _from_left(clause: Clause, subject: str = "The user") -> str | None:
    if not clause.subject or clause.distance > _MAX_BETWEEN or as_subject(clause.phrase.strip()):
        return None
    spoken = f"{clause.between}{clause.phrase.strip()}"
    if clause.subject in ("my", "our") and not has_finite_verb(spoken):
        return None
    return as_subject(clause.subject + spoken, subject)


def _left_and_right(clause: Clause) -> str | None:
    sentence = _from_left(clause) or as_subject(clause.phrase.strip())
    right = clause.right.rstrip()
    return sentence + shifted(right) if sentence and 0 < len(right.split()) <= 5 else None


def _bare_and_right(clause: Clause) -> str | None:
    sentence, right = _bare(clause), clause.right.rstrip()
    return sentence + shifted(right) if sentence and 0 < len(right.split()) <= 5 else None


def _head(clause: Clause) -> str | None:
    """Subject and verb group of the clause, then the phrase: what "I love A, B and C" says of C."""
    if clause.subject in ("", "my", "our") or clause.distance < 2 or has_finite_verb(clause.phrase):
        return None
    kept: list[str] = []
    seen_verb = False
    for token in tokens(clause.between):
        low = token.lower()
        if token.isspace():
            kept.append(token)
            continue
        is_word = low in AUXILIARIES or low in ADVERBS or low in VERBS or is_past(low) or low.endswith("ing")
        glue = low in (
            "to",
            "in",
            "at",
            "as",
            "a",
            "an",
            "the",
            "for",
            "with",
            "from",
            "of",
            "about",
            "interested",
            "not",
        )
        if not is_word and not glue:
            break
        seen_verb = seen_verb or is_word
        kept.append(token)
    if not seen_verb:
        return None
    return as_subject(clause.subject + "".join(kept).rstrip() + " " + _said(clause.phrase))


def _with_head(clause: Clause) -> str | None:
    """Subject and only the first verb (with "to"), then the phrase."""
    if clause.subject in ("", "my", "our") or clause.distance < 2 or has_finite_verb(clause.phrase):
        return None
    found = re.match(
        r"\s*((?:(?:" + "|".join(sorted(ADVERBS)) + r")\s+)*[A-Za-z'’]+(?:\s+to)?)\s", clause.between, re.I
    )
    if found is None or found.group(1).split()[-1].lower() in AUXILIARIES:
        return None
    return as_subject(f"{clause.subject} {found.group(1)} {_said(clause.phrase)}")


def _possessed(clause: Clause) -> str | None:
    """ "The user's X is Y": only for phrases with a verb of their own, so that a sentence comes out."""
    said = _said(clause.phrase)
    measured = _MEASURE.match(said)
    if measured:
        return f"The user's {measured[1]} is {measured[2]}"
    return f"The user's {said}" if has_finite_verb(said) else None


def _is_a(verb: str) -> Frame:
    def frame(clause: Clause) -> str | None:
        told = _BEING.search(clause.previous_two) or (not clause.previous and names_a_person(clause.phrase))
        return f"The user {verb} {_an(_said(clause.phrase))}" if told else None

    return frame


def _after(words: str, *previous: str) -> Frame:
    """`words` and the phrase, only behind one of the words `previous`."""

    def frame(clause: Clause) -> str | None:
        if not (set(previous) & set(clause.previous_two.split())):
            return None
        return f"{words} {_said(clause.phrase)}"

    return frame


def _has(clause: Clause) -> str | None:
    said = _said(clause.phrase)
    if has_finite_verb(said) or (
        is_past(_first(said)) and clause.previous not in ("have", "i've", "ive", "has", "had")
    ):
        return None
    return f"The user has {_an(said) if _AGE.match(said) else said}"


def _mentions(clause: Clause) -> str | None:
    said = _said(clause.phrase)
    return f"The user mentions that {said}" if has_finite_verb(said) else f"The user mentions {said}"


def _labelled(clause: Clause) -> str | None:
    return f"The user's {shifted(clause.label)} is {clause.phrase.strip()}" if clause.label else None


def _numbered(clause: Clause) -> str | None:
    return f"The user's number is {clause.phrase.strip()}" if re.search(r"\d{3}", clause.phrase) else None


def _thinks(clause: Clause) -> str | None:
    return f"The user thinks {_said(clause.phrase)}" if has_finite_verb(clause.phrase) else None


def _someone(clause: Clause) -> str | None:
    """A clause about another person when nothing says who that is."""
    if clause.relative and clause.previous not in ("he", "she", "they", "who"):
        return None
    return f"Someone the user knows {_agree(_said(clause.phrase))}"


def _named(clause: Clause) -> str | None:
    told = {"am", "i'm", "i’m", "im", "myself", "name", "is", "called", "this"} & set(
        clause.previous_two.split()
    )
    return f"The user's name is {_said(clause.phrase)}" if told or not clause.right.strip() else None


def _prefix(words: str, *, article: bool = False, noun: bool = False) -> Frame:
    """`words` and the phrase; with `noun` only for a phrase without a verb of its own."""

    def frame(clause: Clause) -> str | None:
        said = _said(clause.phrase)
        if noun and has_finite_verb(said):
            return None
        return f"{words} {_an(said) if article else said}"

    return frame


def _to(words: str) -> Frame:
    """`words` and the phrase as an infinitive: for phrases that begin with a base verb or a gerund."""

    def frame(clause: Clause) -> str | None:
        said = re.sub(r"^to\s+", "", _said(clause.phrase), flags=re.IGNORECASE)
        first = _first(said)
        base = first if is_verb_base(first) else base_of_gerund(first)
        return f"{words} to {base}{said[len(first) :]}" if base else None

    return frame


def _third(clause: Clause) -> str | None:
    """The phrase's base verb or gerund as the sentence's verb: "working with X" gives "The user works with X"."""
    said = re.sub(r"^to\s+", "", _said(clause.phrase), flags=re.IGNORECASE)
    first = _first(said)
    base = first if is_verb_base(first) else base_of_gerund(first)
    return f"The user {add_s(base)}{said[len(first) :]}" if base else None


def _of_relative(verb: str) -> Frame:
    def frame(clause: Clause) -> str | None:
        if not clause.relative:
            return None
        said = _said(clause.phrase)
        return (
            f"The user's {clause.relative} {verb} {said}"
            if verb
            else f"The user's {clause.relative} {_agree(said)}"
        )

    return frame


def _of_company(clause: Clause) -> str | None:
    if clause.subject == "my":
        return None
    subject = "The user's company"
    return as_subject(clause.phrase.strip(), subject) or _from_left(clause, subject)


def _company_verb(clause: Clause) -> str | None:
    return f"The user's company {_agree(_said(clause.phrase))}"


def _my_has(clause: Clause) -> str | None:
    """A thing that "my" stands right before, said as a possession."""
    if clause.subject not in ("my", "our") or clause.distance > 2:
        return None
    return f"The user has {_an((clause.between.strip() + ' ' + _said(clause.phrase)).strip())}"


# Shapes (see `clause_en.shape_of`) that a frame can take without breaking English.
VERBAL = frozenset(
    "first_person aux aux_be aux_have verb verb_want verb_need verb_like verb_love verb_plan verb_hope"
    " verb_wish verb_s verb_wants past my".split()
)
NOMINAL = frozenset("noun a the number proper adjective sign my no gerund past".split())
STATE = frozenset("gerund adjective preposition past no a the noun number proper".split())
INFINITIVE = frozenset(
    "verb verb_need verb_like verb_love verb_plan verb_want verb_hope gerund preposition aux".split()
)
ANY = VERBAL | NOMINAL | STATE | INFINITIVE | {"third_person"}

FRAMES_EN: dict[str, tuple[Frame, frozenset[str]]] = {
    "bare": (_bare, VERBAL),
    "own": (_own, VERBAL),
    "left": (_from_left, ANY),
    "left_right": (_left_and_right, ANY),
    "bare_right": (_bare_and_right, VERBAL),
    "head": (_head, ANY),
    "first_verb": (_with_head, ANY),
    "third": (_third, INFINITIVE),
    "possessed": (_possessed, NOMINAL),
    "my_has": (_my_has, NOMINAL),
    "is": (_prefix("The user is"), STATE - {"noun", "a", "the", "number", "proper"}),
    "is_a": (_is_a("is"), NOMINAL),
    "was": (_prefix("The user was"), STATE - {"noun", "a", "the", "number", "proper"}),
    "was_a": (_is_a("was"), NOMINAL),
    "has": (_has, NOMINAL),
    "has_a": (_prefix("The user has", article=True, noun=True), NOMINAL),
    "has_been": (_prefix("The user has been"), frozenset({"gerund", "past", "preposition"})),
    "wants": (_prefix("The user wants", noun=True), NOMINAL - {"gerund", "past"}),
    "wants_a": (_prefix("The user wants", article=True, noun=True), NOMINAL - {"gerund", "past"}),
    "wants_to": (_to("The user wants"), INFINITIVE),
    "plans_to": (_to("The user plans"), INFINITIVE),
    "needs": (_prefix("The user needs", noun=True), NOMINAL - {"gerund", "past"}),
    "needs_to": (_to("The user needs"), INFINITIVE),
    "likes": (_prefix("The user likes", noun=True), NOMINAL),
    "interested": (_prefix("The user is interested in", noun=True), NOMINAL),
    "thinks": (_thinks, ANY),
    "thinks_is": (_prefix("The user finds it"), STATE),
    "feels": (_prefix("The user feels"), frozenset({"adjective", "past", "preposition", "noun"})),
    "uses": (_prefix("The user uses", noun=True), NOMINAL),
    "named": (_named, ANY),
    "writes_to": (_prefix("The user is writing to"), ANY),
    "contact": (_prefix("The user has a contact named"), ANY),
    "works_as": (_prefix("The user works as", article=True, noun=True), NOMINAL),
    "works_at": (_prefix("The user works at", noun=True), NOMINAL),
    "works_in": (_prefix("The user works in", noun=True), NOMINAL),
    "works_for": (_prefix("The user works for", noun=True), NOMINAL),
    "lives": (_after("The user lives in", "live", "lives", "living", "lived", "reside", "based", "moved"), NOMINAL),
    "in": (_after("The user is in", "in", "at", "from", "near", "here"), NOMINAL),
    "from": (_after("The user is from", "from", "am", "as", "a"), NOMINAL),
    "to_place": (_after("The user is going to", "to", "visit", "visiting"), NOMINAL),
    "studies": (_prefix("The user is studying", noun=True), NOMINAL),
    "studies_at": (_prefix("The user studies at", noun=True), NOMINAL),
    "speaks": (_prefix("The user speaks", noun=True), NOMINAL),
    "knows": (_prefix("The user knows", noun=True), NOMINAL),
    "experience": (_prefix("The user has experience with", noun=True), NOMINAL),
    "can": (_prefix("The user can"), frozenset({"verb"})),
    "considers": (_prefix("The user is considering", noun=True), NOMINAL),
    "company_left": (_of_company, ANY),
    "company": (_company_verb, VERBAL - {"my"}),
    "company_has": (_prefix("The user's company has", noun=True), NOMINAL),
    "company_is": (_prefix("The user's company is"), frozenset({"gerund", "adjective", "past", "preposition"})),
    "company_in": (_prefix("The user's company is in", noun=True), NOMINAL),
    "company_with": (_prefix("The user's company works with", noun=True), NOMINAL),
    "business": (_prefix("The user's business is"), frozenset({"gerund", "adjective", "past", "a"})),
    "relative": (_of_relative(""), VERBAL),
    "relative_is": (_of_relative("is"), STATE - {"noun", "the", "proper"}),
    "relative_has": (_of_relative("has"), NOMINAL),
    "relative_with": (_of_relative("is linked to"), NOMINAL),
    "relative_in": (_of_relative("is in"), NOMINAL),
    "relative_named": (_of_relative("is named"), ANY),
    "labelled": (_labelled, ANY),
    "numbered": (_numbered, ANY),
    "knows_a": (_prefix("The user knows", article=True, noun=True), NOMINAL),
    "address": (_prefix("The user's address is"), ANY),
    "for": (_prefix("The user is looking for", noun=True), NOMINAL),
    "working_on": (_prefix("The user is working on", noun=True), NOMINAL),
    "sells": (_prefix("The user sells", noun=True), NOMINAL),
    "someone": (_someone, VERBAL),
    "mentions": (_mentions, ANY),
}  # fmt: skip

_CLAUSE_FRAMES = (
    "bare",
    "left",
    "left_right",
    "bare_right",
    "head",
    "first_verb",
    "third",
    "possessed",
    "my_has",
)
_LAST = ("mentions",)
_RELATED_CLAUSE = tuple("own" if name == "bare" else name for name in _CLAUSE_FRAMES if name != "bare_right")
_RELATED_FRAMES = ("someone", "relative", "relative_is", "relative_has")
_BY_CATEGORY: dict[str, str] = {
    "name": "named",
    "contact": "labelled numbered",
    "address": "address lives",
    "location": "lives in from to_place is",
    "identifier": "labelled numbered uses has_a",
    "credential": "labelled uses has",
    "age": "is is_a was",
    "demographic": "is is_a from speaks was",
    "health": "has has_a has_been is is_a was feels wants_to",
    "mental_health": "has has_a has_been is is_a was feels",
    "relationship": "has has_a is is_a was",
    "occupation": "is is_a was was_a works_as works_in works_at has has_a wants_a has_been needs_to",
    "employer": "works_at works_for works_in is_a from has_been",
    "business": "company company_left company_has company_is company_in company_with business is has has_a sells wants_to"
    " needs_to working_on uses plans_to",
    "education": "is is_a studies studies_at has has_a was has_been wants_to working_on",
    "skill": "is is_a has has_a knows experience can uses speaks",
    "finance": "has has_a is wants_to business company_has was has_been",
    "legal": "has has_a is is_a was has_been wants_to",
    "belief": "is is_a thinks has",
    "opinion": "thinks thinks_is feels likes is",
    "preference": "likes wants wants_a interested is wants_to for",
    "activity": "is was has has_a has_been wants_to working_on needs_to",
    "intention": "wants wants_a wants_to plans_to needs needs_to is for considers interested",
    "habit": "is has uses likes has_a",
    "possession": "has has_a uses is",
    "emotion": "is feels was has has_a thinks",
}
# For what is a related person's or thing's: these instead of what would say it of the user.
_RELATED_CATEGORY: dict[str, str] = {
    "name": "writes_to contact relative_named",
    "contact": "labelled numbered",
    "address": "address",
    "location": "relative_in",
    "identifier": "labelled numbered uses",
    "credential": "labelled uses has",
    "age": "knows_a",
    "demographic": "knows_a",
    "relationship": "has has_a relative_named knows_a",
    "occupation": "knows_a",
    "employer": "relative_with",
    "possession": "has has_a",
    "business": _BY_CATEGORY["business"],
    "finance": "company company_has has has_a",
    "legal": "company company_has has has_a",
}


_NOT_HAD = frozenset(
    {"name", "employer", "location", "age", "contact", "address", "identifier", "credential", "occupation"}
)


def allowed_frames(category: str, related: bool) -> tuple[str, ...]:
    """The frames that make sense for a category, in the order in which they are tried without weights."""
    if not related:
        return (*_CLAUSE_FRAMES, *_BY_CATEGORY[category].split(), *_LAST)
    own = _RELATED_CATEGORY.get(category, "has has_a").split()
    kin = [name for name in _RELATED_FRAMES if name != "relative_has" or category not in _NOT_HAD]
    return (*_RELATED_CLAUSE, *own, *kin, *_LAST)
