"""A GGUF model whose file carries a hostile chat template: Limen never reads it."""

from __future__ import annotations

import asyncio
from importlib.util import find_spec
from pathlib import Path

import pytest

from limen_daemon.detector.gguf import GgufDetector, GgufSettings
from limen_eval.llm.gguf import GgufModel
from limen_eval.llm.model import ChatRequest

MISSING = [name for name in ("gguf", "llama_cpp") if find_spec(name) is None]
pytestmark = [
    pytest.mark.gguf,
    pytest.mark.skipif(
        bool(MISSING),
        reason=f"{', '.join(MISSING)} is not installed (extras gguf and train; compiles llama.cpp)",
    ),
]

TEXT = "My sister Ana lives in Leeds."
HOSTILE = {
    "runs code": "{{ cycler.__init__.__globals__.os.system('touch PROOF') }}",
    "never ends": "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}",
    "says no leak": "{{ 'no' }}",
    "no template": "{% if",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_gguf_template(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """The answer is the one of the same model without a template, and nothing was run."""
    import gguf

    from harness.tiny_gguf import write_tiny_gguf

    proof = tmp_path / "proof"
    plain = write_tiny_gguf(tmp_path / "plain.gguf", seed=3)
    write_header = gguf.GGUFWriter.write_header_to_file

    def with_template(self: object, *args: object, **kw: object) -> object:
        self.add_chat_template(HOSTILE[name].replace("PROOF", str(proof)))  # type: ignore[attr-defined]
        return write_header(self, *args, **kw)

    monkeypatch.setattr(gguf.GGUFWriter, "write_header_to_file", with_template)
    hostile = write_tiny_gguf(tmp_path / "hostile.gguf", seed=3)
    assert b"tokenizer.chat_template" in hostile.read_bytes()
    settings = GgufSettings(leak_threshold=1e-9, deadline_s=120)
    answers = []
    for path in (plain, hostile):
        with GgufDetector(path, settings=settings, device="cpu") as detector:
            answers.append(detector.detect(TEXT).model_dump())
    assert answers[0] == answers[1]
    request = ChatRequest(model="m", system="Say it.", user=TEXT, max_tokens=8)
    said = [asyncio.run(_ask(path, request)) for path in (plain, hostile)]
    assert said[0] == said[1]
    assert not proof.exists()


async def _ask(path: Path, request: ChatRequest) -> str:
    """What evaluation gets from the model: the other way in which Limen asks a GGUF file."""
    model = GgufModel(path, context_tokens=512)
    try:
        return (await model.complete(request)).text
    finally:
        await model.close()
