"""Held-out queries that resemble a training query are told from those that resemble none."""

from __future__ import annotations

from limen_quantize.likeness import fit_for_choosing, unlike
from limen_quantize.queries import AnnotatedQuery, Language, MarkedPhrase


def query(text: str, *, discloses: bool = False, language: Language = "en") -> AnnotatedQuery:
    phrases = (MarkedPhrase(start=0, end=1),) if discloses else ()
    return AnnotatedQuery(id=text, text=text, phrases=phrases, language=language, source="s")


LEARNED = [
    query("please write a letter to my landlord about the broken heating in the kitchen"),
    query("我想请朋友吃饭，帮我找一家餐馆", language="zh"),
]


def test_the_same_request_in_other_words_is_alike() -> None:
    again = query("write a letter to my landlord about the lift")
    other = query("how do tides work when the moon is full")
    assert unlike([again, other], LEARNED) == [other]


def test_chinese_is_compared_by_characters() -> None:
    again = query("帮我找一家餐馆，要便宜", language="zh")
    other = query("昨天加班到很晚，累死了", language="zh")
    assert unlike([again, other], LEARNED) == [other]


def test_what_everybody_writes_is_no_likeness() -> None:
    everybody = [query(f"i want to {verb}") for verb in map(str, range(300))]
    assert unlike([query("i want to sing")], everybody) == [query("i want to sing")]


def test_case_and_punctuation_do_not_matter() -> None:
    assert unlike([query("Write a LETTER, to my landlord!")], LEARNED) == []


def test_a_text_of_one_word_is_compared_as_a_whole() -> None:
    assert unlike([query("hello"), query("goodbye")], [query("Hello!")]) == [query("goodbye")]


def test_rules_are_chosen_by_all_when_those_left_all_disclose_or_none_does() -> None:
    near = query("a letter to my landlord about the broken heating", discloses=True)
    far = query("how do tides work when the moon is full")
    also_far = query("my sister moved to Lyon last week", discloses=True)
    assert fit_for_choosing([near, far], LEARNED) == [near, far]
    assert fit_for_choosing([near, far, also_far], LEARNED) == [far, also_far]


def test_in_a_language_in_which_most_resemble_some_query_all_of_its_queries_choose() -> None:
    english = [query("how do tides work", discloses=False), query("my sister moved to Lyon", discloses=True)]
    near = [query("我想请朋友吃饭", language="zh"), query("帮我找一家餐馆", discloses=True, language="zh")]
    near.append(query("想请朋友吃饭，帮我找", language="zh"))
    far = [query("昨天加班到很晚", discloses=True, language="zh"), query("月亮为什么圆", language="zh")]
    assert fit_for_choosing([*english, *near, *far], LEARNED) == [*english, *near, *far]
    assert fit_for_choosing([*english, *near[:2], *far], LEARNED) == [*english, *far]
