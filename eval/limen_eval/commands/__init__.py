"""The `limen eval` group; one file per subcommand, loaded when called."""

from limen_daemon.cli import LazyGroup

evaluate = LazyGroup(
    "eval",
    commands={
        "privacy": "limen_eval.commands.privacy:privacy",
        "cider": "limen_eval.commands.cider:cider",
        "checks": "limen_eval.commands.checks:checks",
        "latency": "limen_eval.commands.latency:latency",
        "rescore": "limen_eval.commands.rescore:rescore",
        "report": "limen_eval.commands.report:report",
        "compare": "limen_eval.commands.compare:compare",
    },
    help="Evaluate detectors and boundary predictors on public data sets, offline.",
)

__all__ = ["evaluate"]
