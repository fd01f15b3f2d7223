"""Training queries are cut into parts with likenesses together."""

from __future__ import annotations

import pytest

from limen_quantize.errors import TrainingError
from limen_quantize.folds import fold_of
from limen_quantize.likeness import COMMON
from limen_quantize.queries import AnnotatedQuery


def queries(*texts: str) -> list[AnnotatedQuery]:
    return [AnnotatedQuery(id=t, text=t, phrases=(), language="en", source="s") for t in texts]


DIFFERENT = [
    f"{name} {verb} the {thing} of {name}"
    for name, verb, thing in zip(
        ("anna", "bela", "carl", "dora"),
        ("sold", "found", "left", "drew"),
        ("car", "house", "cat", "road"),
        strict=True,
    )
]


def test_likenesses_stay_together_also_by_way_of_a_third():
    first = "please write a letter to my landlord about the broken heating in our flat"
    second = "please write a letter to my landlord that the rent of this small place is too high for us"
    third = "is it true that the rent of this small place is too high for us"
    for seed in range(8):
        fold = fold_of(queries(*DIFFERENT, first, third, second), 2, seed=seed)
        assert len(set(fold[-3:])) == 1


def test_equal_texts_stay_together_however_short():
    for seed in range(8):
        fold = fold_of(queries("hi", *DIFFERENT, "hi"), 2, seed=seed)
        assert fold[0] == fold[-1]


def test_a_query_that_is_part_of_another_stays_with_it_in_any_order():
    short, long = "I have diabetes", "I have diabetes and need a recipe for a cake tonight"
    for pair in ((short, long), (long, short)):
        for seed in range(8):
            fold = fold_of(queries(*DIFFERENT, *pair), 2, seed=seed)
            assert fold[-1] == fold[-2]


def test_many_copies_stay_together():
    fold = fold_of(queries(*["thank you"] * (COMMON + 5), *DIFFERENT), 2, seed=0)
    assert len(set(fold[: COMMON + 5])) == 1


def test_a_part_that_would_stay_empty_is_refused():
    with pytest.raises(TrainingError, match="cannot be cut into 3 parts"):
        fold_of(queries("hi", "hi", "thank you", "Thank you"), 3, seed=0)


def test_parts_hold_about_as_much_text_and_every_part_some():
    texts = [f"{a}{b} {b}{c} {c}{a} {a}{c} {b}{b}" for a in "abcd" for b in "efgh" for c in "ijkl"]
    fold = fold_of(queries(*texts), 4, seed=0)
    sizes = [fold.count(part) for part in range(4)]
    assert sum(sizes) == len(texts)
    assert max(sizes) - min(sizes) <= 1


def test_the_same_seed_cuts_the_same_way_and_one_part_holds_all():
    texts = queries(*DIFFERENT)
    assert fold_of(texts, 2, seed=3) == fold_of(texts, 2, seed=3)
    assert any(fold_of(texts, 2, seed=3) != fold_of(texts, 2, seed=s) for s in range(10))
    assert fold_of(texts, 1, seed=0) == [0] * len(texts)
