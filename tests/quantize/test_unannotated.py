"""Texts that nobody has annotated: how they are read, who answers them, what a student learns from them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from harness.tiny_training import batch, logits, trained

pytestmark = pytest.mark.train

TEXTS = "in it\n%%\nthe end\nof it\n\nis near\n%%  \n\n%%\n50 %% of it\n%%\n我失眠了\n"


@pytest.fixture(name="texts")
def fixture_texts(tmp_path: Path) -> Path:
    path = tmp_path / "texts.txt"
    path.write_text(TEXTS, encoding="utf-8")
    return path


def queries(path: Path) -> Any:
    from limen_quantize.readers import read_unannotated

    return read_unannotated(path)


def test_queries_stand_between_lines_of_two_percent_signs(texts: Path) -> None:
    found = queries(texts)
    assert [q.text for q in found] == ["in it", "the end\nof it\n\nis near", "50 %% of it", "我失眠了"]
    assert [q.language for q in found] == ["en", "en", "en", "zh"]
    assert {(q.source, q.annotated, q.phrases) for q in found} == {("unannotated/texts", False, ())}


@pytest.mark.parametrize("content", [b"", b"%%\n\n%%\n", b"\xff\xfe"])
def test_a_file_without_texts_is_named(tmp_path: Path, content: bytes) -> None:
    from limen_quantize.errors import DataError

    path = tmp_path / "nothing.txt"
    path.write_bytes(content)
    with pytest.raises(DataError, match=r"nothing\.txt"):
        queries(path)


def test_a_token_counts_the_same_whatever_stands_in_its_batch(base: Path, corpus_file: Path) -> None:
    import torch

    from limen_daemon.detector.layout import LabelLayout
    from limen_quantize.config import LossWeights
    from limen_quantize.member import annotation_loss
    from limen_quantize.network import Heads

    pytest.importorskip("torch", reason="needs the train extra")
    made = batch(base, corpus_file)
    heads = Heads(LabelLayout.standard(), LossWeights())
    rows, length = made["input_ids"].shape
    torch.manual_seed(0)
    said = torch.randn(rows, length, 39)
    assert torch.equal(annotation_loss(heads, said, made), heads(said, made))
    half = made | {"annotated": torch.arange(rows) < 2}
    own = {name: values[:2] for name, values in made.items()}
    tokens = made["attention_mask"].sum(-1)
    share = tokens[:2].sum() / tokens.sum()
    assert torch.allclose(annotation_loss(heads, said, half), heads(said[:2], own) * share)
    assert annotation_loss(heads, said, made | {"annotated": torch.zeros(rows, dtype=torch.bool)}) == 0


def plain(corpus: str, path: Path) -> Path:
    """The texts of a corpus file without its marks, in the unannotated form."""
    import re

    lines = [line.split("\t")[1] for line in corpus.splitlines()]
    texts = [re.sub(r"\[\[([^|]*)\|[^]]*\]\]", r"\1", line) for line in lines]
    path.write_text("\n%%\n".join(texts) + "\n", encoding="utf-8")
    return path


def test_a_student_learns_of_unannotated_texts_what_its_teacher_says(
    base: Path, corpus: str, corpus_file: Path, tmp_path: Path
) -> None:
    """The annotation holds one neutral query; all that the student finds it has from the teacher."""
    import torch

    teacher = trained(base, corpus_file, tmp_path / "teacher")
    neutral = tmp_path / "neutral.txt"
    neutral.write_text("travel\thow far is porto from lisbon\n", encoding="utf-8")
    texts = plain(corpus, tmp_path / "unread.txt")
    taught = [
        "--teacher",
        str(teacher),
        '--set=distillation={"share": 0.8}',
        f"--set=unannotated={json.dumps([str(texts)])}",
    ]
    student = trained(base, neutral, tmp_path / "student", *taught, epochs=30)
    made = batch(base, corpus_file)
    read = made["tag"] >= 0
    alone = trained(base, neutral, tmp_path / "alone", *taught[:3], epochs=30)
    wanted, own, without = (
        1 - torch.softmax(logits(folder, made)[..., :3], -1)[..., 0][read]
        for folder in (teacher, student, alone)
    )
    assert (wanted > 0.5).any() and (wanted < 0.5).any()
    assert (own - wanted).abs().mean() < 0.5 * (without - wanted).abs().mean()
    record = json.loads((student / "run.json").read_text())
    assert (record["n_train"], [item["source"] for item in record["unannotated"]]) == (6, [str(texts)])

    from limen_quantize.errors import TrainingError

    texts.write_text("something else\n", encoding="utf-8")
    with pytest.raises(TrainingError, match="data has changed"):
        trained(base, neutral, tmp_path / "student", *taught, epochs=30)


def test_unannotated_texts_are_not_pasted_below_others_as_neutral_ones(
    base: Path, corpus_file: Path, texts: Path, tmp_path: Path
) -> None:
    """Nobody knows that they disclose nothing."""
    from limen_quantize.config import Augmentation, Distillation, TrainingConfig
    from limen_quantize.member import Member
    from limen_quantize.readers import read
    from limen_quantize.training_run import load_tokenizer

    teacher = trained(base, corpus_file, tmp_path / "teacher", epochs=1)
    config = TrainingConfig(
        base=str(base),
        data=(str(corpus_file),),
        unannotated=(str(texts),),
        out=tmp_path / "run",
        distillation=Distillation(teachers=(str(teacher),)),
        augmentation=Augmentation(join_neutral=1, typos=0, no_punctuation=0, lower_case=0, upper_case=0),
        max_tokens=64,
    )
    tokenizer = load_tokenizer(str(base))
    kept = [*read(str(corpus_file)), *queries(texts)]
    member = Member(config, tokenizer, kept, [], tmp_path / "member", seed=1)
    windows = [window for made in member._batches_of(0) for window in made]
    unread = [window for window in windows if not window.annotated]
    assert len(windows) == len(kept) and len(unread) == 4
    neutral = ("how far is porto from lisbon", "这部电影谁导演的")
    joined = [tokenizer.encode(text, add_special_tokens=False).ids for text in neutral]
    # Every text, annotated or not, has one of the two neutral queries beside it and nothing unannotated.
    for window in windows:
        ids = window.ids
        assert any(ids[at : at + len(part)] == part for part in joined for at in range(len(ids)))


def test_unannotated_texts_without_teachers_are_refused(base: Path, corpus_file: Path, texts: Path) -> None:
    from limen_quantize.errors import TrainingError

    with pytest.raises(TrainingError, match="teach nothing without distillation"):
        trained(base, corpus_file, texts.parent / "run", f"--set=unannotated={json.dumps([str(texts)])}")


def answered(out: Path, *options: str) -> str:
    from limen_quantize.commands.answer import answer

    result = CliRunner().invoke(answer, [*options, f"--out={out}"])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.output


def test_trained_networks_answer_with_their_mean(
    base: Path, corpus_file: Path, texts: Path, tmp_path: Path
) -> None:
    from limen_quantize.answer_file import read_answers
    from limen_quantize.queries import key_of

    runs = [trained(base, corpus_file, tmp_path / f"run{seed}", seed=seed, epochs=2) for seed in (1, 2)]
    given = [f"--data={corpus_file}", f"--unannotated={texts}"]
    files = [tmp_path / name for name in ("both.npz", "first.npz", "second.npz")]
    said = answered(files[0], *given, *(f"--network={run}" for run in runs))
    assert "9 texts answered" in said
    for file, run in zip(files[1:], runs, strict=True):
        answered(file, *given, f"--network={run / 'network'}")
    both, first, second = map(read_answers, files)
    assert len(both) == 9 and key_of("我失眠了") in both
    for key, one in both.items():
        assert np.allclose(one.tags, (first[key].tags + second[key].tags) / 2, atol=1e-5)
        assert one.leak == pytest.approx((first[key].leak + second[key].leak) / 2, abs=1e-5)
    assert any(not np.allclose(first[key].tags, second[key].tags, atol=1e-3) for key in both)
    answered(files[0], *given, f"--network={runs[0]}", "--language=zh")
    assert len(read_answers(files[0])) == 3


def test_networks_of_other_word_pieces_do_not_answer_together(
    base: Path, corpus_file: Path, texts: Path, tmp_path: Path
) -> None:
    from limen_quantize.errors import TrainingError

    runs = [trained(base, corpus_file, tmp_path / name, epochs=1) for name in ("one", "other")]
    pieces = runs[1] / "network" / "tokenizer.json"
    changed = json.loads(pieces.read_text(encoding="utf-8"))
    changed["pre_tokenizer"] = {
        "type": "Split",
        "pattern": {"String": "e"},
        "behavior": "Isolated",
        "invert": False,
    }
    pieces.write_text(json.dumps(changed), encoding="utf-8")
    networks = [f"--network={run}" for run in runs]
    with pytest.raises(TrainingError, match="word pieces"):
        answered(tmp_path / "new" / "x.npz", f"--unannotated={texts}", *networks)


def test_texts_written_anew_since_they_were_answered_are_noticed(
    base: Path, corpus_file: Path, texts: Path, tmp_path: Path
) -> None:
    from limen_quantize.errors import DataError

    run = trained(base, corpus_file, tmp_path / "run", epochs=1)
    answers = tmp_path / "answers" / "x.npz"
    answered(answers, f"--data={corpus_file}", f"--unannotated={texts}", f"--network={run}")
    taught = [
        f"--teacher={run}",
        f"--set=distillation={json.dumps({'answers': [str(answers)]})}",
        f"--set=unannotated={json.dumps([str(texts)])}",
    ]
    student = trained(base, corpus_file, tmp_path / "student", *taught, epochs=1)
    record = json.loads((student / "run.json").read_text())
    assert record["n_answered"] == record["n_train"] == 9
    texts.write_text("nobody has answered this\n", encoding="utf-8")
    with pytest.raises(DataError, match="none of its texts has an answer"):
        trained(base, corpus_file, tmp_path / "late", *taught, epochs=1)


def test_an_annotated_file_given_as_unannotated_is_named(tmp_path: Path, corpus: str) -> None:
    from limen_quantize.errors import DataError
    from limen_quantize.readers import read_unannotated

    path = tmp_path / "corpus.txt"
    path.write_text(corpus, encoding="utf-8")
    with pytest.raises(DataError, match=r"corpus.txt: query 1 holds marks"):
        read_unannotated(path)


def test_no_text_to_answer_is_said(base: Path, corpus_file: Path, tmp_path: Path) -> None:
    from limen_quantize.errors import DataError

    run = trained(base, corpus_file, tmp_path / "run", epochs=1)
    english = tmp_path / "english.txt"
    english.write_text("travel\thow far is it\n", encoding="utf-8")
    with pytest.raises(DataError, match="no text in zh"):
        answered(tmp_path / "x.npz", f"--network={run}", f"--data={english}", "--language=zh")
