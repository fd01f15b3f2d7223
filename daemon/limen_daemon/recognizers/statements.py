"""Sentences for values that recognizers find: whose, what kind, and the value itself."""

from __future__ import annotations

from limen_daemon.findings import Category
from limen_daemon.information.language import clause_is_chinese
from limen_daemon.recognizers.kinds import KINDS
from limen_daemon.recognizers.protocol import Owner

_MAX_VALUE = 80


def statement(kind: str, text: str, start: int, end: int, owner: Owner) -> str:
    """ "The user's email address is ...". A value too long for a sentence (a key block) is only named.

    A credential without a word about its owner counts as the user's: they hold it.
    """
    entry, phrase = KINDS[kind], text[start:end]
    if owner is Owner.UNKNOWN and entry.category is Category.CREDENTIAL:
        owner = Owner.USER
    value = phrase if len(phrase) <= _MAX_VALUE and "\n" not in phrase else None
    chinese = clause_is_chinese(text, start, end)
    if value is None:
        return _named_zh(entry.zh, owner) if chinese else _named_en(entry.en, owner)
    if chinese:
        return {
            Owner.USER: f"用户的{entry.zh}是{value}。",
            Owner.RELATED: f"用户身边的人的{entry.zh}是{value}。",
            Owner.OTHER: f"他人的{entry.zh}是{value}。",
        }.get(owner, f"文中出现了{entry.zh}{value}。")
    return {
        Owner.USER: f"The user's {entry.en} is {value}.",
        Owner.RELATED: f"Someone close to the user has the {entry.en} {value}.",
        Owner.OTHER: f"Someone else's {entry.en} is {value}.",
    }.get(owner, f"The text gives the {entry.en} {value}.")


def _named_en(name: str, owner: Owner) -> str:
    whose = {
        Owner.USER: "the user's",
        Owner.RELATED: "a related person's",
        Owner.OTHER: "someone else's",
    }.get(owner, "a")
    return f"The text holds {whose} {name}."


def _named_zh(name: str, owner: Owner) -> str:
    whose = {Owner.USER: "用户的", Owner.RELATED: "用户身边的人的", Owner.OTHER: "他人的"}.get(owner, "")
    return f"文中有{whose}{name}。"
