"""A language model as the predictor, in the paper's way: the history stands in its prompt."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from limen_eval.cider.answers import read_answers
from limen_eval.cider.prompts import build_prompt
from limen_eval.cider.rows import Emit
from limen_eval.cider.split import Case
from limen_eval.cider.wording import PromptVersion, Setup
from limen_eval.datasets.ratings import Scenario
from limen_eval.llm.answers import AnswerBook, Answers
from limen_eval.llm.model import ChatRequest, LanguageModel

ANSWER_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "reasoning": {"type": "string", "maxLength": 400},
        "predictions": {
            "type": "object",
            "properties": {f"variant_{n}": {"enum": ["YES", "NO"]} for n in range(1, 10)},
            "required": [f"variant_{n}" for n in range(1, 10)],
        },
    },
    "required": ["reasoning", "predictions"],
}
Job = tuple[Case, tuple[int, ...]]


class PromptedPredictor:
    """HC, HL, H or no history. Protocols do not matter to it: it learns from nobody else."""

    def __init__(
        self,
        model: LanguageModel,
        answers: Path,
        scenarios: dict[str, Scenario],
        *,
        setup: Setup,
        version: PromptVersion = "v0",
        concurrency: int = 8,
        max_tokens: int = 512,
        temperature: float = 0.0,
        seed: int = 42,
        constrain: bool = False,
    ) -> None:
        self._model = model
        self._answers = answers
        self._scenarios = scenarios
        self._setup: Setup = setup
        self._version: PromptVersion = version
        self._concurrency = concurrency
        self._max_tokens = max_tokens
        self._temperature = temperature
        self._seed = seed
        self._schema = ANSWER_SCHEMA if constrain else None

    def describe(self) -> dict[str, Any]:
        return self._model.describe()

    async def run(self, cases: Sequence[Case], emit: Emit) -> None:
        with AnswerBook(self._answers, self._model) as book:
            batch = Answers[Job](book, concurrency=self._concurrency)
            async for (case, order), answer in batch.stream(self._jobs(cases)):
                read = None if answer.error else read_answers(answer.text, order)
                if read is None:
                    emit(case, None, answer.error or "no nine YES or NO answers")
                else:
                    emit(case, tuple(float(said) for said in read))

    def _jobs(self, cases: Sequence[Case]) -> Iterator[tuple[Job, ChatRequest]]:
        for case in cases:
            # A case without history has nothing to show in HC, HL or H: it is the baseline.
            setup = self._setup if case.history else "none"
            prompt = build_prompt(case, self._scenarios, setup=setup, version=self._version)
            request = ChatRequest(
                model=self._model.id,
                system=prompt.system,
                user=prompt.user,
                max_tokens=self._max_tokens,
                temperature=self._temperature,
                seed=self._seed,
                json_schema=self._schema,
            )
            yield (case, prompt.order), request

    async def close(self) -> None:
        await self._model.close()
