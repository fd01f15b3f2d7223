"""Bytes from a user to text, or a sentence that says why not."""

from __future__ import annotations

import codecs

from limen_daemon.errors import InputError

MAX_BYTES = 1 << 20
_WIDE = ((codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))


def decode(content: bytes, source: str) -> str:
    """UTF-8 (a byte order mark is dropped) or UTF-16 with a byte order mark; line ends stay as they are.

    Raises: `InputError` when `content` is longer than `MAX_BYTES` or is no text; `source` names it there.
    """
    if len(content) > MAX_BYTES:
        raise InputError(f"{source} is larger than {MAX_BYTES // 1024} KiB. Check it in parts.")
    encoding = next((name for mark, name in _WIDE if content.startswith(mark)), "utf-8-sig")
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError:
        raise InputError(
            f"{source} is not text (it is binary or not UTF-8). Convert it to UTF-8 text first."
        ) from None
    if "\0" in text:
        raise InputError(f"{source} is not text (it holds zero bytes). Give a text file.")
    return text
