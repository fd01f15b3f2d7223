"""German ages: "12-jährig" is minderjährig, 34 "in den Dreißigern"."""

# patterns and conditions: one a line reads best

from __future__ import annotations

import re
from collections.abc import Iterator

from limen_daemon.findings import Category
from limen_daemon.generalize.asked import Asked
from limen_daemon.generalize.drafts import Part
from limen_daemon.generalize.numbers import ONES_DE, read_en
from limen_daemon.generalize.parts.human import NOT_HUMAN, clause_before

_AGE_IS_DE = re.compile(
    r"\b(?:bin|ist|wird) (?:schon |erst |gerade |jetzt )?(?P<n>\d{1,3})(?=$|[.,;!?]| und\b)"
)
_AGED_DE = re.compile(rf"(?<!\w)(?P<n>\d{{1,3}}|{'|'.join(ONES_DE)}) ?[- ]?(?:jährig\w*|Jahre alt)", re.I)
_DECADES_DE = (
    "Zwanzigern Dreißigern Vierzigern Fünfzigern Sechzigern Siebzigern Achtzigern Neunzigern".split()
)


def ages_de(asked: Asked) -> Iterator[Part]:
    for found in _AGED_DE.finditer(asked.phrase):
        years = read_en(found["n"])
        if years is None or NOT_HUMAN.search(
            clause_before(asked, found.start()) + asked.phrase[found.end() :][:12]
        ):
            continue
        ending = re.search(r"jährig(\w*)", found[0], re.I)
        if ending:
            kind = next(
                word
                for limit, word in ((6, "klein"), (18, "minderjährig"), (65, "erwachsen"), (999, "betagt"))
                if years < limit
            )
            # "die 12-Jährige" is a noun, "meine 12-jährige Tochter" an adjective.
            if found[0][-len(ending[0])].islower():
                child = re.match(
                    r" (?:Sohn|Söhne|Tochter|Töchter|Kind)", asked.phrase[found.end() :] or asked.after
                )
                # "meine erwachsene Schwester" would say that there was a doubt.
                yield Part(
                    found.start(),
                    found.end(),
                    None,
                    "" if kind == "erwachsen" and not child else kind + ending[1],
                )
        else:
            less = f"in den {_DECADES_DE[years // 10 - 2]}" if 20 <= years < 100 else None
            yield Part(found.start(), found.end(), less, _adult_de(years))
    if asked.category is Category.AGE or asked.category is Category.RELATIONSHIP:
        for stated in _AGE_IS_DE.finditer(asked.phrase):
            years = int(stated["n"])
            if NOT_HUMAN.search(clause_before(asked, stated.start())):
                continue
            less = f"in den {_DECADES_DE[years // 10 - 2]}" if 20 <= years < 100 else None
            yield Part(stated.start("n"), stated.end("n"), less, _adult_de(years))


def _adult_de(years: int) -> str:
    return next(
        word
        for limit, word in (
            (14, "noch ein Kind"),
            (18, "noch minderjährig"),
            (65, "erwachsen"),
            (999, "schon älter"),
        )
        if years < limit
    )
