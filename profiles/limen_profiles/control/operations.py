"""What can be asked over the channel. The same table serves a command that opens the profile itself."""

from __future__ import annotations

import base64
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import Base64Bytes, BaseModel, SecretStr

from limen_profiles.erasure import Erased
from limen_profiles.keys import HolderKind
from limen_profiles.portable import Imported
from limen_profiles.records import Filter, Page, PageRequest, Record, RuleOut, Summary
from limen_profiles.service import ProfileService, ProfileStatus


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
