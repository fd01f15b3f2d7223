"""The `limen quantize` group; one file per subcommand, loaded when called."""

from limen_daemon.cli import LazyGroup

quantize = LazyGroup(
    "quantize",
    commands={
        "answer": "limen_quantize.commands.answer:answer",
        "blend": "limen_quantize.commands.blend:blend",
        "frames": "limen_quantize.commands.frames:frames",
        "gguf": "limen_quantize.commands.gguf:gguf",
        "report": "limen_quantize.commands.report:report",
        "scores": "limen_quantize.commands.scores:scores",
        "sft": "limen_quantize.commands.sft:sft",
        "teach": "limen_quantize.commands.teach:teach",
        "train": "limen_quantize.commands.train:train",
        "vary": "limen_quantize.commands.vary:vary",
        "onnx": "limen_quantize.commands.onnx:onnx",
    },
    help="Train, export and quantize disclosure detectors.",
)

__all__ = ["quantize"]
