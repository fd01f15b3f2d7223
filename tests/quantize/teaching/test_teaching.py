"""Larger models as taggers: they learn from marks, and what they answer teaches the encoder."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

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
    result = taught_from(base, (data,), out, **settings)
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.output


def taught_from(base: Path, data: tuple[Path, ...], out: Path, **settings: object) -> Result:
    from limen_quantize.commands.teach import teach

    fields = {"epochs": 40, "holdout": 0.0, "rate": 1e-3, "head_rate": 1e-2, "batch_queries": 8}
    fields |= {"max_tokens": 64, **settings}
    fields["bfloat16"] = False
    sets = [f"--set={name}={json.dumps(value)}" for name, value in fields.items()]
    return CliRunner().invoke(
        teach,
        ["--base", str(base), *(f"--data={path}" for path in data), f"--out={out}", *sets],
    )


def real_file(data: Path, folder: Path) -> Path:
    """The queries of `data` as real ones, which can be held out."""
    from limen_quantize.readers import read

    path = folder / "real.json"
    entries = [
        {
            "id": q.id,
            "source": "real",
            "query": q.text,
            "privacy": [{"phrase": q.text[p.start : p.end]} for p in q.phrases],
        }
        for q in read(str(data))
    ]
    path.write_text(json.dumps(entries), encoding="utf-8")
    return path


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


def test_the_parts_of_a_run_are_answered_and_held_out_queries_scored_by_all(
    base: Path, data: Path, tmp_path: Path
) -> None:
    from limen_quantize.answer_file import GivenAnswers
    from limen_quantize.readers import read
    from limen_quantize.split import split

    out, real = tmp_path / "teacher", real_file(data, tmp_path)
    taught(base, real, out, epochs=1, holdout=0.3, folds=2)
    kept, held_out = split(read(str(real)), 0.3)
    answers = GivenAnswers((str(out / "answers.npz"),))
    assert all(answers.of(query.text) is not None for query in kept)
    assert all(answers.of(query.text) is None for query in held_out)
    record = json.loads((out / "run.json").read_text())
    assert record["held_out"]["en"]["n_queries"] == len(held_out)
    assert len(set(record["parts"])) == 2


def test_the_mean_of_two_answers_is_of_their_probabilities() -> None:
    from limen_quantize.answer_file import GivenAnswer
    from limen_quantize.teaching.run import mean

    ranges = np.array([[0, 2]], dtype=np.int32)
    one = GivenAnswer(ranges, np.array([[0.8, 0.2, 0.0]], dtype=np.float32), 0.25)
    other = GivenAnswer(ranges, np.array([[0.2, 0.4, 0.4]], dtype=np.float32), 0.75)
    assert mean([one, other]).tags.tolist()[0] == pytest.approx([0.5, 0.3, 0.2])
    assert mean([one, other]).leak == 0.5


def test_a_run_goes_on_with_the_tagger_that_is_missing(base: Path, data: Path, tmp_path: Path) -> None:
    out = tmp_path / "teacher"
    taught(base, data, out, epochs=2, folds=2)
    answers = (out / "answers.npz").read_bytes()
    first, second = (out / f"tagger-{n}.safetensors" for n in (1, 2))
    stamp = first.stat().st_mtime_ns
    second.unlink()
    (out / "answers.npz").unlink()
    taught(base, data, out, epochs=2, folds=2)
    assert (out / "answers.npz").read_bytes() == answers
    assert first.stat().st_mtime_ns == stamp


def test_what_is_weighted_with_nothing_is_answered_only(base: Path, data: Path, tmp_path: Path) -> None:
    from limen_quantize.answer_file import GivenAnswers

    unseen = tmp_path / "unseen.txt"
    unseen.write_text("x\tthe [[inn|health|s|21|The user has it.]] in it\n", encoding="utf-8")
    result = taught_from(base, (data, unseen), tmp_path / "out", source_weights={"corpus/unseen": 0.0})
    assert result.exit_code == 0, result.output
    found = GivenAnswers((str(tmp_path / "out" / "answers.npz"),)).of("the inn in it")
    assert found is not None
    assert (found.inside < 0.5).all()


def test_a_second_reading_is_learned_too(base: Path, data: Path, tmp_path: Path) -> None:
    """It marks nothing, and is the only one that is looked at."""
    from limen_quantize.answer_file import GivenAnswers
    from limen_quantize.errors import TrainingError
    from limen_quantize.queries import key_of
    from limen_quantize.readers import read

    queries = read(str(data))
    readings = tmp_path / "readings.jsonl"
    lines = [json.dumps({"query": key_of(query.text), "phrases": []}) for query in queries]
    readings.write_text("\n".join(lines) + "\n", encoding="utf-8")
    out = tmp_path / "out"
    second = {"files": [str(readings)], "share": 1.0}
    taught(base, data, out, source_weights={}, second_reading=second)
    answers = GivenAnswers((str(out / "answers.npz"),))
    for query in queries:
        found = answers.of(query.text)
        assert found is not None and found.leak < 0.5
    readings.write_text(readings.read_text() + json.dumps({"query": "0" * 16, "phrases": []}) + "\n")
    with pytest.raises(TrainingError, match="data has changed"):
        taught(base, data, out, source_weights={}, second_reading=second)


def test_a_mistake_leaves_no_record_in_the_way(base: Path, data: Path, tmp_path: Path) -> None:
    from limen_quantize.errors import DataError, TrainingError

    out = tmp_path / "out"
    with pytest.raises(TrainingError, match="no encoder could be loaded"):
        taught(tmp_path, data, out)
    with pytest.raises(DataError, match="cannot be read"):
        taught(base, data, out, second_reading={"files": [str(tmp_path / "missing.jsonl")]})
    with pytest.raises(TrainingError, match="reads 128 tokens; set max_tokens lower"):
        taught(base, data, out, max_tokens=256)
    with pytest.raises(TrainingError, match="source_weights"):
        taught(base, data, out, source_weights={"corpus": 0.0})
    taught(base, data, out, epochs=1)


def test_a_causal_model_that_is_no_gguf_file_is_refused(base: Path, data: Path, tmp_path: Path) -> None:
    import transformers

    from limen_quantize.errors import TrainingError

    folder = tmp_path / "llama"
    config = transformers.LlamaConfig(
        vocab_size=1100,
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=1,
        num_attention_heads=2,
        pad_token_id=1,
    )
    transformers.LlamaModel(config).save_pretrained(folder)
    (folder / "tokenizer.json").write_bytes((base / "tokenizer.json").read_bytes())
    with pytest.raises(TrainingError, match="do not see what follows; give a causal model as a GGUF file"):
        taught(folder, data, tmp_path / "out")


def test_layers_below_learn_more_slowly_and_what_all_build_on_most_slowly(tmp_path: Path) -> None:
    import transformers

    from limen_quantize.teaching.config import TeachingConfig
    from limen_quantize.teaching.taggers import EncoderTagger

    folder = tmp_path / "mpnet"
    config = transformers.MPNetConfig(
        vocab_size=50, hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=2
    )
    transformers.MPNetModel(config).save_pretrained(folder)
    settings = TeachingConfig(
        base=str(folder), data=("x",), out=tmp_path, rate=1e-4, head_rate=1e-3, layer_decay=0.5, max_tokens=64
    )
    tagger = EncoderTagger(settings)
    names = {id(parameter): name for name, parameter in tagger.network.named_parameters()}
    rates = {names[id(p)]: group["base_rate"] for group in tagger.groups(settings) for p in group["params"]}
    rate_of = {
        part: {rate for name, rate in rates.items() if part in name}
        for part in ("classifier", "layer.1.", "layer.0.", "relative_attention_bias", "word_embeddings")
    }
    assert rate_of == {
        "classifier": {1e-3},
        "layer.1.": {1e-4},
        "layer.0.": {5e-5},
        "relative_attention_bias": {2.5e-5},
        "word_embeddings": set(),
    }


def test_the_seed_decides_what_is_learned(base: Path, data: Path, tmp_path: Path) -> None:
    for name, seed in (("a", 0), ("b", 0), ("c", 1)):
        taught(base, data, tmp_path / name, epochs=3, seed=seed)
    a, b, c = ((tmp_path / name / "tagger.safetensors").read_bytes() for name in "abc")
    assert a == b
    assert b != c


def test_an_encoder_reads_the_name_of_a_control_token_as_text(base: Path, tmp_path: Path) -> None:
    from limen_quantize.teaching.config import TeachingConfig
    from limen_quantize.teaching.taggers import Base

    _, reader = Base(TeachingConfig(base=str(base), data=("x",), out=tmp_path, max_tokens=64)).tagger()
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
    real = real_file(data, tmp_path)
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


def test_what_nobody_annotated_is_answered_by_the_mean_of_all_taggers_trained_on(
    base: Path, data: Path, tmp_path: Path
) -> None:
    from limen_quantize.answer_file import GivenAnswers
    from limen_quantize.readers import read

    unread = tmp_path / "unread.txt"
    known = read(str(data))[0].text
    unread.write_text(f"in it zzz then\n%%\nthe end in it\n%%\n{known}\n%%\n我失眠了\n", encoding="utf-8")
    out = tmp_path / "teacher"
    united = {"files": [str(unread)], "epochs": 10, "rate": 1e-3, "head_rate": 1e-2}
    settings = {"source_weights": {}, "folds": 2, "unannotated": united}
    taught(base, data, out, **settings)
    answers = GivenAnswers((str(out / "answers.npz"),))
    for text, tells in (("in it zzz then", True), ("the end in it", False)):
        found = answers.of(text)
        assert found is not None
        start = max(text.find("zzz"), 0)
        assert (found.inside[start : start + 3] > 0.5).all() == tells
    assert answers.of("我失眠了") is None, "the taggers' languages say what is answered"
    taught(base, data, tmp_path / "folds", **{**settings, "unannotated": None})
    of_folds = GivenAnswers((str(tmp_path / "folds" / "answers.npz"),)).of(known)
    own = answers.of(known)
    assert own is not None and of_folds is not None
    assert np.allclose(own.inside, of_folds.inside, atol=1e-5), (
        "a known query is answered by who did not learn it"
    )
    record = json.loads((out / "run.json").read_text())
    assert [file["source"] for file in record["unannotated"]] == [str(unread)]
    assert (out / "tagger-united.safetensors").is_file()

    before = (out / "answers.npz").read_bytes()
    taught(base, data, out, **settings)
    assert (out / "answers.npz").read_bytes() == before, "nothing is trained again"
    unread.write_text("the end\n", encoding="utf-8")
    from limen_quantize.errors import TrainingError

    with pytest.raises(TrainingError, match="data has changed"):
        taught(base, data, out, **settings)


@pytest.mark.parametrize(
    ("content", "said"), [(None, "cannot be read"), ("我失眠了", "no text in en"), ("", "holds no query")]
)
def test_unannotated_files_are_read_before_the_taggers_are_trained(
    base: Path, data: Path, tmp_path: Path, content: str | None, said: str
) -> None:
    from limen_quantize.errors import DataError

    unread = tmp_path / "unread.txt"
    if content is not None:
        unread.write_text(content, encoding="utf-8")
    with pytest.raises(DataError, match=said):
        taught(base, data, tmp_path / "teacher", unannotated={"files": [str(unread)]})
    assert not list((tmp_path / "teacher").glob("tagger*"))


def test_without_further_training_the_united_tagger_is_the_mean_of_the_folds_weights(
    base: Path, data: Path, tmp_path: Path
) -> None:
    import torch
    from safetensors.torch import load_file

    unread = tmp_path / "unread.txt"
    unread.write_text("in it zzz then\n", encoding="utf-8")
    out = tmp_path / "teacher"
    taught(base, data, out, source_weights={}, folds=2, unannotated={"files": [str(unread)], "epochs": 0})
    first, second, united = (load_file(out / f"tagger-{name}.safetensors") for name in ("1", "2", "united"))
    for name, value in united.items():
        mean = (first[name].float() + second[name].float()) / 2
        assert torch.allclose(value.float(), mean, atol=1e-2, rtol=1e-2)
