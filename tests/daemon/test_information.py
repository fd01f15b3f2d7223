"""One sentence per phrase: the third person, faithful, in the text's language."""

# ruff: noqa: E501  # a table: one entry a line reads best

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from limen_daemon.findings import Category, Subject
from limen_daemon.information.choice import options, shipped_weights
from limen_daemon.information.clause_en import has_finite_verb, names_a_person, shape_of
from limen_daemon.information.language import clause_language, is_chinese
from limen_daemon.information.person import as_subject, shifted
from limen_daemon.information.sentences import sentence
from limen_daemon.information.verbs import base_of_gerund, third_person

C, U, R = Category, Subject.USER, Subject.RELATED


def told(text: str, phrase: str, category: Category, subject: Subject = U) -> str:
    start = text.index(phrase)
    return sentence(text, start, start + len(phrase), category=category, subject=subject)


LONG = (
    "I have been diagnosed with type 2 diabetes last month and my wife Anna lost her job at Bosch. I hate my manager. "
    "We are raising $500k and I have two dogs. should i be worried?"
)
CHILD = "is it normal that my 3 year old repeats syllables twice?"
HUSBAND = "My husband lost his job in March, and we have a son diagnosed with autism"
MOTHER = "我妈72了，左膝置换以后下楼梯还是疼，我很担心"

SENTENCES = [
    (
        LONG,
        "diagnosed with type 2 diabetes",
        C.HEALTH,
        U,
        "The user has been diagnosed with type 2 diabetes.",
    ),
    (LONG, "wife", C.RELATIONSHIP, R, "The user has a wife."),
    (LONG, "Anna", C.NAME, R, "The user's wife is named Anna."),
    (LONG, "lost her job", C.OCCUPATION, R, "The user's wife lost her job."),
    (LONG, "hate my manager", C.OPINION, U, "The user hates their manager."),
    (LONG, "raising $500k", C.BUSINESS, R, "The user's company is raising $500k."),
    (LONG, "two dogs", C.POSSESSION, U, "The user has two dogs."),
    (LONG, "worried", C.EMOTION, U, "The user is worried."),
    (CHILD, "repeats syllables twice", C.HEALTH, R, "The user's 3-year-old child repeats syllables twice."),
    (
        "I'm a teacher in China, majoring in computer science.",
        "teacher",
        C.OCCUPATION,
        U,
        "The user is a teacher.",
    ),
    ("I'm a teacher in China", "China", C.LOCATION, U, "The user is in China."),
    ("I turned forty last week", "turned forty", C.AGE, U, "The user turned forty."),
    (HUSBAND, "husband lost his job in March", C.RELATIONSHIP, R, "The user's husband lost his job in March."),
    (HUSBAND, "son diagnosed with autism", C.RELATIONSHIP, R, "The user has a son diagnosed with autism."),
    ("I am a nurse in Leeds", "nurse in", C.OCCUPATION, U, "The user is a nurse."),
    (MOTHER, "妈72了", C.AGE, R, "用户的母亲72了。"),
    (MOTHER, "下楼梯还是疼", C.HEALTH, R, "用户的母亲下楼梯还是疼。"),
    (MOTHER, "担心", C.EMOTION, U, "用户很担心。"),
    ("请帮我找一家评分4.5分以上的餐馆", "评分4.5分以上", C.PREFERENCE, U, "用户想找评分4.5分以上的餐馆。"),
]


@pytest.mark.parametrize(
    ("text", "phrase", "category", "subject", "expected"), SENTENCES, ids=[s[1] for s in SENTENCES]
)
def test_a_phrase_is_restated(
    text: str, phrase: str, category: Category, subject: Subject, expected: str
) -> None:
    assert told(text, phrase, category, subject) == expected


@pytest.mark.parametrize(
    ("clause", "expected"),
    [
        ("I have a cat", "The user has a cat"),
        ("I'm tired of my job", "The user is tired of their job"),
        ("I’ve moved", "The user has moved"),
        ("im 34", "The user is 34"),
        ("we were robbed", "The user was robbed"),
        ("I really want a dog", "The user really wants a dog"),
        ("I don't like it", "The user does not like it"),
        ("I cook and clean the house", "The user cooks and cleans the house"),
        ("my landlord hates me", "The user's landlord hates them"),
        ("I will sell my car", "The user will sell their car"),
        ("I went home", "The user went home"),
    ],
)
def test_the_first_person_becomes_the_user(clause: str, expected: str) -> None:
    assert as_subject(clause) == expected


def test_a_clause_about_others_is_not_given_to_the_user() -> None:
    assert as_subject("the weather is fine") is None


def test_pronouns_inside_a_phrase_follow() -> None:
    assert shifted("my boss told me I am late and we lost our keys") == (
        "their boss told them they are late and they lost their keys"
    )


def test_the_country_is_no_pronoun() -> None:
    assert shifted("moved to the US with us") == "moved to the US with them"


@pytest.mark.parametrize(
    ("verb", "third"),
    [("want", "wants"), ("study", "studies"), ("fix", "fixes"), ("have", "has"), ("go", "goes"), ("am", "is"), ("went", "went"), ("can", "can"), ("play", "plays")],
)  # fmt: skip
def test_verbs_agree(verb: str, third: str) -> None:
    assert third_person(verb) == third


def test_gerunds_find_their_verb() -> None:
    assert [base_of_gerund(word) for word in ("making", "running", "working", "king", "evening")] == [
        "make", "run", "work", None, None,
    ]  # fmt: skip


def test_shapes_tell_nouns_from_verbs_by_what_stands_before() -> None:
    assert shape_of("fix shipped") == "verb"
    assert shape_of("fix shipped", "the") == "noun"
    assert has_finite_verb("ad account was restricted")
    assert not has_finite_verb("diagnosed with asthma")
    assert names_a_person("software engineer at a bank")
    assert not names_a_person("engineering skill")


@pytest.mark.parametrize(
    ("text", "chinese"),
    [("我妈72了", True), ("I live in 北京 and I love it here very much", False), ("", False), ("123", False), ("用Python写代码", True)],
)  # fmt: skip
def test_the_sentence_is_in_the_texts_language(text: str, chinese: bool) -> None:
    assert is_chinese(text) is chinese


MIXED = [
    ("I live in Leeds now. 我老公在厦门工作，我们两地分居。 What should I pack?", "在厦门工作", C.LOCATION, R, "用户的丈夫在厦门工作。"),
    ("帮我翻译下面这段：\nI have two dogs and a cat\n谢谢你", "two dogs", C.POSSESSION, U, "The user has two dogs."),
    ("My wife 王小明 lost her job", "王小明", C.NAME, R, "The user has a wife 王小明."),
    ("我用MacBook Pro写代码", "MacBook Pro", C.POSSESSION, U, "用户用MacBook Pro。"),
    ("我的邮箱换了，新的是\nlinzhao77@example.cn", "linzhao77@example.cn", C.CONTACT, U, "用户的linzhao77@example.cn。"),
]


@pytest.mark.parametrize(("text", "phrase", "category", "subject", "expected"), MIXED, ids=[one[1] for one in MIXED])
def test_the_sentence_is_in_the_language_of_the_clause(
    text: str, phrase: str, category: Category, subject: Subject, expected: str
) -> None:
    assert told(text, phrase, category, subject) == expected


@pytest.mark.parametrize(
    ("text", "phrase", "language"),
    [
        ("ich wohne seit Mai in München", "München", "de"),
        ("I like 王菲 a lot", "王菲", "en"),
        ("我在Google上班", "Google", "zh"),
        ("坐标哈尔滨", "坐标哈尔滨", "zh"),
        ("Zürich", "Zürich", "de"),
        ("42", "42", "en"),
    ],
)
def test_the_words_around_a_phrase_tell_its_language(text: str, phrase: str, language: str) -> None:
    start = text.index(phrase)
    assert clause_language(text, start, start + len(phrase)) == language


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_any_span_gets_one_clean_sentence(data: st.DataObject) -> None:
    text = data.draw(
        st.sampled_from(
            [
                LONG,
                MOTHER,
                CHILD,
                "a\n\nb | c\t| d 😀",
                "((( )))",
                "\ud800 x",
                "my my my",
                "i i've i'm",
                "我我我的",
            ]
        )
    )
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    category = data.draw(st.sampled_from(list(Category)))
    subject = data.draw(st.sampled_from(list(Subject)))
    said = sentence(text, start, end, category=category, subject=subject)
    assert said[-1] in ".。"
    assert "\n" not in said
    assert len(said) <= 302


def test_a_very_long_phrase_gives_a_short_sentence() -> None:
    text = "I have " + "a very long story " * 100
    assert len(sentence(text, 0, len(text), category=C.ACTIVITY, subject=U)) <= 302


def test_every_category_has_a_way_to_be_said_in_both_languages() -> None:
    for category in Category:
        for subject in Subject:
            for text, chinese in (("the thing there", False), ("那个东西", True)):
                _, made = options(text, 0, len(text), category, subject, chinese=chinese)
                assert any(make() for make in made.values()), (category, subject, chinese)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_shipped_weights_are_finite_numbers_by_frame_and_feature(language: str) -> None:
    weights = shipped_weights(language)
    assert len(weights) > 20
    assert all(abs(value) < 2 for frame in weights.values() for value in frame.values())


@pytest.mark.data
@pytest.mark.parametrize(("language", "least"), [("en", 0.66), ("zh", 0.72)])
def test_sentences_say_what_annotators_said(data_dir: Path, language: str, least: float) -> None:
    """Mean Rouge-L on the training queries; the plain template "The user {phrase}." has 0.63 and 0.69."""
    rouge = pytest.importorskip("rouge_score.rouge_scorer").RougeScorer(
        ["rougeL"], tokenizer=_ByLanguage(language)
    )
    path = data_dir / "real_train" / f"real_train_{language}.json"
    scores = []
    for dialogue in json.loads(path.read_text(encoding="utf-8")):
        for turn in dialogue["conversation"]:
            for item in turn["privacy"]:
                start = turn["user"].find(item["phrase"])
                if start >= 0:
                    end = start + len(item["phrase"])
                    said = sentence(
                        turn["user"],
                        start,
                        end,
                        category=C(item["category"]),
                        subject=Subject(item["subject"]),
                    )
                    scores.append(rouge.score(item["privacy information"], said)["rougeL"].fmeasure)
    assert sum(scores) / len(scores) >= least


class _ByLanguage:
    """Words for English, characters for Chinese, as the published scores count."""

    def __init__(self, language: str) -> None:
        self._chinese = language == "zh"

    def tokenize(self, text: str) -> list[str]:
        if self._chinese:
            return [character for character in text if not character.isspace()]
        return "".join(c if c.isalnum() else " " for c in text.lower()).split()
