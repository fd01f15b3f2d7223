"""Reads a published dataset from the Hugging Face hub by name, or from its local cache."""

from __future__ import annotations

from limen_daemon.errors import ExtraMissing
from limen_quantize.errors import DataError
from limen_quantize.queries import AnnotatedQuery
from limen_quantize.readers.dialogues import parse_records


def read_hub(name: str, *, configs: tuple[str, ...] = (), split: str = "train") -> list[AnnotatedQuery]:
    """Download `name` (owner/dataset) and read `split` of each config (all configs when none is given).

    Phrases that are not in their query are dropped, since the published data has some.
    Raises: `ExtraMissing` without the train extra, `DataError` when the hub cannot be reached.
    """
    try:
        import datasets
    except ImportError:
        raise ExtraMissing(
            "Reading a dataset from the hub needs the train extra: pip install 'limen[train]'"
        ) from None
    queries: list[AnnotatedQuery] = []
    try:
        for config in configs or tuple(datasets.get_dataset_config_names(name)):
            rows = datasets.load_dataset(name, config, split=split)
            queries += parse_records(rows, where=f"{name}/{config}/{split}", strict=False)
    except (OSError, ValueError) as error:
        raise DataError(
            f"{name}: could not be read from the hub ({type(error).__name__}); "
            "check the name and the connection, or pass a local file"
        ) from error
    return queries
