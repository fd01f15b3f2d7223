"""A real Chromium with a hostile page that holds a stolen header, a rebound host, and two extensions.

What counts: whose body the daemon read, and what the page could see.
"""

from __future__ import annotations

import asyncio
import base64
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from harness.browser_attack import extension_id, find_chromium
from harness.daemon import DETECT, running, without
from harness.paired_client import paired
from limen_daemon.gate import rules
from limen_daemon.gate.rules import RULES, Policy, Refusal, Rule
from limen_daemon.identity import Identity
from limen_daemon.keys import IDENTITY
from limen_daemon.pairing.service import PairingService
from limen_daemon.pairing.store import PairingFile

pytestmark = pytest.mark.browser
SCRIPT = Path(__file__).resolve().parents[1] / "harness" / "browser_attack.py"
HOSTS = ("127.0.0.1", "localhost", "0.0.0.0", "rebound.test")
PATIENCE_S = 300


def _public_key() -> str:
    key = generate_private_key(public_exponent=65537, key_size=2048).public_key()
    return base64.b64encode(key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)).decode()


async def _attack(folder: Path, *, lna: bool, rules: Sequence[Rule] = RULES) -> dict[str, Any]:
    chromium = find_chromium()
    if chromium is None:
        pytest.skip("no Chromium; install it, or set LIMEN_CHROMIUM to it")
    keys = {"ours": _public_key(), "other": _public_key()}
    origin = f"chrome-extension://{extension_id(keys['ours'])}"
    service = PairingService(PairingFile(folder / "state"))
    async with running(folder / "state", pairing=service, rules=rules) as daemon:
        client = await paired(daemon, service, origin=origin)
        calls = {}
        for name in keys:  # both hold a fresh, unused header of ours
            header, bound_to = client.authorization(DETECT)
            calls[name] = {
                "url": f"http://127.0.0.1:{daemon.port}{DETECT}",
                "headers": {"authorization": header, "content-type": "application/json"},
                "body": client.sealed({"text": "my 3 year old"}, bound_to).decode(),
            }
        stolen, _ = client.authorization(DETECT)
        orders = {"port": daemon.port, "authorization": stolen, "keys": keys, "calls": calls}
        orders |= {"lna": lna, "chromium": chromium}
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            str(SCRIPT),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )
        async with asyncio.timeout(PATIENCE_S):
            out, _ = await process.communicate(json.dumps(orders).encode())
        assert process.returncode == 0
    seen: dict[str, Any] = json.loads(out)
    return seen


@pytest.mark.parametrize("lna", [True, False], ids=["lna", "no lna"])
async def test_e2e_hostile_page(tmp_path: Path, bodies_read: list[str], lna: bool) -> None:
    """Of all attempts the daemon reads one body: our extension's."""
    seen = await _attack(tmp_path, lna=lna)
    attempts = sum(len(seen[host]) for host in HOSTS) + 2
    print(f"bodies read: {bodies_read.count(DETECT)} of {attempts} attempts")
    assert attempts > 50
    pair_steps = [path for path in bodies_read if path.startswith("/v1/pair/")]
    assert len(pair_steps) == 2
    assert [path for path in bodies_read if path not in pair_steps] == [DETECT]
    assert seen["ours"].startswith('200 {"n":')
    assert seen["other"] == '401 {"error": "auth"}'
    for host in HOSTS:
        for attack, saw in seen[host].items():
            assert "needle" not in saw
            assert not saw.startswith("200"), (host, attack)
            assert saw not in ("opaque", "open", "load"), (host, attack)


def _anyone(request: web.BaseRequest, policy: Policy) -> Refusal | None:
    """In place of the rule that asks for a credential."""
    request[IDENTITY] = Identity("unpaired", "unpaired", request.headers.get("Origin", ""))
    return None


async def test_csrf_form_control(tmp_path: Path, bodies_read: list[str]) -> None:
    """The control: without the rules, the same page gets bodies read, from a top-level form to a fetch."""
    weak = (
        *without(
            rules.target, rules.host, rules.origin, rules.method, rules.authorization, rules.content_type
        ),
        _anyone,
    )
    seen = await _attack(tmp_path, lna=False, rules=weak)
    assert bodies_read.count(DETECT) > 10
    assert seen["127.0.0.1"]["cors simple"].startswith("200")
    assert "needle" in str(seen["rebound.test"]) or seen["rebound.test"]["cors simple"].startswith("200")
