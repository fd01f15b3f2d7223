"""The boundary predictor on CIDER: what it may and may not see."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from limen_eval.cider.boundary import BoundaryPredictor
from limen_eval.cider.split import Case, split
from limen_eval.datasets.problems import ProblemPolicy
from limen_eval.datasets.ratings import Boundary, Cider, Participant, read_cider
from limen_profiles.boundary.tuning import tune

SOME = 30
"""Participants who stand for all: what a prediction may see does not depend on how many there are."""


N_USERS = 40
"""Enough to fit on, and quick."""


@pytest.fixture(scope="session")
def cider(data_dir: Path) -> Cider:
    folder = data_dir / "cider"
    whole = read_cider(folder / "scenarios.jsonl", folder / "user_ratings.jsonl", policy=ProblemPolicy())
    return whole._replace(participants=whole.participants[:SOME])


@pytest.fixture(autouse=True)
def short_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two steps of fitting: what may be seen does not depend on how far it goes."""
    monkeypatch.setattr("limen_eval.cider.boundary.tune", partial(tune, max_steps=2))


async def predictions(
    cider: Cider, everyone: tuple[Participant, ...], protocol: Any, k: int = 6
) -> dict[str, Any]:
    """Predictions for the first participant's test cases."""
    found: dict[str, Any] = {}

    def emit(case: Case, accept: tuple[float, ...] | None, detail: str | None = None) -> None:
        found[case.scenario_id] = accept

    cases = [case for case in split(everyone, k=k) if case.participant.index == 0][:1]
    await BoundaryPredictor(everyone, cider.scenarios, protocol).run(cases, emit)
    return found


def changed(one: Participant, scenario_id: str) -> Participant:
    """The participant with all nine answers to one scenario turned round."""
    boundaries = tuple(
        Boundary(scenario_id=b.scenario_id, accepts=tuple(not a for a in b.accepts))
        if b.scenario_id == scenario_id
        else b
        for b in one.boundaries
    )
    return one.model_copy(update={"boundaries": boundaries})


@pytest.mark.data
@pytest.mark.parametrize("protocol", ["known-scenarios", "unseen-scenarios"])
async def test_label_of_the_test_item_changes_nothing(cider: Cider, protocol: str) -> None:
    everyone = cider.participants[:N_USERS]
    target = split(everyone, k=6)[0].scenario_id
    turned = (changed(everyone[0], target), *everyone[1:])
    assert await predictions(cider, turned, protocol) == await predictions(cider, everyone, protocol)


@pytest.mark.data
async def test_others_ratings_of_an_unseen_scenario_change_nothing_and_of_a_known_one_do(
    cider: Cider,
) -> None:
    everyone = cider.participants[:N_USERS]
    target = split(everyone, k=6)[0].scenario_id
    turned = (everyone[0], *(changed(one, target) for one in everyone[1:]))
    unseen = "unseen-scenarios"
    assert await predictions(cider, turned, unseen) == await predictions(cider, everyone, unseen)
    known = "known-scenarios"
    assert await predictions(cider, turned, known) != await predictions(cider, everyone, known)


@pytest.mark.data
async def test_history_changes_the_prediction(cider: Cider) -> None:
    everyone = cider.participants[:N_USERS]
    none, six = [await predictions(cider, everyone, "known-scenarios", k) for k in (0, 6)]
    assert none.keys() == six.keys()
    assert none != six
