"""Reading CIDER (Guo et al. 2026) from its two files, split as the paper splits it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from pydantic import BaseModel, ConfigDict, ValidationError

from limen_profiles.boundary.norms import Norms
from limen_profiles.boundary.population import Answered
from limen_profiles.boundary.situation import Situation
from limen_profiles.errors import InvalidRequest

VARIANTS = ("11", "12", "13", "21", "22", "23", "31", "32", "33")
N_SLOTS = 10
SPLIT_SEED = 42
HISTORY = 6


class ScenarioFacts(BaseModel):
    """The attributes of a scenario that the predictor uses."""

    model_config = ConfigDict(hide_input_in_errors=True)

    scenario_id: str
    scenario_type: str
    data_recipient_type: str
    transmission_principle_type: str


class Split(NamedTuple):
    """One participant's answers: the first six of their permutation, and the rest, which are tested."""

    history: list[Answered]
    test: list[Answered]


def read_splits(folder: Path, norms: Norms | None = None) -> tuple[dict[str, ScenarioFacts], list[Split]]:
    """`scenarios.jsonl` and `user_ratings.jsonl`; participants in file order, situations with their `norms`.

    Raises: `OSError` when a file is missing, `InvalidRequest` when a record is not CIDER's.
    """
    try:
        facts = [ScenarioFacts.model_validate(one) for one in _records(folder / "scenarios.jsonl")]
        scenarios = {one.scenario_id: one for one in facts}
        splits = []
        for index, record in enumerate(_records(folder / "user_ratings.jsonl")):
            answers = _answers(record, scenarios, norms)
            order = np.random.default_rng(SPLIT_SEED + index).permutation(len(answers))
            shuffled = [answers[position] for position in order]
            splits.append(Split(shuffled[:HISTORY], shuffled[HISTORY:]))
    except (KeyError, ValueError, ValidationError) as error:
        raise InvalidRequest from error
    return scenarios, splits


def situation(
    facts: ScenarioFacts, role: str, *, assisted: bool, moment: float, norms: Norms | None = None
) -> Situation:
    """A scenario as one participant meets it."""
    return Situation(
        role=role,
        subject=facts.scenario_type,
        recipient=facts.data_recipient_type,
        channel=facts.transmission_principle_type,
        assisted=assisted,
        scenario=facts.scenario_id,
        moment=moment,
        norm=norms.of(facts.scenario_id, role) if norms else (),
    )


def _answers(
    record: dict[str, Any], scenarios: dict[str, ScenarioFacts], norms: Norms | None
) -> list[Answered]:
    slots = [slot for slot in range(N_SLOTS) if record.get(f"s{slot}_id") is not None]
    return [
        Answered(
            person=record["Participant_ID"],
            situation=situation(
                scenarios[record[f"s{slot}_id"]],
                record["Role"],
                assisted=record["Condition"] == "AI",
                moment=float(moment),
                norms=norms,
            ),
            accepts=tuple(record[f"s{slot}_var{v}_rating"] == 1.0 for v in VARIANTS),
        )
        for moment, slot in enumerate(slots)
    ]


def _records(path: Path) -> Sequence[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
