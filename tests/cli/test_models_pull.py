"""`limen models pull` against a hub of our own on this machine, spoken to by the real client."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("huggingface_hub") is None, reason="huggingface_hub is not installed"
)

COMMIT = "a" * 40


@dataclass
class Hub:
    """Serves one repository; `cut_once` names a file whose first download ends half-way."""

    files: dict[str, bytes]
    cut_once: str | None = None
    ranges: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    url: str = ""


def _handler(hub: Hub) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_HEAD(self) -> None:
            self._answer(body=False)

        def do_GET(self) -> None:
            self._answer(body=True)

        def _answer(self, *, body: bool) -> None:
            found = re.fullmatch(r"/acme/tiny/resolve/[\w.-]+/([\w.-]+)", self.path.partition("?")[0])
            content = hub.files.get(found.group(1)) if found else None
            if found is None or content is None:
                self.send_response(404)
                self.send_header("X-Error-Code", "EntryNotFound" if found else "RepoNotFound")
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            name = found.group(1)
            hub.asked.append(name)
            start = 0
            if asked := self.headers.get("Range"):
                start = int(asked.removeprefix("bytes=").partition("-")[0])
                hub.ranges.append(asked)
            self.send_response(206 if start else 200)
            self.send_header("X-Repo-Commit", COMMIT)
            self.send_header("ETag", f'"{hashlib.sha256(content).hexdigest()}"')
            self.send_header("Content-Length", str(len(content) - start))
            if start:
                self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
            self.end_headers()
            if not body:
                return
            if hub.cut_once == name and not start:
                hub.cut_once = None
                self.wfile.write(content[: len(content) // 2])
                self.close_connection = True
                return
            self.wfile.write(content[start:])

        def log_message(self, format: str, *args: object) -> None:
            pass

    return Handler


@pytest.fixture
def hub() -> Iterator[Hub]:
    # 25 MB: the client writes in steps of 10 MB, so half of it leaves something to go on from.
    weights = numpy_helper.from_array(np.random.default_rng(0).random((2500, 2500), dtype=np.float32), "w")
    graph = helper.make_graph(
        [helper.make_node("MatMul", ["x", "w"], ["y"])],
        "g",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 2500])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 2500])],
        initializer=[weights],
    )
    files = {"model.onnx": helper.make_model(graph).SerializeToString(), "config.json": b"{}"}
    listed = [
        {"file": name, "bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
        for name, content in files.items()
    ]
    manifest = {"name": "tiny", "version": "1", "format": "onnx", "licence": "MIT", "files": listed}
    served = Hub(
        {**files, "manifest.json": json.dumps(manifest).encode(), "unlisted.bin": b"never asked for"}
    )
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(served))
    served.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield served
    server.shutdown()
    thread.join()
    server.server_close()


def limen(tmp_path: Path, hub_url: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    environ = {name: value for name, value in os.environ.items() if not name.startswith(("HF_", "LIMEN_"))}
    environ |= {
        "HF_ENDPOINT": hub_url,
        "HF_HOME": str(tmp_path / "hf"),
        "XDG_DATA_HOME": str(tmp_path / "share"),
        "NO_PROXY": "127.0.0.1",
    }
    return subprocess.run(
        [sys.executable, "-m", "limen_daemon", "models", *arguments],
        env=environ, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip


def trusted(hub: Hub) -> str:
    return hashlib.sha256(hub.files["manifest.json"]).hexdigest()


def test_a_pulled_model_is_verified_and_listed(hub: Hub, tmp_path: Path) -> None:
    done = limen(tmp_path, hub.url, "pull", "acme/tiny", "--i-trust-this", trusted(hub))
    assert done.returncode == 0, done.stderr
    assert "limen models use tiny" in done.stdout
    assert "tiny: whole" in limen(tmp_path, hub.url, "verify", "tiny").stdout
    assert "unlisted.bin" not in hub.asked
    assert not list((tmp_path / "share" / "limen" / "models").glob(".*"))


def test_a_download_that_was_cut_goes_on_where_it_stopped(hub: Hub, tmp_path: Path) -> None:
    hub.cut_once = "model.onnx"
    done = limen(tmp_path, hub.url, "pull", "acme/tiny", "--i-trust-this", trusted(hub))
    if done.returncode != 0:
        assert "goes on where it stopped" in done.stderr
        done = limen(tmp_path, hub.url, "pull", "acme/tiny", "--i-trust-this", trusted(hub))
    assert done.returncode == 0, done.stderr
    assert hub.ranges
    assert "tiny: whole" in limen(tmp_path, hub.url, "verify", "tiny").stdout


def test_a_manifest_that_is_not_the_trusted_one_stops_the_pull(hub: Hub, tmp_path: Path) -> None:
    done = limen(tmp_path, hub.url, "pull", "acme/tiny", "--i-trust-this", "0" * 64)
    assert done.returncode == 1
    assert "not the one that you trust" in done.stderr
    assert "model.onnx" not in hub.asked


def test_a_file_that_differs_from_its_manifest_is_not_installed(hub: Hub, tmp_path: Path) -> None:
    hub.files["config.json"] = b"[]"
    done = limen(tmp_path, hub.url, "pull", "acme/tiny", "--i-trust-this", trusted(hub))
    assert done.returncode == 1
    assert "not the file that the manifest describes" in done.stderr
    assert "tiny" not in limen(tmp_path, hub.url, "list").stdout


@pytest.mark.parametrize(
    ("repository", "words"),
    [("acme/other", "no model acme/other"), ("tiny", "owner/name"), ("../../etc", "owner/name")],
)
def test_a_wrong_name_is_one_clear_sentence(hub: Hub, tmp_path: Path, repository: str, words: str) -> None:
    done = limen(tmp_path, hub.url, "pull", repository, "--i-trust-this", trusted(hub))
    assert done.returncode == 1
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def test_without_a_connection_it_says_to_run_again(tmp_path: Path) -> None:
    done = limen(tmp_path, "http://127.0.0.1:9", "pull", "acme/tiny", "--i-trust-this", "0" * 64)
    assert done.returncode == 1
    assert "run the same command again" in done.stderr
    assert "Traceback" not in done.stderr
