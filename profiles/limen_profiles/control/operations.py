"""What can be asked over the channel. The same table serves a command that opens the profile itself."""

from __future__ import annotations

import base64
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import Base64Bytes, BaseModel, Field, SecretStr

from limen_profiles.calibration import CalibrationAnswer, CalibrationState
from limen_profiles.erasure import Erased
from limen_profiles.keys import HolderKind
from limen_profiles.portable import Imported
from limen_profiles.records import (
    Decision,
    DecisionOut,
    Deletion,
    Filter,
    Page,
    PageRequest,
    Record,
    RowId,
    RuleIn,
    RuleOut,
    Summary,
)
from limen_profiles.service import ProfileService, ProfileStatus
from limen_profiles.settings import Settings, SettingsChange


class Nothing(Record):
    pass


class InitRequest(Record):
    holder: HolderKind
    passphrase: SecretStr | None = None
    key_file: Path | None = None


class UnlockRequest(Record):
    passphrase: SecretStr | None = None


class SealedExportRequest(Record):
    passphrase: SecretStr


class PlainExportRequest(Record):
    confirm: str


class Content(Record):
    content: Base64Bytes


class ImportRequest(Content):
    passphrase: SecretStr | None = None


class EraseRequest(Record):
    confirm: str


class RotateRequest(Record):
    new_passphrase: SecretStr | None = None


class Rules(Record):
    items: list[RuleOut]


class EditRequest(Record):
    id: RowId
    decision: Decision


class Count(Record):
    count: int


class PauseRequest(Record):
    """0 ends a pause."""

    minutes: Annotated[int, Field(ge=0, le=7 * 24 * 60)]


class RuleRequest(Record):
    id: RowId


@dataclass(frozen=True, slots=True)
class Operation:
    """`request` and `answer` are the models of what comes in and goes out."""

    request: type[BaseModel]
    answer: type[BaseModel]
    run: Callable[[ProfileService, Any], BaseModel]


def _status(service: ProfileService, _: Nothing) -> ProfileStatus:
    return service.status()


def _init(service: ProfileService, request: InitRequest) -> ProfileStatus:
    return service.init(request.holder, passphrase=_shown(request.passphrase), key_file=request.key_file)


def _unlock(service: ProfileService, request: UnlockRequest) -> ProfileStatus:
    return service.unlock(_shown(request.passphrase))


def _lock(service: ProfileService, _: Nothing) -> ProfileStatus:
    service.lock()
    return service.status()


def _page(service: ProfileService, request: PageRequest) -> Page:
    return service.profile().page(request)


def _summary(service: ProfileService, request: Filter) -> Summary:
    return service.profile().summary(request)


def _rules(service: ProfileService, _: Nothing) -> Rules:
    return Rules(items=service.profile().rules())


def _edit(service: ProfileService, request: EditRequest) -> DecisionOut:
    return service.profile().edit(request.id, request.decision)


def _delete(service: ProfileService, request: Deletion) -> Count:
    return Count(count=service.profile().delete(request))


def _add_rule(service: ProfileService, request: RuleIn) -> RuleOut:
    return service.profile().add_rule(request)


def _remove_rule(service: ProfileService, request: RuleRequest) -> Nothing:
    service.profile().remove_rule(request.id)
    return Nothing()


def _settings(service: ProfileService, request: SettingsChange) -> Settings:
    if not request.model_fields_set:
        return service.profile().settings()
    return service.profile().change_settings(request)


def _pause(service: ProfileService, request: PauseRequest) -> ProfileStatus:
    service.profile().pause(request.minutes)
    return service.status()


def _calibration(service: ProfileService, _: Nothing) -> CalibrationState:
    return service.profile().calibration()


def _answer_calibration(service: ProfileService, request: CalibrationAnswer) -> CalibrationState:
    return service.profile().answer_calibration(request)


def _export_sealed(service: ProfileService, request: SealedExportRequest) -> Content:
    return Content(content=encoded(service.profile().export_sealed(request.passphrase.get_secret_value())))


def _export_plain(service: ProfileService, request: PlainExportRequest) -> Content:
    return Content(content=encoded(service.profile().export_plain(confirm=request.confirm)))


def _import(service: ProfileService, request: ImportRequest) -> Imported:
    return service.profile().import_(request.content, _shown(request.passphrase))


def _erase(service: ProfileService, request: EraseRequest) -> Erased:
    return service.erase(confirm=request.confirm)


def _rotate(service: ProfileService, request: RotateRequest) -> ProfileStatus:
    service.rotate(new_passphrase=_shown(request.new_passphrase))
    return service.status()


OPERATIONS: dict[str, Operation] = {
    "status": Operation(Nothing, ProfileStatus, _status),
    "init": Operation(InitRequest, ProfileStatus, _init),
    "unlock": Operation(UnlockRequest, ProfileStatus, _unlock),
    "lock": Operation(Nothing, ProfileStatus, _lock),
    "page": Operation(PageRequest, Page, _page),
    "summary": Operation(Filter, Summary, _summary),
    "rules": Operation(Nothing, Rules, _rules),
    "edit": Operation(EditRequest, DecisionOut, _edit),
    "delete": Operation(Deletion, Count, _delete),
    "add_rule": Operation(RuleIn, RuleOut, _add_rule),
    "remove_rule": Operation(RuleRequest, Nothing, _remove_rule),
    "settings": Operation(SettingsChange, Settings, _settings),
    "pause": Operation(PauseRequest, ProfileStatus, _pause),
    "calibration": Operation(Nothing, CalibrationState, _calibration),
    "answer_calibration": Operation(CalibrationAnswer, CalibrationState, _answer_calibration),
    "export_sealed": Operation(SealedExportRequest, Content, _export_sealed),
    "export_plain": Operation(PlainExportRequest, Content, _export_plain),
    "import": Operation(ImportRequest, Imported, _import),
    "erase": Operation(EraseRequest, Erased, _erase),
    "rotate": Operation(RotateRequest, ProfileStatus, _rotate),
}


def encoded(raw: bytes) -> bytes:
    """What a `Base64Bytes` field takes to give back `raw`."""
    return base64.b64encode(raw)


def _shown(secret: SecretStr | None) -> str | None:
    return None if secret is None else secret.get_secret_value()
