"""The pairing code: ten characters that are hard to confuse, 50 bits."""

from __future__ import annotations

import secrets

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's base 32: no I, L, O, U."""
LENGTH = 10


def new_code() -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))


def shown(code: str) -> str:
    """As people read it: `K7QF2-M9XDA`. Both ends compute with the code without the hyphen."""
    return f"{code[:5]}-{code[5:]}"
