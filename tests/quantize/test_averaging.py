"""Moving averages of weights."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.train

torch = pytest.importorskip("torch", reason="needs the train extra")


def followed(decay: float, steps_done: int) -> float:
    from limen_quantize.averaging import follow

    average = {"w": torch.tensor([1.0])}
    now = {"w": torch.tensor([3.0]), "other": torch.tensor([9.0])}
    follow(average, now, decay=decay, steps_done=steps_done)
    return float(average["w"][0])


def test_it_moves_by_what_decay_leaves():
    assert followed(0.9, steps_done=10_000) == pytest.approx(1.2)


def test_it_follows_faster_in_the_first_steps():
    assert followed(0.9, steps_done=0) == pytest.approx(2.8)
    assert followed(0.9, steps_done=10) == pytest.approx(1.0 + 2.0 * 9 / 20)


def test_nothing_to_average_is_nothing_to_do():
    from limen_quantize.averaging import follow

    follow({}, {"w": torch.tensor([3.0])}, decay=0.9, steps_done=1)
