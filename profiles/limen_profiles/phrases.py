"""Recognizing a phrase without keeping it: a keyed hash of its normalised form, and a masked form to show."""

from __future__ import annotations

import hashlib
import hmac
import unicodedata

EDGES = " \t\r\n.,;:!?\"'`()[]{}<>«»“”‘’。，；：！？、（）「」"


def normalised(phrase: str) -> str:
    """NFKC, case folded, inner white space as one space, punctuation at the edges dropped."""
    folded = unicodedata.normalize("NFKC", phrase).casefold()
    return " ".join(folded.split()).strip(EDGES) or folded.strip()


def phrase_hash(key: bytes, phrase: str) -> bytes:
    """HMAC-SHA256 of the normalised phrase: equal phrases are recognized, none can be read back or
    tried out without `key` (32 bytes, inside the encrypted database)."""
    return hmac.digest(key, normalised(phrase).encode("utf-8", "surrogatepass"), hashlib.sha256)


def masked(phrase: str) -> str:
    """First and last character with dots between, so that the owner can tell it from other rules."""
    text = " ".join(phrase.split())
    if len(text) < 6:
        return text[:1] + "•••"
    return f"{text[0]}•••{text[-1]}"
