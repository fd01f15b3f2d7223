"""Training queries of every format that training reads, as a data file that `limen eval privacy` reads."""

from __future__ import annotations

import json
from pathlib import Path

from limen_quantize.errors import DataError
from limen_quantize.readers import read


def write_examples(source: str, language: str, path: Path) -> None:
    """Write the queries of `source` in `language` to `path`; phrases that are not in their query are dropped.

    Raises: `DataError` when the source cannot be read or holds no query in that language.
    """
    records = [
        {
            "id": query.id,
            "source": query.source,
            "conversation": [
                {
                    "user": query.text,
                    "assistant": "",
                    "privacy": [
                        {
                            "phrase": query.text[phrase.start : phrase.end],
                            "privacy information": phrase.information,
                        }
                        for phrase in query.phrases
                    ],
                }
            ],
        }
        for query in read(source, strict=False)
        if query.language == language
    ]
    if not records:
        raise DataError(f"{source}: holds no query in {language} to show as an example.")
    path.write_text(json.dumps(records, ensure_ascii=False), encoding="utf-8")
