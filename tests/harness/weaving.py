"""Puts a marker into every text that a daemon gets, after it was unsealed and before anything reads it.

Whoever sent it (a test, the command line, a real browser) does not know. The marker stands at the end, so
that what is found keeps its place. It is derived from a seed: it stands in no variable, argument or file.
"""

from __future__ import annotations

import base64
import json
import logging
import os
from hashlib import sha256
from typing import Any

from aiohttp import web

from limen_daemon import journal
from limen_daemon.errors import NotJson
from limen_daemon.keys import BODY
from limen_daemon.wire import models, strict_json

SEED, LEAK = "MARKER_SEED", "MARKER_LEAK"
"""Environment variables: the seed; and, for the control, that the log's rule is off."""
MAX_CHARACTERS = 90_000
_read_model = models.read_model


_WORDS = "so then if when while but and or as than that this where which how why".split()


def marker_of(seed: str) -> str:
    """Ten little words in an order that nobody writes. A made-up word would not do: the model takes it for a
    name, and a browser refuses an answer about what it never sent."""
    return " ".join(_WORDS[digit % len(_WORDS)] for digit in sha256(seed.encode()).digest()[:10])


def forms_of(marker: str) -> dict[str, bytes]:
    """How the marker may look in bytes: the encodings that files and logs use."""
    raw = marker.encode()
    forms = {"text": raw, "utf-16": marker.encode("utf-16-le"), "hex": raw.hex().encode()}
    forms |= {"address": raw.replace(b" ", b"%20"), "form": raw.replace(b" ", b"+")}
    for shift in range(3):  # base64 looks different at each place; its first and last signs mix with others
        signs = base64.b64encode(bytes(shift) + raw).rstrip(b"=")
        forms[f"base64 at {shift}"] = signs[4 if shift else 0 : -2]
    return forms


def woven(body: bytes, marker: str) -> bytes:
    """`body` with the marker in each of its texts. What is no JSON gets it at its end, and stays none."""
    try:
        value = strict_json.loads(body)
    except NotJson:
        return body + b" " + marker.encode()
    if not isinstance(value, dict):
        return body
    texts = [name for name in ("text", "context") if isinstance(value.get(name), str)]
    if not texts or sum(len(value[name]) for name in texts) > MAX_CHARACTERS:
        return body
    return json.dumps({**value, **{name: f"{value[name]} {marker}" for name in texts}}).encode()


def weave(marker: str) -> None:
    """From now on, in this process. Before the routes are imported."""

    def read_model(request: web.Request, model: type[models.Model]) -> models.Model:
        request[BODY] = woven(request[BODY], marker)
        if os.environ.get(LEAK):
            logging.getLogger("careless").debug("%r", request[BODY])
        return _read_model(request, model)

    models.read_model = read_model  # type: ignore[assignment]
    if os.environ.get(LEAK):  # the control: the log takes what it is given
        journal.TextlessFormatter.format = logging.Formatter.format  # type: ignore[method-assign]


def unwoven(text: str, marker: str) -> str:
    return text.removesuffix(f" {marker}")


def debug(environment: dict[str, Any]) -> dict[str, Any]:
    return {"LIMEN_LOG_LEVEL": "DEBUG", **environment}
