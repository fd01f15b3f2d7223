"""Which language a sentence about a text is written in."""

# ruff: noqa: E501  # patterns and conditions: one a line reads best

from __future__ import annotations

import re
from typing import Literal

Language = Literal["en", "zh", "de"]

_HAN = re.compile(r"[\u4e00-\u9fff]")
_LATIN_WORD = re.compile(r"[A-Za-zÀ-ɏ]+(?:['’-][A-Za-zÀ-ɏ]+)*")
_SAMPLE = 2000
_REACH = 120
_END = re.compile(r"[.!?](?=\s|$)|[\n;。！？；…]")
_GRAMMAR_ZH = re.compile(
    r"[我你您他她它咱的了是在有和跟也都就不没吗呢吧着过把被给让请帮想要会能很这那为从到]"
)
_GRAMMAR_EN = frozenset(
    "i i'm im i've ive i'd i'll we we're we've my our me us you your he she they it his her their its is am are was were be been has"
    " have had do does did a an the and or but so if to of in on at for from with by about as than that this these those not"
    " can could should would will may how what why when where who which please named called lives live works work"
    " it's he's she's don't didn't".split()
)
_GRAMMAR_DE = frozenset(
    "ich wir mich mir uns mein meine meinen meinem meiner meines unser unsere du dich dir dein deine er sie ihr ihre sein seine"
    " ist bin sind war waren habe hat haben hatte hatten wird werden wurde der die das den dem des ein eine einen einem einer"
    " eines und oder aber dass weil wenn wie was warum wo wer welche zu von vom zum zur im am auf für mit bei nach aus seit"
    " über unter nicht kein keine auch noch schon nur sehr bitte wohne arbeite heiße".split()
)
_GRAMMAR_OTHER = frozenset(
    "de la el los las que un una por para con del al mi es en y o se no su lo como pero não nao com uma do da em os as meu minha"
    " seu sua le les des du et est je pas pour dans sur avec mon ma une che il di per non sono della och jag att det är på som"
    " ve bir bu için ik het een van niet mijn nie jest się na że og jeg ikke til av ang ng sa ako yang dan di saya".split()
)
_LONGEST_NAME = 4
_WEIGHT = 3
"""A word that only grammar needs says so much more about the sentence than a name or a term in it."""


def is_chinese(text: str) -> bool:
    """Whether a text is written in Chinese: a fifth of its letters (first 2,000 characters) are Han."""
    sample = text[:_SAMPLE]
    han = len(_HAN.findall(sample))
    return han > 0 and han * 5 >= sum(character.isalpha() for character in sample)


def clause_is_chinese(text: str, start: int, end: int) -> bool:
    """Whether the clause that holds `text[start:end]` is Chinese, whatever the rest of the text is.

    The words around the phrase decide: "my wife is 王小明" is English, "我用MacBook写Python" Chinese. Where
    the phrase is the whole clause, its own words do; where those are only a name or a number, the text does.
    """
    left, right = _clause(text, start, end)
    clause = text[left:right]
    if not _HAN.search(clause):
        words = [word.lower().replace("’", "'") for word in _LATIN_WORD.findall(clause)]
        is_sentence = any(word in _GRAMMAR_EN or word in _GRAMMAR_DE for word in words)
        return not is_sentence and is_chinese(text)
    balance = _balance(f"{text[left:start]} {text[end:right]}")
    if balance:
        return balance > 0
    phrase = text[start:end]
    is_name = len(_HAN.findall(phrase)) <= _LONGEST_NAME and not _GRAMMAR_ZH.search(phrase)
    return is_chinese(text) if is_name else _balance(phrase) > 0


def clause_language(text: str, start: int, end: int) -> Language:
    """The language of the clause around a phrase: Chinese, German or, where nothing else shows, English."""
    if clause_is_chinese(text, start, end):
        return "zh"
    left, right = _clause(text, start, end)
    return (
        "de" if _is_german(text[left:right]) or _is_german(text[max(0, left - 200) : right + 200]) else "en"
    )


def is_other(text: str) -> bool:
    """Whether a text in Latin script is in none of the languages that are known here, as far as its words tell."""
    words = [word.lower() for word in _LATIN_WORD.findall(text)]
    other = sum(word in _GRAMMAR_OTHER for word in words)
    marked = sum(not word.isascii() and not any(sign in "äöüß’'" for sign in word) for word in words)
    known = sum(word in _GRAMMAR_EN or word in _GRAMMAR_DE for word in words)
    return other + marked > known and other + marked > 1


def _is_german(text: str) -> bool:
    words = [word.lower() for word in _LATIN_WORD.findall(text)]
    german = sum(word in _GRAMMAR_DE for word in words) + sum(
        any(c in "äöüß" for c in word) for word in words
    )
    english = sum(word in _GRAMMAR_EN for word in words)
    return german > english


def _clause(text: str, start: int, end: int) -> tuple[int, int]:
    from_ = max(0, start - _REACH)
    for found in _END.finditer(text, from_, start):
        from_ = found.end()
    ends = _END.search(text, end, min(len(text), end + _REACH))
    return from_, ends.start() if ends else min(len(text), end + _REACH)


def _balance(text: str) -> float:
    """Above 0: Chinese; below: not; 0: nothing to go by."""
    words = [word.lower().replace("’", "'") for word in _LATIN_WORD.findall(text)]
    latin = len(words) + _WEIGHT * sum(word in _GRAMMAR_EN or word in _GRAMMAR_DE for word in words)
    han = len(_HAN.findall(text)) / 2 + _WEIGHT * len(_GRAMMAR_ZH.findall(text))
    return han - latin
