"""A tiny random encoder with its tokenizer, and a small training file, all made here."""

from __future__ import annotations

from pathlib import Path

import pytest

NEEDS = "needs the train extra: pip install 'limen[train]'"

CORPUS = """\
health\tI have [[diabetes|health|s|21|The user has diabetes.]] and I am [[worried|emotion|s|11|They worry.]]
travel\thow far is porto from lisbon
family\t[[my son|relationship|r|11|The user has a son.]] is [[ten|age|r|22|The user's son is ten.]]
health\t我[[失眠三周|health|s|21|用户失眠三周了。]]了
travel\t这部电影谁导演的
"""


@pytest.fixture(name="corpus", scope="session")
def fixture_corpus() -> str:
    return CORPUS


@pytest.fixture(name="corpus_file")
def fixture_corpus_file(tmp_path: Path, corpus: str) -> Path:
    path = tmp_path / "tiny.txt"
    path.write_text(corpus, encoding="utf-8")
    return path


@pytest.fixture(name="base", scope="session")
def fixture_base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a two-layer random BERT and a character tokenizer; skips without the train extra."""
    pytest.importorskip("torch", reason=NEEDS)
    transformers = pytest.importorskip("transformers", reason=NEEDS)
    from tokenizers import Regex, Tokenizer, models, pre_tokenizers, processors

    folder = tmp_path_factory.mktemp("base")
    characters = sorted({char for char in CORPUS if not char.isspace()})
    vocabulary = {token: i for i, token in enumerate(["<s>", "<pad>", "</s>", "<unk>", *characters])}
    vocabulary |= {f"<extra{i}>": i for i in range(len(vocabulary), 1100)}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Split(Regex("."), "isolated")]
    )
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    tokenizer.save(str(folder / "tokenizer.json"))
    config = transformers.BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=128,
        pad_token_id=1,
    )
    transformers.set_seed(0)
    transformers.BertModel(config).save_pretrained(folder)
    return folder


@pytest.fixture(scope="session")
def tiny_gguf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny real causal model."""
    pytest.importorskip("gguf", reason="the gguf package (extra train) is not installed")
    from harness.tiny_gguf import write_tiny_gguf

    return write_tiny_gguf(tmp_path_factory.mktemp("tiny") / "tiny.gguf")
