"""Values that point at one person: they go, and the words that say what they were stay."""

# ruff: noqa: E501  # patterns and conditions: one a line reads best

from __future__ import annotations

import re
from collections.abc import Iterator

from limen_daemon.findings import Category, Subject
from limen_daemon.generalize.asked import Asked
from limen_daemon.generalize.drafts import Draft

_VALUES = frozenset({Category.CONTACT, Category.IDENTIFIER, Category.CREDENTIAL})
_LABEL_EN = re.compile(
    r"(?:(?:my|our|the|his|her|their|a|an) (?:[A-Za-z][\w'’-]* ){0,2}?)?(?:(?:client|customer|order|booking|account|phone|policy|card|reference|tracking|"
    r"member|membership|insurance|passport|licen[cs]e|tax|employee|student|patient|invoice|ticket|serial|mobile|bank|e-?mail|user|door|wifi|wi-fi|api|access|secret) )?(?:number|no|nr|id|code|account|reference|ref|address|e-?mail|password|passcode|passphrase|key|token|"
    r"plate|phone|mobile|cell|extension|iban|ssn|pin|card|passport|username|login|policy|ticket|booking|invoice|order|receipt|licen[cs]e|whatsapp|host|server)"
    r"(?P<link> (?:is|are|was)|:| =|=)? ?[\"'(<#]?$",
    re.I,
)
_LABEL_DE = re.compile(
    r"(?:(?:meine?|unsere?|die|der|das) )?(?:\w*(?:nummer|adresse|mail|passwort|konto|iban|kennwort|telefon|handy|pin))(?P<link> (?:ist|lautet)|:)? ?$",
    re.I,
)
_LABEL_ZH = re.compile(
    r"(?:我的?|他的?|她的?)?(?:手机号?|电话|邮箱|微信号?|身份证号?码?|卡号|账号|密码|单号|订单号?|会员号|护照号?|车牌号?|住址|尾号|QQ号?|验证码|公民身份号码|工资卡)(?P<link>是|为|：|:)?[“\"']?$",
    re.I,
)
_OWN_LABEL = re.compile(
    r"^(?:[a-z][a-z-]+ ){1,3}(?=#?[A-Z0-9+][^a-z]*$)|^[\u4e00-\u9fff]{2,8}[：:]?(?=[#A-Z0-9+a-z])"
)
_LABEL_WORDS = 3
_EMAIL = re.compile(r"\S+@\S+\.\S+")
_URL = re.compile(r"^(?:https?://|ftp://|www\.)|^[\w-]+(?:\.[\w-]+){1,}$", re.I)
_PHONE = re.compile(r"^\+?[\d ()./-]{6,}$")


def identifiers(asked: Asked) -> Iterator[Draft]:
    if asked.category not in _VALUES:
        return
    if len(re.findall(r"\b[a-z]{2,}\b", asked.phrase)) > _LABEL_WORDS and not _EMAIL.search(asked.phrase):
        return
    own = _OWN_LABEL.match(asked.phrase)
    if own and asked.category is Category.IDENTIFIER:
        # "policy MT-66120": the word for it is in the phrase.
        yield Draft(own[0].rstrip(" #:：."), "kind")
        return
    patterns = {"en": _LABEL_EN, "zh": _LABEL_ZH, "de": _LABEL_DE}
    found = patterns[asked.language].search(asked.before)
    gone = {"en": "private", "zh": "保密", "de": "privat"}[asked.language]
    if found and found["link"]:
        # Behind a sign the value is a field, behind "is" it is said of the label: both can be private.
        yield Draft(gone, "kind")
        return
    if found and found.start() < len(asked.before):
        label = re.sub(r"[\s\"'“(<#]+$", "", found[0])
        lead = re.match(r"(?:(?:with|to|on|at|of|for|from|and|by|via|under|in|is|as) )+", label, re.I)
        begin = found.start() + (lead.end() if lead else 0)
        label = label[lead.end() :] if lead else label
        offset = asked.start - (len(asked.before) - begin)
        if label and '"' not in asked.before[found.start() :] and "(" not in asked.before[found.start() :]:
            yield Draft(label, "kind", start=offset)
            return
    named = _named(asked)
    if named and not re.search(r"[:=(\"'<]\s*$", asked.before) and asked.before.strip():
        yield Draft(named, "kind")
    elif not re.search(r"[\"'<(/@]$", asked.before):
        yield Draft({"en": "(private)", "zh": "（保密）", "de": "(privat)"}[asked.language], "kind")


def _named(asked: Asked) -> str | None:
    """What the value is, where a noun fits: behind "to", "on", "at", "me", "call"."""
    if asked.language == "zh":
        noun = (
            "邮箱"
            if _EMAIL.search(asked.phrase)
            else "电话"
            if _PHONE.match(asked.phrase) and asked.category is Category.CONTACT
            else None
        )
        return f"{'我的' if asked.subject is Subject.USER else '对方的'}{noun}" if noun else None
    if asked.language == "de":
        return None
    if asked.previous not in (
        "to",
        "on",
        "at",
        "via",
        "from",
        "call",
        "text",
        "with",
        "by",
        "email",
        "ring",
        "use",
        "and",
        "or",
        "as",
        "for",
        "contact",
    ):
        return None
    if _EMAIL.search(asked.phrase):
        noun = "e-mail address"
    elif _PHONE.match(asked.phrase) and asked.category is Category.CONTACT:
        noun = "phone number"
    elif asked.category is Category.CREDENTIAL:
        noun = "password"
    elif _URL.match(asked.phrase):
        noun = "server"
    else:
        noun = "reference number" if re.search(r"\d", asked.phrase) else "user name"
    return f"{asked.their} {noun}"
