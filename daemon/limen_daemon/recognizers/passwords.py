"""Passwords that the text sets or states: assignments, connection strings, "my password is ...", 密码是 ..."""

# ruff: noqa: E501  # patterns: one entry a line reads best

from __future__ import annotations

import re
from collections.abc import Iterable

from limen_daemon.recognizers import reserved
from limen_daemon.recognizers.protocol import Match

_NAME = r"(?:pass(?:word|wd|phrase|code)|passwort|kennwort|pwd|mot de passe|contraseña|(?:login|security|wifi) pin|pin)"
# "pass" alone is also a step, a ticket or a mark: it counts by itself or behind whose password it is.
_SHORT_NAME = r"(?<![_.-])(?:(?:db|database|user|mysql|pg|postgres|redis|smtp|ftp|ssh|mail|login|auth|admin|root|my)[_.-])?pass"
_SETS = r"[\"'`\]]{0,3}[ \t]{0,3}(?:=>|:=|=|:|：)(?!=)[ \t]{0,3}"
_KEY = rf"(?<![A-Za-z])(?:(?:[0-9A-Za-z]{{1,20}}[_.-]){{0,4}}{_NAME}|{_SHORT_NAME}){_SETS}"
_QUOTED = re.compile(rf"{_KEY}(?P<quote>[\"'`])(?P<value>[^\n\"'`]{{4,128}})(?P=quote)", re.IGNORECASE)
_ASSIGNED = re.compile(rf"{_KEY}(?P<value>[^\s\"'`;,，。；]{{4,128}})(?P<call>\(?)", re.IGNORECASE)
_STATED = re.compile(
    rf"(?<![A-Za-z])(?:{_NAME})(?:[ \t]+(?:for|to|of|für|von)(?:[ \t]+[\w.'-]{{1,20}}){{1,4}})?[ \t]+"
    r"(?:is|was|ist|lautet|war|es|est)[ \t]+(?P<quote>[\"'`“]?)(?P<value>[^\s\"'`”“]{4,64})",
    re.IGNORECASE,
)
_STATED_ZH = re.compile(r"(?:密码|口令|密碼)(?:是|为|：|:)[ \t]?(?P<quote>[\"'“]?)(?P<value>[!-~]{4,64})")
_COMMAND = re.compile(
    r"(?<!\S)(?:sshpass -p|mysql(?: -\S{1,40}){0,4} -p|curl(?: -\S{1,40}){0,3} -u [^\s:]{1,40}:)\s?(?P<quote>[\"']?)(?P<value>[^\s\"']{4,64})"
)
_NOT_A_VALUE = re.compile(r"^(?:[A-Za-z]+|[A-Za-z_.]+\(.*|\d{1,3}|https?://.*|.*[(){}\[\]<>]{2,}.*)$")


def passwords(text: str) -> Iterable[Match]:
    """A value in quotes counts unless it is a stand-in; a bare one must not be an ordinary word."""
    for rule in (_QUOTED, _ASSIGNED, _STATED, _STATED_ZH, _COMMAND):
        for found in rule.finditer(text):
            value = found.group("value").rstrip(".,)") or found.group("value")
            if len(value) < 4 or value.startswith("-") or reserved.is_placeholder(value):
                continue
            groups = found.groupdict()
            if groups.get("call"):
                continue
            if groups.get("quote"):
                if " " in value and not any(character.isdigit() for character in value):
                    continue  # "Enter your password": words for people
            elif rule is not _STATED_ZH and not _password_like(value, rule is _STATED):
                continue
            yield Match(found.start("value"), found.start("value") + len(value), "password", score=0.95)


def _password_like(value: str, in_prose: bool) -> bool:
    if _NOT_A_VALUE.match(value):
        return False
    if value.isdigit():
        return len(value) >= 4
    signs = any(c.isdigit() for c in value) or any(not c.isalnum() and c not in "-'’_./:" for c in value)
    return signs or (not in_prose and any(c.isupper() for c in value[1:]) and "." not in value)
