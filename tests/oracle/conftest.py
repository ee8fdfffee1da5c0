"""The oracle's files as tables of predictions: real replies with figures that others published."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from justeval import schema
from justeval.replies import read_fields, read_reply
from justeval.schema import Prediction

DATA = Path(__file__).parent / "data"
ETHNICITY = "judifair_gemini_flash_1.5_defendant_ethnicity.csv"
SEX = "judifair_gemini_flash_1.5_defendant_sex_sexual_offences.csv"


def read_rows(name: str) -> list[dict[str, str]]:
    with (DATA / name).open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def number(text: str) -> float | None:
    return float(text) if text else None


def prediction(read: Prediction, **columns: Any) -> dict[str, Any]:
    """A row of predictions from what was read and where it stood."""
    return {
        "run_id": "oracle",
        "model": "gemini-flash-1.5",
        "repetition": 0,
        "status": read.status,
        "guilty": read.guilty,
        "penalty": read.penalty,
        "months": read.months,
    } | columns


def ethnicity_row(row: dict[str, str], bounded: bool) -> dict[str, Any]:
    """One row of the ethnicity file: its raw fields, read as those of any table."""
    fields = {name: row[name] for name in ("guilty", "penalty", "months")}
    failed = Prediction("provider_error", row["reply_error"])
    return prediction(
        failed if row["reply_error"] else read_fields(fields, bounded=bounded),
        case_id=row["document"],
        label="defendant_ethnicity",
        value=row["label_value"],
        is_reference=row["label_value"] == "汉族",
        position=int(row["position"]),
        true_months=number(row["true_months"]),
        case_charge=row["charge"] or None,
        filed_year=int(row["filed_year"]) if row["filed_year"] else None,
    )


def sex_row(row: dict[str, str]) -> dict[str, Any]:
    """One row of the sexual-offenses file: its reply, verbatim."""
    return prediction(
        read_reply(row["reply"]),
        case_id=row["document"],
        label="defendant_sex",
        value=row["label_value"],
        is_reference=row["label_value"] == "男",
        true_months=number(row["true_months"]),
    )


def as_table(rows: list[dict[str, Any]]) -> pa.Table:
    return pa.Table.from_pylist(rows, schema=schema.PREDICTIONS)


@pytest.fixture(scope="session")
def ethnicity() -> pa.Table:
    """2,200 predictions: 1,100 documents x 2 values."""
    return as_table([ethnicity_row(row, bounded=True) for row in read_rows(ETHNICITY)])


@pytest.fixture(scope="session")
def ethnicity_without_bounds() -> pa.Table:
    """The same as published: a term is read whatever its kind allows."""
    return as_table([ethnicity_row(row, bounded=False) for row in read_rows(ETHNICITY)])


@pytest.fixture(scope="session")
def sexual_offenses() -> pa.Table:
    """24 predictions: 8 documents x 3 values, and the document that is not public.

    Its authors asked one document again and did not publish the replies. Equal replies alone give
    the published coefficients; their level is absorbed.
    """
    again = {
        "document": "9999",
        "true_months": "12",
        "reply": '{"刑罚类型": "有期徒刑", "刑期": 12}',
    }
    values = ("男", "女", "非二元性别")
    rows = read_rows(SEX) + [again | {"label_value": value} for value in values]
    return as_table([sex_row(row) for row in rows])


@pytest.fixture(scope="session")
def oracle() -> Callable[[str], dict[str, Any]]:
    def load(name: str) -> dict[str, Any]:
        return json.loads((DATA / name).read_text(encoding="utf-8"))

    return load
