"""Reads texts that nobody has annotated, for teachers to answer: whole queries between lines of `%%`."""

from __future__ import annotations

import re
from pathlib import Path

from limen_quantize.errors import DataError
from limen_quantize.queries import AnnotatedQuery, language_of

_MARK = re.compile(r"\[\[[^\]|]*\|[^\]|]*\|[sr]\|")
SEPARATOR = re.compile(r"^%%[ \t]*$", re.MULTILINE)


def read_unannotated(path: Path) -> list[AnnotatedQuery]:
    """The queries of a file, as they are but for line breaks and blanks around them.

    Raises: `DataError` when the file cannot be read, holds none, or is an annotated one.
    """
    try:
        content = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"{path}: cannot be read as UTF-8 text ({type(error).__name__})") from None
    texts = [text for piece in SEPARATOR.split(content) if (text := piece.strip())]
    marked = next((number for number, text in enumerate(texts, start=1) if _MARK.search(text)), None)
    if marked:
        raise DataError(f"{path}: query {marked} holds marks, so this is an annotated file; give it as data")
    if not texts:
        raise DataError(f"{path}: holds no query")
    return [
        AnnotatedQuery(
            id=f"{path.stem}:{number}",
            text=text,
            language=language_of(text),
            source=f"unannotated/{path.stem}",
            annotated=False,
        )
        for number, text in enumerate(texts, start=1)
    ]
