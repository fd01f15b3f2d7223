"""Which of the two languages a text is in, by its script."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from limen_eval.metrics.rouge import Language

TOLERATED_SHARE = 0.10
"""Real chats mix languages; only a file with more than this share in the other language is a mistake."""


def han_share(text: str) -> float | None:
    """Share of Han characters among the letters; None for a text without letters."""
    letters = sum(character.isalpha() for character in text)
    return sum("\u4e00" <= character <= "\u9fff" for character in text) / letters if letters else None


def language_of(texts: Iterable[str]) -> Language:
    """`zh` if most texts with letters are more than 30 % Han characters, else `en`."""
    shares = [share for share in map(han_share, texts) if share is not None]
    return "zh" if shares and sum(share > 0.3 for share in shares) * 2 > len(shares) else "en"


def languages_of(texts: Sequence[str]) -> list[Language]:
    """The language of each text of one file: the majority's, as long as few texts are in the other language;
    a file with many of both is bilingual, and each text has its own."""
    majority = language_of(texts)
    other: Language = "en" if majority == "zh" else "zh"
    apart = set(foreign(texts, majority))
    return [other if index in apart else majority for index in range(len(texts))]


def foreign(texts: Sequence[str], language: Language) -> list[int]:
    """Indices of the texts in the other language, or none if their share may be tolerated."""
    found = []
    for index, text in enumerate(texts):
        share = han_share(text)
        if share is not None and (share > 0.5 if language == "en" else share < 0.05):
            found.append(index)
    return found if len(found) > TOLERATED_SHARE * len(texts) else []


def word_count(text: str) -> int:
    """Words separated by white space; every Han character counts as a word, as word processors count."""
    spaced = "".join(" " if "\u4e00" <= character <= "\u9fff" else character for character in text)
    return len(spaced.split()) + sum("\u4e00" <= character <= "\u9fff" for character in text)
