"""Norms: what the tables hold, and that predictions go by them as far as CIDER's histories say."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from harness.boundary import plain_settings
from limen_daemon.findings import Category
from limen_profiles.boundary.cider import read_splits
from limen_profiles.boundary.norms import Norms, category_norm, cider_norms
from limen_profiles.boundary.person import predict_person
from limen_profiles.boundary.population import Population
from limen_profiles.boundary.situation import ROLES, Coder, Situation
from limen_profiles.boundary.state import UserState
from limen_profiles.errors import InvalidRequest
from limen_profiles.prediction import Choice, Item

PLAIN = Situation("data_sender", "self", "close_network", "private", assisted=False)


def item(category: str, **rest: str) -> Item:
    return Item(category, "user", 2, 2, "disclosure", "chatgpt.com", "ai_provider", **rest)  # type: ignore[arg-type]


def chance(state: UserState, category: str) -> float:
    return state.predict([item(category)], now_ms=0)[0].p_accept


def test_a_norm_is_the_distance_from_what_is_usual_in_each_cell() -> None:
    norms = Norms({"a": {"r": [60.0] * 9}, "b": {"r": [20.0] * 8 + [40.0]}})
    assert norms.of("a", "r") == pytest.approx([0.4] * 8 + [0.2])
    assert norms.of("b", "r") == pytest.approx([-0.4] * 8 + [-0.2])


def test_a_scenario_or_role_without_a_norm_has_none_and_adds_nothing() -> None:
    norms = Norms({"a": {"r": [60.0] * 9}})
    assert norms.of("b", "r") == norms.of("a", "s") == ()
    plain, same = Coder().features([PLAIN, replace(PLAIN, norm=(0.0,) * 9)])
    assert (plain == same).all()
    assert Coder().code([PLAIN]).norms.tolist() == [0.0]


@pytest.mark.parametrize(
    "content",
    [{"a": {"r": [1.0] * 8}}, {"a": {"r": [1.0] * 10}}, {"a": {"r": [101.0] * 9}}, {"a": [1.0] * 9}, []],
)
def test_a_file_that_is_no_table_of_norms_is_refused(tmp_path: Path, content: object) -> None:
    path = tmp_path / "norms.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(InvalidRequest):
        Norms.read(path)


@pytest.mark.data
def test_the_shipped_table_knows_every_scenario_of_cider_in_every_role(data_dir: Path) -> None:
    scenarios, _ = read_splits(data_dir / "cider")
    rows = np.array([cider_norms().of(name, role) for name in scenarios for role in ROLES])
    assert rows.shape == (180, 9)
    assert np.abs(rows.mean(axis=0)).max() < 1e-9
    assert np.abs(rows).max() <= 2


@pytest.mark.data
def test_what_people_are_expected_to_accept_moves_the_prediction_that_way(data_dir: Path) -> None:
    _, splits = read_splits(data_dir / "cider", cider_norms())
    population = Population([one for split in splits for one in split.history], plain_settings())
    asked = splits[0].test[0].situation
    weights = population.weights(without_person=splits[0].test[0].person, without_scenario=asked.scenario)
    lower, higher = (
        predict_person(population, weights, splits[0].history, [replace(asked, norm=(move,) * 9)])[0].mean()
        for move in (-0.6, 0.6)
    )
    assert higher > lower + 0.1


def test_every_category_of_the_detector_has_a_norm_and_an_unknown_one_has_none() -> None:
    assert {len(category_norm(one.value)) for one in Category} == {9}
    assert category_norm("weather") == ()


def test_before_any_choice_a_skill_is_likelier_accepted_than_a_debt_and_a_debt_than_a_password() -> None:
    state = UserState(None)
    found = [chance(state, name) for name in ("skill", "finance", "credential")]
    assert found == sorted(found, reverse=True)
    assert found[0] - found[2] > 0.05
    assert chance(state, "weather") == pytest.approx(chance(state, "location"), abs=0.01)


def test_choices_about_one_kind_outweigh_its_norm() -> None:
    state = UserState(None)
    for n in range(6):
        state.learn(Choice(item("mental_health", phrase=f"thing {n}"), True, 1.0, n))
        state.learn(Choice(item("skill", phrase=f"craft {n}"), False, 1.0, n))
    assert chance(state, "mental_health") > 0.7 > 0.3 > chance(state, "skill")
