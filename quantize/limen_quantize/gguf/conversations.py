"""Training examples: annotated queries as conversations in the paper's three instruction forms.

A query that leaks becomes one conversation: leak or not, then (in turn) its phrases or its phrases with
information, about the same query. Some conversations begin with the second question, so that each form also
works alone. Loss is taken on the answers only.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from limen_daemon.detector.generative.instructions import (
    NO,
    YES,
    Form,
    Frame,
    Segment,
    follow_up,
    question,
)
from limen_daemon.detector.generative.rows import Row, write_phrases, write_rows
from limen_daemon.findings import Category, Subject
from limen_quantize.gguf.tokens import SegmentTokenizer
from limen_quantize.queries import AnnotatedQuery, MarkedPhrase

IGNORED = -100


class Example(NamedTuple):
    """Token ids and, aligned with them, labels and loss weights; `IGNORED` where nothing is trained."""

    ids: list[int]
    labels: list[int]
    weights: list[float]


class Part(NamedTuple):
    """A piece of a conversation; `answered`: the model is trained to write it."""

    segments: list[Segment]
    answered: bool
    weight: float = 1.0


def row_of(query: AnnotatedQuery, phrase: MarkedPhrase) -> Row:
    """What the model should write for one phrase; what was not annotated takes the commonest value."""
    return Row(
        phrase=query.text[phrase.start : phrase.end],
        category=(phrase.category or Category.ACTIVITY).value,
        subject=(phrase.subject or Subject.USER).value,
        granularity=phrase.granularity or 2,
        identifiability=phrase.identifiability or 1,
        information=phrase.information,
    )


def answer_to(form: Form, query: AnnotatedQuery) -> str:
    """The right answer to one form."""
    if form is Form.LEAK:
        return YES if query.phrases else NO
    if form is Form.PHRASES:
        return write_phrases([query.text[phrase.start : phrase.end] for phrase in query.phrases])
    return write_rows([row_of(query, phrase) for phrase in query.phrases])


def conversation(
    query: AnnotatedQuery, forms: Sequence[Form], frame: Frame, *, leak_weight: float = 1.0
) -> list[Part]:
    """The parts of a conversation that asks `forms` about `query`, one after the other, and ends."""
    parts = [Part(question(frame, forms[0], query.text, query.language), answered=False)]
    for index, form in enumerate(forms):
        answer = answer_to(form, query)
        weight = leak_weight if form is Form.LEAK else 1.0
        parts.append(Part([Segment(answer, False)], answered=True, weight=weight))
        if index + 1 < len(forms):
            _, *turn = follow_up(frame, answer, forms[index + 1], query.language)
            parts.append(Part(turn, answered=False))
        else:
            parts.append(Part([Segment(frame.closing.strip(), True)], answered=True))
    return parts


def encode(parts: Iterable[Part], tokenizer: SegmentTokenizer) -> Example:
    """Token ids and labels of a conversation."""
    ids: list[int] = []
    labels: list[int] = []
    weights: list[float] = []
    for part in parts:
        tokens = tokenizer.encode(part.segments)
        ids += tokens
        labels += tokens if part.answered else [IGNORED] * len(tokens)
        weights += [part.weight if part.answered else 0.0] * len(tokens)
    return Example(ids, labels, weights)


def forms_for(query: AnnotatedQuery, rng: random.Random, *, alone: float, phrases: float) -> tuple[Form, ...]:
    """What one conversation asks: with chance `alone` only a later form, with `phrases` the second form."""
    later = Form.PHRASES if rng.random() < phrases else Form.INFORMATION
    if rng.random() < alone:
        return (later,)
    return (Form.LEAK, later) if query.phrases else (Form.LEAK,)


def examples(
    queries: Iterable[AnnotatedQuery],
    tokenizer: SegmentTokenizer,
    frame: Frame,
    *,
    seed: int,
    alone: float,
    phrases: float,
    leak_weight: float,
    max_tokens: int,
) -> Iterator[Example]:
    """One conversation per query, in the order given; those longer than `max_tokens` are left out."""
    rng = random.Random(seed)  # noqa: S311  # a reproducible draw, nothing secret
    for query in queries:
        forms = forms_for(query, rng, alone=alone, phrases=phrases)
        example = encode(conversation(query, forms, frame, leak_weight=leak_weight), tokenizer)
        if len(example.ids) <= max_tokens:
            yield example
