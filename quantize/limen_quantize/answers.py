"""What a network answered for a query, kept so that rules can be tried without running it again."""

from __future__ import annotations

from dataclasses import dataclass

from limen_daemon.detector.decode import Decoded, Floats, Offsets, decode
from limen_daemon.detector.layout import LabelLayout
from limen_quantize.queries import AnnotatedQuery


@dataclass(frozen=True, slots=True)
class Answer:
    """The network's logits (n_tokens, width) for one query, start token first, with the tokens' offsets."""

    query: AnnotatedQuery
    logits: Floats
    offsets: Offsets

    def decoded(self, layout: LabelLayout, *, inside_bias: float = 0.0, sure_leak: float = 1.0) -> Decoded:
        """Decode without running the network again."""
        return decode(
            self.logits,
            self.offsets,
            self.query.text,
            layout,
            inside_bias=inside_bias,
            sure_leak=sure_leak,
        )
