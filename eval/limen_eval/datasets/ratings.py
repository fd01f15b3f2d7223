"""CIDER (Guo et al. 2026): 60 scenarios with nine disclosure variants, and who accepted which of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from limen_eval.datasets.json_items import read_items
from limen_eval.datasets.problems import Problem, ProblemKind, ProblemPolicy
from limen_eval.errors import DataError

VARIANTS = ("11", "12", "13", "21", "22", "23", "31", "32", "33")
"""Granularity and identifiability, 1 to 3 each, in the order of every nine-value tuple here."""
LABELS = tuple(f"G{v[0]}-I{v[1]}" for v in VARIANTS)
N_SLOTS = 10
Role = Literal["data_sender", "data_subject", "data_recipient"]
Condition = Literal["Human", "AI"]
Answers = tuple[bool, ...]
"""Nine answers, True for "Yes, I would feel comfortable"."""


class Context(NamedTuple):
    """What the paper calls a context: a scenario, seen in a role, with or without an AI assistant."""

    scenario_id: str
    role: Role
    condition: Condition


class Scenario(BaseModel):
    """One scenario: its facts, its narrative for each role, and the texts of the nine variants."""

    model_config = ConfigDict(frozen=True, hide_input_in_errors=True)

    id: str
    facts: dict[str, str]
    """The scalar fields of the source record, for instance `data_type` and `data_recipient_type`."""
    sender_name: str
    narratives: dict[Role, str]
    variants: tuple[str, ...] = Field(min_length=9, max_length=9)


class Boundary(BaseModel):
    """One participant's nine answers to one scenario."""

    model_config = ConfigDict(frozen=True, hide_input_in_errors=True)

    scenario_id: str
    accepts: Answers = Field(min_length=9, max_length=9)


class Participant(BaseModel):
    """One participant, in file order: `index` seeds the split. Boundaries are in the order shown."""

    model_config = ConfigDict(frozen=True, hide_input_in_errors=True)

    index: int
    id: str
    role: Role
    condition: Condition
    boundaries: tuple[Boundary, ...]

    def context(self, scenario_id: str) -> Context:
        """The context in which this participant saw a scenario."""
        return Context(scenario_id, self.role, self.condition)


class Cider(NamedTuple):
    """The whole data set."""

    scenarios: dict[str, Scenario]
    participants: tuple[Participant, ...]


def read_cider(scenarios_path: Path, ratings_path: Path, *, policy: ProblemPolicy) -> Cider:
    """Read both files. Raises: `DataError` naming every bad record that the policy does not skip."""
    scenarios: dict[str, Scenario] = {}
    for value, line in read_items(scenarios_path, policy):
        scenario = _scenario(value, scenarios_path, line, policy)
        if scenario is not None and scenario.id in scenarios:
            policy.add(
                Problem(ProblemKind.DUPLICATE_ID, str(scenarios_path), line, scenario.id, "is there already")
            )
        elif scenario is not None:
            scenarios[scenario.id] = scenario
    participants: dict[str, Participant] = {}
    for value, line in read_items(ratings_path, policy):
        one = _participant(value, len(participants), scenarios, ratings_path, line, policy)
        if one is not None and one.id in participants:
            policy.add(Problem(ProblemKind.DUPLICATE_ID, str(ratings_path), line, one.id, "is there already"))
        elif one is not None:
            participants[one.id] = one
    policy.check()
    if not participants:
        raise DataError(f"{ratings_path}: no usable participant")
    return Cider(scenarios, tuple(participants.values()))


def _scenario(value: object, path: Path, line: int, policy: ProblemPolicy) -> Scenario | None:
    if not isinstance(value, dict):
        policy.add(Problem(ProblemKind.WRONG_TYPE, str(path), line, "-", "the record is not an object"))
        return None
    name = str(value.get("scenario_id") or "-")
    needed = ["scenario_id", *(f"variant_{v}_cleaned" for v in VARIANTS)]
    absent = [key for key in needed if not value.get(key)]
    if absent:
        policy.add(Problem(ProblemKind.MISSING_FIELD, str(path), line, name, ", ".join(absent)))
        return None
    narratives: dict[Role, str] = {
        "data_sender": value.get("image_description_sender") or "",
        "data_subject": value.get("image_description_subject") or "",
        "data_recipient": value.get("image_description_recipient") or "",
    }
    facts = {
        k: v for k, v in value.items() if isinstance(v, str) and not k.startswith(("variant_", "image_"))
    }
    return Scenario(
        id=name,
        facts=facts,
        sender_name=value.get("sender_format") or "the data sender",
        narratives=narratives,
        variants=tuple(value[f"variant_{v}_cleaned"] for v in VARIANTS),
    )


def _participant(
    value: object, index: int, scenarios: dict[str, Scenario], path: Path, line: int, policy: ProblemPolicy
) -> Participant | None:
    if not isinstance(value, dict):
        policy.add(Problem(ProblemKind.WRONG_TYPE, str(path), line, "-", "the record is not an object"))
        return None
    name = str(value.get("Participant_ID") or "-")
    boundaries = []
    for slot in range(N_SLOTS):
        scenario_id = value.get(f"s{slot}_id")
        if scenario_id is None:
            continue
        fault = _slot_fault(value, slot, scenario_id, scenarios)
        if fault is not None:
            policy.add(Problem(fault[0], str(path), line, name, fault[1]))
            return None
        accepts = tuple(float(value[f"s{slot}_var{v}_rating"]) == 1.0 for v in VARIANTS)
        boundaries.append(Boundary(scenario_id=scenario_id, accepts=accepts))
    try:
        return Participant(
            index=index,
            id=name,
            role=value.get("Role"),  # type: ignore[arg-type]
            condition=value.get("Condition"),  # type: ignore[arg-type]
            boundaries=tuple(boundaries),
        )
    except ValidationError as error:
        fields = ", ".join(str(fault["loc"][0]) for fault in error.errors(include_input=False))
        policy.add(Problem(ProblemKind.WRONG_TYPE, str(path), line, name, f"unknown value of {fields}"))
        return None


def _slot_fault(
    value: dict[str, Any], slot: int, scenario_id: object, scenarios: dict[str, Scenario]
) -> tuple[ProblemKind, str] | None:
    if scenario_id not in scenarios:
        return ProblemKind.WRONG_TYPE, f"s{slot}_id names a scenario that is not in scenarios.jsonl"
    for variant in VARIANTS:
        rating = value.get(f"s{slot}_var{variant}_rating")
        if rating is None:
            return ProblemKind.MISSING_FIELD, f"s{slot}_var{variant}_rating"
        if rating not in (1, 2):
            return ProblemKind.WRONG_TYPE, f"s{slot}_var{variant}_rating is neither 1 (yes) nor 2 (no)"
    return None


def by_context(participants: Sequence[Participant]) -> dict[Context, list[tuple[Participant, Answers]]]:
    """Who answered what in each context."""
    found: dict[Context, list[tuple[Participant, Answers]]] = {}
    for one in participants:
        for boundary in one.boundaries:
            found.setdefault(one.context(boundary.scenario_id), []).append((one, boundary.accepts))
    return found
