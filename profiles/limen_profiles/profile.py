"""An opened profile: what can be done with it. All methods block; they may be called from any thread.

Rules, settings and the predictor's state are kept in memory, so that a judgement needs no database.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import TypeVar

from sqlmodel import Session

from limen_profiles import calibration as calibrating
from limen_profiles import decisions, judging, kept_secrets, placeholders, portable, rules
from limen_profiles.boundary.meanings import Embed, Meanings
from limen_profiles.calibration import CalibrationAnswer, CalibrationState
from limen_profiles.errors import NotConfirmed
from limen_profiles.history import choices, choices_of
from limen_profiles.prediction import Choice, Item, Predictor, PredictorFactory
from limen_profiles.records import (
    Boundary,
    Context,
    Decision,
    DecisionIn,
    DecisionOut,
    Deletion,
    Exposure,
    Filter,
    Page,
    PageRequest,
    RuleIn,
    RuleOut,
    Summary,
)
from limen_profiles.sealing import check_passphrase
from limen_profiles.settings import DAY_MS, Settings, SettingsChange, load_settings, store_settings
from limen_profiles.store.tables import DecisionRow
from limen_profiles.summary import summarize
from limen_profiles.understanding import Understanding
from limen_profiles.vault import Vault

T = TypeVar("T")
MINUTE_MS = 60_000
JUDGE_WAIT_S = 0.05
"""A judgement that hangs on what a phrase means waits so long for its vector, and no longer."""
WAITED_FOR = 4
"""Vectors that one judgement waits for; a pasted text has the others at its next one."""
PROBE = Item("opinion", "user", 1, 1, "disclosure", "", "ai_provider")


class Profile:
    """Made by `ProfileService`, which also closes it.

    Two locks, always taken in this order: `_store` for as long as the database is used, `_memory` only for
    the moment in which rules, settings or the predictor's state are read or replaced. A judgement takes
    the second alone, so it never waits for the disk.
    """

    _settings: Settings
    _rules: rules.RuleSet
    _predictor: Predictor

    def __init__(
        self, vault: Vault, *, clock_ms: Callable[[], int], make_predictor: PredictorFactory
    ) -> None:
        self.vault = vault
        self._clock_ms = clock_ms
        self._make_predictor = make_predictor
        self._store = threading.RLock()
        self._memory = threading.Lock()
        self._meanings = Meanings()
        self._understanding: Understanding | None = None
        self._learned_meanwhile: list[Choice] | None = None
        """Choices made while the predictor is being renewed; None when it is not."""
        self._key = self._call(decisions.phrase_key)
        self._reload()
        self.prune()

    # What a message would disclose

    def judge(self, exposures: Sequence[Exposure], context: Context) -> list[Boundary]:
        """One boundary for each exposure, in order. Does not touch the database.

        Where a look hangs on what a new phrase means, its vector is waited for (`JUDGE_WAIT_S`); all others
        are there for the next judgement.
        """
        judged = self._judge(exposures, context)
        understanding = self._understanding
        if understanding is None or not judged.lacking:
            return judged.boundaries
        hanging = dict(islice(judged.hanging.items(), WAITED_FOR))
        if hanging and understanding.understand(hanging, JUDGE_WAIT_S):
            judged = self._judge(exposures, context)
        understanding.want(judged.lacking)
        return judged.boundaries

    def _judge(self, exposures: Sequence[Exposure], context: Context) -> judging.Judged:
        now_ms = self._clock_ms()
        with self._memory:
            return judging.judge(
                exposures,
                context,
                rules=self._rules,
                predictor=self._predictor,
                caution=self._settings.caution,
                now_ms=now_ms,
            )

    def lacks_meaning(self) -> bool:
        """Whether vectors of stored phrases are still to be made, or to be taken up."""
        with self._memory:
            return bool(self._predictor.choices_lacking()) or self._predictor.renewed() is not None

    def use_encoder(self, embed: Embed | None) -> None:
        """Compare phrases by meaning from now on, with the vectors that `embed` gives; None: by words alone.

        The vectors of stored phrases are asked for in a thread of their own, one after the other.
        """
        with self._store:
            before, self._understanding = self._understanding, None
        if before is not None:
            before.close()
        if embed is not None:
            self._understanding = Understanding(
                embed, self._meanings, lacking=self._choices_lacking, renew=self._renew
            )

    # Decisions

    def record(self, decision: DecisionIn) -> int | None:
        """Store a decision and learn from it; returns its id, which is on disk by then.

        None when nothing was stored: recording is paused, or sent messages are not learned from.
        "allowed_always" and "blocked_always" also make the rule.
        """
        at_ms = self._clock_ms()
        settings = self.settings()
        if self.is_paused(at_ms) or (decision.decision == "sent" and not settings.learn_from_sent):
            return None

        def store(session: Session) -> tuple[DecisionRow, rules.RuleSet | None]:
            row = decisions.record(session, decision, at_ms=at_ms, key=self._key)
            rule = _rule_of(decision)
            if rule is None:
                return row, None
            rules.add_rule(session, rule, at_ms=at_ms, key=self._key)
            return row, rules.load_rules(session, self._key)

        with self._store:
            row, changed_rules = self._call(store)
            with self._memory:
                self._learn(choices_of(row, settings))
                if changed_rules is not None:
                    self._rules = changed_rules
        self._have_understood(decision)
        return row.id

    def learn(self, choices: Iterable[Choice]) -> None:
        """Learn without recording: the next start knows nothing of it."""
        with self._memory:
            self._learn(choices)

    def page(self, request: PageRequest) -> Page:
        return self._call(lambda session: decisions.page(session, request))

    def edit(self, decision_id: int, decision: Decision) -> DecisionOut:
        """Correct a decision, and the rule it made. Raises: DecisionMissing."""
        at_ms = self._clock_ms()

        def correct(session: Session) -> DecisionOut:
            row = decisions.find(session, decision_id)
            rules.follow_edit(session, row, decision, at_ms=at_ms)
            return decisions.edit(session, row, decision)

        return self._change(correct)

    def delete(self, deletion: Deletion) -> int:
        """Decisions named by their ids take along the rules that they made; a filter leaves all rules."""

        def remove(session: Session) -> int:
            if deletion.ids is not None:
                rules.follow_deletion(session, frozenset(deletion.ids))
            return decisions.remove(session, deletion)

        return self._change(remove)

    def summary(self, wanted: Filter) -> Summary:
        return self._call(lambda session: summarize(session, wanted))

    # Rules

    def rules(self) -> list[RuleOut]:
        return self._call(rules.list_rules)

    def add_rule(self, rule: RuleIn) -> RuleOut:
        """Raises: InvalidRequest."""
        at_ms = self._clock_ms()
        return self._change_rules(lambda session: rules.add_rule(session, rule, at_ms=at_ms, key=self._key))

    def remove_rule(self, rule_id: int) -> None:
        """Raises: RuleMissing."""
        self._change_rules(lambda session: rules.remove_rule(session, rule_id))

    # Settings

    def settings(self) -> Settings:
        with self._memory:
            return self._settings

    def change_settings(self, change: SettingsChange) -> Settings:
        with self._store:
            changed = change.applied_to(self.settings())
            self._change(lambda session: store_settings(session, changed))
            self.prune()
        return changed

    def pause(self, minutes: int) -> int | None:
        """Record nothing for so many minutes (0 ends a pause); returns until when."""
        until = self._clock_ms() + minutes * MINUTE_MS if minutes > 0 else None
        with self._store:
            changed = self.settings().model_copy(update={"paused_until": until})
            self._call(lambda session: store_settings(session, changed))
            with self._memory:
                self._settings = changed
        return until

    def is_paused(self, now_ms: int | None = None) -> bool:
        until = self.settings().paused_until
        return until is not None and until > (self._clock_ms() if now_ms is None else now_ms)

    # Placeholders

    def put_placeholders(self, put: placeholders.PlaceholdersPut) -> None:
        expires = self._clock_ms() + self.settings().placeholder_days * DAY_MS
        self._call(
            lambda session: placeholders.put_placeholders(session, put, expires_at_ms=expires, key=self._key)
        )

    def get_placeholders(self, get: placeholders.PlaceholdersGet) -> placeholders.PlaceholdersOut:
        now_ms = self._clock_ms()
        return self._call(
            lambda session: placeholders.get_placeholders(session, get, now_ms=now_ms, key=self._key)
        )

    # Calibration

    def calibration(self) -> CalibrationState:
        answered = self._call(calibrating.answered_situations)
        with self._memory:
            return calibrating.state(answered, self._predictor, now_ms=self._clock_ms())

    def answer_calibration(self, given: CalibrationAnswer) -> CalibrationState:
        """Raises: SituationMissing."""
        at_ms = self._clock_ms()
        self._change(lambda session: calibrating.answer(session, given, at_ms=at_ms))
        return self.calibration()

    def forget_calibration(self) -> int:
        return self._change(calibrating.forget_answers)

    # Taking it elsewhere

    def keep_secret(self, name: str, value: bytes) -> None:
        """Keep a small secret of the caller's own; no export holds it."""
        self._call(lambda session: kept_secrets.keep_secret(session, name, value))

    def kept_secrets(self) -> dict[str, bytes]:
        return self._call(kept_secrets.kept_secrets)

    def forget_secret(self, name: str) -> None:
        self._call(lambda session: kept_secrets.forget_secret(session, name))

    def export_sealed(self, passphrase: str) -> bytes:
        """Raises: WeakPassphrase."""
        check_passphrase(passphrase)
        at_ms = self._clock_ms()
        everything = self._call(lambda session: portable.collect(session, at_ms=at_ms, with_hashes=True))
        return portable.seal(everything, passphrase)

    def export_plain(self, *, confirm: str) -> bytes:
        """Everything in clear. Raises: NotConfirmed unless `confirm` is the word "plain"."""
        if confirm != "plain":
            raise NotConfirmed("A plain export can be read by anyone. Confirm with the word: plain")
        at_ms = self._clock_ms()
        return portable.plain(
            self._call(lambda session: portable.collect(session, at_ms=at_ms, with_hashes=False))
        )

    def import_(self, content: bytes, passphrase: str | None) -> portable.Imported:
        """Add an export to this profile. Raises: ExportUnreadable, SealDamaged, WrongPassphrase."""
        incoming = portable.read(content, passphrase)
        with self._store:
            imported = self._call(lambda session: portable.merge(session, incoming))
            self._key = self._call(decisions.phrase_key)  # an empty profile takes over the export's
            self._reload()
            self.prune()
        return imported

    # Housekeeping

    def prune(self) -> int:
        """Delete what is past its retention or expiry; returns how many decisions that was."""
        now_ms = self._clock_ms()
        self._call(lambda session: placeholders.remove_expired(session, now_ms))
        days = self.settings().retention_days
        if days is None:
            return 0
        before_ms = now_ms - days * DAY_MS
        with self._store:
            count = self._call(lambda session: decisions.remove_older(session, before_ms))
            if count:
                self._reload()
        return count

    def rotate(self) -> None:
        """Change the key; calls that need the database wait meanwhile. Raises: KeyFault, StoreError."""
        with self._store:
            self.vault.rotate()

    def close(self) -> None:
        self.use_encoder(None)
        with self._store:
            self.vault.close()

    def _learn(self, choices: Iterable[Choice]) -> None:
        """Only under `_memory`."""
        for choice in choices:
            self._predictor.learn(choice)
            if self._learned_meanwhile is not None:
                self._learned_meanwhile.append(choice)

    def _have_understood(self, decision: DecisionIn) -> None:
        """The last moment at which a phrase that was rejected is known."""
        if self._understanding is None:
            return
        context = Context(site=decision.site, recipient=decision.recipient)
        item = judging.item_of(decision, context, self._key)
        with self._memory:
            lacking = self._predictor.texts_lacking([item])
        self._understanding.want(lacking)

    def _choices_lacking(self) -> dict[int, str]:
        with self._memory:
            return self._predictor.choices_lacking()

    def _renew(self) -> bool:
        """Have the predictor use the vectors that have come. Judgements go on meanwhile with the old one."""
        with self._memory:
            old = self._predictor
            fresh = old.renewed()
            if fresh is None:
                return False
            self._learned_meanwhile = []
        try:
            fresh.predict([PROBE], now_ms=self._clock_ms())
        finally:
            with self._memory:
                learned, self._learned_meanwhile = self._learned_meanwhile, None
                if self._predictor is old:  # else it was made anew from the database
                    for choice in learned or ():
                        fresh.learn(choice)
                    self._predictor = fresh
        return True

    def _call(self, job: Callable[[Session], T]) -> T:
        with self._store:
            return self.vault.call(job)

    def _change(self, job: Callable[[Session], T]) -> T:
        """Change something that the predictor was made from, and make it anew."""
        with self._store:
            result = self._call(job)
            self._reload()
        return result

    def _change_rules(self, job: Callable[[Session], T]) -> T:
        with self._store:
            result = self._call(job)
            changed = self._call(lambda session: rules.load_rules(session, self._key))
            with self._memory:
                self._rules = changed
        return result

    def _reload(self) -> None:
        """Read everything that is kept in memory anew."""

        def load(session: Session) -> tuple[Settings, rules.RuleSet, list[Choice]]:
            settings = load_settings(session)
            return settings, rules.load_rules(session, self._key), choices(session, settings)

        with self._store:
            settings, loaded_rules, history = self._call(load)
            # What was deleted or corrected must not live on as a vector; the others are made again.
            self._meanings.clear()
            predictor = self._make_predictor(settings.half_life_days, self._meanings)
            for choice in history:
                predictor.learn(choice)
            # The first prediction solves for all of them at once: here, where no judgement waits for it.
            predictor.predict([PROBE], now_ms=self._clock_ms())
            with self._memory:
                self._settings, self._rules, self._predictor = settings, loaded_rules, predictor
            if self._understanding is not None:
                self._understanding.look_again()


def _rule_of(decision: DecisionIn) -> RuleIn | None:
    kind = rules.RULE_OF.get(decision.decision)
    return None if kind is None else RuleIn(rule=kind, scope="value", value=decision.phrase)
