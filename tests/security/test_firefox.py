"""A real Firefox: our extension pairs and is served, another one and a hostile page are not."""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from harness.browser_attack import FORM_ATTACK, PAGE_ATTACKS, HostileSite, hostile_site
from harness.daemon import DETECT, EXTENSION, running
from harness.firefox import Firefox, find_firefox, firefox
from harness.paired_client import Terminal, paired
from limen_daemon.pairing.service import PairingService
from limen_daemon.pairing.store import PairingFile

pytestmark = pytest.mark.browser
ROOT = Path(__file__).resolve().parents[2]
HOSTS = ("127.0.0.1", "localhost", "0.0.0.0", "rebound.test")
FORM_TYPES = ("text/plain", "application/x-www-form-urlencoded")
PATIENCE_S = 600
PREFS = {
    # Both names lead to this computer, as a rebound one does.
    "network.dns.localDomains": "evil.test,rebound.test",
    "datareporting.policy.dataSubmissionEnabled": False,
    "app.update.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
}


def make_extension(folder: Path, name: str, probe: dict[str, Any]) -> Path:
    """An unpacked extension whose background is `extension_probe.ts`, told what to do by `probe`."""
    esbuild = ROOT / "extension" / "node_modules" / ".bin" / "esbuild"
    if shutil.which("node") is None or not esbuild.exists():
        pytest.skip("this needs Node.js and the extension's packages (make extension)")
    folder.mkdir()
    manifest = {
        "manifest_version": 3,
        "name": name,
        "version": "1",
        "host_permissions": ["http://127.0.0.1/*"],
        "background": {"scripts": ["background.js"]},
        "content_security_policy": {"extension_pages": "script-src 'self'; connect-src http://127.0.0.1:*"},
        "browser_specific_settings": {"gecko": {"id": f"{name}@limen.invalid"}},
    }
    (folder / "manifest.json").write_text(json.dumps(manifest))
    source = ROOT / "tests" / "harness" / "extension_probe.ts"
    define = f"--define:PROBE={json.dumps({'name': name, **probe})}"
    command = [esbuild, source, "--bundle", "--format=iife", define, f"--outfile={folder / 'background.js'}"]
    subprocess.run(command, check=True, capture_output=True)
    return folder


async def report_of(site: HostileSite) -> dict[str, Any]:
    report: dict[str, Any] = await asyncio.to_thread(site.reports.get, True, PATIENCE_S)
    return report


async def attack_page(browser: Firefox, site: str, port: int, stolen: str) -> dict[str, dict[str, str]]:
    seen: dict[str, dict[str, str]] = {}
    tab = await browser.open(site)
    for host in HOSTS:
        await browser.call("browsingContext.navigate", context=tab, url=site, wait="complete")
        base = f"http://{host}:{port}"
        seen[host] = await browser.run(tab, PAGE_ATTACKS, base, stolen, f"ws://{host}:{port}{DETECT}")
    for host in ("127.0.0.1", "rebound.test"):
        for kind in FORM_TYPES:
            form_tab = await browser.open(site)
            await browser.run(form_tab, FORM_ATTACK, f"http://{host}:{port}{DETECT}", kind)
            async with asyncio.timeout(PATIENCE_S):
                while await browser.url_of(form_tab) == site:
                    pass
            seen[host][f"form {kind}"] = await browser.run(
                form_tab, "() => document.body ? document.body.innerText.trim() || 'empty' : 'empty'"
            )
    return seen


async def test_e2e_firefox(tmp_path: Path, bodies_read: list[str]) -> None:
    if find_firefox() is None:
        pytest.skip("no Firefox; install it, or set LIMEN_FIREFOX to it")
    service = PairingService(PairingFile(tmp_path / "state"))
    terminal = Terminal()
    with hostile_site() as site:
        async with running(tmp_path / "state", pairing=service) as daemon:
            client = await paired(daemon, service, origin=EXTENSION)
            header, bound_to = client.authorization(DETECT)
            stolen = client.sealed({"text": "my 3 year old"}, bound_to).decode()
            where = {"daemon": f"http://127.0.0.1:{daemon.port}", "report": f"http://127.0.0.1:{site.port}/"}
            async with firefox(tmp_path / "profile", PREFS) as browser:
                code = service.open_window(terminal).code
                await browser.install(
                    make_extension(
                        tmp_path / "ours", "ours", {**where, "code": code, "headers": None, "body": None}
                    )
                )
                ours = await report_of(site)
                thief = {"code": None, "headers": {"authorization": header}, "body": stolen}
                await browser.install(make_extension(tmp_path / "other", "other", {**where, **thief}))
                other = await report_of(site)
                unused, _ = client.authorization(DETECT)
                seen = await attack_page(browser, f"http://evil.test:{site.port}/", daemon.port, unused)
    assert ours["origin"].startswith("moz-extension://")
    assert terminal.asked == [ours["origin"]]
    assert ours["saw"]["status"] == 200
    assert ours["saw"]["answer"]["findings"][0]["phrase"] == "3 year old"
    assert other["saw"] == {"status": 401, "answer": {"error": "auth"}}
    attempts = sum(len(attacks) for attacks in seen.values()) + 2
    print(f"bodies read: {bodies_read.count(DETECT)} of {attempts} attempts")
    assert [path for path in bodies_read if not path.startswith("/v1/pair/")] == [DETECT]
    for host, attacks in seen.items():
        for attack, saw in attacks.items():
            assert "needle" not in saw
            assert not saw.startswith("200"), (host, attack)
            assert saw not in ("opaque", "open", "load"), (host, attack)
