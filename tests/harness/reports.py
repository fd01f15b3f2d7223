"""Small inputs derived from public bug reports of similar tools, each with what must and must not be marked.

Own wording, invented details. `by_patterns` must be found exactly by the recognizers alone, with their tier;
`by_model` needs the model. `silent` must not be touched. Keys are built when a test runs, so that no scanner
takes this file for a leak.
"""

# ruff: noqa: E501  # texts: one entry a line reads best

from __future__ import annotations

import random
import string
from dataclasses import dataclass, field

_RANDOM = random.Random(20260314)


@dataclass(frozen=True)
class Report:
    line: int
    text: str
    by_patterns: dict[str, str] = field(default_factory=dict)
    """phrase -> tier"""
    by_model: tuple[str, ...] = ()
    silent: tuple[str, ...] = ()
    source: str = ""


def _characters(alphabet: str, count: int) -> str:
    return "".join(_RANDOM.choice(alphabet) for _ in range(count))


OPENAI_KEY = "sk-" + "proj-" + _characters(string.ascii_letters + string.digits, 48)
DATABASE_PASSWORD = _characters(string.ascii_letters + string.digits, 15) + "7"
_AWS_EXAMPLE = "AKIA" + "IOSFODNN7" + "EXAMPLE"
_UUID = "3f2b8c1e-9d4a-4b6f-8a21-0c5d7e9f1a2b"
_COMMIT = "9fceb02d0ae598e95dc970b74767f19372d61af8"
IBAN = "DE91 9900 0012 0000 4128 76"


def _long_paste() -> str:
    """60 KB of 400 neutral paragraphs with CRLF; an IBAN near 30 KB, a disclosure near 58 KB."""
    paragraphs = [
        f"Section {number} describes how the archive is laid out. Shelves are numbered from left to right and every box "
        f"has a label on its front. Lids stay shut."
        for number in range(1, 401)
    ]
    paragraphs[200] += f" please refund {IBAN}"
    paragraphs[386] += " since my dose was doubled I nap at lunch"
    return "\r\n\r\n".join(paragraphs)


REPORTS: tuple[Report, ...] = (
    Report(
        1,
        "The board froze on 2026-03-14, the fix shipped on 14 March, next retro is Friday the 20th. "
        "I turned forty the week the eclipse hid our harbour.",
        by_model=("turned forty", "the week the eclipse hid our harbour"),
        silent=("2026-03-14", "14 March", "Friday the 20th"),
        source="presidio#1173",
    ),
    Report(
        3,
        '```python\ndef jordan(april, may): return april.hope + may.grace\nMAIL = "dev@example.org"\n```\n'
        "I deployed it as svc-mkrug on the staging box.",
        by_patterns={"svc-mkrug": "disclosure"},
        silent=("def jordan(april, may): return april.hope + may.grace", 'MAIL = "dev@example.org"'),
        source="redact#113",
    ),
    Report(
        5,
        "| Guest | Born | Member no. |\n| --- | --- | --- |\n| Ottoline Varga | 1988-07-02 | 40-118-2297 |\n"
        "| Bram Tiedemann | 1991-11-19 | 40-118-2301 |\n\n"
        "| Sprint | Start | Lead time |\n| --- | --- | --- |\n| 14 | 2026-01-05 | 3 days |\n| 15 | 2026-01-19 | 4 days |",
        by_patterns=dict.fromkeys(
            ("Ottoline Varga", "1988-07-02", "40-118-2297", "Bram Tiedemann", "1991-11-19", "40-118-2301"),
            "others",
        ),
        silent=(
            "Guest",
            "Born",
            "Member no.",
            "Sprint",
            "Start",
            "Lead time",
            "2026-01-05",
            "2026-01-19",
            "3 days",
            "---",
        ),
        source="privacybridge",
    ),
    Report(
        7,
        "Compare how Ada Lovelace and Grace Hopper wrote about loops. "
        "My cousin Merle keeps a first edition in her flat in Goerlitz.",
        by_model=("cousin Merle", "flat in Goerlitz"),
        silent=("Ada Lovelace", "Grace Hopper", "first edition"),
        source="openai/privacy-filter#38",
    ),
    Report(
        9,
        "I cannot, my chemo is on Tuesday.\n> On Mon, 2 Feb 2026 at 09:14 Rosalind Ekwueme - r.ekwueme@harrowpump.co.uk"
        " wrote:\n> Could you present?\n> Rosalind | mobile 07700 911 882 | This mail is confidential.",
        by_patterns={
            "Rosalind Ekwueme": "others",
            "r.ekwueme@harrowpump.co.uk": "others",
            "07700 911 882": "others",
        },
        by_model=("my chemo is on Tuesday",),
        silent=("Mon, 2 Feb 2026", "09:14", "This mail is confidential"),
        source="just-not-sorry#54, presidio#635",
    ),
    Report(
        11,
        "Seit der Scheidung wohne ich mit meiner Tochter in der Gartenstraße 17b in Fürth. Die Werkstatt hat Montag "
        "Ruhetag. Meine Steuer-ID lautet 81 502 337 946, Antwort bitte an grießjan@feldpost.de.",
        by_patterns={
            "Gartenstraße 17b in Fürth": "disclosure",
            "81 502 337 946": "secret",
            "grießjan@feldpost.de": "disclosure",
        },
        by_model=("Seit der Scheidung", "mit meiner Tochter"),
        silent=("Werkstatt", "Montag", "Ruhetag", "Antwort"),
        source="spacyr#160, langchain#40002",
    ),
    Report(
        13,
        _long_paste(),
        by_patterns={IBAN: "secret"},
        by_model=("since my dose was doubled",),
        silent=("Section 12 ", "Section 201 ", "Section 388 ", "Shelves are numbered from left to right"),
        source="languagetool#6163, hermes-agent#49746",
    ),
    Report(
        15,
        f"OPENAI_API_KEY={OPENAI_KEY}\npostgres://app:{DATABASE_PASSWORD}@db/int\n"
        f"{_AWS_EXAMPLE}\nYOUR_API_KEY\n{_UUID}\n{_COMMIT}",
        by_patterns={OPENAI_KEY: "secret", DATABASE_PASSWORD: "secret"},
        silent=(_AWS_EXAMPLE, "YOUR_API_KEY", _UUID, _COMMIT),
        source="detect-secrets#250, skillsmith#1612",
    ),
    Report(
        17,
        "After my shift at the only hospital on the island I catch the 22:40 ferry, and the midwife says no lifting "
        "from week thirty.",
        by_model=(
            "shift at the only hospital on the island",
            "the 22:40 ferry",
            "midwife says no lifting from week thirty",
        ),
        source="arXiv 2509.12152",
    ),
    Report(
        19,
        "In the docs use user@example.com and +1 202 555 0143, support is help@acme.test; "
        "reply to me at jo.ferreira@pradolindo.pt.",
        by_patterns={"jo.ferreira@pradolindo.pt": "disclosure"},
        silent=("user@example.com", "+1 202 555 0143", "help@acme.test"),
        source="printing-press#2165, gram#3175",
    ),
)
