"""Language models on the privacy task: what they are asked and how their answers are read."""

from __future__ import annotations

import json
from typing import Any

import pytest

from limen_eval.datasets.annotated import AnnotatedQuery, GoldPhrase
from limen_eval.errors import DataError
from limen_eval.privacy.answers import read_items, read_judgement, read_phrases
from limen_eval.privacy.prompted import choose_examples
from limen_eval.privacy.prompts import prompt
from limen_eval.privacy.rows import Item

QUERY = "I teach chess in Rome"


def make_query(number: int, *, leaks: bool, language: Any = "en") -> AnnotatedQuery:
    gold = (GoldPhrase(phrase="chess", information="The user teaches chess."),) if leaks else ()
    text = f"I teach chess, {number}"
    return AnnotatedQuery(
        id=f"q{number}", turn=0, source="made", language=language, text=text, context=None, gold=gold
    )


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ('[{"phrase": "chess", "privacy information": "x"}]', [Item(phrase="chess", information="x")]),
        (
            'Sure!\n```json\n[{"phrase": "Rome", "privacy information": "y"}]\n```',
            [Item(phrase="Rome", information="y")],
        ),
        ("[]", []),
        ('[{"phrase": "football", "privacy information": "x"}]', []),
        ('[{"phrase": "chess"}]', []),
        ('[{"phrase": "chess", "privacy information": {"a": 1}}]', []),
        (
            '[{"phrase": ["chess"], "privacy information": []}]',
            [Item(phrase="chess", information="Leaks privacy")],
        ),
        ('[{"phrase": "chess", "privacy information": 7}]', [Item(phrase="chess", information=7)]),
        ('["chess"]', []),
        (
            '[["chess","skill","user",2,1,"The user teaches chess."]]',
            [Item(phrase="chess", information="The user teaches chess.", category="skill")],
        ),
        ("I cannot help with that.", None),
        ('{"phrase": "chess"}', None),
    ],
)
def test_answers_are_read_as_the_published_scripts_read_them(text: str, items: list[Item] | None) -> None:
    assert read_items(text, QUERY) == items


def test_phrase_inside_a_longer_one_is_dropped() -> None:
    entries = [{"phrase": p, "privacy information": p} for p in ("chess", "teach chess", "Rome", "Rome")]
    items = read_items(json.dumps(entries), QUERY)
    assert items is not None
    assert [item.phrase for item in items] == ["teach chess", "Rome"]
    assert read_phrases('["chess", "teach chess"]', QUERY) == ["teach chess"]


@pytest.mark.parametrize(
    ("text", "judgement"),
    [
        ('{"judgment": true}', True),
        ("true", True),
        ('```json\n{"judgement": false}\n```', False),
        ('{"judgment": "yes"}', None),
        ("yes", None),
    ],
)
def test_judgement_must_be_a_boolean(text: str, judgement: bool | None) -> None:
    assert read_judgement(text) is judgement


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("style", ["zero-shot", "icl", "sft"])
@pytest.mark.parametrize("task", ["judgement", "phrases", "information"])
def test_prompt_holds_the_query_once_and_examples_only_where_asked(
    language: Any, style: Any, task: Any
) -> None:
    examples = [make_query(n, leaks=n < 3, language=language) for n in range(5)]
    system, user = prompt(QUERY, language=language, style=style, task=task, examples=examples)
    assert (system + user).count(QUERY) == 1
    assert ("I teach chess, 0" in user) is (style == "icl")
    assert user.startswith('Query: "') is (style == "sft")


def test_examples_are_five_reproducible_and_both_kinds() -> None:
    training = [make_query(n, leaks=n % 2 == 0) for n in range(100, 140)]
    test = [make_query(1, leaks=True)]
    chosen = choose_examples(training, test, seed=42)["en"]
    assert chosen == choose_examples(training, test, seed=42)["en"]
    assert chosen != choose_examples(training, test, seed=43)["en"]
    assert sum(bool(q.gold) for q in chosen) == 3
    assert len({q.id for q in chosen}) == 5


def test_examples_from_the_test_data_are_refused() -> None:
    queries = [make_query(n, leaks=n % 2 == 0) for n in range(20)]
    with pytest.raises(DataError, match="20 queries of the test data"):
        choose_examples(queries, queries, seed=42)


def test_too_few_examples_are_refused() -> None:
    with pytest.raises(DataError, match="too few"):
        choose_examples([make_query(9, leaks=True)], [make_query(1, leaks=True)], seed=42)
