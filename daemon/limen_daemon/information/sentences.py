"""The sentence of a finding."""

from __future__ import annotations

from limen_daemon.findings import Category, Subject
from limen_daemon.information.language import is_chinese


def sentence(text: str, start: int, end: int, *, category: Category, subject: Subject) -> str:
    phrase = text[start:end]
    return f"用户{phrase}。" if is_chinese(text) else f"The user {phrase}."
