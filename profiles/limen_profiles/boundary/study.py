"""The figures of docs/boundary.md: `python -m limen_profiles.boundary.study CIDER_FOLDER`.

Learns from histories only, as does the tuning; test answers are read for scoring alone. `--write FILE`
stores the prior that ships instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal, NamedTuple

import click
import numpy as np

from limen_profiles.boundary.balance import matching_thresholds
from limen_profiles.boundary.cells import Array
from limen_profiles.boundary.cider import HISTORY, ScenarioFacts, Split, read_splits, situation
from limen_profiles.boundary.kernel import Hyperparameters
from limen_profiles.boundary.norms import Norms, cider_norms
from limen_profiles.boundary.person import predict_person
from limen_profiles.boundary.population import Answered, Population, Weights
from limen_profiles.boundary.prior import Prior
from limen_profiles.boundary.questions import next_question
from limen_profiles.boundary.situation import FEATURE_GROUPS, Situation
from limen_profiles.boundary.tuning import tune

FOLDS = 6
"""With unseen scenarios the prior variances are fitted six times, each without a sixth of the scenarios."""
KS = (0, 1, 2, 4, 5, 6)
BINS = 10
Order = Literal["split", "chosen"]


class Scored(NamedTuple):
    """Predictions (n, 9), answers (n, 9), and whose each is."""

    people: list[str]
    p_accept: Array
    accepts: Array

    @property
    def accuracy(self) -> float:
        """Averaged over variants and scenarios for each person, then over people."""
        right = ((self.p_accept > 0.5) == (self.accepts > 0.5)).mean(axis=1)
        people = np.array(self.people)
        return float(np.mean([right[people == one].mean() for one in sorted(set(self.people))]))

    @property
    def brier(self) -> float:
        return float(((self.p_accept - self.accepts) ** 2).mean())

    @property
    def calibration_error(self) -> float:
        """Expected calibration error over ten equal bins."""
        p, y = self.p_accept.ravel(), self.accepts.ravel()
        bins = np.minimum((p * BINS).astype(int), BINS - 1)
        gaps = [(bins == b).mean() * abs(p[bins == b].mean() - y[bins == b].mean()) for b in np.unique(bins)]
        return float(np.sum(gaps))

    def errors(self, thresholds: Array | float = 0.5) -> list[tuple[float, float]]:
        """False positives among rejected and false negatives among accepted, for each variant."""
        said, is_so = self.p_accept > thresholds, self.accepts > 0.5
        wrong_yes = (said & ~is_so).sum(axis=0) / (~is_so).sum(axis=0)
        wrong_no = (~said & is_so).sum(axis=0) / is_so.sum(axis=0)
        return [(float(a), float(b)) for a, b in zip(wrong_yes, wrong_no, strict=True)]


class Study:
    """Both protocols over one split. `ordered`: may the order in which a person answered be used."""

    def __init__(
        self,
        scenarios: dict[str, ScenarioFacts],
        splits: Sequence[Split],
        *,
        ordered: bool,
        norms: Norms | None = None,
    ) -> None:
        self._scenarios = scenarios
        self._splits = splits
        self._ordered = ordered
        self._norms = norms
        self._answers = [one for split in splits for one in split.history]
        self._fold = {name: n % FOLDS for n, name in enumerate(sorted(scenarios))}
        self._known = self._population(self._answers)
        self._unseen: dict[int, Population] = {}

    def score(self, k: int, *, unseen: bool, order: Order = "split") -> Scored:
        """Predict every test item from the first `k` of the history, or of the order that tells most."""
        people, predictions, accepts = [], [], []
        for split in self._splits:
            history = split.history[:k] if order == "split" else self.chosen(split, k)
            for item in split.test:
                population, weights = self._prior(item, unseen=unseen)
                people.append(item.person)
                predictions.append(predict_person(population, weights, history, [item.situation])[0])
                accepts.append(item.accepts)
        return Scored(people, np.array(predictions), np.array(accepts, dtype=np.float64))

    def thresholds(self, *, unseen: bool) -> Array:
        """`matching_thresholds` from histories alone: each item from the other five, and from none."""
        informed, uninformed = [], []
        for split in self._splits:
            for n, item in enumerate(split.history):
                population, weights = self._prior(item, unseen=unseen)
                rest = [*split.history[:n], *split.history[n + 1 :]]
                informed.append(predict_person(population, weights, rest, [item.situation])[0])
                uninformed.append(predict_person(population, weights, [], [item.situation])[0])
        return matching_thresholds(np.array(informed), np.array(uninformed))

    def chosen(self, split: Split, k: int) -> list[Answered]:
        """`k` of the history, each the most informative next one. Looks at no answer of this person."""
        person = split.history[0]
        weights = self._known.weights(without_person=person.person)
        targets = self._targets(person.situation)
        left = list(split.history)
        asked: list[Answered] = []
        for _ in range(k):
            best = next_question(
                self._known, weights, [a.situation for a in asked], [a.situation for a in left], targets
            )
            asked.append(left.pop(best))
        return asked

    def _targets(self, like: Situation) -> list[Situation]:
        """Every scenario in this person's role, long after the calibration."""
        return [
            situation(facts, like.role, assisted=like.assisted, moment=1e3, norms=self._norms)
            for facts in self._scenarios.values()
        ]

    def _prior(self, item: Answered, *, unseen: bool) -> tuple[Population, Weights]:
        if not unseen:
            return self._known, self._known.weights(without_person=item.person)
        scenario = item.situation.scenario or ""
        fold = self._fold[scenario]
        if fold not in self._unseen:
            seen = [a for a in self._answers if self._fold[a.situation.scenario or ""] != fold]
            self._unseen[fold] = Population(
                self._answers, tune(seen, ordered=self._ordered), ordered=self._ordered
            )
        population = self._unseen[fold]
        return population, population.weights(without_person=item.person, without_scenario=scenario)

    def _population(self, answers: Sequence[Answered]) -> Population:
        settings: Hyperparameters = tune(answers, ordered=self._ordered)
        return Population(answers, settings, ordered=self._ordered)


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--ordered/--unordered", default=True, help="Use the order in which people answered.")
@click.option(
    "--norms/--no-norms", "with_norms", default=True, help="Use the shipped norms of the scenarios."
)
@click.option("--write", type=click.Path(dir_okay=False, path_type=Path), help="Store the shipped prior.")
def main(folder: Path, ordered: bool, with_norms: bool, write: Path | None) -> None:
    """Accuracy by history length, errors by variant, calibration, and the order of questions."""
    norms = cider_norms() if with_norms else None
    scenarios, splits = read_splits(folder, norms)
    if write is not None:
        histories = [one for split in splits for one in split.history]
        plain = [one for split in read_splits(folder)[1] for one in split.history]
        scenario = tune(plain).population[FEATURE_GROUPS.index("scenario")]
        Prior.of(Population(histories, tune(histories)), scenario=scenario).save(write)
        return
    study = Study(scenarios, splits, ordered=ordered, norms=norms)
    for unseen in (False, True):
        name = "unseen" if unseen else "known"
        by_k = {k: study.score(k, unseen=unseen) for k in KS}
        for k, scored in by_k.items():
            click.echo(f"{name} k={k} accuracy {100 * scored.accuracy:.2f} % Brier {scored.brier:.4f}")
        click.echo(f"{name} k={HISTORY} calibration error {by_k[HISTORY].calibration_error:.4f}")
        balanced = study.thresholds(unseen=unseen)
        errors = (by_k[0].errors(), by_k[HISTORY].errors(), by_k[HISTORY].errors(balanced))
        for cell, rates in enumerate(zip(*errors, strict=True)):
            shown = "  ".join(f"{100 * fp:.1f} {100 * fn:.1f}" for fp, fn in rates)
            click.echo(f"{name} G{cell // 3 + 1}-I{cell % 3 + 1} FP FN: none, history, balanced: {shown}")
        for k in KS[1:-1]:
            chosen = study.score(k, unseen=unseen, order="chosen")
            shown = f"accuracy {100 * chosen.accuracy:.2f} % Brier {chosen.brier:.4f}"
            click.echo(f"{name} k={k} chosen questions: {shown}")


if __name__ == "__main__":
    main()
