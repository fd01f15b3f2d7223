"""Eight situations whose answers seed the profile."""

from __future__ import annotations

import pytest

from harness.profile import Box, make_exposure
from limen_profiles import CalibrationAnswer, Context, PageRequest
from limen_profiles.calibration import situations, uncertainty
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


def test_the_next_situation_is_the_least_certain_one(box: Box) -> None:
    profile = box.started().profile()
    profile.answer_calibration(CalibrationAnswer(situation="health", sent=["11", "21", "32", "33"]))
    following = profile.calibration().next
    assert following is not None
    now = box.clock()
    remaining = [one for one in situations() if one.id != "health"]
    most = max(uncertainty(one, profile._predictor, now_ms=now) for one in remaining)
    assert uncertainty(following, profile._predictor, now_ms=now) == most


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
