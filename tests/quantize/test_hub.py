"""Reading a data set through the `datasets` library, from a folder laid out as on the hub."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from limen_daemon.errors import ExtraMissing
from limen_quantize.readers import read
from limen_quantize.readers.hub import read_hub


def test_without_the_extra_one_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "datasets", None)
    with pytest.raises(ExtraMissing, match=r"limen\[train\]"):
        read("owner/name")


@pytest.mark.train
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_published_folder_reads_through_the_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    datasets = pytest.importorskip("datasets", reason="needs the train extra: pip install 'limen[train]'")
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path / "cache")
    folder = tmp_path / "published"
    folder.mkdir()
    records = [
        {
            "id": "a",
            "conversation": [
                {
                    "user": "I'm a nurse",
                    "assistant": "Hi",
                    "privacy": [{"phrase": "nurse", "privacy information": "The user is a nurse."}],
                },
                {"user": "thanks", "assistant": "Bye", "privacy": []},
            ],
        }
    ]
    (folder / "train.json").write_text(json.dumps(records), encoding="utf-8")
    queries = read_hub(str(folder))
    assert [query.text for query in queries] == ["I'm a nurse", "thanks"]
    assert [queries[0].text[p.start : p.end] for p in queries[0].phrases] == ["nurse"]
