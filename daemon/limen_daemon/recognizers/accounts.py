"""User and service account names, where the text says that somebody signs in or runs something as them."""

# ruff: noqa: E501  # patterns: one entry a line reads best

from __future__ import annotations

import re
from collections.abc import Iterable

from limen_daemon.recognizers import reserved
from limen_daemon.recognizers.protocol import Match, Owner

_NAME = (
    r"(?P<name>@?[A-Za-z][A-Za-z0-9]{0,30}(?:[._-][A-Za-z0-9]{1,30}){0,4})(?![A-Za-z0-9@]|[-._][A-Za-z0-9])"
)
_OWN = re.compile(
    r"(?<![A-Za-z])(?:i|we)(?:'m|'ve|'re| am| was| have| had| are)?\s(?:\w{1,10}\s){0,2}?(?:deploy(?:ed)?|r[ua]n|running|log(?:ged)?|"
    r"logging|sign(?:ed)?|connect(?:ed)?|ssh(?:ed)?|authenticated?|post(?:ed)?)(?:\s[\w-]{1,12}){0,3}?\sas\s[\"'`]?"
    + _NAME,
    re.IGNORECASE,
)
_NAMED = re.compile(
    r"(?<![A-Za-z])my\s(?:[\w-]{1,15}\s){0,2}(?:user ?name|user ?id|handle|login|nickname|screen name|gamertag|account name|wechat id)"
    r"(?:\s(?:on|for|at)\s[\w.]{1,20})?\s?(?:is|:|=)\s?[\"'`]?" + _NAME,
    re.IGNORECASE,
)
_NAMED_ZH = re.compile(
    r"我的(?:用户名|账号|帐号|微信号?|QQ号?|昵称)(?:是|：|:)\s?(?P<name>[A-Za-z0-9_.-]{4,40})"
)
_ORDINARY = frozenset(
    "root admin administrator user guest anonymous sudo superuser the my an postgres ubuntu".split()
)


def accounts(text: str) -> Iterable[Match]:
    """In "signed in as X" the name must look like one (a digit or a joiner in it); "my handle is X" says so."""
    for rule in (_OWN, _NAMED, _NAMED_ZH):
        for found in rule.finditer(text):
            name = found.group("name")
            if name.lower() in _ORDINARY or reserved.is_placeholder(name.lstrip("@")):
                continue
            if rule is _OWN and not re.search(r"[0-9._@-]", name):
                continue
            yield Match(found.start("name"), found.end("name"), "username", Owner.USER, 0.9)
