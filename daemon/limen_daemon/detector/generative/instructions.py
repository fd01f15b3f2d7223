"""What the generative detector asks, and the fixed frames that carry it.

The three instruction forms and their wording are those of "Automated Privacy Information Annotation in LLM
Interactions", Tables 25 to 27 (leak or not; phrases; phrases with information), kept verbatim so that a
model tuned here and one tuned by the paper's authors are asked the same thing. Here the query is given
once and the forms follow as turns of one conversation: the second question costs a few tokens, not a second
reading of the query.

A prompt is a list of segments. Only segments of the frame are parsed for control tokens; instruction and
typed text never are, and the chat template inside a model file is never used.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from enum import StrEnum
from typing import NamedTuple

from limen_daemon.detector.script import is_han

_CONTROL_TOKEN = re.compile(r"<\|[a-z_]+\|>")


class Form(StrEnum):
    """One of the paper's three questions about a query."""

    LEAK = "leak"
    PHRASES = "phrases"
    INFORMATION = "information"


class Segment(NamedTuple):
    """A piece of a prompt. `special`: control tokens in `text` count as control tokens."""

    text: str
    special: bool


class Frame(NamedTuple):
    """How one model family marks turns. `{role}` in `opening` is the speaker."""

    beginning: str
    opening: str
    closing: str

    @property
    def control_tokens(self) -> frozenset[str]:
        """What a vocabulary must hold for this frame to mean anything to the model."""
        return frozenset(_CONTROL_TOKEN.findall("".join(self)))


FRAMES = {
    "chatml": Frame("", "<|im_start|>{role}\n", "<|im_end|>\n"),
    "llama3": Frame("<|begin_of_text|>", "<|start_header_id|>{role}<|end_header_id|>\n\n", "<|eot_id|>"),
}
"""Own templates by name: `chatml` (SmolLM2, Qwen2.5), `llama3` (Llama 3.x)."""


def frame_for(control_tokens: Collection[str]) -> Frame | None:
    """The frame whose control tokens a vocabulary holds; None when Limen has none for this model."""
    return next((frame for frame in FRAMES.values() if frame.control_tokens <= set(control_tokens)), None)


INSTRUCTIONS: dict[Form, dict[str, str]] = {
    Form.LEAK: {
        "en": "Judge whether the query that reveal any privacy-sensitive information of the user, "
        "or user related people or things.",
        "zh": "判断Query是否泄漏了用户、用户相关人员或事物的隐私敏感信息。",
    },
    Form.PHRASES: {
        "en": "Extract informative phrases from the query that reveal the privacy-sensitive information "
        "of the user, or user related people or things.",
        "zh": "从Query中提取出能够揭示用户、用户相关人员或事物的隐私敏感信息的短语。",
    },
    Form.INFORMATION: {
        "en": "Extract informative phrases from the query that reveal the privacy-sensitive information "
        "of the user, or user related people or things.\n"
        "Then for each extracted phrase, summarize the specific privacy information the phrase has leaked.",
        "zh": "从Query中提取出能够揭示用户、用户相关人员或事物的隐私敏感信息的短语。\n"
        "然后，针对每个提取的短语，总结该短语泄露的具体隐私信息。",
    },
}

YES, NO = "true", "false"
"""The two answers of `Form.LEAK`."""


def instruction_language(text: str) -> str:
    """`zh` when at least a fifth of the letters are Han, else `en`: the rule of the training data."""
    return "zh" if is_han(text) else "en"


def turn(frame: Frame, role: str, content: Sequence[Segment]) -> list[Segment]:
    """One whole turn: opening, content, closing."""
    return [Segment(frame.opening.format(role=role), True), *content, Segment(frame.closing, True)]


def conversation(frame: Frame, turns: Iterable[tuple[str, Sequence[Segment]]]) -> list[Segment]:
    """A new conversation of whole turns `(role, content)`, up to where the assistant's answer begins."""
    return [
        Segment(frame.beginning, True),
        *(segment for role, content in turns for segment in turn(frame, role, content)),
        Segment(frame.opening.format(role="assistant"), True),
    ]


def question(frame: Frame, form: Form, text: str, language: str) -> list[Segment]:
    """A new conversation that asks `form` about `text`, up to where the answer begins."""
    return conversation(
        frame,
        [
            ("system", [Segment(INSTRUCTIONS[form][language], False)]),
            ("user", [Segment('Query: "', False), Segment(text, False), Segment('"', False)]),
        ],
    )


def follow_up(frame: Frame, answer: str, form: Form, language: str) -> list[Segment]:
    """The model's `answer` so far, then `form` about the same query, up to where its answer begins."""
    return [
        Segment(answer, False),
        Segment(frame.closing, True),
        *turn(frame, "system", [Segment(INSTRUCTIONS[form][language], False)]),
        Segment(frame.opening.format(role="assistant"), True),
    ]
