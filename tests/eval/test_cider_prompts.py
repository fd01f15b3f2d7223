"""What a language model sees in each setup, and how its nine answers are read."""

from __future__ import annotations

import json
from typing import Any, get_args

import pytest

from limen_eval.cider.answers import read_answers
from limen_eval.cider.prompts import build_prompt, shuffled
from limen_eval.cider.split import Case
from limen_eval.cider.wording import Setup
from limen_eval.datasets.ratings import VARIANTS, Boundary, Participant, Scenario

IDENTITY = tuple(range(9))
SCENARIOS = {
    name: Scenario(
        id=name,
        facts={},
        sender_name=sender,
        narratives={
            "data_sender": f"You send {name}.",
            "data_subject": f"You are talked about in {name}.",
            "data_recipient": f"You receive {name}.",
        },
        variants=tuple(f"{name} told as {v}" for v in VARIANTS),
    )
    for name, sender in (("past", "Peter"), ("target", "Tina"))
}


def make_case(role: Any = "data_sender", condition: Any = "Human", *, n_history: int = 1) -> Case:
    accepts = (True, True, False, True, False, False, False, False, False)
    history = tuple(Boundary(scenario_id="past", accepts=accepts) for _ in range(n_history))
    one = Participant(index=0, id="P1", role=role, condition=condition, boundaries=history)
    return Case(one, "target", (True,) * 9, history)


def make_prompt(setup: Any, role: Any = "data_sender", condition: Any = "Human", version: Any = "v0") -> str:
    prompt = build_prompt(make_case(role, condition), SCENARIOS, setup=setup, version=version)
    return f"{prompt.system}\n=====\n{prompt.user}"


@pytest.mark.parametrize("setup", get_args(Setup))
def test_target_scenario_and_its_variants_are_always_shown_in_full(setup: str) -> None:
    text = make_prompt(setup)
    assert "You send target." in text
    for variant in VARIANTS:
        assert f"target told as {variant}" in text


def test_hc_shows_the_history_in_full_and_without_labels() -> None:
    text = make_prompt("HC")
    assert "You send past." in text
    assert "past told as 11: YES" in text
    assert "past told as 33: NO" in text
    assert "Not Identifiable" not in text


def test_hl_shows_labels_and_no_content_of_the_history() -> None:
    text = make_prompt("HL")
    assert "[General, Not Identifiable]: YES" in text
    assert "[Very detailed, Fully Identifiable]: NO" in text
    assert "Granularity:" in text
    assert "past" not in text.split("=====")[1]


def test_h_shows_answers_only() -> None:
    text = make_prompt("H")
    assert text.count("(variant content redacted): YES") == 3
    assert text.count("(variant content redacted): NO") == 6
    assert "[General" not in text
    assert "past" not in text.split("=====")[1]


def test_without_history_there_is_no_history_section() -> None:
    text = make_prompt("none")
    assert "<History>" not in text
    assert "past" not in text


@pytest.mark.parametrize(
    ("role", "condition", "words"),
    [
        ("data_sender", "Human", "comfortable sharing the information in this way"),
        ("data_subject", "Human", "comfortable if Tina shared their information in this way"),
        ("data_recipient", "Human", "comfortable if Tina shared the information with them in this way"),
        ("data_sender", "AI", "comfortable if their AI assistant shared the information on their behalf"),
        ("data_subject", "AI", "comfortable if Tina's AI assistant shared their information in this way"),
        (
            "data_recipient",
            "AI",
            "comfortable if Tina's AI assistant shared the information with them in this way",
        ),
    ],
)
def test_question_follows_role_and_condition(role: str, condition: str, words: str) -> None:
    assert words in make_prompt("HC", role, condition).split("=====")[1]


@pytest.mark.parametrize(
    ("role", "note"),
    [
        ("data_sender", "Now you are using your AI assistant to share this information."),
        ("data_recipient", "Now Tina is using their AI assistant to share this information."),
    ],
)
def test_ai_condition_adds_its_line_to_the_scenario(role: str, note: str) -> None:
    assert note in make_prompt("HC", role, "AI")
    assert "AI assistant" not in make_prompt("HC", role, "Human")


@pytest.mark.parametrize("setup", ["HL", "H"])
def test_redacted_history_does_not_name_the_sender(setup: str) -> None:
    assert "Peter" not in make_prompt(setup, "data_subject", "AI")
    assert "Peter" in make_prompt("HC", "data_subject", "AI")


def test_prompt_versions_differ_in_words_and_keep_the_content() -> None:
    texts = [make_prompt("HC", version=version) for version in ("v0", "v1", "v2")]
    assert len(set(texts)) == 3
    assert len(texts[1]) < len(texts[2])
    for text in texts:
        assert "past told as 11: YES" in text
    assert 'variant_1: "target told as' in texts[1]


def test_variants_are_shuffled_reproducibly_and_differently_for_each_scenario() -> None:
    order = shuffled("prediction", "P1", "target")
    assert sorted(order) == list(range(9))
    assert order == shuffled("prediction", "P1", "target")
    assert len({shuffled("prediction", "P1", f"s{n}") for n in range(5)}) > 1


def answer(*words: str) -> str:
    predictions = {f"variant_{n}": word for n, word in enumerate(words, 1)}
    return json.dumps({"reasoning": "Because.", "predictions": predictions})


YES_THEN_NO = ("YES",) + ("NO",) * 8
FIRST_ONLY = (True,) + (False,) * 8


@pytest.mark.parametrize(
    "text",
    [
        answer(*YES_THEN_NO),
        f"Sure:\n```json\n{answer(*YES_THEN_NO)}\n```\nDone.",
        answer(*YES_THEN_NO).replace('"NO"}', '"NO",}'),
        answer("yes", *("no",) * 8),
        answer("[YES]", *("[NO]",) * 8),
        json.dumps({f"variant_{n}": word for n, word in enumerate(YES_THEN_NO, 1)}),
        json.dumps({"predictions": list(YES_THEN_NO)}),
        json.dumps({"predictions": {f"told as {n}": word for n, word in enumerate(YES_THEN_NO)}}),
        "\n".join(f"variant_{n}: {word}" for n, word in enumerate(YES_THEN_NO, 1)),
        '{"reasoning": "first\nsecond", ' + answer(*YES_THEN_NO)[1:].split(", ", 1)[1],
    ],
)
def test_nine_answers_are_read_from_every_form_the_published_code_accepts(text: str) -> None:
    assert read_answers(text, IDENTITY) == FIRST_ONLY


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I cannot say.",
        answer("YES"),
        answer(*("MAYBE",) * 9),
        '{"predictions": {}}',
        answer(*("YES",) * 8),
    ],
)
def test_anything_less_than_nine_answers_is_a_failure(text: str) -> None:
    assert read_answers(text, IDENTITY) is None


def test_answers_are_put_back_into_the_order_of_the_grid() -> None:
    order = (8, 0, 1, 2, 3, 4, 5, 6, 7)
    assert read_answers(answer(*YES_THEN_NO), order) == (False,) * 8 + (True,)
