"""Scoring a language model: zero-shot, with five examples, or tuned on the task."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

from limen_eval.datasets.annotated import AnnotatedQuery
from limen_eval.errors import DataError
from limen_eval.llm.answers import AnswerBook, Answers
from limen_eval.llm.model import Answer, ChatRequest, LanguageModel
from limen_eval.metrics.rouge import Language
from limen_eval.privacy.answers import read_items, read_judgement, read_phrases
from limen_eval.privacy.prompts import N_EXAMPLES, Style, Task, prompt
from limen_eval.privacy.rows import Emit, Prediction

Levels = Literal["joint", "separate"]
ANSWER_SCHEMAS: dict[Task, dict[str, Any]] = {
    "judgement": {
        "type": "object",
        "properties": {"judgment": {"type": "boolean"}},
        "required": ["judgment"],
    },
    "phrases": {"type": "array", "items": {"type": "string"}},
    "information": {
        "type": "array",
        "items": {
            "type": "object",
            "properties": {"phrase": {"type": "string"}, "privacy information": {"type": "string"}},
            "required": ["phrase", "privacy information"],
        },
    },
}
_TASKS: dict[Levels, tuple[Task, ...]] = {
    "joint": ("information",),
    "separate": ("judgement", "phrases", "information"),
}


class PromptedMethod:
    """`joint` asks once and takes all levels from the answer; `separate` asks three times, as published."""

    def __init__(
        self,
        model: LanguageModel,
        answers: Path,
        *,
        style: Style,
        levels: Levels = "joint",
        examples: dict[Language, list[AnnotatedQuery]] | None = None,
        concurrency: int = 8,
        max_tokens: int = 512,
        temperature: float = 0.0,
        seed: int = 42,
        constrain: bool = False,
    ) -> None:
        self._model = model
        self._answers = answers
        self._style = style
        self._tasks = _TASKS[levels]
        self._examples = examples or {}
        self._concurrency = concurrency
        self._max_tokens = max_tokens
        self._temperature = temperature
        self._seed = seed
        self._constrain = constrain

    def describe(self) -> dict[str, Any]:
        return self._model.describe()

    async def run(self, queries: Sequence[AnnotatedQuery], emit: Emit) -> None:
        answered: dict[str, dict[Task, Answer]] = defaultdict(dict)
        with AnswerBook(self._answers, self._model) as book:
            batch = Answers[tuple[AnnotatedQuery, Task]](book, concurrency=self._concurrency)
            async for (query, task), answer in batch.stream(self._jobs(queries)):
                got = answered[query.key]
                got[task] = answer
                if len(got) == len(self._tasks):
                    emit(query, _prediction(query, answered.pop(query.key)))

    def _jobs(
        self, queries: Sequence[AnnotatedQuery]
    ) -> Iterator[tuple[tuple[AnnotatedQuery, Task], ChatRequest]]:
        for query in queries:
            for task in self._tasks:
                system, user = prompt(
                    query.text,
                    language=query.language,
                    style=self._style,
                    task=task,
                    examples=self._examples.get(query.language, []),
                )
                request = ChatRequest(
                    model=self._model.id,
                    system=system,
                    user=user,
                    max_tokens=self._max_tokens,
                    temperature=self._temperature,
                    seed=self._seed,
                    json_schema=ANSWER_SCHEMAS[task] if self._constrain else None,
                )
                yield (query, task), request

    async def close(self) -> None:
        await self._model.close()


def choose_examples(
    training: Sequence[AnnotatedQuery], test: Sequence[AnnotatedQuery], *, seed: int
) -> dict[Language, list[AnnotatedQuery]]:
    """Five random training queries per language of the test set, three of which disclose something.

    Raises: `DataError` if training data contains a test query, or has too few queries.
    """
    test_keys, test_texts = {query.key for query in test}, {query.text for query in test}
    shared = [q.key for q in training if q.key in test_keys or q.text in test_texts]
    if shared:
        raise DataError(f"--examples holds {len(shared)} queries of the test data, the first is {shared[0]}")
    chosen: dict[Language, list[AnnotatedQuery]] = {}
    for language in sorted({query.language for query in test}):
        pool = [query for query in training if query.language == language]
        leaking, clean = [q for q in pool if q.gold], [q for q in pool if not q.gold]
        n_leaking = N_EXAMPLES // 2 + 1
        if len(leaking) < n_leaking or len(clean) < N_EXAMPLES - n_leaking:
            raise DataError(
                f"--examples has too few queries in language {language} for {N_EXAMPLES} examples"
            )
        rng = random.Random(seed)  # noqa: S311 - a reproducible choice, nothing secret
        picked = rng.sample(leaking, n_leaking) + rng.sample(clean, N_EXAMPLES - n_leaking)
        rng.shuffle(picked)
        chosen[language] = picked
    return chosen


def _prediction(query: AnnotatedQuery, answers: dict[Task, Answer]) -> Prediction:
    latency_ms = sum(answer.elapsed_ms for answer in answers.values())
    if any(answer.error for answer in answers.values()):
        return Prediction(failure="not_checked", latency_ms=latency_ms)
    items = read_items(answers["information"].text, query.text)
    unreadable = items is None
    phrases: list[str] | None = None
    leaks: bool | None = None
    if "phrases" in answers:
        phrases = read_phrases(answers["phrases"].text, query.text)
        leaks = read_judgement(answers["judgement"].text)
        unreadable = unreadable or phrases is None or leaks is None
        # The published scripts count an unreadable judgement as "does not leak" and a list as empty.
        phrases, leaks = phrases or [], bool(leaks)
    return Prediction(
        items=tuple(items or ()),
        phrases=None if phrases is None else tuple(phrases),
        leaks=leaks,
        latency_ms=latency_ms,
        failure="unreadable" if unreadable else None,
    )
