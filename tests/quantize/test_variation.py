"""Variants of queries: what is exchanged for what, and what stays."""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

pytestmark = pytest.mark.train

NEEDS = "needs the train extra: pip install 'limen[train]'"


def varied(text: str, share: float = 1.0, seed: int = 0) -> str:
    pytest.importorskip("torch", reason=NEEDS)
    from limen_quantize.variation import vary

    neighbours = {"son": ["daughter"], "asthma": ["eczema"]}
    return vary(text, neighbours, ["Miriam", "Oduya"], share=share, rng=random.Random(seed))


def test_words_take_a_neighbours_place_in_their_own_case() -> None:
    assert varied("my son, Son and SON: asthma.") == "my daughter, Daughter and DAUGHTER: eczema."


def test_names_without_neighbours_take_another_name_and_numbers_other_digits() -> None:
    names = {varied("Ask Miriam", seed=seed) for seed in range(12)}
    assert names == {"Ask Miriam", "Ask Oduya"}, "the word that begins the sentence is no name"
    changed = varied("before 1987-05 (room 12b), or me")
    numbers = changed.split("before ")[1]
    year, month = numbers[:4], numbers[5:7]
    assert (year, month) != ("1987", "05") and year.isdigit() and month.isdigit()
    assert numbers[4] == "-" and numbers[7:14] == " (room " and changed.endswith("b), or me")


def test_names_are_capitalized_words_within_sentences_that_are_no_function_words(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("torch", reason=NEEDS)
    from limen_quantize import variation

    monkeypatch.setattr(variation, "_FUNCTION_WORDS", 1)

    texts = ["tell the team, The boss likes YouTube", "ask Oduya in London", "Please call Oduya"]
    texts += ["the the the the"]
    assert variation.names_in(texts, {"london": ["paris"]}) == ["Oduya"]


def test_a_part_of_the_words_stays() -> None:
    text = "son " * 400
    changed = varied(text, share=0.25).split().count("daughter")
    assert 70 < changed < 130
    assert varied(text, share=0.0) == text
    assert varied(text, share=0.5, seed=1) != varied(text, share=0.5, seed=2)


def test_neighbours_are_near_by_direction_and_nearest_first() -> None:
    pytest.importorskip("torch", reason=NEEDS)
    from limen_quantize.variation import nearest

    words = ["cat", "dog", "fox", "rent", "lease"]
    rows = np.array([[3, 0.2], [3, 0.5], [6, 2.2], [0.1, 4], [-0.1, 2]], dtype=np.float32)
    found = nearest(words, rows)
    assert found["rent"] == ["lease"]
    assert found["cat"][0] == "dog"
    assert "rent" not in found["cat"]


@pytest.fixture(name="encoder", scope="module")
def fixture_encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A random BERT whose pieces are whole words; "asthma" and "eczema" have all but the same vector."""
    torch = pytest.importorskip("torch", reason=NEEDS)
    import transformers
    from tokenizers import Tokenizer, models, pre_tokenizers

    folder = tmp_path_factory.mktemp("encoder")
    pieces = ["[UNK]", "[PAD]", "asthma", "eczema", "rent", "porto", "lisbon"]
    tokenizer = Tokenizer(
        models.WordLevel({piece: row for row, piece in enumerate(pieces)}, unk_token="[UNK]")
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, unk_token="[UNK]", pad_token="[PAD]"
    ).save_pretrained(folder)
    transformers.set_seed(1)
    config = transformers.BertConfig(
        vocab_size=len(pieces), hidden_size=32, num_hidden_layers=1, num_attention_heads=2, pad_token_id=1
    )
    network = transformers.BertModel(config)
    with torch.no_grad():
        rows = network.get_input_embeddings().weight
        rows[3] = rows[2] + 0.001
    network.save_pretrained(folder)
    return folder


def test_the_command_writes_variants_of_english_queries_outside_the_held_out_part(
    encoder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from limen_quantize import variation
    from limen_quantize.commands.vary import vary
    from limen_quantize.readers import read, read_unannotated
    from limen_quantize.split import split

    monkeypatch.setattr(variation, "_FUNCTION_WORDS", 1)
    words = ("asthma", "eczema")
    texts = [f"does {words[number % 2]} come back in week {number} of it" for number in range(40)]
    entries = [{"id": str(n), "source": "real", "query": text, "privacy": []} for n, text in enumerate(texts)]
    entries += [{"id": "zh", "source": "real", "query": "我失眠三周了 asthma", "privacy": []}]
    data = tmp_path / "real.json"
    data.write_text(json.dumps(entries), encoding="utf-8")
    out = tmp_path / "variants" / "en.txt"
    given = ["--encoder", str(encoder), "--data", str(data), "--out", str(out)]
    settings = ['--set=source_weights={"real": 2}', "--set=share=[1.0, 1.0]", "--set=holdout=0.4"]
    result = CliRunner().invoke(vary, [*given, *settings])
    assert result.exit_code == 0, (result.output, result.exception)
    written = [query.text for query in read_unannotated(out)]
    kept, held_out = split(read(str(data)), 0.4)
    assert held_out and len(kept) < len(written) <= 2 * len(kept)
    assert f"{len(written)} variants" in result.output
    assert not set(written) & set(texts)
    assert {" ".join(text.split()[:6]) for text in written} == {
        f"does {word} come back in week" for word in words
    }
    first = out.read_bytes()
    again = tmp_path / "again.txt"
    result = CliRunner().invoke(vary, [*given[:-1], str(again), *settings])
    assert result.exit_code == 0, (result.output, result.exception)
    assert again.read_bytes() == first, "the same seed writes the same variants"


def test_an_encoder_that_is_none_is_named(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason=NEEDS)
    from limen_quantize.errors import TrainingError
    from limen_quantize.variation import neighbours_in

    with pytest.raises(TrainingError, match="no encoder could be loaded"):
        neighbours_in(str(tmp_path), ["a text"])
