"""CIDER's reader, the split, and every manipulation check that the paper prints."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from limen_eval.cider.protocol import population
from limen_eval.cider.split import split
from limen_eval.commands import evaluate
from limen_eval.datasets.problems import ProblemPolicy
from limen_eval.datasets.ratings import VARIANTS, Cider, read_cider
from limen_eval.errors import DataError


def make_scenario(name: str) -> dict[str, Any]:
    texts = {f"variant_{v}_cleaned": f"{name} told as {v}" for v in VARIANTS}
    roles = {
        f"image_description_{role}": f"You are the {role} of {name}."
        for role in ("sender", "subject", "recipient")
    }
    return {"scenario_id": name, "data_type": "health", "sender_format": "Jane", **texts, **roles}


def make_participant(
    name: str, answers: dict[str, list[int]], role: str = "data_sender", condition: str = "Human"
) -> dict[str, Any]:
    """`answers`: nine ratings per scenario, 1 for yes and 2 for no."""
    record: dict[str, Any] = {"Participant_ID": name, "Role": role, "Condition": condition}
    for slot in range(10):
        record[f"s{slot}_id"] = None
    for slot, (scenario, ratings) in enumerate(answers.items()):
        record[f"s{slot}_id"] = scenario
        for variant, rating in zip(VARIANTS, ratings, strict=True):
            record[f"s{slot}_var{variant}_rating"] = float(rating)
    return record


def write_cider(
    folder: Path, scenarios: list[dict[str, Any]], participants: list[dict[str, Any]]
) -> tuple[Path, Path]:
    paths = folder / "scenarios.jsonl", folder / "user_ratings.jsonl"
    for path, records in zip(paths, (scenarios, participants), strict=True):
        path.write_text("\n".join(map(json.dumps, records)) + "\n")
    return paths


def read(data_dir: Path) -> Cider:
    folder = data_dir / "cider"
    return read_cider(folder / "scenarios.jsonl", folder / "user_ratings.jsonl", policy=ProblemPolicy())


@pytest.mark.data
def test_every_manipulation_check_is_what_the_paper_prints(data_dir: Path) -> None:
    done = CliRunner().invoke(evaluate, ["checks", "--data", str(data_dir / "cider"), "--json", "-"])
    found = json.loads(done.stdout)
    assert (found["n_users"], found["n_boundaries"], found["n_contexts"]) == (169, 1650, 320)
    assert found["users_by_n_scenarios"] == {"10": 131, "9": 36, "8": 2}
    assert round(found["within_user_agreement"], 2) == 0.64
    assert [round(v, 2) for v in found["within_user_agreement_interval"]] == [0.62, 0.66]
    assert round(found["within_user_hamming"], 2) == 3.22
    assert [round(v, 2) for v in found["within_user_hamming_interval"]] == [3.05, 3.38]
    assert found["users_who_vary"] == 1.0
    assert round(100 * found["monotone_granularity"], 2) == 81.27
    assert round(100 * found["monotone_identifiability"], 2) == 79.09
    assert round(found["inter_user_agreement"], 2) == 0.59
    assert [round(v, 2) for v in found["inter_user_agreement_range"]] == [0.40, 1.00]
    assert found["contexts_by_stratum"] == {"top": 115, "middle": 100, "bottom": 105}
    assert round(100 * found["yes_rate"], 2) == 49.89
    assert {label: round(100 * rate, 2) for label, rate in found["yes_rates"].items()} == {
        "G1-I1": 73.76, "G1-I2": 56.91, "G1-I3": 36.73,
        "G2-I1": 67.64, "G2-I2": 51.03, "G2-I3": 33.33,
        "G3-I1": 55.94, "G3-I2": 44.42, "G3-I3": 29.21,
    }  # fmt: skip


@pytest.mark.data
def test_split_holds_out_636_cases_and_never_shows_them_in_a_history(data_dir: Path) -> None:
    participants = read(data_dir).participants
    for k in (0, 1, 4, 5, 6):
        cases = split(participants, k=k)
        assert len(cases) == 636
        for case in cases:
            assert len(case.history) == k
            assert case.scenario_id not in {b.scenario_id for b in case.history}
    assert [c.scenario_id for c in split(participants, k=1)] == [
        c.scenario_id for c in split(participants, k=6)
    ]


@pytest.mark.data
def test_split_is_the_permutation_of_seed_42_plus_the_position_in_the_file(data_dir: Path) -> None:
    one = read(data_dir).participants[3]
    order = np.random.default_rng(45).permutation(len(one.boundaries))
    case = next(c for c in split([one], k=2))
    assert [b.scenario_id for b in case.history] == [one.boundaries[i].scenario_id for i in order[:2]]
    assert case.scenario_id == one.boundaries[order[6]].scenario_id


def test_split_refuses_a_history_that_reaches_into_the_test(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="between 0 and 6"):
        split([], k=7)


@pytest.mark.data
def test_protocols_hide_the_tested_user_always_and_the_test_scenario_if_unseen(data_dir: Path) -> None:
    everyone = read(data_dir).participants
    case = split(everyone, k=6)[10]
    known = population(everyone, case, "known-scenarios")
    unseen = population(everyone, case, "unseen-scenarios")
    for group in (known, unseen):
        assert len(group) == 168
        assert case.participant.id not in {one.id for one in group}
    assert any(b.scenario_id == case.scenario_id for one in known for b in one.boundaries)
    assert not any(b.scenario_id == case.scenario_id for one in unseen for b in one.boundaries)


SCENARIOS = [make_scenario("s1"), make_scenario("s2")]
GOOD = make_participant("P1", {"s1": [1] * 9, "s2": [2] * 9})
BAD: dict[str, tuple[dict[str, Any], str]] = {
    "no rating": (
        {**GOOD, "Participant_ID": "P2", "s1_var11_rating": None},
        "missing-field: s1_var11_rating",
    ),
    "odd rating": ({**GOOD, "Participant_ID": "P2", "s0_var11_rating": 3}, "wrong-type: s0_var11_rating"),
    "unknown scenario": ({**GOOD, "Participant_ID": "P2", "s0_id": "s9"}, "wrong-type: s0_id"),
    "unknown role": ({**GOOD, "Participant_ID": "P2", "Role": "king"}, "wrong-type: unknown value of role"),
    "same id": (GOOD, "duplicate-id"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_ratings_are_refused_with_file_line_and_id(name: str, tmp_path: Path) -> None:
    record, reason = BAD[name]
    paths = write_cider(tmp_path, SCENARIOS, [GOOD, record])
    with pytest.raises(DataError) as refused:
        read_cider(*paths, policy=ProblemPolicy())
    assert f"user_ratings.jsonl:2: {record['Participant_ID']}: {reason}" in str(refused.value)


def test_scenario_without_a_variant_is_refused(tmp_path: Path) -> None:
    broken = make_scenario("s2")
    del broken["variant_22_cleaned"]
    paths = write_cider(tmp_path, [make_scenario("s1"), broken], [GOOD])
    with pytest.raises(DataError, match=r"scenarios\.jsonl:2: s2: missing-field: variant_22_cleaned"):
        read_cider(*paths, policy=ProblemPolicy())
