"""Texts of a given length, written for this purpose; every length has something to find."""

from __future__ import annotations

from limen_eval.metrics.rouge import Language

_SAMPLES: dict[Language, str] = {
    "en": (
        "I have been a night nurse in Leeds for eleven years and my back is giving out. My daughter starts "
        "school in September, and my husband lost his job at the bakery, so we live on one salary. Could you "
        "help me write a letter to my manager that asks for day shifts? Please keep it polite and short. The "
        "ward is busy in winter, so I can offer to change in March. What are good reasons to give? "
    ),
    "zh": (
        "我在成都做了十一年夜班护士，腰越来越不好。女儿九月份上小学，丈夫上个月在面包店丢了工作，"
        "全家靠我一个人的工资。请帮我写一封信给护士长，申请调到白班。语气要客气，篇幅短一点。"
        "冬天科室很忙，我可以三月再调。写哪些理由比较好？"
    ),
}


def text_of_length(language: Language, n_characters: int) -> str:
    """The sample text, repeated and cut to exactly `n_characters` code points."""
    sample = _SAMPLES[language]
    return (sample * (n_characters // len(sample) + 1))[:n_characters]
