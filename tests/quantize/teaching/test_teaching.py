"""Larger models as taggers: they learn from marks, and what they answer teaches the encoder."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from harness.tiny_training import trained

pytestmark = pytest.mark.train

pytest.importorskip("torch", reason="needs the train extra")

LINES = [
    f"health\t{before} [[{phrase}|health|s|21|The user has it.]] {after}"
    for before in ("the inn", "then")
    for phrase in ("qqq", "zzz")
    for after in ("in it", "the end")
] + [f"none\t{before} {after}" for before in ("the inn", "then") for after in ("in it", "the end")]


@pytest.fixture(name="data")
def fixture_data(tmp_path: Path) -> Path:
    path = tmp_path / "data.txt"
    path.write_text("\n".join(LINES) + "\n", encoding="utf-8")
    return path


def taught(base: Path, data: Path, out: Path, **settings: object) -> str:
    from limen_quantize.commands.teach import teach

    fields = {"epochs": 40, "holdout": 0.0, "rate": 1e-3, "head_rate": 1e-2, "batch_queries": 8, **settings}
    sets = [f"--set={name}={json.dumps(value)}" for name, value in fields.items()]
    result = CliRunner().invoke(
        teach, ["--base", str(base), "--data", str(data), "--out", str(out), "--set=bfloat16=false", *sets]
    )
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.output


def test_a_causal_model_learns_the_marks_and_an_encoder_learns_them_from_its_answers(
    tiny_gguf: Path, base: Path, data: Path, tmp_path: Path
) -> None:
    from limen_quantize.answer_file import GivenAnswers
    from limen_quantize.readers import read

    out = tmp_path / "teacher"
    taught(tiny_gguf, data, out, source_weights={})
    answers = GivenAnswers((str(out / "answers.npz"),))
    for query in read(str(data)):
        found = answers.of(query.text)
        assert found is not None
        (start, end) = next(((p.start, p.end) for p in query.phrases), (0, 2))
        assert (found.inside[start:end] > 0.5).all() == bool(query.phrases)
        assert (found.leak > 0.5) == bool(query.phrases)
    record = json.loads((out / "run.json").read_text())
    assert (record["n_train"], record["n_held_out"]) == (len(LINES), 0)

    blank = tmp_path / "blank.txt"
    blank.write_text("".join(f"none\t{query.text}\n" for query in read(str(data))), encoding="utf-8")
    mute = trained(base, blank, tmp_path / "mute", epochs=2)
    distillation = {"answers": [str(out / "answers.npz")], "answers_share": 1.0, "share": 1.0}
    run = trained(
        base, blank, tmp_path / "student", "--teacher", str(mute), epochs=30, distillation=distillation
    )
    weights = json.loads((run / "run.json").read_text())["answers"]
    assert [item["source"] for item in weights] == distillation["answers"]
    from harness.tiny_training import batch, logits

    made = batch(base, data)
    inside = logits(run / "network", made)[..., :3].argmax(-1) > 0
    read_tokens = made["tag"] != -100
    assert (inside == (made["tag"] > 0))[read_tokens].float().mean() > 0.95


def test_an_encoder_answers_only_what_it_has_not_learned_from(base: Path, tmp_path: Path) -> None:
    """Every second query is marked, by no rule: who has seen them knows which, nobody else can."""
    from limen_quantize.answer_file import GivenAnswers
    from limen_quantize.readers import read

    letters = "abcdefghijklmnoprstuvwx"
    texts = [f"{a}{b}{c}" for a, b, c in zip(letters, letters[7:], letters[3:], strict=False)]
    data = tmp_path / "data.txt"
    data.write_text(
        "".join(
            f"x\t[[{text}|health|s|21|The user has it.]]\n" if number % 2 else f"x\t{text}\n"
            for number, text in enumerate(texts)
        ),
        encoding="utf-8",
    )

    def known(out: Path, **settings: object) -> float:
        taught(base, data, out, source_weights={}, epochs=80, dropout=0.0, layer_decay=1.0, **settings)
        answers = GivenAnswers((str(out / "answers.npz"),))
        right = []
        for query in read(str(data)):
            found = answers.of(query.text)
            assert found is not None
            right.append((found.leak > 0.5) == bool(query.phrases))
        return float(np.mean(right))

    assert known(tmp_path / "one") > 0.9
    assert known(tmp_path / "two", folds=2) < 0.8
    assert sorted(file.name for file in (tmp_path / "two").glob("*.safetensors")) == [
        "tagger-1.safetensors",
        "tagger-2.safetensors",
    ]


def test_an_encoder_reads_the_name_of_a_control_token_as_text(base: Path, tmp_path: Path) -> None:
    from limen_quantize.teaching.config import TeachingConfig
    from limen_quantize.teaching.taggers import Base

    _, reader = Base(TeachingConfig(base=str(base), data=("x",), out=tmp_path)).tagger()
    ids, offsets = reader.with_offsets("a</s>b")
    assert reader.end not in ids
    assert [offsets[0], offsets[-1]] == [(0, 1), (5, 6)]
    assert (reader.start, reader.end, reader.padding) == (0, 2, 1)


def test_a_moving_average_of_the_weights_is_kept(tiny_gguf: Path, data: Path, tmp_path: Path) -> None:
    for name, averaging in (("last", 0.0), ("average", 0.9)):
        taught(tiny_gguf, data, tmp_path / name, epochs=2, averaging=averaging)
    first, second = ((tmp_path / name / "tagger.safetensors").read_bytes() for name in ("last", "average"))
    assert first != second


@pytest.mark.parametrize(
    ("name", "encoder"),
    [
        ("smollm2-135m", False),
        ("somewhere/model.gguf", False),
        ("owner/model-GGUF", False),
        ("owner/model:model-f16.gguf", False),
        ("sentence-transformers/all-mpnet-base-v2", True),
        (str(Path(__file__).parent), True),
    ],
)
def test_what_counts_as_an_encoder(name: str, encoder: bool) -> None:
    from limen_quantize.teaching.config import is_encoder

    assert is_encoder(name) is encoder


def test_an_encoder_that_is_not_there_is_named(data: Path, tmp_path: Path) -> None:
    from limen_quantize.errors import TrainingError

    (tmp_path / "empty").mkdir()
    with pytest.raises(TrainingError, match="no encoder could be loaded"):
        taught(tmp_path / "empty", data, tmp_path / "out")


def test_a_run_that_would_see_no_query_says_so(tiny_gguf: Path, data: Path, tmp_path: Path) -> None:
    from limen_quantize.errors import TrainingError

    with pytest.raises(TrainingError, match="source_weights"):
        taught(tiny_gguf, data, tmp_path / "out", source_weights={"corpus": 0.0})


def test_held_out_queries_are_scored_and_not_answered(tiny_gguf: Path, data: Path, tmp_path: Path) -> None:
    from limen_quantize.answer_file import GivenAnswers
    from limen_quantize.readers import read
    from limen_quantize.split import split

    out = tmp_path / "teacher"
    real = tmp_path / "real.json"
    marked = read(str(data))
    real.write_text(
        json.dumps(
            [
                {
                    "id": q.id,
                    "source": "real",
                    "query": q.text,
                    "privacy": [{"phrase": q.text[p.start : p.end]} for p in q.phrases],
                }
                for q in marked
            ]
        ),
        encoding="utf-8",
    )
    output = taught(tiny_gguf, real, out, epochs=1, holdout=0.3)
    kept, held_out = split(read(str(real)), 0.3)
    answers = GivenAnswers((str(out / "answers.npz"),))
    assert held_out
    assert all(answers.of(query.text) is not None for query in kept)
    assert all(answers.of(query.text) is None for query in held_out)
    assert "held-out en" in output


def test_a_finished_tagger_only_answers(tiny_gguf: Path, data: Path, tmp_path: Path) -> None:
    out = tmp_path / "teacher"
    taught(tiny_gguf, data, out, epochs=1)
    weights = (out / "tagger.safetensors").read_bytes()
    answers = (out / "answers.npz").read_bytes()
    (out / "answers.npz").unlink()
    taught(tiny_gguf, data, out, epochs=1)
    assert (out / "tagger.safetensors").read_bytes() == weights
    assert (out / "answers.npz").read_bytes() == answers


def test_a_folder_of_another_run_is_refused(tiny_gguf: Path, data: Path, tmp_path: Path) -> None:
    from limen_quantize.errors import TrainingError

    out = tmp_path / "teacher"
    taught(tiny_gguf, data, out, epochs=1)
    with pytest.raises(TrainingError, match="other settings"):
        taught(tiny_gguf, data, out, epochs=2)
    data.write_text(data.read_text() + "none\tthe end\n", encoding="utf-8")
    with pytest.raises(TrainingError, match="data has changed"):
        taught(tiny_gguf, data, out, epochs=1)
    (out / "run.json").unlink()
    with pytest.raises(TrainingError, match="unknown run"):
        taught(tiny_gguf, data, out, epochs=1)


def test_the_first_token_sees_the_last(tiny_gguf: Path) -> None:
    import torch

    from limen_daemon.detector.layout import LabelLayout
    from limen_quantize.gguf.reading import read_gguf, to_torch
    from limen_quantize.teaching.taggers import CausalTagger

    tagger = CausalTagger(to_torch(read_gguf(tiny_gguf)), LabelLayout.standard(), dropout=0.0).eval()
    ids = torch.tensor([[1, 40, 50, 2], [1, 40, 60, 2]])
    with torch.no_grad():
        seen = tagger(ids, torch.ones_like(ids))
        padded = tagger(torch.tensor([[1, 40, 50, 2, 7, 7]]), torch.tensor([[1, 1, 1, 1, 0, 0]]))
    assert not torch.allclose(seen[0, 0], seen[1, 0])
    torch.testing.assert_close(padded[0, :4], seen[0], atol=1e-4, rtol=1e-4)


def test_windows_of_a_long_text_overlap_and_every_token_is_answered_once(tiny_gguf: Path) -> None:
    from limen_daemon.detector.layout import LabelLayout
    from limen_quantize.encoding import window_ranges
    from limen_quantize.gguf.reading import read_gguf, to_torch
    from limen_quantize.gguf.tokens import SegmentTokenizer
    from limen_quantize.teaching.reading import answer_texts
    from limen_quantize.teaching.taggers import CausalReader, CausalTagger

    base = read_gguf(tiny_gguf)
    reader = CausalReader(SegmentTokenizer(base.metadata))
    assert window_ranges(0, 8) == [(0, 0)]
    assert window_ranges(8, 8) == [(0, 8)]
    assert window_ranges(9, 8) == [(0, 8), (6, 9)]
    assert window_ranges(20, 8) == [(0, 8), (6, 14), (12, 20)]
    tagger = CausalTagger(to_torch(base), LabelLayout.standard(), dropout=0.0)
    short, long = answer_texts(tagger, reader, ["ab", "abcdefghijklmnopqrst"], max_tokens=10, bfloat16=False)
    assert (len(short.ranges), len(long.ranges)) == (2, 20)
    assert long.ranges.tolist() == [[i, i + 1] for i in range(20)]
    assert np.allclose(long.tags.sum(axis=1), 1.0, atol=1e-5)
    # the middle of the text is answered by the window in whose middle it lies: as if that were the whole text
    (alone,) = answer_texts(tagger, reader, ["ghijklmn"], max_tokens=10, bfloat16=False)
    assert np.allclose(long.tags[7:13], alone.tags[1:7], atol=1e-4)
    assert long.leak >= alone.leak - 1e-5


def test_a_wrong_setting_is_named(tmp_path: Path) -> None:
    from limen_quantize.commands.teach import teach
    from limen_quantize.errors import TrainingError

    result = CliRunner().invoke(teach, ["--data", "x", "--out", str(tmp_path), "--set", "epochs=0"])
    assert isinstance(result.exception, TrainingError)
    assert str(result.exception).startswith("Setting epochs: ")
