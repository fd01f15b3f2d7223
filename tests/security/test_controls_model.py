"""Controls of the rules around models and processes: the same attacks with one rule off. They succeed."""

from __future__ import annotations

import ast
import hashlib
import io
import os
import shutil
import struct
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from harness.small_detector import SmallDetector
from limen_daemon.detector.generative.gguf_file import check_gguf
from limen_daemon.detector.generative.rows import Row, RowReader, SpanPlacer, write_rows
from limen_daemon.detector.onnx import OnnxDetector
from limen_daemon.detector.protocol import Detection
from limen_daemon.detector.union import UnionDetector
from limen_daemon.errors import ModelDamaged, ModelMissing
from limen_daemon.models import manifest
from limen_daemon.models.folders import DEFAULT_MODEL
from limen_daemon.models.registry import find_model
from security.test_injection import ATTACKS, SECRETS
from security.test_model_files import _gguf

ROOT = Path(__file__).resolve().parents[2]
TESTS = ROOT / "tests"


@pytest.fixture(scope="module")
def folder() -> Path:
    try:
        return find_model(DEFAULT_MODEL).folder
    except ModelMissing:
        pytest.skip("the shipped model is not there")


def test_model_hash_control(tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the hash a changed model is loaded, and asked."""
    copy = tmp_path / DEFAULT_MODEL
    shutil.copytree(folder, copy)
    content = bytearray((copy / "model.onnx").read_bytes())
    content[len(content) // 2] ^= 1
    (copy / "model.onnx").write_bytes(content)
    with pytest.raises(ModelDamaged):
        OnnxDetector(copy)
    entries = {entry.sha256 for entry in manifest.read_manifest(copy).files}

    class Blind(str):
        """A digest that is equal to whatever is expected."""

        def __ne__(self, other: object) -> bool:
            return other not in entries

        def __eq__(self, other: object) -> bool:
            return other in entries

        __hash__ = str.__hash__

    blind = SimpleNamespace(sha256=lambda data=b"": SimpleNamespace(hexdigest=lambda: Blind("x")))
    monkeypatch.setattr(manifest, "hashlib", blind)
    detector = OnnxDetector(copy)
    detector.detect("my 3 year old")
    detector.close()
    assert hashlib.sha256(content).hexdigest() not in entries


def test_gguf_hostile_control() -> None:
    """A loader that believes the header reads a tensor beyond the end of its file."""
    data = bytearray(_gguf())
    at = data.rindex(struct.pack("<QQIQ", 8, 8, 0, 0)) + 20
    data[at : at + 8] = struct.pack("<Q", 1 << 20)
    offset = struct.unpack_from("<Q", data, at)[0]
    assert offset > len(data), "what a mapped file would give out there belongs to someone else"
    with pytest.raises(ModelDamaged, match="beyond the end"):
        check_gguf(io.BytesIO(bytes(data)))


def test_gguf_templates_have_no_reader() -> None:
    """Nothing in Limen's code knows how to render a template: there is no such call, import or field."""
    words = {
        "chat_template",
        "jinja2",
        "Jinja2ChatFormatter",
        "create_chat_completion",
        "apply_chat_template",
    }
    words |= {"chat_handler", "Llama"}
    packages = ("daemon", "profiles", "quantize", "eval")
    for path in (path for package in packages for path in (ROOT / package).rglob("*.py")):
        names: set[str] = set()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names |= {
                getattr(node, field)
                for field in ("id", "attr", "name")
                if isinstance(getattr(node, field, None), str)
            }
            if isinstance(node, ast.ImportFrom):
                names.add((node.module or "").partition(".")[0])
        assert not names & words, path


def test_gguf_endless_template_control() -> None:
    """Rendered in a sandbox, as llama-cpp-python does it, an endless template does not come back."""
    pytest.importorskip("jinja2", reason="Jinja comes with torch (extra train), and is not installed")
    endless = "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}"
    code = (
        "import sys; from jinja2.sandbox import ImmutableSandboxedEnvironment as E;"
        "print('starts', flush=True); E().from_string(sys.argv[1]).render()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, endless], stdout=subprocess.PIPE, text=True
    ) as rendering:
        assert rendering.stdout is not None
        assert rendering.stdout.readline() == "starts\n"
        with pytest.raises(subprocess.TimeoutExpired):
            rendering.wait(2)
        rendering.kill()


_IN_ONE_PROCESS = """
import asyncio, os
from harness.small_detector import SmallDetector
from limen_daemon.lanes.thread import ThreadLane

class Crashing(SmallDetector):
    def detect(self, text, *, context=None):
        os.kill(os.getpid(), 11)

async def main():
    await ThreadLane(Crashing(), queue_size=1, deadline_s=30).detect("crash")

asyncio.run(main())
"""


@pytest.mark.skipif(os.name != "posix", reason="signals are POSIX")
def test_worker_crash_control() -> None:
    """A detector inside the daemon takes the daemon along when it crashes."""
    done = subprocess.run(
        [sys.executable, "-c", _IN_ONE_PROCESS], cwd=TESTS, check=False, capture_output=True
    )
    assert done.returncode == -11


class Obedient(SmallDetector):
    """A model that does what the text tells it to: whoever writes "ignore" is not checked."""

    def detect(self, text: str, *, context: str | None = None) -> Detection:
        return Detection(findings=(), leak_score=0.0, checked_by="model")


@pytest.mark.parametrize(("patterns", "is_found"), [(True, True), (False, False)])
def test_inject_suppress_control(patterns: bool, is_found: bool) -> None:
    """Alone, a model that was talked into silence is silent; in union, the recognizers' findings stay."""
    detector = UnionDetector(Obedient(), patterns=patterns)
    for attack in ATTACKS:
        phrases = " | ".join(finding.phrase for finding in detector.detect(attack).findings)
        assert all((secret in phrases) == is_found for secret in SECRETS)


def test_inject_forge_control() -> None:
    """Read as they come, a model's answers name phrases that nobody typed, and thousands of them."""
    text = "I live in Leeds."
    answer = write_rows([Row("London", "location", "user", 2, 2, "The user lives in London.")] * 10_000)
    rows = RowReader().feed(answer, 0.9)
    assert len(rows) == 10_000
    assert all(row.values[0] not in text for row in rows)
    placer = SpanPlacer(text)
    assert not any(placer.place(row) for row in rows)


_RUNAWAY = "import re; print('starts', flush=True); re.match(r'(a+)+$', 'a' * 40 + '!')"


def test_redos_control() -> None:
    """One pattern of the other kind does not end on forty characters."""
    with subprocess.Popen([sys.executable, "-c", _RUNAWAY], stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == "starts\n"
        with pytest.raises(subprocess.TimeoutExpired):
            running.wait(2)
        running.kill()


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_argv_env_control() -> None:
    """A program that is given a secret as an argument, or in its environment, shows it to everyone."""
    secret = "s" * 43
    with subprocess.Popen(
        [sys.executable, "-c", "print('ready', flush=True); input()", secret],
        env={**os.environ, "SECRET": secret},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == b"ready\n"
        folder = Path(f"/proc/{program.pid}")
        assert secret.encode() in (folder / "cmdline").read_bytes()
        assert secret.encode() in (folder / "environ").read_bytes()
        program.kill()
