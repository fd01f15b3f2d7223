"""Street addresses that the text ties to the user; an address by itself (a shop's, a hotel's) stays silent."""

# ruff: noqa: E501  # patterns: one entry a line reads best

from __future__ import annotations

import re
from collections.abc import Iterable

from limen_daemon.recognizers.protocol import Match, Owner

_LETTERS = "A-Za-zÀ-ÖØ-öø-ɏ"
_GERMAN = (
    rf"(?:[A-ZÄÖÜ][{_LETTERS}.-]{{2,30}}(?:straße|strasse|str\.|weg|gasse|allee|platz|ring|ufer|damm)|"
    rf"[A-ZÄÖÜ][{_LETTERS}.-]{{2,20}} (?:Straße|Str\.|Weg|Gasse|Allee|Platz|Ring|Damm))\s\d{{1,4}}\s?[a-z]?(?![0-9A-Za-z])"
    rf"(?:,?\s(?:in\s)?(?:\d{{5}}\s)?[A-ZÄÖÜ][{_LETTERS}-]{{2,25}})?"
)
_ENGLISH = (
    rf"\d{{1,5}}[A-Za-z]?\s(?:[A-Z][{_LETTERS}'-]{{1,20}}\s){{1,3}}(?:Street|St|Road|Rd|Avenue|Ave|Lane|Ln|Drive|Dr|"
    r"Boulevard|Blvd|Court|Ct|Close|Terrace|Crescent|Way|Place|Square)\.?(?![A-Za-z])"
    rf"(?:,?\s(?:Apt|Apartment|Unit|Flat|Suite)\.?\s\w{{1,5}})?(?:,\s[A-Z][{_LETTERS}-]{{2,20}}(?:\s[A-Z][{_LETTERS}-]{{2,20}})?)?"
)
_CHINESE = r"(?:[\u4e00-\u9fff]{2,6}(?:省|市|区|县)){0,3}[\u4e00-\u9fff]{1,6}(?:路|街|道|巷|弄)\d{1,5}(?:弄\d{1,5})?号(?:[\u4e00-\u9fff0-9]{0,8}室)?"

_RULES = (
    (
        re.compile(
            r"(?<![A-Za-z])(?:wohne|wohnen|wohnhaft|meine (?:neue )?(?:adresse|anschrift)|lebe|zogen?|ziehe)(?![A-Za-z])",
            re.I,
        ),
        re.compile(_GERMAN),
    ),
    (
        re.compile(
            r"(?<![A-Za-z])(?:(?:i|we) (?:currently )?(?:live|lived|reside|stay|moved|rent)|i'm living|my (?:home |new |shipping |mailing )?"
            r"(?:address|house|flat|apartment)|home address|deliver it to me|ship (?:it )?to me)(?![A-Za-z])",
            re.I,
        ),
        re.compile(_ENGLISH),
    ),
    (re.compile(r"我(?:们)?(?:家)?(?:现在|目前)?(?:住|搬|租|的?地址|家在)|收货地址"), re.compile(_CHINESE)),
)
_MAX_DISTANCE = 90


def streets(text: str) -> Iterable[Match]:
    for tie, address in _RULES:
        for cue in tie.finditer(text):
            window = text[cue.end() : cue.end() + _MAX_DISTANCE + 120]
            found = address.search(window)
            if found is not None and found.start() <= _MAX_DISTANCE and "\n\n" not in window[: found.start()]:
                start = cue.end() + found.start()
                yield Match(start, start + len(found.group().rstrip()), "street", Owner.USER, 0.9)
