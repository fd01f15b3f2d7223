"""Whose age it is: a cat of twelve is old."""

# patterns and conditions: one a line reads best

from __future__ import annotations

import re

from limen_daemon.generalize.asked import Asked

NOT_HUMAN = re.compile(
    r"\b(?:dogs?|cats?|puppy|kitten|horse|pony|rabbit|parrot|house|car|company|building|laptop|phone|bike|boat|business|flat|apartment)\b"
    r"|(?<!\w)(?:Hund|Hündin|Katze|Kater|Welpe|Pferd|Hase|Haus|Auto|Wagen|Wohnung|Firma|Laptop|Handy)(?!\w)|[猫狗犬车兔养]|房子|电脑|手机|公司",
    re.I,
)


def clause_before(asked: Asked, start: int) -> str:
    """What stands before `start` of the phrase since the last comma."""
    return re.split(r"[,;，、]", asked.before + asked.phrase[:start])[-1]
