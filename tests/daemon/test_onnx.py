"""The ONNX detector on a small real graph made here, and on the shipped model where it is present."""

from __future__ import annotations

import hashlib
import json
import threading
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

from limen_daemon.detector.layout import LabelLayout
from limen_daemon.detector.onnx import OnnxDetector
from limen_daemon.detector.windows import WINDOW_TOKENS
from limen_daemon.errors import ConfigError, DetectorError, ModelDamaged, ModelMissing
from limen_daemon.findings import Category, Subject
from limen_daemon.models.folders import DEFAULT_MODEL, shipped_folder

WORDS = ["<s>", "</s>", "<unk>", "i", "have", "diabetes", "my", "son", "the", "weather", "is", "fine", "."]
LAYOUT = LabelLayout.standard()


def make_tokenizer() -> Tokenizer:
    tokenizer = Tokenizer(models.WordLevel({word: i for i, word in enumerate(WORDS)}, unk_token="<unk>"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 1)]
    )
    return tokenizer


def make_graph() -> onnx.ModelProto:
    """A classifier that looks its logits up by token: "diabetes" begins a health phrase, "son" one of age."""
    table = np.zeros((len(WORDS), LAYOUT.width), dtype=np.float32)
    table[:, LAYOUT.columns["tag"][0]] = 4.0
    table[0, LAYOUT.columns["leak"][1]] = 4.0
    for word, category, subject in (("diabetes", Category.HEALTH, 0), ("son", Category.RELATIONSHIP, 1)):
        row = WORDS.index(word)
        table[row, LAYOUT.columns["tag"][1]] = 9.0
        table[row, LAYOUT.columns["category"][list(Category).index(category)]] = 5.0
        table[row, LAYOUT.columns["subject"][subject]] = 5.0
        table[row, LAYOUT.columns["granularity"][1]] = 5.0
        table[row, LAYOUT.columns["identifiability"][2]] = 5.0
    vectors = np.eye(len(WORDS), 4, dtype=np.float32)
    nodes = [
        helper.make_node("Gather", ["table", "input_ids"], ["logits"]),
        helper.make_node("Gather", ["vectors", "input_ids"], ["hidden"]),
        helper.make_node("ReduceSum", ["hidden", "axis"], ["sentence"], keepdims=0),
        helper.make_node("Identity", ["attention_mask"], ["unused_mask"]),
    ]
    shape = ["batch", "sequence"]
    graph = helper.make_graph(
        nodes,
        "tiny",
        [helper.make_tensor_value_info(n, TensorProto.INT64, shape) for n in ("input_ids", "attention_mask")],
        [
            helper.make_tensor_value_info("logits", TensorProto.FLOAT, [*shape, LAYOUT.width]),
            helper.make_tensor_value_info("sentence", TensorProto.FLOAT, ["batch", 4]),
        ],
        [
            numpy_helper.from_array(table, "table"),
            numpy_helper.from_array(vectors, "vectors"),
            numpy_helper.from_array(np.asarray([1], dtype=np.int64), "axis"),
        ],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=10)


def make_folder(folder: Path, **manifest: object) -> Path:
    folder.mkdir(exist_ok=True)
    onnx.save(make_graph(), str(folder / "model.onnx"))
    make_tokenizer().save(str(folder / "tokenizer.json"))
    (folder / "config.json").write_text(json.dumps({"id2label": LAYOUT.id2label()}))
    files = [describe(folder / name) for name in ("model.onnx", "tokenizer.json", "config.json")]
    fields = {"name": "tiny", "version": "3", "format": "onnx", "licence": "Apache-2.0", "files": files}
    (folder / "manifest.json").write_text(json.dumps({**fields, **manifest}))
    return folder


def describe(path: Path) -> dict[str, object]:
    content = path.read_bytes()
    return {"file": path.name, "bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}


@pytest.fixture(name="folder")
def fixture_folder(tmp_path: Path) -> Path:
    return make_folder(tmp_path / "tiny")


@pytest.fixture(name="detector")
def fixture_detector(folder: Path) -> OnnxDetector:
    return OnnxDetector(folder, device="cpu")


def test_findings_carry_what_every_head_says(detector: OnnxDetector):
    text = "👋🏽 I have diabetes."
    (finding,) = detector.detect(text).findings
    assert text[finding.start : finding.end] == finding.phrase == "diabetes"
    assert (finding.category, finding.subject) == (Category.HEALTH, Subject.USER)
    assert (finding.granularity, finding.identifiability) == (2, 3)
    assert (finding.source, finding.tier) == ("model", "disclosure")


def test_info_says_which_model_runs_where(detector: OnnxDetector):
    assert detector.info.id == "tiny-3"
    assert (detector.info.format, detector.info.device) == ("onnx", "cpu")


def test_a_blank_text_is_checked_and_empty(detector: OnnxDetector):
    answer = detector.detect(" \n\t ")
    assert (answer.findings, answer.leak_score, answer.checked_by) == ((), 0.0, "model")


def test_a_text_without_phrases_has_none_though_the_leak_head_is_sure(detector: OnnxDetector):
    assert detector.detect("the weather is fine").findings == ()


def test_long_text_is_checked_to_its_end_without_seams(detector: OnnxDetector):
    filler = "the weather is fine. " * (WINDOW_TOKENS // 2)
    text = filler + "my son has diabetes. " + filler + "I have diabetes."
    found = detector.detect(text).findings
    assert [finding.phrase for finding in found] == ["son", "diabetes", "diabetes"]
    assert all(text[finding.start : finding.end] == finding.phrase for finding in found)


def test_every_phrase_of_a_long_text_is_found_once_wherever_windows_meet(detector: OnnxDetector):
    text = "diabetes . " * (2 * WINDOW_TOKENS)
    assert len(detector.detect(text).findings) == 2 * WINDOW_TOKENS


def test_the_manifest_carries_the_decoding_rules(tmp_path: Path):
    strict = make_folder(tmp_path / "strict", decoding={"min_leak": 1.0})
    assert OnnxDetector(strict, device="cpu").detect("I have diabetes").findings == ()


def test_threads_may_share_one_detector(detector: OnnxDetector):
    texts = ["I have diabetes", "the weather is fine", "my son"] * 10
    expected = [detector.detect(text) for text in texts]
    answers: dict[int, object] = {}

    def work(at: int) -> None:
        answers[at] = detector.detect(texts[at])

    threads = [threading.Thread(target=work, args=(at,)) for at in range(len(texts))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [answers[at] for at in range(len(texts))] == expected


def test_sentence_vectors_have_length_one(detector: OnnxDetector):
    vectors = detector.embed(["I have", "the weather"])
    assert vectors.shape == (2, 4) and vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0)


def test_a_closed_detector_says_so(detector: OnnxDetector):
    detector.close()
    detector.close()
    with pytest.raises(DetectorError, match="closed"):
        detector.detect("I have diabetes")


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json", "config.json"])
def test_a_changed_file_is_refused(folder: Path, name: str):
    content = bytearray((folder / name).read_bytes())
    content[len(content) // 2] ^= 1
    (folder / name).write_bytes(content)
    with pytest.raises(ModelDamaged, match=name):
        OnnxDetector(folder)


def test_a_missing_file_is_named(folder: Path):
    (folder / "model.onnx").unlink()
    with pytest.raises(ModelMissing, match=r"model\.onnx"):
        OnnxDetector(folder)


def test_a_device_that_is_not_there_is_refused(folder: Path):
    with pytest.raises(ConfigError, match="CUDA"):
        OnnxDetector(folder, device="cuda")
    with pytest.raises(ConfigError, match="auto, cpu or cuda"):
        OnnxDetector(folder, device="abacus")


def test_wrong_decoding_rules_are_refused(tmp_path: Path):
    with pytest.raises(ModelDamaged, match="decoding"):
        OnnxDetector(make_folder(tmp_path / "odd", decoding={"min_leak": 7}))


@pytest.fixture(name="shipped", scope="module")
def fixture_shipped() -> OnnxDetector:
    folder = shipped_folder() / DEFAULT_MODEL
    if not (folder / "model.onnx").is_file():
        pytest.skip(f"the shipped model is not at {folder}")
    return OnnxDetector(folder, device="cpu")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (
            "How much should I charge for web design by hour with profit if I need to make $8000 a month",
            "$8000",
        ),
        ("I'm a teacher in China, majoring in computer science. I will go back home to London.", "teacher"),
        ("我妈72了，左膝置换以后下楼梯还是疼", "左膝置换"),
        ("my 3 year old repeats syllables twice and I'm worried", "3 year old"),
    ],
)
def test_the_shipped_model_finds_what_discloses(shipped: OnnxDetector, text: str, wanted: str):
    found = shipped.detect(text).findings
    assert any(wanted in item.phrase for item in found)
    assert all(text[item.start : item.end] == item.phrase for item in found)


@pytest.mark.parametrize(
    "text",
    [
        "How to go from Shanghai to London?",
        "Write a story about Jane, a 34 year old nurse in Leeds.",
        "这部电影谁导演的",
    ],
)
def test_the_shipped_model_stays_silent_where_nothing_discloses(shipped: OnnxDetector, text: str):
    assert shipped.detect(text).findings == ()


def test_the_shipped_model_checks_a_hundred_thousand_characters(shipped: OnnxDetector):
    paragraph = "The museum opens at nine and closes at five. Tickets are sold at the door.\r\n"
    telling = "I was diagnosed with type 2 diabetes last month and my insulin dose was doubled.\r\n"
    text = paragraph * 700 + telling + paragraph * 620
    assert len(text) > 100_000
    found = shipped.detect(text).findings
    assert any("diabetes" in item.phrase for item in found)
    assert all(text[item.start : item.end] == item.phrase for item in found)


def test_the_shipped_models_vectors_tell_like_meaning_from_unlike(shipped: OnnxDetector):
    one, like, unlike = shipped.embed(
        [
            "My knee still hurts after surgery.",
            "After the operation my knee is painful.",
            "Sell me a red bicycle.",
        ]
    )
    assert one @ like > one @ unlike
