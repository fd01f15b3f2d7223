"""Decoding rules and scores of a network from its answers to held-out queries."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from limen_daemon.detector.decode import DecodingRules
from limen_daemon.detector.layout import LabelLayout
from limen_quantize.answers import Answer
from limen_quantize.likeness import fit_for_choosing
from limen_quantize.queries import AnnotatedQuery, Language
from limen_quantize.rules import choose_rules, score_with
from limen_quantize.scores import Scores


class Choice(NamedTuple):
    """`unlike`: scores on the held-out queries that resemble none learned from; empty when all or too few
    do."""

    rules: DecodingRules
    held_out: dict[Language, Scores]
    unlike: dict[Language, Scores]


def choose(answers: Sequence[Answer], kept: Sequence[AnnotatedQuery]) -> Choice:
    """`answers` are to all held-out queries; the rules are chosen by those that resemble no query in `kept`,
    where there are enough of them."""
    layout = LabelLayout.standard()
    fit = {query.id for query in fit_for_choosing([answer.query for answer in answers], kept)}
    chosen = [answer for answer in answers if answer.query.id in fit]
    rules, of_chosen = choose_rules(chosen, layout)
    scores = score_with(answers, layout, rules)
    unlike = {name: own for name, own in of_chosen.items() if own.n_queries < scores[name].n_queries}
    return Choice(rules, scores, unlike)
