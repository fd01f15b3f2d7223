"""English verb forms: enough to put a first-person clause into the third person."""

# ruff: noqa: E501  # word lists: one entry a line reads best

from __future__ import annotations

_IRREGULAR = {
    "be": "is",
    "am": "is",
    "are": "is",
    "have": "has",
    "do": "does",
    "go": "goes",
    "undergo": "undergoes",
}
_CONTRACTED = {
    "don't": "does not", "dont": "does not", "don’t": "does not", "haven't": "has not", "havent": "has not",
    "haven’t": "has not", "ain't": "is not", "aren't": "is not", "weren't": "was not", "weren’t": "was not",
    "were": "was", "'m": "is", "'ve": "has", "'re": "is", "'d": "would", "'ll": "will",
    "can't": "cannot", "cant": "cannot", "can’t": "cannot", "won't": "will not", "wont": "will not",
    "won’t": "will not", "didn't": "did not", "didnt": "did not", "didn’t": "did not", "isn't": "is not",
    "wasn't": "was not", "wasn’t": "was not", "couldn't": "could not", "wouldn't": "would not",
    "gonna": "going to", "wanna": "wants to", "gotta": "has to", "wana": "wants to",
}  # fmt: skip
MODALS = frozenset("can could will would shall should may might must did had was cannot used ought".split())
AUXILIARIES = MODALS | frozenset("am is are was were be been being have has had do does did".split())
ADVERBS = frozenset(
    "also just always never currently still even often really now already recently only usually actually first then"
    " soon sometimes mostly mainly generally personally simply basically not ever almost barely rarely definitely"
    " probably maybe not finally truly simply".split()
)
# Verbs that begin phrases people type about themselves; base form.
VERBS = frozenset(
    """
    accept achieve act add adopt afford agree aim answer apply appreciate approach argue arrange arrive ask attach attend avoid
    babysit bake become begin believe belong bike book borrow bring build buy calculate call cancel care carry
    catch change charge chat check choose claim clean climb close collect come commute compare complete conduct
    connect consider contact contribute convert convince cook cope cost count cover create cry cut cycle dance date
    deal decide defend delete deliver demand deploy deserve design develop die discuss dislike divorce do download draw
    drink drive drop earn eat edit email employ end enjoy enroll enter escape evaluate exercise expand expect
    experience explain explore export face fail fall fear feed feel fight file fill find finish fix fly focus follow
    forget form formulate forward found gain generate get give go graduate grow guess handle hate have head hear help
    hesitate hike hire hold host hope hunt hurt identify implement import improve include increase inform insert
    install integrate intend invest invite join jog keep know lack land launch lead learn leave lend let lift like listen
    live load look lose love maintain make manage market marry match mean measure meet mention mind miss mix move
    need negotiate notice obtain offer open operate order organise organize overcome own paint participate pass pay
    perform pick place plan plant play post practice practise pray prefer prepare present print process produce
    promise promote propose protect prove provide publish pull purchase pursue push put quit raise ran reach read
    realize receive recommend record recover reduce refer refund register regret relocate remember remove rent renew
    repair repeat replace reply report request require research resign resolve respond return review rewrite ride
    run save say schedule search see seek seem sell send serve set share ship shop show sign sing sit skip sleep
    smoke solve speak specialise specialize spend stand start stay stop struggle study submit suffer suggest supply
    support suspect swim switch take talk teach tell tend test thank think track trade train translate transfer
    travel treat try turn understand update upgrade upload use utilize vape visit volunteer wait wake walk want
    wash waste watch wear weigh win wish withdraw work worry write yearn
    """.split()
)


def third_person(verb: str) -> str:
    """The verb after "The user": "want" becomes "wants", "am" becomes "is"; other forms stay."""
    low = verb.lower()
    if low in _CONTRACTED:
        return _CONTRACTED[low]
    if low in _IRREGULAR:
        return _IRREGULAR[low]
    if low in MODALS or low not in VERBS:
        return verb
    return add_s(verb)


def plural_form(verb: str) -> str:
    """The verb after "they": "am" becomes "are", "was" becomes "were"."""
    return {"am": "are", "was": "were", "'m": "are", "'ve": "have", "'d": "would", "'ll": "will"}.get(
        verb.lower(), verb
    )


def add_s(verb: str) -> str:
    if verb.lower() in _IRREGULAR:
        return _IRREGULAR[verb.lower()]
    if verb.endswith(("s", "x", "z", "ch", "sh")):
        return verb + "es"
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + "s"


def base_of_gerund(word: str) -> str | None:
    """ "making" gives "make", "running" gives "run"; None for other words and unknown verbs."""
    low = word.lower()
    if not low.endswith("ing"):
        return None
    stem = low[:-3]
    for base in (stem, stem + "e", stem[:-1] if stem[-2:-1] == stem[-1:] else stem):
        if base in VERBS or base in ("have", "do", "be"):
            return base
    return None


def is_verb_base(word: str) -> bool:
    return word.lower() in VERBS


def is_past(word: str) -> bool:
    low = word.lower()
    return (low.endswith("ed") and len(low) > 4) or low in _PASTS


_PASTS = frozenset(
    """
    ate began bought broke brought built came caught chose did drank drew drove fell felt forgot fought found gave got grew
    had heard held hurt kept knew left lent lost made met moved paid quit ran read rode said sang sat saw sent slept
    sold spent spoke stood stole stuck swam taught thought told took tore understood was went were woke won wore
    wrote been born done gone given known seen taken written fallen driven eaten chosen broken shown
    """.split()
)
