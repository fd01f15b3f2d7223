"""Eight situations whose answers seed the profile."""

from __future__ import annotations

import numpy as np
import pytest

from harness.profile import Box, make_exposure
from limen_profiles import CalibrationAnswer, Context, PageRequest
from limen_profiles.calibration import _item, gains_of, situations
from limen_profiles.errors import SituationMissing


def test_there_are_eight_situations_each_from_vague_to_exact() -> None:
    assert len(situations()) == 8
    for situation in situations():
        levels = [(w.granularity, w.identifiability) for w in situation.wordings]
        assert len(levels) == 4
        assert levels == sorted(set(levels)), situation.id
        assert levels[0] == (1, 1) and levels[-1][0] == 3
        assert len({wording.id for wording in situation.wordings}) == 4


def test_situations_are_answered_one_after_another_until_none_is_left(box: Box) -> None:
    profile = box.started().profile()
    asked = []
    while (following := profile.calibration().next) is not None:
        asked.append(following.id)
        profile.answer_calibration(CalibrationAnswer(situation=following.id, sent=["11"]))
    assert sorted(asked) == sorted(situation.id for situation in situations())
    assert profile.calibration().total == 8


def test_the_next_situation_is_the_one_that_tells_most(box: Box) -> None:
    profile = box.started().profile()
    profile.answer_calibration(CalibrationAnswer(situation="health", sent=["11", "21", "32", "33"]))
    following = profile.calibration().next
    assert following is not None
    remaining = [one for one in situations() if one.id != "health"]
    gains = gains_of(remaining, profile._predictor, now_ms=box.clock())
    assert all(gain > 0 for gain in gains)
    assert following == remaining[gains.index(max(gains))]


def test_the_gain_of_a_situation_is_the_variance_its_answers_take_away(box: Box) -> None:
    """Against the slow definition: condition on one answer after another."""
    profile = box.started().profile()
    remaining = list(situations())[:3]
    items = [_item(one, wording) for one in remaining for wording in one.wordings]
    left, noise = profile._predictor.covariance(items, now_ms=box.clock())
    before = np.trace(left)
    for answer in range(len(remaining[0].wordings)):
        seen = left[:, answer].copy()
        left = left - np.outer(seen, seen) / (seen[answer] + noise[answer])
    gain = gains_of(remaining, profile._predictor, now_ms=box.clock())[0]
    assert gain == pytest.approx(before - np.trace(left))


def test_answers_move_the_prediction(box: Box) -> None:
    profile = box.started().profile()
    exposure = make_exposure(category="finance", granularity=3, identifiability=3)
    before = profile.judge([exposure], Context())[0].p_accept
    profile.answer_calibration(CalibrationAnswer(situation="money", sent=["11"]))
    after = profile.judge([exposure], Context())[0].p_accept
    assert before is not None and after is not None
    assert after < before


def test_answering_again_replaces_the_answer(box: Box) -> None:
    profile = box.started().profile()
    exposure = make_exposure(category="finance", granularity=3, identifiability=3)
    profile.answer_calibration(CalibrationAnswer(situation="money", sent=[]))
    rejected = profile.judge([exposure], Context())[0].p_accept
    profile.answer_calibration(CalibrationAnswer(situation="money", sent=["11", "21", "31", "33"]))
    accepted = profile.judge([exposure], Context())[0].p_accept
    assert rejected is not None and accepted is not None
    assert rejected < 0.5 < accepted


def test_answers_are_not_in_the_history_and_can_be_forgotten(box: Box) -> None:
    profile = box.started().profile()
    untouched = profile.judge([make_exposure()], Context())
    profile.answer_calibration(CalibrationAnswer(situation="health", sent=[]))
    assert profile.page(PageRequest()).total == 0
    assert profile.forget_calibration() == 4
    assert profile.judge([make_exposure()], Context()) == untouched


@pytest.mark.parametrize("given", [("nowhere", []), ("health", ["99"])])
def test_unknown_situations_and_wordings_are_refused(box: Box, given: tuple[str, list[str]]) -> None:
    situation, sent = given
    with pytest.raises(SituationMissing):
        box.started().profile().answer_calibration(CalibrationAnswer(situation=situation, sent=sent))
