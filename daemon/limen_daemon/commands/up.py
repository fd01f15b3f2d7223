"""`limen up`: run the daemon."""

from __future__ import annotations

import asyncio
import contextlib
import os

import click

from limen_daemon import journal
from limen_daemon.app import Deps
from limen_daemon.gate.origins import SHIPPED_ORIGIN
from limen_daemon.hardening import forbid_egress, harden, refuse_debug_switches
from limen_daemon.lifecycle import run, worker_lane
from limen_daemon.old_token import delete_old_token
from limen_daemon.pairing.service import PairingService
from limen_daemon.pairing.store import PairingFile
from limen_daemon.server import bind
from limen_daemon.settings import load_settings
from limen_daemon.stored_profile import stored_profile


@click.command()
def up() -> None:
    """Run the daemon on 127.0.0.1 until Ctrl-C. Settings come from LIMEN_* (see docs/settings.md)."""
    refuse_debug_switches(os.environ)
    settings = load_settings(os.environ)
    harden()
    sock = bind(settings.host, settings.port)
    journal.open_journal(settings.state_dir / "log", settings.log_level)
    journal.install_hooks()
    forbid_egress()
    if delete_old_token(settings.state_dir):
        _say("The token of an earlier version was deleted. Browsers are paired now: limen pair")
    pairing = PairingService(PairingFile(settings.state_dir), known_origins=frozenset({SHIPPED_ORIGIN}))
    deps = Deps(
        open_lane=lambda: worker_lane(settings, _say),
        pairing=pairing,
        open_profile=lambda: stored_profile(settings.profile_dir, _say),
    )
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(run(settings, deps, sock, _say))


def _say(sentence: str) -> None:
    click.echo(f"limen: {sentence}", err=True)
