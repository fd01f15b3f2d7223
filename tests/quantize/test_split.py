"""What is held out of the training data."""

from __future__ import annotations

from limen_quantize.queries import AnnotatedQuery
from limen_quantize.split import split


def queries(source: str, n: int) -> list[AnnotatedQuery]:
    return [
        AnnotatedQuery(id=f"{source}:{at}", text=f"question {at} of {source}", language="en", source=source)
        for at in range(n)
    ]


def test_only_real_queries_are_held_out_where_there_are_any():
    kept, held = split([*queries("corpus/health", 200), *queries("WildChat", 200)], 0.25)
    assert {query.source for query in held} == {"WildChat"}
    assert 20 < len(held) < 90
    assert len(kept) + len(held) == 400


def test_a_corpus_alone_is_split_too():
    kept, held = split(queries("corpus/health", 200), 0.25)
    assert 20 < len(held) < 90
    assert len(kept) + len(held) == 200


def test_equal_texts_never_part():
    twice = [query.model_copy(update={"text": query.text.upper()}) for query in queries("WildChat", 100)]
    kept, held = split([*queries("WildChat", 100), *twice], 0.3)
    assert not {query.text.lower() for query in kept} & {query.text.lower() for query in held}
    assert held


def test_the_same_queries_are_held_out_every_time():
    assert split(queries("WildChat", 100), 0.3) == split(queries("WildChat", 100), 0.3)
