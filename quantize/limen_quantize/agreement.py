"""How far two annotators agree: `python -m limen_quantize.agreement DATA... --readings FILE...`."""

from __future__ import annotations

from collections.abc import Sequence

import click

from limen_quantize.config import SecondReading
from limen_quantize.queries import AnnotatedQuery, Language
from limen_quantize.readings import Readings, Span
from limen_quantize.scores import matches, score, word_count
from limen_quantize.training_run import load_data

Pairs = Sequence[tuple[AnnotatedQuery, tuple[Span, ...]]]


@click.command(help=__doc__)
@click.argument("data", nargs=-1, required=True)
@click.option("--readings", multiple=True, required=True, help="A file of second readings. Repeatable.")
def main(data: tuple[str, ...], readings: tuple[str, ...]) -> None:
    """Takes the first annotation for the truth and the second annotator's sure phrases for an answer."""
    second = Readings(SecondReading(files=readings))
    queries, _ = load_data(data)
    languages: tuple[Language, ...] = ("en", "zh")
    for language in languages:
        own = [query for query in queries if query.language == language]
        pairs = [(query, spans) for query in own if (spans := second.of(query)) is not None]
        if pairs:
            _show(language, pairs)


def _show(language: Language, pairs: Pairs) -> None:
    gold = [[q.text[p.start : p.end] for p in q.phrases] for q, _ in pairs]
    sure = [[q.text[s.start : s.end] for s in spans if s.sure] for q, spans in pairs]
    agreed = score(gold, sure, language, n_words=[word_count(q.text) for q, _ in pairs])
    click.echo(f"{language} sure phrases against the first annotation: {agreed}")
    beside = alone = beside_marked = alone_marked = 0
    for (query, spans), marked in zip(pairs, gold, strict=True):
        if spans and not any(span.sure for span in spans):
            alone += 1
            alone_marked += bool(marked)
            continue
        doubtful = [query.text[s.start : s.end] for s in spans if not s.sure]
        beside += len(doubtful)
        beside_marked += sum(any(matches(one, other, language) for other in marked) for one in doubtful)
    click.echo(
        f"{language} doubtful phrases beside sure ones that the first annotator marked: "
        f"{100 * beside_marked / max(1, beside):.0f} % of {beside}; queries with doubtful ones only "
        f"that disclose by the first annotation: {100 * alone_marked / max(1, alone):.0f} % of {alone}"
    )


if __name__ == "__main__":
    main()
