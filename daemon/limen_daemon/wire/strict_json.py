"""JSON as strictly as it can be read: the standard decoder accepts more than the standard allows.

Refused: more than eight levels, NaN and Infinity, a key given twice, integers of more than 18 digits,
half a surrogate pair, bytes that are not UTF-8. Unknown fields are refused by the models (`models.py`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import TypeAlias

from limen_daemon.errors import NotJson

MAX_DEPTH = 8
MAX_INTEGER_DIGITS = 18

Json: TypeAlias = dict[str, "Json"] | list["Json"] | str | int | float | bool | None


# A whole string, closed or running to the end (so that no scan ever starts again inside it), or a bracket.
_TOKEN = re.compile(r'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)|[\[\]{}]', re.DOTALL)


def loads(body: bytes) -> Json:
    """Decode `body`, UTF-8. Linear in its length.

    Raises: `NotJson`, whose message and cause hold nothing of the body.
    """
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError:
        raise NotJson("the body is not UTF-8") from None
    _check_depth(text)
    try:
        value: Json = json.loads(
            text,
            object_pairs_hook=_object,
            parse_constant=_refuse_constant,
            parse_int=_integer,
            parse_float=_float,
        )
    except (ValueError, RecursionError):  # JSONDecodeError keeps the document: cut it off
        raise NotJson("the body is not valid JSON") from None
    if "\\u" in text:
        _check_surrogates(value)
    return value


def _check_depth(text: str) -> None:
    depth = 0
    for match in _TOKEN.finditer(text):
        first = text[match.start()]
        if first in "[{":
            depth += 1
            if depth > MAX_DEPTH:
                raise NotJson(f"the body is nested more than {MAX_DEPTH} levels deep")
        elif first in "]}":
            depth -= 1


def _object(pairs: Iterable[tuple[str, Json]]) -> dict[str, Json]:
    result: dict[str, Json] = {}
    for key, value in pairs:
        if key in result:
            raise NotJson("the body gives a key twice")
        result[key] = value
    return result


def _refuse_constant(_name: str) -> Json:
    raise NotJson("the body holds a number that JSON does not have")


def _integer(digits: str) -> int:
    if len(digits.lstrip("-")) > MAX_INTEGER_DIGITS:
        raise NotJson("the body holds an integer that is too long")
    return int(digits)


def _float(digits: str) -> float:
    value = float(digits)
    if value in (float("inf"), float("-inf")):
        raise NotJson("the body holds a number that is too large")
    return value


def _check_surrogates(value: Json) -> None:
    if isinstance(value, str):
        if any("\ud800" <= character <= "\udfff" for character in value):
            raise NotJson("the body holds half a surrogate pair")
    elif isinstance(value, list):
        for item in value:
            _check_surrogates(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            _check_surrogates(key)
            _check_surrogates(item)
