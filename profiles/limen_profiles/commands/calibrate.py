"""`limen profile calibrate`."""

from __future__ import annotations

import click

from limen_profiles.calibration import CalibrationAnswer, CalibrationState
from limen_profiles.commands.caller import caller
from limen_profiles.control.operations import Nothing


@click.command()
@click.pass_context
def calibrate(context: click.Context) -> None:
    """Answer short situations, so that Limen knows where to start from. Can be left and resumed."""
    with caller(context) as ask:
        ask.open()
        state = ask.run("calibration", Nothing(), CalibrationState)
        while state.next is not None:
            number = f"{len(state.answered) + 1} of {state.total}"
            click.echo(f"\n{number}: {state.next.title}. {state.next.scene}")
            sent = [wording.id for wording in state.next.wordings if _would_send(wording.text)]
            given = CalibrationAnswer(situation=state.next.id, sent=sent)
            state = ask.run("answer_calibration", given, CalibrationState)
    click.echo(f"\nAll {state.total} situations are answered.")


def _would_send(text: str) -> bool:
    return click.confirm(f"  “{text}”  Would you send this?")
