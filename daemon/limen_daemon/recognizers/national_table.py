"""National identification numbers: shape, check and the words that must stand beside them.

`check` names a module of python-stdnum whose `is_valid` decides. A shape that is rare by itself
(`needs_word` False) counts anywhere; a plain run of digits counts only beside one of its words.
"""

# ruff: noqa: E501  # a table: one entry a line reads best

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class NationalId:
    kind: str
    check: str | None
    shape: str
    words: tuple[str, ...]
    needs_word: bool = True


_TAX = ("tin", "tax id", "tax number", "tax no", "tax identification number")
_ID = ("id", "id number", "id no", "id card", "identity number", "national id")

NATIONAL_IDS: tuple[NationalId, ...] = (
    NationalId(
        "tax_id", "stdnum.de.idnr", r"\d{2}[ /]?\d{3}[ /]?\d{3}[ /]?\d{3}",
        ("steuer-id", "steuerid", "steuer-idnr", "steuer id", "idnr", "steuer-identifikationsnummer",
         "steueridentifikationsnummer", "steuernummer", "german tax id", *_TAX),
    ),
    NationalId(
        "national_id", "stdnum.cn.ric", r"\d{17}[0-9Xx]",
        ("身份证", "身份证号", "证件号"), needs_word=False,
    ),
    NationalId(
        "social_security", "stdnum.us.ssn", r"\d{3}[- ]\d{2}[- ]\d{4}|\d{9}",
        ("ssn", "ss#", "ssn#", "social", "social security", "social security number", "社保"),
    ),
    NationalId("tax_id", "stdnum.us.itin", r"9\d{2}-?\d{2}-?\d{4}", ("itin", *_TAX)),
    NationalId(
        "social_security", None,
        r"(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D]",
        ("ni", "nino", "national insurance", "national insurance number", "ni number", "insurance number"),
    ),
    NationalId("health_id", "stdnum.gb.nhs", r"\d{3}[ -]?\d{3}[ -]?\d{4}", ("nhs", "nhs number", "nhs no")),
    NationalId("tax_id", "stdnum.gb.utr", r"\d{10}K?", ("utr", "unique taxpayer reference")),
    NationalId("social_security", "stdnum.ca.sin", r"\d{3}[ -]?\d{3}[ -]?\d{3}", ("sin", "social insurance")),
    NationalId(
        "social_security", "stdnum.fr.nir", r"[12] ?\d{2} ?\d{2} ?\d{2} ?\d{3} ?\d{3} ?\d{2}",
        ("nir", "sécurité sociale", "sécu", "numéro de sécu"),
    ),
    NationalId("national_id", "stdnum.es.dni", r"\d{8}-?[A-Z]", ("dni", "nif", *_ID)),
    NationalId("national_id", "stdnum.es.nie", r"[XYZ]-?\d{7}-?[A-Z]", ("nie", *_ID)),
    NationalId(
        "tax_id", "stdnum.it.codicefiscale", r"[A-Z]{6}\d{2}[A-Z]\d{2}[A-Z]\d{3}[A-Z]",
        ("codice fiscale",), needs_word=False,
    ),
    NationalId("national_id", "stdnum.nl.bsn", r"\d{9}|\d{4}\.\d{2}\.\d{3}", ("bsn", "burgerservicenummer")),
    NationalId("national_id", "stdnum.be.nn", r"\d{2}\.?\d{2}\.?\d{2}-?\d{3}\.?\d{2}",
               ("rijksregisternummer", "national register", "registre national", "niss")),
    NationalId("national_id", "stdnum.pl.pesel", r"\d{11}", ("pesel",)),
    NationalId("national_id", "stdnum.se.personnummer", r"(?:\d{2})?\d{6}[-+]?\d{4}", ("personnummer", *_ID)),
    NationalId("national_id", "stdnum.no.fodselsnummer", r"\d{6} ?\d{5}", ("fødselsnummer", "fodselsnummer")),
    NationalId("national_id", "stdnum.dk.cpr", r"\d{6}-?\d{4}", ("cpr", "cpr-nummer", "cpr number")),
    NationalId("national_id", "stdnum.fi.hetu", r"\d{6}[-+A]\d{3}[0-9A-Z]", ("hetu", "henkilötunnus", *_ID)),
    NationalId("social_security", "stdnum.ch.ssn", r"756\.\d{4}\.\d{4}\.\d{2}", ("ahv",), needs_word=False),
    NationalId("social_security", "stdnum.at.vnr", r"\d{4} ?\d{6}", ("svnr", "sv-nummer", "sozialversicherungsnummer")),
    NationalId("tax_id", "stdnum.pt.nif", r"\d{9}", ("nif", "contribuinte")),
    NationalId("tax_id", "stdnum.br.cpf", r"\d{3}\.\d{3}\.\d{3}-\d{2}", ("cpf",), needs_word=False),
    NationalId("tax_id", "stdnum.br.cpf", r"\d{11}", ("cpf",)),
    NationalId("national_id", "stdnum.mx.curp", r"[A-Z]{4}\d{6}[HM][A-Z]{5}[0-9A-Z]\d", ("curp",), needs_word=False),
    NationalId("national_id", "stdnum.in_.aadhaar", r"\d{4}[ -]?\d{4}[ -]?\d{4}", ("aadhaar", "aadhar", "uidai")),
    NationalId("tax_id", "stdnum.in_.pan", r"[A-Z]{5}\d{4}[A-Z]", ("pan", "pan card", "pan number", "income tax")),
    NationalId("national_id", "stdnum.kr.rrn", r"\d{6}-\d{7}", ("rrn", "주민등록번호", "resident registration")),
    NationalId("tax_id", "stdnum.au.tfn", r"\d{3} ?\d{3} ?\d{2,3}", ("tfn", "tax file number")),
    NationalId("national_id", "stdnum.tr.tckimlik", r"\d{11}", ("tc kimlik", "kimlik no", "tckn", "kimlik")),
    NationalId("national_id", "stdnum.za.idnr", r"\d{13}", ("south african id", *_ID)),
    NationalId("national_id", "stdnum.il.idnr", r"\d{8,9}", ("teudat zehut", "israeli id")),
)  # fmt: skip
