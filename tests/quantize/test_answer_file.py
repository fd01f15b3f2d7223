"""Answers of another network, kept by code points: put on other tokens, written, read, refused if damaged."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from limen_quantize.answer_file import (
    CharacterAnswer,
    GivenAnswer,
    GivenAnswers,
    by_character,
    on_tokens,
    read_answers,
    write_answers,
)
from limen_quantize.augmentation import View, edit, join
from limen_quantize.errors import DataError
from limen_quantize.queries import AnnotatedQuery

TEXT = "I have diabetes now"


def answer(*tokens: tuple[int, int, float, float]) -> GivenAnswer:
    """Tokens as (start, end, begins, inside)."""
    tags = [[1 - begins - inside, begins, inside] for _, _, begins, inside in tokens]
    return GivenAnswer(
        np.array([token[:2] for token in tokens], dtype=np.int32), np.array(tags, dtype=np.float32), 0.75
    )


WORDS = answer((0, 1, 0, 0), (1, 6, 0, 0), (6, 15, 0.9, 0.05), (15, 19, 0, 0.2))
"""As byte-pair tokens are, each with the blank before it."""


def inside_on(given: GivenAnswer, text: str, offsets: list[tuple[int, int]]) -> list[float]:
    return on_tokens(by_character(given, text), text, offsets).inside.tolist()


def test_the_same_tokens_are_as_far_inside() -> None:
    assert inside_on(WORDS, TEXT, [(0, 1), (2, 6), (7, 15), (16, 19)]) == pytest.approx([0, 0, 0.95, 0.2])


def test_every_piece_of_a_word_is_as_far_inside_as_the_word() -> None:
    assert inside_on(WORDS, TEXT, [(7, 10), (10, 15)]) == pytest.approx([0.95, 0.95])


def test_a_token_over_two_words_is_as_far_inside_as_its_characters_are() -> None:
    assert inside_on(WORDS, TEXT, [(2, 15)]) == pytest.approx([8 * 0.95 / 13])  # "have", a blank, "diabetes"


def test_a_character_of_several_tokens_has_the_answer_of_its_first() -> None:
    of_bytes = answer((0, 1, 0.9, 0), (0, 1, 0, 0.1), (0, 1, 0, 0.1), (1, 2, 0, 0.3))
    assert inside_on(of_bytes, "我们", [(0, 1), (1, 2)]) == pytest.approx([0.9, 0.3])


def test_special_tokens_are_outside() -> None:
    assert inside_on(WORDS, TEXT, [(0, 0)]) == pytest.approx([0])


def view(text: str, answer: CharacterAnswer | None) -> View:
    return View(AnnotatedQuery(id=text, text=text, language="en", source="s"), answer)


def test_an_answer_moves_along_when_characters_are_dropped_and_doubled() -> None:
    seen = edit(view(TEXT, by_character(WORDS, TEXT)), lambda char: {"h": "", "d": "dd"}.get(char, char))
    assert seen.query.text == "I ave ddiabetes now"
    assert seen.answer is not None
    assert seen.answer.inside.tolist() == pytest.approx([0] * 6 + [0.95] * 9 + [0] + [0.2] * 3)
    assert seen.answer.leak == 0.75


@pytest.mark.parametrize("neutral_first", [True, False])
def test_two_answers_are_put_together(neutral_first: bool) -> None:
    neutral = view("hi you", by_character(answer((0, 2, 0, 0.1), (2, 6, 0, 0.3)), "hi you"))
    seen = join(view(TEXT, by_character(WORDS, TEXT)), neutral, ". ", neutral_first=neutral_first)
    assert seen.answer is not None
    offsets = {
        word: (seen.query.text.index(word), seen.query.text.index(word) + len(word)) for word in WORDS_IN
    }
    assert on_tokens(seen.answer, seen.query.text, list(offsets.values())).inside.tolist() == pytest.approx(
        [0.95, 0.1, 0.3]
    )
    assert seen.answer.leak == pytest.approx(1 - 0.25 * 0.25)


WORDS_IN = ("diabetes", "hi", "you")


@pytest.mark.parametrize("neutral_first", [True, False])
def test_what_nobody_answered_stays_unknown(neutral_first: bool) -> None:
    seen = join(view(TEXT, by_character(WORDS, TEXT)), view("hi you", None), " ", neutral_first=neutral_first)
    assert seen.answer is not None
    start, other = seen.query.text.index("diabetes"), seen.query.text.index("hi you")
    inside = on_tokens(seen.answer, seen.query.text, [(start, start + 8), (other, other + 2)]).inside
    assert inside[0] == pytest.approx(0.95)
    assert np.isnan(inside[1])
    assert np.isnan(seen.answer.leak)
    assert join(view("a", None), view("b", None), " ", neutral_first=neutral_first).answer is None


def test_a_file_gives_back_what_was_written_and_holds_no_text(tmp_path: Path) -> None:
    path = tmp_path / "answers.npz"
    write_answers(path, {TEXT: WORDS, "hi": answer((0, 2, 0, 0))})
    answers = GivenAnswers((str(path),))
    found = answers.of(TEXT)
    assert found is not None
    assert found.inside.tolist() == pytest.approx([0] * 7 + [0.95] * 8 + [0] + [0.2] * 3)
    assert found.leak == 0.75
    assert answers.of(TEXT + "!") is None
    assert len(read_answers(path)) == 2
    with np.load(path) as stored:
        assert not any("diabetes" in str(stored[name]) for name in stored.files)


@pytest.mark.parametrize("content", [b"", b"not a file of answers", b"PK\x03\x04 cut off"])
def test_another_file_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "answers.npz"
    path.write_bytes(content)
    with pytest.raises(DataError, match="holds no answers"):
        GivenAnswers((str(path),))


def test_an_array_alone_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "answers.npz"
    with path.open("wb") as file:
        np.save(file, np.zeros(3))
    with pytest.raises(DataError, match="holds no answers"):
        GivenAnswers((str(path),))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="cannot be read"):
        GivenAnswers((str(tmp_path / "answers.npz"),))


@pytest.mark.parametrize(
    ("part", "value", "reason"),
    [
        ("tags", np.zeros((3, 3), np.float32), "differ in length"),
        ("tags", np.zeros((4, 2), np.float32), "differ in length"),
        ("leaks", np.zeros(2, np.float32), "differ in length"),
        ("sizes", np.array([5, -1], np.int32), "differ in length"),
        ("tags", np.full((4, 3), np.nan, np.float32), "numbers that are none"),
        ("leaks", np.array([np.nan], np.float32), "numbers that are none"),
    ],
)
def test_damaged_parts_are_refused(tmp_path: Path, part: str, value: Any, reason: str) -> None:
    path = tmp_path / "answers.npz"
    write_answers(path, {TEXT: WORDS})
    with np.load(path) as stored:
        parts = {name: stored[name] for name in stored.files}
    np.savez(path, **{**parts, part: value})
    with pytest.raises(DataError, match=reason):
        GivenAnswers((str(path),))


def test_two_files_may_not_answer_the_same_text(tmp_path: Path) -> None:
    paths = [tmp_path / "one.npz", tmp_path / "two.npz"]
    for path in paths:
        write_answers(path, {TEXT: WORDS})
    with pytest.raises(DataError, match=r"two\.npz: answers texts that another file"):
        GivenAnswers(tuple(map(str, paths)))


@pytest.mark.train
class TestInTraining:
    def test_a_window_of_a_long_text_has_its_part_of_the_answer(self, base: Path, tmp_path: Path) -> None:
        from limen_quantize.encoding import encode
        from limen_quantize.training_run import load_tokenizer

        path = tmp_path / "answers.npz"
        write_answers(path, {TEXT: WORDS})
        query = AnnotatedQuery(id="1", text=TEXT, language="en", source="s")
        windows = encode(
            query,
            load_tokenizer(str(base)),
            max_tokens=12,
            answer=GivenAnswers((str(path),)).of(TEXT),
        )
        assert len(windows) > 1
        seen = [window.answer for window in windows if window.answer is not None]
        assert len(seen) == len(windows)
        assert all(np.isnan(one.leak) for one in seen)
        assert [len(one.inside) for one in seen] == [len(window.ids) for window in windows]
        # "I", "have", "diabetes", "now" by single characters: ten in a window, the next from the eighth
        assert seen[0].inside == pytest.approx([0] + [0] * 5 + [0.95] * 5 + [0])
        assert seen[1].inside == pytest.approx([0] + [0.95] * 5 + [0.2] * 3 + [0])

    def test_answers_count_beside_the_teachers_where_there_are_any(
        self, base: Path, corpus_file: Path, tmp_path: Path
    ) -> None:
        import torch

        from harness.tiny_training import trained
        from limen_daemon.detector.layout import LabelLayout
        from limen_quantize.config import Distillation
        from limen_quantize.distillation import Teachers
        from limen_quantize.encoding import encode
        from limen_quantize.network import tensors
        from limen_quantize.readers import read
        from limen_quantize.training_run import load_tokenizer

        path = tmp_path / "answers.npz"
        queries = read(str(corpus_file))
        text = queries[0].text
        start = text.index("diabetes")
        write_answers(
            path, {text: answer((0, start, 0, 0), (start, start + 8, 1, 0), (start + 8, len(text), 0, 0))}
        )
        teacher = trained(base, corpus_file, tmp_path / "teacher", epochs=1)
        tokenizer = load_tokenizer(str(base))
        answers = GivenAnswers((str(path),))
        windows = [
            window
            for query in queries[:2]
            for window in encode(query, tokenizer, max_tokens=64, answer=answers.of(query.text))
        ]
        made = tensors(windows, padding_id=1)

        def joined(temperature: float, share: float) -> tuple[Any, Any]:
            config = Distillation(teachers=(str(teacher),), temperature=temperature, answers_share=share)
            teachers = Teachers(config, LabelLayout.standard(), vocabulary=1100, bfloat16=False)
            own = teachers.answer(made)
            return own, teachers._joined(own, made)

        own, mixed = joined(temperature=1.0, share=1.0)
        inside = 1 - mixed["tag"][0, :, 0]
        first = len(tokenizer.encode(text[:start]).ids) - 1
        assert (inside > 0.9).nonzero().flatten().tolist() == list(range(first, first + 8))
        assert mixed["leak"][0].tolist() == pytest.approx([0.25, 0.75], abs=1e-5)
        begins, goes_on = (mixed["tag"][0, first, 1:] / own["tag"][0, first, 1:]).tolist()
        assert begins == pytest.approx(goes_on, rel=1e-4)
        for head in ("tag", "leak"):
            torch.testing.assert_close(mixed[head][1], own[head][1])  # the second query was not answered
            torch.testing.assert_close(mixed[head].sum(-1), torch.ones_like(mixed[head].sum(-1)))

        own, mixed = joined(temperature=2.0, share=0.25)
        softer = 0.75**0.5 / (0.75**0.5 + 0.25**0.5)
        assert mixed["leak"][0, 1] == pytest.approx(0.75 * float(own["leak"][0, 1]) + 0.25 * softer, abs=1e-5)
