"""Money, counts and measures in German: "4.200 Euro" is about 4.000, or a few thousand."""

# ruff: noqa: E501  # patterns and conditions: one a line reads best

from __future__ import annotations

import re
from collections.abc import Iterator

from limen_daemon.generalize.asked import Asked
from limen_daemon.generalize.drafts import Part
from limen_daemon.generalize.german import DATIVE, last_word
from limen_daemon.generalize.numbers import ONES_DE, grouped, rounded, rounded_measure, size_de

_NUMBER = r"\d{1,3}(?:\.\d{3})+(?:,\d+)?|\d+(?:,\d+)?"
_MONEY = re.compile(
    rf"(?<![\w.,])(?:(?P<n1>{_NUMBER})(?P<unit> ?(?:Tausend|Mio\.?|Millionen|k))? ?(?P<code>Euro|€|EUR|Franken|CHF|Dollar|\$|Pfund)(?!\w)|(?P<sign>[€$]) ?(?P<n2>{_NUMBER}))"
)
_CURRENCIES = {"€": "Euro", "EUR": "Euro", "$": "Dollar", "CHF": "Franken"}
_FACTORS = {"tausend": 1e3, "k": 1e3, "mio": 1e6, "millionen": 1e6}
_MEASURE = re.compile(
    rf"(?<![\w.,-])(?P<n>{_NUMBER}) ?(?P<unit>kg|Kilo|km|Kilometern?|cm|m²|qm|Quadratmetern?|Prozent|%|Litern?|Schritten?)(?!\w)"
)
_COUNT = re.compile(
    rf"(?<![\w.,/:-])(?P<n>\d{{1,6}}|{'|'.join(list(ONES_DE)[2:])}) (?=(?P<noun>[A-ZÄÖÜ][a-zäöüß]+)\b)"
)
_NO_COUNT = frozenset(
    "Jahre Jahren Monate Monaten Wochen Tage Tagen Stunden Minuten Uhr Grad Mark Cent Meter Metern Gramm Pfund Milligramm Volt Watt Ampere Bar Promille Punkte Euro Dollar Franken Tausend Millionen".split()
)
_AFTER_LABEL = frozenset(
    "nummer nr stadium klasse typ seite kapitel gleis zimmer haus linie raum stufe level anfang mitte ende jahrgang".split()
)
_OWNED = re.compile(r"^(?:mein|dein|sein|ihr|unser|euer|eur)\w*$")
_MASS = re.compile(
    r"^ (?:Miete|Warmmiete|Kaltmiete|Gehalt|Rente|Schulden|Unterhalt|Steuern|Kindergeld|Taschengeld|Trinkgeld|Bafög|BAföG|Bürgergeld)\b"
)
_GIVEN = re.compile(
    r"\b(?:schulde\w*|verlor\w*|verliere|gespart|spare|geliehen|leihe|lieh|geerbt|erbe|ausgegeben|überwiesen|gewonnen|verspielt|investiert|gestohlen)\b"
)
_REGULAR = re.compile(r" ?(?:im|pro|jeden|in der|am|monatlich|jährlich|brutto|netto)\b")


def amounts_de(asked: Asked) -> Iterator[Part]:
    for found in _MONEY.finditer(asked.phrase):
        yield _money(asked, found)
    for found in _MEASURE.finditer(asked.phrase):
        value = _value(found["n"])
        near = rounded_measure(value, found["unit"])
        if near is not None and not (found["unit"] in ("%", "Prozent") and value < 100 and near == 100):
            gap = asked.phrase[found.end("n") : found.start("unit")]
            yield Part(
                found.start(),
                found.end(),
                f"{_about(asked, found.start())}{grouped(near, '.')}{gap}{found['unit']}",
                None,
            )
    for found in _COUNT.finditer(asked.phrase):
        previous = last_word(asked, found.start())
        number = ONES_DE.get(found["n"].lower()) or int(found["n"] if found["n"].isdigit() else 0)
        if (
            number < 2
            or found["noun"] in _NO_COUNT
            or previous in _AFTER_LABEL
            or re.fullmatch(r"(?:19|20)\d\d", found["n"])
        ):
            continue
        if _OWNED.match(previous):
            yield Part(found.start(), found.end(), None, "")
        elif previous in ("die", "der", "den", "letzten", "ersten", "nächsten", "beiden", "alle", "allen"):
            continue
        else:
            many = "vielen" if previous in DATIVE else "viele"
            yield Part(found.start(), found.end() - 1, "ein paar" if number <= 12 else many, None)


def _money(asked: Asked, found: re.Match[str]) -> Part:
    value = _value(found["n1"] or found["n2"])
    unit = found["unit"] or ""
    code = found["code"] or found["sign"]
    currency = _CURRENCIES.get(code, code)
    near = rounded(value)
    size = size_de(value * _FACTORS.get(unit.strip(" .").lower(), 1.0))
    if size is not None:
        size = f"{size}{'n' if size.endswith('e') and last_word(asked, found.start()) in DATIVE else ''} {currency}"
    less = size if near is None else f"{_about(asked, found.start())}{grouped(near, '.')}{unit} {currency}"
    rest = asked.phrase[found.end() :] or asked.after
    mass = _MASS.match(rest)
    if mass and asked.phrase[found.end() :] and not _REGULAR.match(rest[mass.end() :]):
        return Part(found.start(), found.end() + 1, f"{less} " if less else None, "")
    if (
        not re.match(r" [A-ZÄÖÜ]", rest)
        and not _REGULAR.match(rest)
        and _GIVEN.search(f"{asked.before}{asked.phrase}{asked.after}")
    ):
        return Part(found.start(), found.end(), less, "Geld")
    return Part(found.start(), found.end(), less, size if size != less else None)


def _about(asked: Asked, at: int) -> str:
    said = (asked.before + asked.phrase[:at]).rstrip().lower()
    return (
        ""
        if said.endswith(("etwa", "rund", "circa", "ca.", "ungefähr", "knapp", "über", "fast", "gut"))
        else "etwa "
    )


def _value(number: str) -> float:
    return float(number.replace(".", "").replace(",", "."))
