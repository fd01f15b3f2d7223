"""Ages: "3 year old" is a young child, 45 somewhere in the forties."""

from __future__ import annotations

from collections.abc import Iterator

from limen_daemon.generalize.asked import Asked
from limen_daemon.generalize.drafts import Part
from limen_daemon.generalize.parts.ages_de import ages_de
from limen_daemon.generalize.parts.ages_en import ages_en
from limen_daemon.generalize.parts.ages_zh import ages_zh


def ages(asked: Asked) -> Iterator[Part]:
    if asked.language == "zh":
        yield from ages_zh(asked)
    elif asked.language == "de":
        yield from ages_de(asked)
    else:
        yield from ages_en(asked)
