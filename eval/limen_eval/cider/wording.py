"""The words of the CIDER prompts: system prompts by setup and version, role wording, variant labels.

Structure, section tags, role and AI-mediation wording, variant labels and the answer's JSON are the paper's
(Guo et al. 2026, A.2), because answers depend on them; the running text is our own. `docs/evaluation.md`
lists the differences.
"""

from __future__ import annotations

from typing import Literal

from limen_eval.datasets.ratings import Condition, Role

Setup = Literal["HC", "HL", "H", "none"]
PromptVersion = Literal["v0", "v1", "v2"]

VARIANT_LABELS = tuple(
    f"{granularity}, {identifiability}"
    for granularity in ("General", "Moderately detailed", "Very detailed")
    for identifiability in ("Not Identifiable", "Partially Identifiable", "Fully Identifiable")
)
"""In the order of `VARIANTS`."""

_ASKED: dict[tuple[Role, Condition], str] = {
    ("data_sender", "Human"): "whether they feel comfortable sharing the information in this way",
    (
        "data_subject",
        "Human",
    ): "whether they feel comfortable if {sender} shared their information in this way",
    ("data_recipient", "Human"): (
        "whether they feel comfortable if {sender} shared the information with them in this way"
    ),
    ("data_sender", "AI"): (
        "whether they feel comfortable if their AI assistant shared the information on their behalf in "
        "this way"
    ),
    ("data_subject", "AI"): (
        "whether they feel comfortable if {sender}'s AI assistant shared their information in this way"
    ),
    ("data_recipient", "AI"): (
        "whether they feel comfortable if {sender}'s AI assistant shared the information with them in this "
        "way"
    ),
}
_ASKED_IN_GENERAL: dict[tuple[Role, Condition], str] = {
    ("data_subject", "AI"): (
        "whether they feel comfortable with an AI assistant sharing their information on behalf of the "
        "data sender"
    ),
    ("data_recipient", "AI"): (
        "whether they feel comfortable with an AI assistant sharing the information with them on behalf of "
        "the "
        "data sender"
    ),
}

_SCENARIO = "1. <scenario> The situation: who shares what information, with whom, and in which way."
_REDACTED = "1. <scenario> The situation, with its content redacted."
_VARIANTS = (
    "2. <variants> Nine ways of sharing the same underlying information, in shuffled order; they differ "
    "only in "
    "how the information is disclosed"
)
_LABELS = """Each way is given by its label, a combination of granularity (how detailed) and identifiability \
(how well the data subject can be recognised):
Granularity:
1. General: an abstraction without fine details of the action, the process or the context.
2. Moderately detailed: some details, still abstract and not exhaustive.
3. Very detailed: comprehensive, fine-grained details.
Identifiability:
1. Not Identifiable: no personal identifier that could lead back to the data subject, directly or indirectly.
2. Partially Identifiable: attributes or references that do not identify the data subject by themselves but
   can when combined with others.
3. Fully Identifiable: direct identifiers, such as a name, a role or another specific identifier."""

_TASK = {
    "v0": (
        "Your task is to infer a user's preferences about disclosing information from their earlier "
        "answers in "
        "{n} independent interpersonal communication scenarios and, if possible, to use these preferences to "
        "predict their answers ({asked}) in a new scenario.\n\nYou are given two sections:"
    ),
    "v1": (
        "Below are a user's answers ({asked}) in {n} past interpersonal communication scenarios. Infer "
        "what they "
        "are willing to disclose and predict their answers in a new scenario.\n\nTwo sections follow."
    ),
    "v2": (
        "Overview: this task is about the decisions of one single user on sharing information. From the "
        "record of "
        "how this user answered before ({asked}) in {n} different interpersonal communication scenarios, "
        "describe "
        "the preferences that lie behind these answers and, whenever they are clear enough, use them to "
        "foresee "
        "how the same user would answer in a scenario that they have not met before.\n\nThe input has two "
        "clearly "
        "separated sections, which are described below."
    ),
}
_TASK_WITHOUT_HISTORY = (
    "Your task is to predict a user's answers ({asked}) for nine ways of disclosing information in an "
    "interpersonal communication scenario.\n\nYou are given one section:"
)
_HISTORY = (
    "<History>\n{n} independent interpersonal communication scenarios in shuffled order, with the user's "
    "answer "
    "for every variant. For each:\n{scenario}\n{variants}, with the user's answers (YES or NO).{labels}"
)
_PREDICTION = (
    "<Prediction>\nA new interpersonal communication scenario that the user has not seen:\n"
    "{scenario}\n{variants}."
)
_STEPS = (
    "Before you predict, follow these steps strictly:\n"
    "Step 1: Infer the user's preference patterns and summarize them concisely.\n"
    "Step 2: Based only on these inferred preferences, predict the answers in the new scenario."
)
_STEPS_WITHOUT_HISTORY = "Before you predict, reason about the scenario; then predict the answers."
_REASONING = (
    "your key reasoning in exactly 2 sentences (the first on the user's disclosure preferences in the "
    "history, the "
    "second on how they apply to the new scenario)"
)
_REASONING_WITHOUT_HISTORY = "your reasoning on the answers in this scenario, in 1 sentence"


def asked(role: Role, condition: Condition, sender: str) -> str:
    """What the user was asked, as it stands in the user prompt."""
    return _ASKED[role, condition].format(sender=sender)


def asked_in_general(role: Role, condition: Condition, sender: str) -> str:
    """What the user was asked, as it stands in the system prompt."""
    return _ASKED_IN_GENERAL.get((role, condition), _ASKED[role, condition]).format(sender=sender)


def ai_note(role: Role, condition: Condition, sender: str) -> str:
    """The line about the AI assistant that belongs to the scenario; empty for the human condition."""
    if condition == "Human":
        return ""
    if role == "data_sender":
        return "\nNow you are using your AI assistant to share this information."
    return f"\nNow {sender} is using their AI assistant to share this information."


def system_prompt(setup: Setup, version: PromptVersion, *, n_history: int, question: str) -> str:
    """The system prompt of a setup. `version` rephrases HC only (B.5): v1 terse, v2 verbose."""
    prediction = _PREDICTION.format(scenario=_SCENARIO, variants=_VARIANTS)
    if setup == "none":
        parts = [_TASK_WITHOUT_HISTORY.format(asked=question), prediction, _STEPS_WITHOUT_HISTORY]
        return "\n\n".join([*parts, _form(_REASONING_WITHOUT_HISTORY)])
    history = _HISTORY.format(
        n=n_history,
        scenario=_SCENARIO if setup == "HC" else _REDACTED,
        variants=_VARIANTS,
        labels=f"\n{_LABELS}" if setup == "HL" else "",
    )
    parts = [_TASK[version].format(asked=question, n=n_history), history, prediction, _STEPS]
    return "\n\n".join([*parts, _form(_REASONING)])


def _form(reasoning: str) -> str:
    answers = ",\n".join(f'  "variant_{number}": "[YES or NO]"' for number in range(1, 10))
    return (
        "Return JSON exactly in this format:\n"
        f'{{\n "reasoning": "{reasoning}",\n "predictions": {{\n{answers}\n }}\n}}'
    )
