"""The predictor on CIDER: what it may see, and that it has learned something."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest

from harness.boundary import plain_settings
from limen_profiles.boundary.balance import matching_thresholds
from limen_profiles.boundary.cider import HISTORY, ScenarioFacts, Split, read_splits
from limen_profiles.boundary.kernel import USER_TERMS
from limen_profiles.boundary.person import predict_components, predict_person
from limen_profiles.boundary.population import Population
from limen_profiles.boundary.prior import Prior, shipped_prior
from limen_profiles.boundary.questions import next_question
from limen_profiles.boundary.situation import FEATURE_GROUPS
from limen_profiles.boundary.study import Scored
from limen_profiles.boundary.tuning import tune
from limen_profiles.errors import InvalidRequest

Cider = tuple[dict[str, ScenarioFacts], list[Split]]


@pytest.fixture(scope="module")
def cider(data_dir: Path) -> Cider:
    return read_splits(data_dir / "cider")


def histories(splits: list[Split]) -> Population:
    return Population([one for split in splits for one in split.history], plain_settings())


def test_the_split_is_the_papers(cider: Cider) -> None:
    scenarios, splits = cider
    assert (len(scenarios), len(splits), sum(len(one.test) for one in splits)) == (60, 169, 636)
    assert {len(one.history) for one in splits} == {HISTORY}
    truth = np.array([one.accepts for split in splits for one in split.test], dtype=float)
    people = [one.person for split in splits for one in split.test]
    assert Scored(people, np.zeros_like(truth), truth).accuracy == pytest.approx(0.5041, abs=5e-5)
    assert Scored(people, np.ones_like(truth), truth).accuracy == pytest.approx(0.4959, abs=5e-5)


def test_other_labels_of_the_test_items_change_no_prediction(cider: Cider) -> None:
    chance = Random(3)
    _, splits = cider
    shuffled = [
        Split(
            one.history,
            [t._replace(accepts=tuple(chance.random() < 0.5 for _ in range(9))) for t in one.test],
        )
        for one in splits
    ]

    def predicted(given: list[Split]) -> list[float]:
        population = histories(given)
        found = []
        for split in given[:20]:
            weights = population.weights(without_person=split.test[0].person)
            targets = [one.situation for one in split.test]
            found.extend(predict_person(population, weights, split.history, targets).ravel().tolist())
        return found

    assert predicted(splits) == predicted(shuffled)


def test_an_unseen_scenarios_ratings_change_nothing_and_a_known_ones_do(cider: Cider) -> None:
    _, splits = cider
    target = splits[0].test[0]
    hidden = target.situation.scenario
    turned = [
        Split(
            [
                a._replace(accepts=tuple(not x for x in a.accepts)) if a.situation.scenario == hidden else a
                for a in one.history
            ],
            one.test,
        )
        for one in splits
    ]

    def predicted(given: list[Split], scenario: str | None) -> list[float]:
        population = histories(given)
        weights = population.weights(without_person=target.person, without_scenario=scenario)
        found = predict_person(population, weights, splits[0].history, [target.situation])
        return [float(p) for p in found[0]]

    assert predicted(splits, hidden) == pytest.approx(predicted(turned, hidden), abs=1e-9)
    assert predicted(splits, None) != pytest.approx(predicted(turned, None), abs=1e-3)


def test_taking_a_person_out_equals_never_having_had_them(cider: Cider) -> None:
    _, splits = cider
    everyone = histories(splits)
    without = Population([one for split in splits[1:] for one in split.history], plain_settings())
    person = splits[0].history[0].person
    assert everyone.weights(without_person=person).mean == pytest.approx(without.weights().mean, abs=1e-8)


def test_more_history_predicts_better_than_none(cider: Cider) -> None:
    _, splits = cider
    population = histories(splits)
    people, truth = [], []
    by_k: dict[int, list[np.ndarray[tuple[int, ...], np.dtype[np.float64]]]] = {0: [], 6: []}
    for split in splits:
        weights = population.weights(without_person=split.history[0].person)
        for one in split.test:
            people.append(one.person)
            truth.append(one.accepts)
            for k, found in by_k.items():
                found.append(predict_person(population, weights, split.history[:k], [one.situation])[0])
    accepts = np.array(truth, dtype=float)
    before, after = (Scored(people, np.array(by_k[k]), accepts) for k in (0, 6))
    assert after.accuracy > before.accuracy + 0.05
    assert after.accuracy > 0.70  # the plain mean per cell reaches 0.690
    assert after.brier < before.brier
    assert after.calibration_error < 0.05


def test_tuning_raises_the_evidence_by_its_own_slope(cider: Cider) -> None:
    from limen_profiles.boundary.situation import Coder
    from limen_profiles.boundary.tuning import _blocks, _negative_log_evidence

    answers = [one for split in cider[1][:25] for one in split.history]
    coder = Coder(sorted({one.situation.scenario or "" for one in answers}))
    blocks, groups = _blocks(answers, coder, ordered=True), coder.feature_groups()
    n_terms, n_groups = len(USER_TERMS), len(FEATURE_GROUPS)
    logs = np.log(np.linspace(0.05, 0.6, n_terms + n_groups + 1))

    def value(at: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> float:
        return _negative_log_evidence(np.exp(at), blocks, groups, n_terms, n_groups, 0)[0]

    slope = _negative_log_evidence(np.exp(logs), blocks, groups, n_terms, n_groups, 0)[1]
    steps = np.eye(len(logs)) * 1e-5
    measured = [(value(logs + step) - value(logs - step)) / 2e-5 for step in steps]
    assert slope == pytest.approx(measured, abs=1e-4)
    tuned = tune(answers, max_steps=15)
    assert (tuned.user > 0).all() and (tuned.noise > 0).all()


def test_the_next_question_is_never_about_what_is_known_already(cider: Cider) -> None:
    _, splits = cider
    population = histories(splits)
    weights = population.weights()
    asked = splits[0].history[0].situation
    other = next(one.situation for one in splits[0].history if one.situation.recipient != asked.recipient)
    targets = [one.situation for one in splits[0].test] + [other]
    assert next_question(population, weights, [asked], [asked, other], targets) == 1
    with pytest.raises(ValueError, match="no situation"):
        next_question(population, weights, [], [], targets)


def test_each_answer_leaves_less_variance(cider: Cider) -> None:
    _, splits = cider
    population = histories(splits)
    split = splits[0]
    weights = population.weights(without_person=split.history[0].person)
    targets = [one.situation for one in split.test]
    left = [predict_components(population, weights, split.history[:k], targets)[1].sum() for k in range(7)]
    assert left == sorted(left, reverse=True)
    assert left[6] > 0


def test_the_shipped_prior_holds_numbers_only_and_survives_saving(tmp_path: Path) -> None:
    prior = shipped_prior()
    prior.save(tmp_path / "again.npz")
    with np.load(tmp_path / "again.npz", allow_pickle=False) as stored:
        assert all(stored[name].dtype == np.float64 for name in stored.files)
        assert Prior(**stored).mean == pytest.approx(prior.mean)


def test_a_file_that_is_not_cider_is_refused(tmp_path: Path) -> None:
    (tmp_path / "scenarios.jsonl").write_text('{"scenario_id": "a"}\n')
    (tmp_path / "user_ratings.jsonl").write_text("{}\n")
    with pytest.raises(InvalidRequest):
        read_splits(tmp_path)


def test_balanced_thresholds_keep_each_variants_share_of_acceptances() -> None:
    chance = np.random.default_rng(5)
    without, informed = chance.random((400, 9)), chance.random((400, 9)) * np.linspace(0.2, 1, 9)
    thresholds = matching_thresholds(informed, without)
    shares = (informed > thresholds).mean(axis=0)
    assert shares == pytest.approx((without > 0.5).mean(axis=0), abs=0.01)
    assert (informed > 0.5).mean(axis=0)[0] == 0 < shares[0]
