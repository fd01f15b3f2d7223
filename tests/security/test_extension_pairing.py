"""The extension's end (`sealed.ts`, run by Node) against the daemon's: they agree, byte for byte."""

from __future__ import annotations

import asyncio
import hmac
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, derive_private_key
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from harness.browser_end import Terminal, as_bytes
from harness.daemon import DETECT, EXTENSION, FIREFOX_EXTENSION, running
from limen_daemon.gate.origins import SHIPPED_ORIGIN
from limen_daemon.pairing.agreement import Hello, agree, new_private_key, point_of, proof
from limen_daemon.pairing.code import new_code, shown
from limen_daemon.pairing.encoding import encode
from limen_daemon.pairing.service import PairingService
from limen_daemon.pairing.store import PairingFile

ROOT = Path(__file__).resolve().parents[2]
NEEDLE = "needle-4711"


@pytest.fixture(scope="module")
def peer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The extension's code as a program for Node."""
    esbuild = ROOT / "extension" / "node_modules" / ".bin" / "esbuild"
    if shutil.which("node") is None or not esbuild.exists():
        pytest.skip("this needs Node.js and the extension's packages (make extension)")
    import subprocess

    out = tmp_path_factory.mktemp("peer") / "peer.mjs"
    source = ROOT / "tests" / "harness" / "sealed_peer.ts"
    command = [esbuild, source, "--bundle", "--platform=node", "--format=esm", f"--outfile={out}"]
    subprocess.run(command, check=True, capture_output=True)
    return out


async def run_peer(peer: Path, port: int, origin: str, code: str, body: object) -> dict[str, Any]:
    process = await asyncio.create_subprocess_exec(
        "node", str(peer), str(port), origin, code, DETECT, json.dumps(body), stdout=asyncio.subprocess.PIPE
    )
    out, _ = await process.communicate()
    result: dict[str, Any] = json.loads(out)
    return result


@pytest.mark.parametrize("origin", [EXTENSION, FIREFOX_EXTENSION])
async def test_the_extension_pairs_and_is_served(peer: Path, tmp_path: Path, origin: str) -> None:
    service = PairingService(PairingFile(tmp_path / "state"))
    async with running(tmp_path / "state", pairing=service) as daemon:
        code = service.open_window(Terminal()).code
        result = await run_peer(
            peer, daemon.port, origin, shown(code).lower(), {"text": "\U0001f600 a 3 year old"}
        )
        assert result["status"] == 200, result
        assert result["clear"]["findings"][0]["phrase"] == "3 year old"
        assert result["clear"]["findings"][0]["start"] == 5
        assert result["replayed"] == {"status": 401, "answer": {"error": "stale"}}
        assert result["extractable"] is False
        assert [pairing.kid for pairing in service.store.all()] == [result["kid"]]


async def test_the_extension_tells_a_wrong_code_from_a_closed_window(peer: Path, tmp_path: Path) -> None:
    service = PairingService(PairingFile(tmp_path / "state"))
    async with running(tmp_path / "state", pairing=service) as daemon:
        closed = await run_peer(peer, daemon.port, EXTENSION, new_code(), {})
        service.open_window(Terminal())
        wrong = await run_peer(peer, daemon.port, EXTENSION, new_code(), {})
    assert (closed["fault"], wrong["fault"], wrong["left"]) == ("pairing_closed", "code_wrong", 4)


async def test_pair_rogue_daemon(peer: Path) -> None:
    """A program on the port that does not know the code is found out, and is told nothing."""
    received = bytearray()
    private = new_private_key()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        length = next(int(x[15:]) for x in head.lower().split(b"\r\n") if x.startswith(b"content-length:"))
        received.extend(head + await reader.readexactly(length))
        answer = {
            "pub": encode(point_of(private)),
            "nonce": encode(bytes(16)),
            "kid": "A" * 16,
            "mac": "A" * 43,
        }
        body = json.dumps(answer).encode()
        writer.write(b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
        writer.close()
        await writer.wait_closed()

    code = new_code()
    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        result = await run_peer(peer, port, EXTENSION, code, {"text": NEEDLE})
    assert result["fault"] == "impostor"
    assert b"/v1/pair/finish" in received
    assert b"/v1/detect" not in received
    for secret in (NEEDLE.encode(), code.encode(), shown(code).encode()):
        assert secret not in received


def test_both_ends_compute_the_same_on_paper() -> None:
    """The vectors that `extension/test/sealed.test.ts` checks, checked against this end."""
    vectors = json.loads((ROOT / "extension" / "test" / "pairingVectors.json").read_text(encoding="utf-8"))

    def private(name: str) -> Any:
        return derive_private_key(int.from_bytes(as_bytes(vectors[name]["d"])), SECP256R1())

    client, daemon = private("client_private"), private("daemon_private")
    hello = Hello(
        vectors["origin"],
        point_of(client),
        as_bytes(vectors["client_nonce"]),
        point_of(daemon),
        as_bytes(vectors["daemon_nonce"]),
    )
    keys = agree(daemon, hello.client_point, vectors["code"], hello)
    bound_to = vectors["bound_to"].encode()
    assert encode(hello.transcript) == vectors["transcript"]
    assert encode(proof(keys, "ext", hello)) == vectors["proof_extension"]
    assert encode(proof(keys, "daemon", hello)) == vectors["proof_daemon"]
    assert encode(hmac.digest(keys.auth, bound_to, "sha256")) == vectors["mac"]
    for name, key in (("request", keys.c2s), ("answer", keys.s2c)):
        sealed = vectors[name]
        clear = AESGCM(key).decrypt(as_bytes(sealed["n"]), as_bytes(sealed["box"]), bound_to)
        assert clear.decode() == vectors["clear"]


def test_the_shipped_extension_has_the_id_that_needs_no_question() -> None:
    manifest = (ROOT / "extension" / "build" / "manifest.mjs").read_text(encoding="utf-8")
    key = next(line for line in manifest.splitlines() if line.strip().startswith('"MII')).strip(' ";')
    import base64
    import hashlib

    digest = hashlib.sha256(base64.b64decode(key)).hexdigest()[:32]
    identifier = "".join(chr(ord("a") + int(digit, 16)) for digit in digest)
    assert f"chrome-extension://{identifier}" == SHIPPED_ORIGIN
