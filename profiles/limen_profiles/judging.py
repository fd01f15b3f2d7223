"""From rules and predictions to how a mark looks. Nothing goes quiet on too little evidence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from limen_profiles.phrases import phrase_hash
from limen_profiles.prediction import Item, Prediction, Predictor
from limen_profiles.records import Boundary, Caution, Context, Exposure, Look, Reason, RuleKind, Scope
from limen_profiles.rules import RuleSet


class Threshold(NamedTuple):
    """`quiet_from`: lowest probability of acceptance that goes quiet, given `quiet_evidence` choices.
    `strong_to`: highest probability that is marked strongly, given `strong_evidence` choices. A message
    sent with the phrase in it counts as less than a choice (`CHOICE_WEIGHT`)."""

    quiet_from: float
    quiet_evidence: int
    strong_to: float
    strong_evidence: int


THRESHOLDS: dict[Caution, Threshold] = {
    "careful": Threshold(quiet_from=0.92, quiet_evidence=8, strong_to=0.40, strong_evidence=1),
    "balanced": Threshold(quiet_from=0.82, quiet_evidence=5, strong_to=0.30, strong_evidence=2),
    "relaxed": Threshold(quiet_from=0.70, quiet_evidence=3, strong_to=0.20, strong_evidence=3),
}

RULE_WORDS: dict[tuple[RuleKind, Scope], str] = {
    ("allow", "value"): "You always allow this.",
    ("allow", "category"): "You always allow this category.",
    ("allow", "site"): "You always allow everything on this site.",
    ("block", "value"): "You always block this.",
    ("block", "category"): "You always block this category.",
    ("block", "site"): "You always block everything on this site.",
}


REACH = 0.15
"""How far the meaning of one phrase moves its probability at most, as a rule: further from a limit, its look
does not wait for it."""


class Judged(NamedTuple):
    """`lacking`: the phrases whose vectors are not there and could move a probability, by number; `hanging`:
    those among them whose look could change by it."""

    boundaries: list[Boundary]
    lacking: dict[int, str]
    hanging: dict[int, str]


def default_boundary(exposure: Exposure) -> Boundary:
    """The boundary of someone who is not known: secrets stand out, the rest is marked softly."""
    return Boundary(look=_unpredicted(exposure))


def judge(
    exposures: Sequence[Exposure],
    context: Context,
    *,
    rules: RuleSet,
    predictor: Predictor,
    caution: Caution,
    now_ms: int,
) -> Judged:
    """One boundary for each exposure, in order. Rules win over the predictor."""
    items = [item_of(exposure, context, rules.key) for exposure in exposures]
    predictions = predictor.predict(items, now_ms=now_ms)
    threshold = THRESHOLDS[caution]
    boundaries = [
        _boundary(exposure, context, rules, prediction, threshold)
        for exposure, prediction in zip(exposures, predictions, strict=True)
    ]
    lacking = predictor.texts_lacking(items)
    if not lacking:
        return Judged(boundaries, {}, {})
    close = [
        item
        for item, prediction, boundary in zip(items, predictions, boundaries, strict=True)
        if (boundary.reason is None or boundary.reason.kind != "rule") and _is_close(prediction, threshold)
    ]
    return Judged(boundaries, lacking, predictor.texts_lacking(close))


def item_of(exposure: Exposure, context: Context, key: bytes) -> Item:
    return Item(
        category=exposure.category,
        subject=exposure.subject,
        granularity=exposure.granularity,
        identifiability=exposure.identifiability,
        tier=exposure.tier,
        site=context.site,
        recipient=context.recipient,
        phrase=exposure.phrase,
        information=exposure.information or None,
        phrase_hash=phrase_hash(key, exposure.phrase),
    )


def _boundary(
    exposure: Exposure, context: Context, rules: RuleSet, prediction: Prediction, threshold: Threshold
) -> Boundary:
    verdict = rules.verdict(exposure, context)
    if verdict is not None:
        look: Look = "quiet" if verdict[0] == "allow" else "strong"
        return Boundary(
            look=look,
            p_accept=prediction.p_accept,
            evidence=prediction.evidence,
            why=RULE_WORDS[verdict],
            reason=Reason(kind="rule", rule=verdict[0], scope=verdict[1]),
        )
    return Boundary(
        look=_look(exposure, prediction, threshold),
        p_accept=prediction.p_accept,
        evidence=prediction.evidence,
        why=prediction.why,
        reason=prediction.reason,
    )


def _look(exposure: Exposure, prediction: Prediction, threshold: Threshold) -> Look:
    if exposure.tier == "secret":
        return "strong"  # a password is quiet by the user's own rule or not at all
    if prediction.evidence_weight >= threshold.quiet_evidence and prediction.p_accept >= threshold.quiet_from:
        return "quiet"
    if prediction.evidence_weight >= threshold.strong_evidence and prediction.p_accept <= threshold.strong_to:
        return "strong"
    return _unpredicted(exposure)


def _is_close(prediction: Prediction, threshold: Threshold) -> bool:
    """Whether a somewhat other probability would look different."""
    weight, p_accept = prediction.evidence_weight, prediction.p_accept
    could_be_quiet = weight >= threshold.quiet_evidence and abs(p_accept - threshold.quiet_from) < REACH
    could_be_strong = weight >= threshold.strong_evidence and abs(p_accept - threshold.strong_to) < REACH
    return could_be_quiet or could_be_strong


def _unpredicted(exposure: Exposure) -> Look:
    return "strong" if exposure.tier == "secret" else "soft"
