"""A whole training run: data in, members trained (each in its own process), averaged, scored, recorded."""

from __future__ import annotations

import json
import multiprocessing
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from limen_daemon.detector.decode import DecodingRules
from limen_quantize.answer_file import GivenAnswers
from limen_quantize.answers import Answer
from limen_quantize.averaging import average_weights
from limen_quantize.choosing import choose
from limen_quantize.config import Refinement, TrainingConfig
from limen_quantize.distillation import weights_file
from limen_quantize.errors import DataError, TrainingError
from limen_quantize.inference import answer_all
from limen_quantize.member import EpochReport, Member
from limen_quantize.network import EXPORTED
from limen_quantize.precision import bfloat16_is_faster
from limen_quantize.queries import AnnotatedQuery
from limen_quantize.readers import files_of, read, read_unannotated
from limen_quantize.readings import Readings
from limen_quantize.record import (
    DataFile,
    LearnedFile,
    RunRecord,
    hashed,
    now,
    read_record,
    sha256_of,
    versions,
)
from limen_quantize.split import split

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_POLL_S = 1.0
Report = Callable[[float, str], None]


def load_data(sources: Sequence[str]) -> tuple[list[AnnotatedQuery], tuple[DataFile, ...]]:
    """Read every source; returns the queries and, per file, its hash and counts."""
    queries: list[AnnotatedQuery] = []
    files: list[DataFile] = []
    for source in sources:
        for name in [str(path) for path in files_of(source)] or [source]:
            found = read(name)
            queries += found
            files.append(
                DataFile(
                    source=name,
                    sha256=sha256_of(Path(name)) if Path(name).is_file() else None,
                    queries=len(found),
                    disclosing=sum(bool(query.phrases) for query in found),
                )
            )
    return queries, tuple(files)


class Material(NamedTuple):
    """What a run reads: the queries that it learns from, unannotated ones among them, and those held out."""

    kept: list[AnnotatedQuery]
    held_out: list[AnnotatedQuery]
    data: tuple[DataFile, ...]
    unannotated: tuple[LearnedFile, ...]


def load_material(config: TrainingConfig) -> Material:
    """Read and split the data of a run. Raises: `DataError`."""
    queries, data = load_data(config.data)
    kept, held_out = split(queries, config.holdout)
    texts = [query for source in config.unannotated for query in read_unannotated(Path(source))]
    return Material(kept + texts, held_out, data, hashed(config.unannotated))


def load_tokenizer(base: str) -> Tokenizer:
    """The fast tokenizer of a folder or of a hub model, without truncation and padding."""
    from tokenizers import Tokenizer

    path = Path(base) / "tokenizer.json"
    try:
        tokenizer = Tokenizer.from_file(str(path)) if path.is_file() else Tokenizer.from_pretrained(base)
    except Exception as error:
        raise TrainingError(f"{base}: no tokenizer.json could be loaded from there") from error
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def train(
    config: TrainingConfig, report: Report, *, given: dict[str, Any], rules_from: Path | None = None
) -> RunRecord:
    """Train as configured, or go on where a killed run stopped; the result is `config.out / "network"`.

    `given`: the options as the user gave them, for the record. `rules_from`: another run's folder whose
    decoding rules to take, for a run without a held-out split.
    Raises: `DataError`, `TrainingError` (also when `config.out` holds a run with another configuration).
    """
    material = load_material(config)
    kept, held_out = material.kept, material.held_out
    if rules_from is not None and held_out:
        raise TrainingError("rules of another run are for a run that holds nothing out: set holdout to 0")
    given_rules = _rules_of(rules_from) if rules_from is not None else None
    record = _record(config, material, given)
    tokenizer = load_tokenizer(config.base)
    record.members = _train_members(config, kept, held_out, tokenizer, report)
    final = config.out / "network"
    if config.refinement is not None:
        second = second_round(config, config.refinement)
        _averaged([config], Path(second.base))
        tokenizer.save(str(Path(second.base) / "tokenizer.json"))
        later = _train_members(second, kept, held_out, tokenizer, report)
        record.members |= {f"second round, {number}": reports for number, reports in later.items()}
        network = _averaged([config, second], final)
    else:
        network = _averaged([config], final)
    if held_out:
        answers = answer_all(
            network,
            tokenizer,
            held_out,
            max_tokens=config.max_tokens,
            bfloat16=config.bfloat16 and bfloat16_is_faster(),
        )
        choose_by_held_out(record, answers, kept)
    elif given_rules is not None:
        record.decoding, record.decoding_from = given_rules, str(rules_from)
    tokenizer.save(str(final / "tokenizer.json"))
    record.state, record.finished_at = "finished", now()
    record.write(config.out)
    return record


def choose_by_held_out(record: RunRecord, answers: Sequence[Answer], kept: Sequence[AnnotatedQuery]) -> None:
    """Put decoding rules and scores into `record`; `answers` are to all held-out queries."""
    annotated = [query for query in kept if query.annotated]  # variants would make common what is not
    record.decoding, record.held_out, record.held_out_unlike = choose(answers, annotated)
    record.decoding_from = "held-out queries of the training data"
    if record.held_out_unlike:
        record.decoding_from += (
            f", in {', '.join(record.held_out_unlike)} those that resemble no training query"
        )


def second_round(config: TrainingConfig, refinement: Refinement) -> TrainingConfig:
    """The second round's own configuration: from the averaged network, other seeds, lower rates."""
    return config.model_copy(
        update={
            "base": str(config.out / "round-1" / "network"),
            "out": config.out / "round-2",
            "refinement": None,
            "seed": config.seed + config.members,
            "epochs": refinement.epochs,
            "encoder_rate": refinement.encoder_rate,
            "head_rate": refinement.head_rate,
            "freeze_embeddings": refinement.freeze_embeddings,
            "source_weights": refinement.source_weights or config.source_weights,
            "language_weights": refinement.language_weights or config.language_weights,
            "augmentation": config.augmentation.model_copy(
                update={"token_dropout": refinement.token_dropout}
            ),
        }
    )


def member_folder(config: TrainingConfig, number: int) -> Path:
    """Where member `number` (from 1) keeps its checkpoint, reports and network."""
    return config.out / f"member-{number}"


def _record(
    config: TrainingConfig,
    material: Material,
    given: dict[str, Any],
) -> RunRecord:
    config.out.mkdir(parents=True, exist_ok=True)
    earlier = read_record(config.out)
    if earlier is not None:
        if earlier.config != config:
            raise TrainingError(f"{config.out} holds a run with other settings; choose another --out")
        if (earlier.data, earlier.unannotated) != (material.data, material.unannotated):
            raise TrainingError(f"the data has changed since the run in {config.out}; choose another --out")
    readings, answers, n_answered = _learned_files(config, material.kept)
    if earlier is not None and (earlier.second_readings, earlier.answers) != (readings, answers):
        raise TrainingError(
            f"second readings or answers have changed since the run in {config.out}; choose another --out"
        )
    began_with = _base_sha256(config.base)
    teachers = tuple(
        LearnedFile(source=name, sha256=sha256_of(weights_file(Path(name))))
        for name in (config.distillation.teachers if config.distillation else ())
    )
    if earlier is not None and (earlier.base_sha256, earlier.teachers) != (began_with, teachers):
        raise TrainingError(
            f"the base or a teacher has changed since the run in {config.out}; choose another --out"
        )
    record = RunRecord(
        state="started",
        started_at=earlier.started_at if earlier else now(),
        command=" ".join(sys.argv),
        given=given,
        config=config,
        data=material.data,
        unannotated=material.unannotated,
        n_train=len(material.kept),
        n_held_out=len(material.held_out),
        n_answered=n_answered,
        versions=versions(),
        second_readings=readings,
        answers=answers,
        teachers=teachers,
        base_sha256=began_with,
    )
    record.write(config.out)
    return record


def _base_sha256(base: str) -> str | None:
    """Of the weights to start from, where they are a file of this machine."""
    for name in (EXPORTED, "model.safetensors"):
        if (Path(base) / name).is_file():
            return sha256_of(Path(base) / name)
    return None


def _learned_files(
    config: TrainingConfig, kept: Sequence[AnnotatedQuery]
) -> tuple[tuple[LearnedFile, ...], tuple[LearnedFile, ...], int]:
    """The files of second readings and of answers, and how many of `kept` have an answer.

    Raises: `DataError` for a file that cannot be used, and when no text of an unannotated file has an answer
    though there are answers in its language: it has been written anew since.
    """
    readings = config.second_reading.files if config.second_reading else ()
    answers = config.distillation.answers if config.distillation else ()
    if config.second_reading:
        Readings(config.second_reading)
    given = GivenAnswers(answers)
    answered = [query for query in kept if given.has(query.text)]
    languages = {query.language for query in answered}
    for source in {query.source for query in kept if not query.annotated}:
        own = [query for query in kept if query.source == source and query.language in languages]
        if own and not any(given.has(query.text) for query in own):
            raise DataError(f"{source}: none of its texts has an answer; answer them again")
    return hashed(readings), hashed(answers), len(answered)


def _train_members(
    config: TrainingConfig,
    kept: Sequence[AnnotatedQuery],
    held_out: Sequence[AnnotatedQuery],
    tokenizer: Tokenizer,
    report: Report,
) -> dict[str, list[EpochReport]]:
    if config.members == 1:
        folder = member_folder(config, 1)
        if not (folder / "network").is_dir():
            Member(config, tokenizer, kept, held_out, folder, seed=config.seed).run(report)
    else:
        _train_in_processes(config, report)
    return {str(number): _reports(config, number) for number in range(1, config.members + 1)}


def _train_in_processes(config: TrainingConfig, report: Report) -> None:
    """One process per member, each on its own threads: two cores then do not wait for each other."""
    context = multiprocessing.get_context("spawn")
    workers = [
        context.Process(target=_member_process, args=(config.model_dump_json(), number), daemon=True)
        for number in range(1, config.members + 1)
        if not (member_folder(config, number) / "network").is_dir()
    ]
    for worker in workers:
        worker.start()
    try:
        while any(worker.is_alive() for worker in workers):
            states = [_progress_of(config, number) for number in range(1, config.members + 1)]
            slowest = min(states, key=lambda state: state[0])
            report(sum(done for done, _ in states) / len(states), slowest[1])
            if any(worker.exitcode not in (None, 0) for worker in workers):
                break
            workers[0].join(_POLL_S)
            time.sleep(0 if workers[0].is_alive() else _POLL_S)
    finally:
        for worker in workers:
            if worker.is_alive():
                worker.terminate()
            worker.join()
    if any(worker.exitcode for worker in workers):
        raise TrainingError(
            "a member stopped before its end; its error stands above. The same command goes on"
        )


def _member_process(config_json: str, number: int) -> None:
    config = TrainingConfig.model_validate_json(config_json)
    material = load_material(config)
    folder = member_folder(config, number)
    member = Member(
        config,
        load_tokenizer(config.base),
        material.kept,
        material.held_out,
        folder,
        seed=config.seed + number - 1,
    )
    written_at = 0.0
    parent = multiprocessing.parent_process()

    def report(done: float, state: str) -> None:
        nonlocal written_at
        if time.monotonic() - written_at > _POLL_S:
            if parent is not None and not parent.is_alive():
                sys.exit("the run that this member belongs to was killed; the same command goes on")
            written_at = time.monotonic()
            part = folder / "progress.part"
            part.write_text(json.dumps([done, state]), encoding="utf-8")
            part.replace(folder / "progress.json")

    member.run(report)


def _progress_of(config: TrainingConfig, number: int) -> tuple[float, str]:
    folder = member_folder(config, number)
    if (folder / "network").is_dir():
        return 1.0, "done"
    path = folder / "progress.json"
    if not path.is_file():
        return 0.0, "starting"
    done, state = json.loads(path.read_text(encoding="utf-8"))
    return float(done), f"member {number}, {state}"


def _reports(config: TrainingConfig, number: int) -> list[EpochReport]:
    path = member_folder(config, number) / "epochs.json"
    if not path.is_file():
        return []
    return [EpochReport.model_validate(item) for item in json.loads(path.read_text(encoding="utf-8"))]


def _averaged(rounds: Sequence[TrainingConfig], folder: Path) -> Any:
    """Write the mean of the networks of all members of `rounds` into `folder` and return it."""
    from transformers import AutoModelForTokenClassification

    members = [
        AutoModelForTokenClassification.from_pretrained(member_folder(config, number) / "network")
        for config in rounds
        for number in range(1, config.members + 1)
    ]
    network = members[0]
    network.load_state_dict(average_weights([member.state_dict() for member in members]))
    network.save_pretrained(folder)
    return network


def _rules_of(folder: Path) -> DecodingRules:
    record = read_record(folder)
    if record is None or record.state != "finished":
        raise TrainingError(f"{folder} holds no finished run to take the decoding rules from")
    return record.decoding
