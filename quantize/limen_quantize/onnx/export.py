"""Exports a trained network through optimum, as it is: a standard token classifier."""

from __future__ import annotations

import tempfile
import warnings
from pathlib import Path

import onnx

from limen_daemon.errors import ExtraMissing
from limen_quantize.errors import TrainingError


def export_float(network: Path) -> onnx.ModelProto:
    """Float32 ONNX model of the network in folder `network`, inputs and output as optimum names them.

    Raises: `ExtraMissing` without the train extra, `TrainingError` when optimum refuses the network.
    """
    try:
        from optimum.exporters.onnx import main_export
    except ImportError:
        raise ExtraMissing("Exporting needs the train extra: pip install 'limen[train]'") from None
    with tempfile.TemporaryDirectory(prefix="limen-export-") as scratch:
        try:
            with warnings.catch_warnings():
                # optimum exports by tracing: torch announces its end, and warns of constants.
                warnings.simplefilter("ignore")
                main_export(
                    str(network),
                    output=scratch,
                    task="token-classification",
                    do_validation=False,
                    no_post_process=True,
                    opset=18,
                )
        except (OSError, ValueError, KeyError) as error:
            raise TrainingError(
                f"{network}: optimum could not export it ({type(error).__name__}: {error})"
            ) from error
        return onnx.load(str(Path(scratch) / "model.onnx"))
