"""Base64url without padding, as both ends write bytes."""

from __future__ import annotations

from base64 import b64encode, urlsafe_b64decode, urlsafe_b64encode


def encode(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def as_base64(data: bytes) -> bytes:
    """What a field of the type `Base64Bytes` takes to give back `data`."""
    return b64encode(data)


def decode(text: str) -> bytes | None:
    """The bytes of `text`, None unless it is exactly how `encode` would have written them."""
    try:
        data = urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except ValueError:
        return None
    return data if encode(data) == text else None
