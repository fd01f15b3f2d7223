"""Building the prompts of HC, HL, H and no history for one case."""

from __future__ import annotations

import hashlib
import random
from typing import NamedTuple

from limen_eval.cider.split import Case
from limen_eval.cider.wording import (
    VARIANT_LABELS,
    PromptVersion,
    Setup,
    ai_note,
    asked,
    asked_in_general,
    system_prompt,
)
from limen_eval.datasets.ratings import Boundary, Scenario

_ANONYMOUS = "the data sender"
_SHUFFLE_SEEDS = {"history": 42 + 201, "prediction": 42 + 202}
"""As in the published code, so that variants stand in the same order in its prompts and in ours."""


class Prompt(NamedTuple):
    """Both messages, and `order[i]`: which of the nine variants stands at position i of the prediction."""

    system: str
    user: str
    order: tuple[int, ...]


def build_prompt(
    case: Case, scenarios: dict[str, Scenario], *, setup: Setup, version: PromptVersion = "v0"
) -> Prompt:
    """The prompt for one case; `none` leaves the history out whatever the case holds."""
    one = case.participant
    target = scenarios[case.scenario_id]
    open_sender = target.sender_name if setup in ("HC", "none") else _ANONYMOUS
    system = system_prompt(
        setup,
        version,
        n_history=len(case.history),
        question=asked_in_general(one.role, one.condition, open_sender),
    )
    order = shuffled("prediction", one.id, case.scenario_id)
    blocks = []
    if setup != "none":
        examples = [_history_block(case, boundary, scenarios, setup) for boundary in case.history]
        blocks.append("<History>\n" + "\n\n".join(examples) + "\n</History>")
    blocks.append(f"<Prediction>\n{_prediction_block(case, target, order, version)}\n</Prediction>")
    return Prompt(system, "\n\n".join(blocks), order)


def shuffled(scope: str, user: str, scenario_id: str) -> tuple[int, ...]:
    """A reproducible order of the nine variants, another one for each user and scenario."""
    material = f"{_SHUFFLE_SEEDS[scope]}|{user}|{scenario_id}"
    seed = int(hashlib.sha256(material.encode()).hexdigest()[:16], 16)
    return tuple(random.Random(seed).sample(range(9), k=9))  # noqa: S311 - an order, nothing secret


def _history_block(case: Case, boundary: Boundary, scenarios: dict[str, Scenario], setup: Setup) -> str:
    one, scenario = case.participant, scenarios[boundary.scenario_id]
    sender = scenario.sender_name if setup == "HC" else _ANONYMOUS
    lines = []
    for position in shuffled("history", one.id, boundary.scenario_id):
        answer = "YES" if boundary.accepts[position] else "NO"
        shown = {
            "HC": scenario.variants[position],
            "HL": f"[{VARIANT_LABELS[position]}]",
            "H": "(variant content redacted)",
        }[setup]
        lines.append(f"{shown}: {answer}")
    content = {
        "HC": scenario.narratives[one.role],
        "HL": "(scenario redacted)",
        "H": "(scenario content redacted)",
    }[setup]
    return (
        f"<scenario>\n{content}{ai_note(one.role, one.condition, sender)}\n</scenario>\n"
        f"The user answered YES or NO to {asked(one.role, one.condition, sender)} for each of the 9 "
        "variants.\n"
        "<variants>\n" + "\n".join(lines) + "\n</variants>"
    )


def _prediction_block(case: Case, target: Scenario, order: tuple[int, ...], version: PromptVersion) -> str:
    one = case.participant
    question = asked(one.role, one.condition, target.sender_name)
    instruction = {
        "v0": (
            f"Predict the user's answer to {question} for each of the 9 variants. Each answer is YES or NO."
        ),
        "v1": f"Predict, for each of the 9 variants, the user's answer to {question} (YES or NO).",
        "v2": (
            f"For every one of the 9 variants that are listed below, predict the user's answer to "
            f"{question}; "
            "each answer must be exactly YES or NO."
        ),
    }[version]
    if version == "v0":
        lines = [f"{target.variants[position]}:" for position in order]
    else:
        lines = [f'variant_{n}: "{target.variants[position]}"' for n, position in enumerate(order, 1)]
    return (
        f"<scenario>\n{target.narratives[one.role]}{ai_note(one.role, one.condition, target.sender_name)}\n"
        f"</scenario>\n{instruction}\n<variants>\n" + "\n".join(lines) + "\n</variants>"
    )
