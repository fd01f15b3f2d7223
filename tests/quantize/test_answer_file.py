"""Answers of another network, kept by code points: put on other tokens, written, read, refused if damaged."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from limen_quantize.answer_file import Answers, TextAnswer, on_tokens, read_answers, write_answers
from limen_quantize.errors import DataError

TEXT = "I have diabetes now"


def answer(*tokens: tuple[int, int, float, float]) -> TextAnswer:
    """Tokens as (start, end, begins, inside)."""
    tags = [[1 - begins - inside, begins, inside] for _, _, begins, inside in tokens]
    return TextAnswer(
        np.array([token[:2] for token in tokens], dtype=np.int32), np.array(tags, dtype=np.float32), 0.75
    )


WORDS = answer((0, 1, 0, 0), (1, 6, 0, 0), (6, 15, 0.9, 0.05), (15, 19, 0, 0.2))
"""As byte-pair tokens are, each with the blank before it."""


def test_the_same_tokens_keep_their_probabilities() -> None:
    found = on_tokens(WORDS, TEXT, [(0, 1), (2, 6), (7, 15), (16, 19)])
    assert found == pytest.approx(
        np.array([[1, 0, 0], [1, 0, 0], [0.05, 0.9, 0.05], [0.8, 0, 0.2]]), abs=1e-6
    )


def test_only_the_first_piece_of_a_word_begins_a_phrase() -> None:
    found = on_tokens(WORDS, TEXT, [(7, 10), (10, 15)])
    assert found == pytest.approx(np.array([[0.05, 0.9, 0.05], [0.05, 0, 0.95]]), abs=1e-6)


def test_a_token_over_two_words_is_as_far_inside_as_its_characters_are() -> None:
    (found,) = on_tokens(WORDS, TEXT, [(2, 15)])
    inside = 1 - (4 + 1 + 8 * 0.05) / 13  # "have", the blank, "diabetes"
    assert found == pytest.approx([1 - inside, 0, inside], abs=1e-6)


def test_special_tokens_are_outside() -> None:
    assert on_tokens(WORDS, TEXT, [(0, 0)]) == pytest.approx(np.array([[1, 0, 0]]))


def test_a_file_gives_back_what_was_written_and_holds_no_text(tmp_path: Path) -> None:
    path = tmp_path / "answers.npz"
    write_answers(path, {TEXT: WORDS, "hi": answer((0, 2, 0, 0))})
    answers = Answers((str(path),))
    found = answers.on_tokens(TEXT, [(7, 15)])
    assert found is not None
    assert found.tags == pytest.approx(np.array([[0.05, 0.9, 0.05]]), abs=1e-6)
    assert found.leak == 0.75
    assert answers.on_tokens(TEXT + "!", [(7, 15)]) is None
    assert len(read_answers(path)) == 2
    with np.load(path) as stored:
        assert not any("diabetes" in str(stored[name]) for name in stored.files)


@pytest.mark.parametrize("content", [b"", b"not a file of answers", b"PK\x03\x04 cut off"])
def test_another_file_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "answers.npz"
    path.write_bytes(content)
    with pytest.raises(DataError, match="holds no answers"):
        Answers((str(path),))


def test_parts_of_different_length_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "answers.npz"
    write_answers(path, {TEXT: WORDS})
    with np.load(path) as stored:
        parts = {name: stored[name] for name in stored.files}
    np.savez(path, **{**parts, "tags": parts["tags"][:-1]})
    with pytest.raises(DataError, match="differ in length"):
        Answers((str(path),))


@pytest.mark.train
class TestInTraining:
    def test_a_window_of_a_long_text_has_its_part_of_the_answer(self, base: Path, tmp_path: Path) -> None:
        from limen_quantize.encoding import encode
        from limen_quantize.queries import AnnotatedQuery
        from limen_quantize.training_run import load_tokenizer

        path = tmp_path / "answers.npz"
        write_answers(path, {TEXT: WORDS})
        query = AnnotatedQuery(id="1", text=TEXT, language="en", source="s")
        windows = encode(query, load_tokenizer(str(base)), max_tokens=12, answers=Answers((str(path),)))
        assert len(windows) > 1
        for window in windows:
            assert window.answer is not None
            assert len(window.answer.tags) == len(window.ids)
            assert np.isnan(window.answer.leak)
        first = windows[0].answer
        assert first is not None
        assert [round(float(row[1]), 2) for row in first.tags] == [0, 0, 0, 0, 0, 0, 0.9, 0, 0, 0, 0, 0]

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
        windows = [
            window
            for query in queries[:2]
            for window in encode(query, tokenizer, max_tokens=64, answers=Answers((str(path),)))
        ]
        made = tensors(windows, padding_id=1)
        config = Distillation(teachers=(str(teacher),), temperature=1.0, answers_share=1.0)
        teachers = Teachers(config, LabelLayout.standard(), vocabulary=1100, bfloat16=False)
        own = teachers.answer(made)
        joined = teachers._joined(own, made)
        begins = joined["tag"][0, :, 1] > 0.9
        assert begins.nonzero().flatten().tolist() == [len(tokenizer.encode(text[:start]).ids) - 1]
        assert joined["leak"][0].tolist() == pytest.approx([0.25, 0.75], abs=1e-5)
        torch.testing.assert_close(joined["tag"][1], own["tag"][1])
        torch.testing.assert_close(joined["leak"][1], own["leak"][1])
