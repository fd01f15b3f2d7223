"""Prompts for language models, in English and Chinese.

They ask for what the prompts of Zeng et al. 2025 ask for (Tables 19 to 27: judge the query, list phrases,
list phrases with what they tell; JSON at the end), in our own words: the published metrics depend on the
answer's form, not on the wording. `docs/evaluation.md` lists the differences. `sft` asks in the paper's
own words (Tables 25 to 27), which are also those that `limen quantize sft` tunes with.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Literal

from limen_daemon.detector.generative.instructions import INSTRUCTIONS, Form
from limen_eval.datasets.annotated import AnnotatedQuery
from limen_eval.metrics.rouge import Language

Style = Literal["zero-shot", "icl", "sft"]
Task = Literal["judgement", "phrases", "information"]
N_EXAMPLES = 5

_SCOPE = {
    "en": (
        "Private information means anything about the person who wrote the message, or about people and "
        "things close to them, that the reader did not know before: opinions, worries, tastes, activities, "
        "plans, and any other detail that can count as personal or sensitive in this message. A statement "
        "about strangers or the world at large does not count."
    ),
    "zh": (
        "隐私信息是指读者此前不知道的、有关写下这条消息的人或其身边的人和事物的任何内容：观点、担忧、偏好、活动、"
        "计划，以及在这条消息里可以视为私人或敏感的其他细节。有关陌生人或一般事实的陈述不算。"
    ),
}
_ASK = {
    ("en", "judgement"): "Decide whether the message below gives away private information.",
    ("en", "phrases"): "List the phrases of the message below that give away private information.",
    ("en", "information"): (
        "List the phrases of the message below that give away private information, and say for each what it "
        "tells about the user, in one sentence."
    ),
    ("zh", "judgement"): "判断下面的消息是否透露了隐私信息。",
    ("zh", "phrases"): "列出下面的消息中透露隐私信息的短语。",
    ("zh", "information"): "列出下面的消息中透露隐私信息的短语，并用一句话说明每个短语透露了用户的什么信息。",
}
_COPY = {
    "en": (
        "Copy every phrase exactly as it stands in the message. Leave out general words that point to "
        "nothing specific."
    ),
    "zh": "短语必须与消息原文完全一致。不要列出没有具体所指的泛泛之词。",
}
_FORM = {
    "judgement": '```json\n{"judgment": true}\n```',
    "phrases": '```json\n["phrase 1", "phrase 2"]\n```',
    "information": '```json\n[{"phrase": "phrase 1", "privacy information": "what it tells"}]\n```',
}
_ANSWER = {
    "en": "Answer with JSON in this form{empty}:\n{form}",
    "zh": "请按以下形式用 JSON 回答{empty}：\n{form}",
}
_EMPTY = {"en": " (an empty list if there is nothing)", "zh": "（如果没有，则给出空列表）"}
_EXAMPLES = {"en": "Examples:", "zh": "例子："}
_MESSAGE = {"en": "Message:", "zh": "消息："}
_RESULT = {"en": "Answer:", "zh": "回答："}
_FORMS = {"judgement": Form.LEAK, "phrases": Form.PHRASES, "information": Form.INFORMATION}


def prompt(
    text: str, *, language: Language, style: Style, task: Task, examples: Sequence[AnnotatedQuery] = ()
) -> tuple[str, str]:
    """The system and the user message for one query; `examples` are used by `icl` only."""
    if style == "sft":
        # A tuned model must be asked in the words that it was tuned with.
        return INSTRUCTIONS[_FORMS[task]][language], f'Query: "{text}"'
    parts = [_ASK[language, task], _SCOPE[language]]
    if task != "judgement":
        parts.append(_COPY[language])
    system = "\n".join(parts)
    empty = "" if task == "judgement" else _EMPTY[language]
    user = [_ANSWER[language].format(empty=empty, form=_FORM[task])]
    if style == "icl":
        user.append(_EXAMPLES[language])
        user += [
            f"{_MESSAGE[language]}\n{e.text}\n{_RESULT[language]}\n{expected(e, task)}" for e in examples
        ]
    user.append(f"{_MESSAGE[language]}\n{text}")
    return system, "\n\n".join(user)


def expected(query: AnnotatedQuery, task: Task) -> str:
    """The right answer of an annotated query, in the form the prompts ask for."""
    value: object
    if task == "judgement":
        value = {"judgment": bool(query.gold)}
    elif task == "phrases":
        value = [gold.phrase for gold in query.gold]
    else:
        value = [
            {"phrase": gold.phrase, "privacy information": gold.information or ""} for gold in query.gold
        ]
    return f"```json\n{json.dumps(value, ensure_ascii=False)}\n```"
