"""What the model may write, as a GBNF grammar made for one text.

The grammar holds the answer's JSON shape, the closed lists of categories and subjects, at most 64 rows, and
the text itself: a phrase can only be a run of whole units (words, or single characters of scripts that
write none between spaces) of the text that is checked. So a phrase is verbatim by construction; `rows`
checks it again, because the grammar is a help and not the control.
"""

from __future__ import annotations

import json
import re

from limen_daemon.detector.generative.rows import MAX_SPANS
from limen_daemon.findings import Category, Subject

MAX_INFORMATION_CHARS = 160
_UNIT = re.compile(
    r"\s+"
    r"|[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]"  # one unit per character
    r"|[^\W\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]+"
    r"|[^\w\s]"
)


def _literal(text: str) -> str:
    """`text` as it stands inside a JSON string, as a GBNF literal."""
    inside_json = json.dumps(text, ensure_ascii=False)[1:-1]
    escaped = inside_json.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _one_of(values: list[str]) -> str:
    return " | ".join(f'"{value}"' for value in values)


def phrase_rules(text: str) -> str:
    """The rule `phrase` and its parts: any run of whole units of `text`, without space at its ends.

    One rule per unit, so its size grows with the text's length and not with its square.
    """
    units = [match.group() for match in _UNIT.finditer(text)]
    starts: list[str] = []
    rules: list[str] = []
    space: str = ""
    following = ""
    for index in range(len(units) - 1, -1, -1):
        unit = units[index]
        if unit.isspace():
            space = _literal(unit)
            continue
        name = f"u{index}"
        tail = f" ({space} {following})?" if following else ""
        rules.append(f"{name} ::= {_literal(unit)}{tail}")
        starts.append(name)
        following, space = name, ""
    if not starts:
        return ""
    return "\n".join([f"phrase ::= {' | '.join(reversed(starts))}", *rules])


def information_grammar(text: str) -> str | None:
    """The grammar of the information form's answer about `text`; None when `text` holds nothing to mark."""
    rules = phrase_rules(text)
    if not rules:
        return None
    return "\n".join(
        [
            f'root ::= "[" (row ("," row){{0,{MAX_SPANS - 1}}})? "]"',
            'row ::= "[\\"" phrase "\\",\\"" category "\\",\\"" subject "\\"," level "," level ",\\""'
            ' information "\\"]"',
            f"category ::= {_one_of([category.value for category in Category])}",
            f"subject ::= {_one_of([subject.value for subject in Subject])}",
            "level ::= [1-3]",
            f'information ::= [^"\\\\\\x00-\\x1f]{{1,{MAX_INFORMATION_CHARS}}}',
            rules,
            "",
        ]
    )


def phrases_grammar(text: str) -> str | None:
    """The grammar of the phrases form's answer about `text`; None when `text` holds nothing to mark."""
    rules = phrase_rules(text)
    if not rules:
        return None
    return "\n".join(
        [
            f'root ::= "[" (item ("," item){{0,{MAX_SPANS - 1}}})? "]"',
            'item ::= "\\"" phrase "\\""',
            rules,
            "",
        ]
    )
