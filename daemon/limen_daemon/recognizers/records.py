"""Tables of people: cells under headings such as Guest, Born, Member no., E-mail are someone else's details.

Only a table with a person column and at least one personal column beside it counts, so that a sprint
plan or a price list stays silent. Reads Markdown tables, and lines split by tabs.
"""

# ruff: noqa: E501  # patterns: one entry a line reads best

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from limen_daemon.recognizers.ownership import whose
from limen_daemon.recognizers.protocol import Match, Owner

_PERSON = re.compile(
    r"^(?:(?:full|first|last|sur|guest|patient|customer|client|employee|member|student|tenant)[ _-]?names?|names?|guests?|patients?|"
    r"customers?|clients?|employees?|members?|students?|tenants?|applicants?|attendees?|participants?|pupils?|gast|gäste|kunde|"
    r"patientin|mitarbeiter|schüler|mieter|nachname|vorname|姓名|名字|客户|患者|员工|学生|联系人)$",
    re.IGNORECASE,
)
_BIRTH = re.compile(
    r"^(?:born|d\.?o\.?b\.?|date of birth|birth ?dates?|birthday|geboren|geburtsdatum|geburtstag|生日|出生日期)$",
    re.I,
)
_NUMBER = re.compile(
    r"^(?:(?:member|customer|client|patient|employee|student|staff|policy|account|insurance|passport|id|personal|case|tax)"
    r"(?:ship)?[ _-]?(?:no\.?|nr\.?|number|id|#)|ssn|id|mitgliedsnummer|kundennummer|personalnummer|学号|工号|会员号|身份证号?)$",
    re.IGNORECASE,
)
_DATE = re.compile(
    r"\d{1,4}[-./年]\d{1,2}[-./月]\d{1,4}日?|\d{1,2}\.? [A-Za-zä]{3,9}\.? \d{4}|[A-Za-z]{3,9} \d{1,2}, \d{4}"
)
_RULE_CELL = re.compile(r"^:?-+:?$")
_MAX_LINE = 2000


@dataclass(frozen=True, slots=True)
class _Cell:
    start: int
    text: str


def records(text: str) -> Iterable[Match]:
    for rows in _tables(text):
        kinds = [_kind(cell.text) for cell in rows[0]]
        if "name" not in kinds or len(set(kinds) - {None, "name"}) == 0:
            continue
        owner = Owner.USER if whose(text, rows[0][0].start, rows[0][0].start) is Owner.USER else Owner.OTHER
        for row in rows[1:]:
            for kind, cell in zip(kinds, row, strict=False):
                if kind in (None, "known") or not _fits(str(kind), cell.text):
                    continue
                yield Match(cell.start, cell.start + len(cell.text), str(kind), owner, 0.9)


def _kind(heading: str) -> str | None:
    heading = heading.strip("*_ ")
    if _PERSON.match(heading):
        return "name"
    if _BIRTH.match(heading):
        return "birth_date"
    if _NUMBER.match(heading):
        return "record_number"
    # E-mail and phone cells are found by their own recognizers; they only prove that this is a list of people.
    return (
        "known" if re.match(r"^(?:e-?mail|phone|tel|mobile|telefon|邮箱|电话|手机)", heading, re.I) else None
    )


def _fits(kind: str, value: str) -> bool:
    if not value or _RULE_CELL.match(value):
        return False
    if kind == "name":
        return any(character.isalpha() for character in value) and len(value) <= 60
    if kind == "birth_date":
        return _DATE.fullmatch(value) is not None
    return any(character.isdigit() for character in value) and len(value) <= 40


def _tables(text: str) -> Iterator[list[list[_Cell]]]:
    rows: list[list[_Cell]] = []
    separator = ""
    position = 0
    for line in text.split("\n"):
        cells, used = _cells(line.rstrip("\r"), position)
        if cells and (not rows or (used == separator and len(cells) == len(rows[0]))):
            rows.append(cells)
            separator = used
        else:
            if len(rows) >= 2:
                yield rows
            rows, separator = ([cells], used) if cells else ([], "")
        position += len(line) + 1
    if len(rows) >= 2:
        yield rows


def _cells(line: str, offset: int) -> tuple[list[_Cell], str]:
    if len(line) > _MAX_LINE:
        return [], ""
    for separator in ("|", "\t"):
        if line.count(separator) >= (2 if separator == "|" else 1):
            break
    else:
        return [], ""
    cells = []
    position = 0
    for part in line.split(separator):
        stripped = part.strip()
        if separator != "|" or stripped or 0 < position < len(line.rstrip()) - 1:
            cells.append(_Cell(offset + position + len(part) - len(part.lstrip()), stripped))
        position += len(part) + 1
    return cells, separator
