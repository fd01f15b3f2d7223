"""The two protocols, never mixed: may a predictor know the test scenario from other users or not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from limen_eval.cider.split import Case
from limen_eval.datasets.ratings import Participant

Protocol = Literal["known-scenarios", "unseen-scenarios"]


def population(everyone: Sequence[Participant], case: Case, protocol: Protocol) -> tuple[Participant, ...]:
    """The users to learn from for one case: never the user tested; with unseen scenarios, nobody's ratings
    of the scenario tested either."""
    others = tuple(one for one in everyone if one.id != case.participant.id)
    if protocol == "known-scenarios":
        return others
    return tuple(without_scenario(one, case.scenario_id) for one in others)


def without_scenario(one: Participant, scenario_id: str) -> Participant:
    """The participant as if they had never seen the scenario."""
    kept = tuple(b for b in one.boundaries if b.scenario_id != scenario_id)
    return one if len(kept) == len(one.boundaries) else one.model_copy(update={"boundaries": kept})
