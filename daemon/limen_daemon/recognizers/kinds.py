"""The kinds of value that recognizers find and what each one means as a finding."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from limen_daemon.findings import Category


class Weight(StrEnum):
    """How a value is ranked once it is known whose it is."""

    CREDENTIAL = "credential"
    """Opens something: always the "secret" tier, whoever's it is."""
    NUMBERED = "numbered"
    """An identifier that stands for a person in registers: "secret" when the user's, else "others"."""
    PLAIN = "plain"
    """"disclosure" when the user's, else "others"."""


@dataclass(frozen=True, slots=True)
class Kind:
    """`granularity` and `identifiability` as in `Finding`; `en` and `zh` name the kind in a sentence."""

    category: Category
    weight: Weight
    en: str
    zh: str
    granularity: int = 3
    identifiability: int = 3


_C = Category

KINDS: dict[str, Kind] = {
    "email": Kind(_C.CONTACT, Weight.PLAIN, "email address", "邮箱"),
    "phone": Kind(_C.CONTACT, Weight.PLAIN, "phone number", "电话号码"),
    "iban": Kind(_C.IDENTIFIER, Weight.NUMBERED, "bank account number", "银行账号"),
    "card": Kind(_C.IDENTIFIER, Weight.NUMBERED, "payment card number", "银行卡号"),
    "national_id": Kind(_C.IDENTIFIER, Weight.NUMBERED, "national ID number", "身份证号"),
    "tax_id": Kind(_C.IDENTIFIER, Weight.NUMBERED, "tax ID", "税号"),
    "social_security": Kind(_C.IDENTIFIER, Weight.NUMBERED, "social security number", "社会保险号"),
    "health_id": Kind(_C.IDENTIFIER, Weight.NUMBERED, "health insurance number", "医保号"),
    "passport": Kind(_C.IDENTIFIER, Weight.NUMBERED, "passport number", "护照号"),
    "licence": Kind(_C.IDENTIFIER, Weight.NUMBERED, "driving licence number", "驾驶证号"),
    "account_number": Kind(_C.IDENTIFIER, Weight.NUMBERED, "account number", "账号"),
    "record_number": Kind(_C.IDENTIFIER, Weight.PLAIN, "number", "编号"),
    "username": Kind(_C.IDENTIFIER, Weight.PLAIN, "user name", "用户名"),
    "ip": Kind(_C.IDENTIFIER, Weight.PLAIN, "IP address", "IP地址", 3, 2),
    "name": Kind(_C.NAME, Weight.PLAIN, "name", "姓名"),
    "birth_date": Kind(_C.AGE, Weight.PLAIN, "date of birth", "出生日期", 3, 2),
    "street": Kind(_C.ADDRESS, Weight.PLAIN, "address", "地址"),
    "coordinates": Kind(_C.LOCATION, Weight.PLAIN, "location", "位置坐标", 3, 2),
    "api_key": Kind(_C.CREDENTIAL, Weight.CREDENTIAL, "API key", "API密钥"),
    "password": Kind(_C.CREDENTIAL, Weight.CREDENTIAL, "password", "密码"),
    "private_key": Kind(_C.CREDENTIAL, Weight.CREDENTIAL, "private key", "私钥"),
    "url_secret": Kind(_C.CREDENTIAL, Weight.CREDENTIAL, "access token in a link", "链接中的访问令牌"),
}
