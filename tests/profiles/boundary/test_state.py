"""One user's state: learning, forgetting, contradiction, explanation."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from limen_profiles.boundary.meanings import Embedding, Meanings
from limen_profiles.boundary.state import CAPACITY, DAY_MS, UserState
from limen_profiles.prediction import Choice, Item, Prediction
from limen_profiles.records import Reason


def item(
    *, category: str = "health", subject: str = "user", cell: tuple[int, int] = (2, 1), **rest: str | None
) -> Item:
    return Item(
        category=category,
        subject=subject,
        granularity=cell[0],
        identifiability=cell[1],
        tier="disclosure",
        site=rest.get("site") or "chatgpt.com",
        recipient="ai_provider",
        phrase=rest.get("phrase"),
        information=rest.get("information"),
    )


def choice(what: Item, accepted: bool, *, at_ms: int = 0, weight: float = 1.0) -> Choice:
    return Choice(what, accepted, weight, at_ms)


def one(state: UserState, what: Item, *, now_ms: int = 0) -> Prediction:
    return state.predict([what], now_ms=now_ms)[0]


def taught(answers: Sequence[bool], *, half_life_days: float | None = None, weight: float = 1.0) -> UserState:
    state = UserState(half_life_days)
    for n, accepted in enumerate(answers):
        state.learn(choice(item(phrase=f"thing {n}" if accepted else None), accepted, at_ms=n, weight=weight))
    return state


def test_each_acceptance_raises_and_each_rejection_lowers_the_chance() -> None:
    kept = [one(taught([True] * n), item()).p_accept for n in range(8)]
    removed = [one(taught([False] * n), item()).p_accept for n in range(8)]
    assert kept == sorted(kept) and kept[7] > 0.9 > kept[0]
    assert removed == sorted(removed, reverse=True) and removed[7] < 0.15


def test_a_chance_lies_between_nought_and_one_after_hundreds_of_equal_choices() -> None:
    assert one(taught([True] * 300), item()).p_accept < 1
    assert one(taught([False] * 300), item()).p_accept > 0


def test_three_contradictions_outweigh_ten_older_choices() -> None:
    assert one(taught([True] * 10 + [False] * 3), item()).p_accept < 0.5
    assert one(taught([False] * 10 + [True] * 3), item()).p_accept > 0.5


def test_the_same_choices_in_the_other_order_end_on_the_other_side() -> None:
    newest_no = one(taught([True] * 4 + [False] * 4), item()).p_accept
    newest_yes = one(taught([False] * 4 + [True] * 4), item()).p_accept
    assert newest_no < 0.4 and newest_yes > 0.6


def test_choices_about_one_kind_say_most_about_that_kind() -> None:
    state = taught([False] * 6)
    before = UserState(None)
    fall = {
        name: one(before, other).p_accept - one(state, other).p_accept
        for name, other in {
            "same": item(),
            "more exact": item(cell=(3, 3)),
            "other kind": item(category="finance"),
            "someone else": item(subject="related"),
        }.items()
    }
    assert fall["same"] > fall["other kind"] > fall["someone else"] > 0
    assert fall["same"] > fall["more exact"] > 0


def test_without_choices_more_exact_things_of_others_are_less_likely_kept() -> None:
    state = UserState(None)
    chance = {
        cell: one(state, item(subject="related", cell=cell)).p_accept for cell in ((1, 1), (2, 2), (3, 3))
    }
    assert chance[1, 1] > chance[2, 2] > chance[3, 3]


def test_old_choices_fade_towards_no_choice_at_all() -> None:
    state = taught([False] * 6, half_life_days=30)
    unknown = one(UserState(None), item()).p_accept
    chances = [one(state, item(), now_ms=days * DAY_MS).p_accept for days in (0, 60, 365, 3650)]
    assert chances == sorted(chances)
    assert chances[0] < 0.3 < unknown
    assert chances[-1] > 0.8 * unknown
    still = taught([False] * 6, half_life_days=None)
    assert one(still, item(), now_ms=3650 * DAY_MS).p_accept == one(still, item()).p_accept


def test_a_weaker_choice_moves_less() -> None:
    assert one(taught([False], weight=0.3), item()).p_accept > one(taught([False], weight=1), item()).p_accept
    assert one(taught([False], weight=1), item()).p_accept > one(taught([False], weight=2), item()).p_accept


def test_learning_one_by_one_equals_learning_all_at_once() -> None:
    chance = random.Random(7)
    choices = [
        choice(
            item(
                category=chance.choice(["health", "finance", "name"]),
                subject=chance.choice(["user", "related"]),
                cell=(chance.randint(1, 3), chance.randint(1, 3)),
                site=chance.choice(["a.example", "b.example"]),
                phrase=chance.choice([None, "one", "two"]),
            ),
            chance.random() < 0.5,
            at_ms=n,
        )
        for n in range(60)
    ]
    asked = [item(cell=(g, i), phrase="two") for g in (1, 2, 3) for i in (1, 2, 3)]
    at_once, stepwise = UserState(None), UserState(None)
    for each in choices:
        at_once.learn(each)
        stepwise.learn(each)
        stepwise.predict(asked, now_ms=0)
    expected = [found.p_accept for found in at_once.predict(asked, now_ms=0)]
    assert [found.p_accept for found in stepwise.predict(asked, now_ms=0)] == pytest.approx(
        expected, abs=1e-9
    )
    assert len({round(p, 6) for p in expected}) == 9


def test_beyond_its_capacity_the_oldest_choices_go() -> None:
    state = UserState(None)
    for n in range(CAPACITY):
        state.learn(choice(item(category="finance"), True, at_ms=n))
    state.learn(choice(item(), False, at_ms=CAPACITY))
    used = state.used(item(category="finance"), now_ms=CAPACITY, most=2 * CAPACITY)
    assert len(used) == CAPACITY * 3 // 4 + 1
    assert min(each.at_ms for each, _ in used) == CAPACITY // 4
    assert one(state, item(), now_ms=CAPACITY).evidence == 1


def test_the_reason_counts_this_kind_on_this_site_and_says_less_when_it_knows_less() -> None:
    state = taught([True] * 7 + [False])
    here = one(state, item())
    assert here.why == "You kept this kind of thing 7 of 8 times on this site."
    assert here.reason == Reason(kind="kind_on_site", accepted=7, total=8)
    elsewhere = one(state, item(site="claude.ai"))
    assert elsewhere.why == "You kept this kind of thing 7 of 8 times."
    assert elsewhere.reason == Reason(kind="kind", accepted=7, total=8)
    assert elsewhere.evidence == one(state, item()).evidence == 8
    far = one(state, item(cell=(3, 3)))
    assert (far.evidence, far.why) == (0, "You kept things of this category 7 of 8 times.")
    assert far.reason == Reason(kind="category", accepted=7, total=8)
    unknown = one(state, item(category="belief"))
    assert (unknown.evidence, unknown.why) == (0, None)
    assert one(taught([True]), item()).why == "You kept this kind of thing 1 of 1 time."


def test_the_choices_behind_a_prediction_are_listed_strongest_first() -> None:
    state = UserState(None)
    state.learn(choice(item(), False, at_ms=1))
    state.learn(choice(item(category="finance", subject="related"), True, at_ms=2))
    used = state.used(item(), now_ms=3)
    assert [each.at_ms for each, _ in used] == [1, 2]
    assert used[0][1] < 0 < abs(used[1][1]) < abs(used[0][1])
    assert UserState(None).used(item(), now_ms=0) == []


def test_a_phrase_kept_before_is_likelier_kept_again_than_another_of_its_kind() -> None:
    state = UserState(None)
    state.learn(choice(item(phrase="Type 2 diabetes"), True))
    again = one(state, item(phrase="type 2  Diabetes")).p_accept
    assert again > one(state, item(phrase="asthma")).p_accept > 0.5


DIRECTIONS = {"has asthma": (1.0, 0.0), "short of breath": (0.98, 0.199), "likes jazz": (0.0, 1.0)}


def understand(meanings: Meanings, wanted: dict[int, str], *, encoder: str = "small-1") -> None:
    """Put the vectors of what is wanted."""
    if wanted:
        vectors = np.array([DIRECTIONS[text] for text in wanted.values()], dtype=np.float32)
        meanings.put(list(wanted), Embedding(encoder, vectors), age=meanings.age)


def asked(state: UserState, *phrases: str) -> list[float]:
    items = [item(phrase=phrase) for phrase in phrases]
    return [found.p_accept for found in state.predict(items, now_ms=0)]


def test_meaning_makes_a_paraphrase_count_as_nearly_the_same() -> None:
    meanings = Meanings()
    state = UserState(None, meanings)
    state.learn(choice(item(phrase="has asthma"), True))
    state.learn(choice(item(phrase=None), False))
    understand(meanings, state.choices_lacking())
    understand(meanings, state.texts_lacking([item(phrase="short of breath"), item(phrase="likes jazz")]))
    assert asked(state, "short of breath") == asked(state, "likes jazz"), "no kind of thing was counted yet"
    understand(meanings, state.texts_lacking([item(phrase="short of breath"), item(phrase="likes jazz")]))
    near, far = asked(state, "short of breath", "likes jazz")
    assert near > far


def test_a_vector_that_comes_late_is_taken_up_by_the_renewed_state_alone() -> None:
    meanings = Meanings()
    state = UserState(None, meanings)
    asked(state, "likes jazz")
    state.learn(choice(item(phrase="has asthma"), True))
    state.learn(choice(item(phrase="likes jazz"), False))
    assert state.renewed() is None
    understand(meanings, state.texts_lacking([item(phrase="short of breath")]))
    without = asked(state, "short of breath", "has asthma")
    assert list(state.choices_lacking().values()) == ["likes jazz", "has asthma"]
    understand(meanings, state.choices_lacking())
    assert state.choices_lacking() == {}
    assert asked(state, "short of breath", "has asthma") == without
    renewed = state.renewed()
    assert renewed is not None
    assert asked(renewed, "short of breath")[0] > without[0]
    assert renewed.renewed() is None


def test_vectors_of_another_encoder_are_not_compared() -> None:
    meanings = Meanings()
    state = UserState(None, meanings)
    asked(state, "likes jazz")
    state.learn(choice(item(phrase="has asthma"), True))
    understand(meanings, state.choices_lacking())
    state = state.renewed() or state
    asked(state, "likes jazz")
    understand(meanings, state.texts_lacking([item(phrase="short of breath")]), encoder="other-1")
    unlike = asked(state, "likes jazz")
    assert asked(state, "short of breath") == unlike
    renewed = state.renewed()
    assert renewed is not None
    assert asked(renewed, "short of breath") == unlike
    assert list(renewed.choices_lacking().values()) == ["has asthma"]
    understand(meanings, renewed.choices_lacking(), encoder="other-1")
    last = renewed.renewed()
    assert last is not None
    assert asked(last, "short of breath") > unlike


def test_vectors_asked_for_before_everything_was_forgotten_are_not_kept() -> None:
    meanings = Meanings()
    age = meanings.age
    meanings.clear()
    meanings.put([1], Embedding("small-1", np.ones((1, 2), dtype=np.float32)), age=age)
    assert meanings.get(1) is None


def test_only_phrases_of_a_kind_that_was_decided_about_need_a_vector() -> None:
    state = UserState(None)
    asked(state, "likes jazz")
    state.learn(choice(item(phrase="has asthma"), True))
    secret = replace(item(phrase="likes jazz"), tier="secret")
    others = [item(phrase="likes jazz", category="opinion"), item(phrase=None), secret]
    assert state.texts_lacking(others) == {}
    assert list(state.texts_lacking([*others, item(phrase="likes jazz")]).values()) == ["likes jazz"]


def test_a_state_grown_choice_by_choice_with_late_vectors_equals_one_solved_at_once() -> None:
    meanings = Meanings()
    grown = UserState(None, meanings)
    asked(grown, "likes jazz")
    chance = random.Random(3)
    phrases = list(DIRECTIONS)
    for number in range(40):
        grown.learn(choice(item(phrase=chance.choice(phrases)), chance.random() < 0.5, at_ms=number))
        if number == 20:
            understand(meanings, grown.choices_lacking())
    renewed = grown.renewed()
    assert renewed is not None
    at_once = UserState(None, meanings)
    for what in grown._choices:
        at_once.learn(what)
    assert asked(renewed, *phrases) == pytest.approx(asked(at_once, *phrases), abs=1e-9)
    assert all(0 < p_accept < 1 for p_accept in asked(grown, *phrases))


def test_nothing_to_predict_is_nothing_predicted() -> None:
    assert UserState(None).predict([], now_ms=0) == []
