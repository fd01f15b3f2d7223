"""What can be scored: a detector of the product, a language model, or predictions made elsewhere."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from limen_daemon.detector import Detector
from limen_daemon.errors import DetectorError
from limen_eval.datasets.annotated import AnnotatedQuery
from limen_eval.datasets.json_items import read_items
from limen_eval.datasets.problems import ProblemPolicy
from limen_eval.errors import DataError
from limen_eval.privacy.rows import Emit, Item, Prediction

TIERS = ("disclosure", "secret")
"""Tiers that count as disclosures; "others" is an identifier without a tie to the user."""


class Method(Protocol):
    """Predicts queries; `describe` goes into the record and the JSON as `detector`."""

    def describe(self) -> dict[str, Any]: ...

    async def run(self, queries: Sequence[AnnotatedQuery], emit: Emit) -> None: ...

    async def close(self) -> None: ...


class EncoderMethod:
    """The product's detector (ONNX model in union with patterns), one query after the other."""

    def __init__(self, detector: Detector, *, with_context: bool) -> None:
        self._detector = detector
        self._with_context = with_context

    def describe(self) -> dict[str, Any]:
        return self._detector.info.model_dump(mode="json")

    async def run(self, queries: Sequence[AnnotatedQuery], emit: Emit) -> None:
        for query in queries:
            emit(query, self.predict(query))
            # A blocking loop would not see Ctrl-C: asyncio cancels only where something is awaited.
            await asyncio.sleep(0)

    def predict(self, query: AnnotatedQuery) -> Prediction:
        """Blocking. A text that the detector could not check is a counted failure, not "nothing found"."""
        context = query.context if self._with_context else None
        started = time.perf_counter()
        try:
            detection = self._detector.detect(query.text, context=context)
        except DetectorError:
            return Prediction(failure="not_checked")
        latency_ms = 1000 * (time.perf_counter() - started)
        items = tuple(
            Item(phrase=f.phrase, information=f.information, category=str(f.category))
            for f in detection.findings
            if f.tier in TIERS
        )
        return Prediction(items=items, leak_score=detection.leak_score, latency_ms=latency_ms)

    async def close(self) -> None:
        self._detector.close()


class FileMethod:
    """Predictions from a file: `{"id", "turn", "privacy": [...]}` rows, or the data set's own shapes."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._predictions = _read_predictions(path)

    def describe(self) -> dict[str, Any]:
        return {"id": self._path.name, "format": "file", "device": "none", "languages": []}

    async def run(self, queries: Sequence[AnnotatedQuery], emit: Emit) -> None:
        missing = [query.key for query in queries if query.key not in self._predictions]
        if missing:
            raise DataError(
                f"{self._path}: no prediction for {len(missing)} queries, the first is {missing[0]}"
            )
        for query in queries:
            emit(query, Prediction(items=self._predictions[query.key]))

    async def close(self) -> None:
        return None


def _read_predictions(path: Path) -> dict[str, tuple[Item, ...]]:
    policy = ProblemPolicy()
    predictions: dict[str, tuple[Item, ...]] = {}
    for value, line in read_items(path, policy):
        if not isinstance(value, dict) or not isinstance(value.get("id"), str):
            raise DataError(f"{path}:{line}: not an object with an id")
        turns = value.get("conversation") or [value]
        for number, turn in enumerate(turns):
            index = turn.get("turn", number)
            if not isinstance(turn.get("privacy"), list):
                raise DataError(f"{path}:{line}: {value['id']}: privacy is not a list")
            predictions[f"{value['id']}#{index}"] = tuple(_items(turn["privacy"]))
    policy.check()
    return predictions


def _items(privacy: Sequence[object]) -> list[Item]:
    """Phrases alone or with information; entries without a phrase are left out, as published."""
    items = []
    for entry in privacy:
        if isinstance(entry, str):
            items.append(Item(phrase=entry))
        elif isinstance(entry, dict) and isinstance(entry.get("phrase"), str):
            information = entry.get("privacy information")
            items.append(
                Item(phrase=entry["phrase"], information=information, category=entry.get("category"))
            )
    return items
