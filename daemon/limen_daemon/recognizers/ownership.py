"""Whose a value is, read from the words around it.

An identifier in a chat is the user's, someone's close to them, or a stranger's. Only the first two disclose.
The rules look at the value's own sentence (and, in a list of labelled lines, at the lines above it).
"""

# ruff: noqa: E501  # patterns: one entry a line reads best

from __future__ import annotations

import re

from limen_daemon.recognizers.context import NOT_AFTER_WORD, NOT_BEFORE_WORD
from limen_daemon.recognizers.protocol import Owner

_SENTENCE_BEFORE = 200
_SENTENCE_AFTER = 60
_LIST_LINES = 8

_SENTENCE_END = re.compile(r"[.!?](?=[\s\"'”’)])|[。！？；\n]")
_ABBREVIATED = re.compile(
    r"(?:^|[^A-Za-z])(?:no|nr|tel|st|dr|mr|mrs|ms|ph|ext|mob|acct|str|z\.b|e\.g|i\.e)$", re.I
)


def _words(*alternatives: str) -> str:
    return NOT_AFTER_WORD + "(?:" + "|".join(alternatives) + ")" + NOT_BEFORE_WORD


_POSSESSIVE = _words(
    "my", "our", r"mein(?:e[rnms]?)?", r"unser(?:e[rnms]?)?", "mon", "ma", "mes", "mi", "mis"
)
_FIRST_PERSON = re.compile(
    _POSSESSIVE
    + "|"
    + _words(
        "i", "im", "me", "mine", "myself", "we", "us", "ours", "ich", "mir", "mich", "wir", "uns", "je", "moi"
    )
    + "|我|咱|俺|本人",
    re.IGNORECASE,
)
_THIRD_PERSON = re.compile(
    _words(
        "his",
        "her",
        "hers",
        "their",
        "theirs",
        "he",
        "she",
        "they",
        "him",
        "them",
        "seine[rnms]?",
        "ihre?[rnms]?",
    )
    + "|他|她|对方",
    re.IGNORECASE,
)
RELATION_WORDS = (
    "wife husband spouse partner girlfriend boyfriend fiance fiancee fiancé fiancée mother mom mum mam dad father"
    " parents son daughter kid kids child children baby brother sister sibling siblings uncle aunt cousin niece"
    " nephew grandma grandmother grandpa grandfather granny friend friends roommate flatmate boss manager colleague"
    " coworker client neighbour neighbor landlord landlady tenant doctor therapist lawyer teacher student team"
    " company employer ex stepson stepdaughter in-laws family dog cat frau mann mutter vater sohn tochter bruder"
    " schwester freund freundin chef chefin kollege kollegin nachbar nachbarin vermieter vermieterin oma opa tante"
    " onkel kind kinder firma"
)
_RELATED = re.compile(
    _POSSESSIVE
    + r"(?:\s+[\w-]{1,20}){0,2}?\s+(?:"
    + "|".join(RELATION_WORDS.split())
    + r")(?![A-Za-z])"
    + "|(?:我|咱|俺)们?(?:家)?的?(?:妈|爸|父|母|老公|老婆|丈夫|妻子|先生|太太|儿子|女儿|孩子|哥|姐|弟|妹|爷|奶|外公|外婆"
    "|姥|叔|姑|舅|姨|朋友|同事|同学|老板|经理|室友|房东|男友|女友|男朋友|女朋友|对象|领导|老师|学生|公司)",
    re.IGNORECASE,
)
# "my work number is", "meine Steuer-ID lautet": the possessive governs the value itself.
_GOVERNS = re.compile(_POSSESSIVE + r"(?:\s+[\w'’./&-]{1,24}){0,5}[\s:=(,-]{0,4}$", re.IGNORECASE)
_ADDRESSEE = re.compile(
    r"(?:"
    + _words(
        "e-?mail(?:ed)?", "call(?:ed)?", "text(?:ed)?", "contact(?:ed)?", "message(?:d)?", "ping(?:ed)?", "cc",
        "wrote", "write", "(?:write|wrote|speak|talk|reach out|spoke) to", "ask(?:ed)?",
        r"(?:sen[dt]|forward(?:ed)?|mail(?:ed)?)(?:\s+(?!me\b)[\w']{1,15}){0,5}\s+to", "from", "by",
    )
    + r")[\s<(]{0,3}$",
    re.IGNORECASE,
)  # fmt: skip
_ME_AT = re.compile(
    _words("me", "us", "mir", "uns", "mich") + r"(?:\s+[\w']{1,12}){0,3}[\s:(,]{0,3}$", re.IGNORECASE
)
_IS_MINE = re.compile(
    r"^[\s,)]{0,3}(?:"
    + _words("is", "ist", "are", "was")
    + r"\s+(?:"
    + _POSSESSIVE
    + r"|mine)|[\s,]{0,2}(?:是|就是)我)",
    re.IGNORECASE,
)
# "contact us at": an office speaks of itself.
_OFFICE = re.compile(
    _words(
        r"(?:contact|call|reach|visit|follow|write to|e-?mail|phone|find|give|ask|join)\s+us",
        "about us",
        "contact us",
    ),
    re.IGNORECASE,
)
_FOR_ME = re.compile(
    _words(
        "refund",
        "reimburse",
        "pay out",
        "payout",
        "erstatte[nt]?",
        "rückerstattung",
        "reply to",
        "antwort(?:en)?",
    )
    + "|退款|打到|回复到",
    re.IGNORECASE,
)
_OWN_PAPER = re.compile(
    _POSSESSIVE
    + r"(?:\s+[\w-]{1,15}){0,2}?\s+(?:cv|resume|résumé|curriculum|signature|profile|details|bio|lebenslauf)"
    "|我的(?:个人)?(?:简历|资料|信息|联系方式)",
    re.IGNORECASE,
)
_LABEL = re.compile(r"^[\s>*•-]{0,6}[^\n:：]{1,40}[:：]\s*$")
_QUOTED_LINE = re.compile(r"^\s{0,3}>")


def whose(text: str, start: int, end: int) -> Owner:
    """Decide whose the value `text[start:end]` is, from its sentence and from the lines it is listed under."""
    line_start = text.rfind("\n", 0, start) + 1
    if _QUOTED_LINE.match(text[line_start : line_start + 8]):
        return Owner.OTHER
    before = _sentence_before(text, start)
    owner = _from_sentence(before, _sentence_after(text, end))
    if owner is not Owner.UNKNOWN:
        return owner
    return _from_list(text, line_start, start)


def _from_sentence(before: str, after: str) -> Owner:
    before = _OFFICE.sub(" ", before)
    related = bool(_RELATED.search(before))
    if _GOVERNS.search(before):
        return Owner.RELATED if related else Owner.USER
    if _IS_MINE.match(after):
        return Owner.USER
    if _ME_AT.search(before):
        return Owner.USER
    if _ADDRESSEE.search(before) and not _FOR_ME.search(before[-30:]):
        return Owner.RELATED if related else Owner.OTHER
    first = _last(_FIRST_PERSON, before)
    third = _last(_THIRD_PERSON, before)
    if related:
        return Owner.RELATED
    if first > third:
        return Owner.USER
    if third >= 0:
        return Owner.OTHER
    return Owner.USER if _FOR_ME.search(before) else Owner.UNKNOWN


def _from_list(text: str, line_start: int, start: int) -> Owner:
    if not _LABEL.match(text[line_start:start]) and text[line_start:start].strip(" \t-*•"):
        return Owner.UNKNOWN
    lines = text[max(0, line_start - 600) : line_start].split("\n")[-_LIST_LINES - 1 : -1]
    block: list[str] = []
    for line in reversed(lines):
        if not line.strip():
            if block:
                break
            continue
        block.append(line)
    above = "\n".join(reversed(block))
    if _RELATED.search(above):
        return Owner.RELATED
    if _FIRST_PERSON.search(above) or _OWN_PAPER.search(text[:2000]):
        return Owner.USER
    return Owner.UNKNOWN


def _sentence_before(text: str, start: int) -> str:
    window = text[max(0, start - _SENTENCE_BEFORE) : start]
    cut = 0
    for found in _SENTENCE_END.finditer(window):
        if window[found.start()] == "." and _ABBREVIATED.search(window[: found.start()]):
            continue
        cut = found.end()
    return window[cut:]


def _sentence_after(text: str, end: int) -> str:
    window = text[end : end + _SENTENCE_AFTER]
    found = _SENTENCE_END.search(window)
    return window[: found.start()] if found else window


def _last(pattern: re.Pattern[str], text: str) -> int:
    position = -1
    for found in pattern.finditer(text):
        position = found.start()
    return position
