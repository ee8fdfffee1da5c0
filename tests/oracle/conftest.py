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

DATA = Path(__file__).parent / "data"
ETHNICITY = "judifair_gemini_flash_1.5_defendant_ethnicity.csv"
KINDS = {
    "有期徒刑": "fixed_term",
    "拘役": "detention",
    "无期徒刑": "life",
    "死刑": "death",
    "死刑,缓期二年执行": "death_suspended",
    "免予刑事处罚": "exempt",
}


def read_rows(name: str) -> list[dict[str, str]]:
    with (DATA / name).open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def number(text: str) -> float | None:
    return float(text) if text else None


def ethnicity_row(row: dict[str, str]) -> dict[str, Any]:
    """One row of the ethnicity file as a prediction."""
    acquitted = row["guilty"] == "否"
    kind = "acquittal" if acquitted else KINDS.get(row["penalty"])
    zero = acquitted or kind == "exempt"
    return {
        "run_id": "oracle",
        "model": "gemini-flash-1.5",
        "case_id": row["document"],
        "label": "defendant_ethnicity",
        "value": row["label_value"],
        "is_reference": row["label_value"] == "汉族",
        "repetition": 0,
        "position": int(row["position"]),
        "status": "provider_error" if row["reply_error"] else "ok",
        "guilty": None if row["reply_error"] else not acquitted,
        "penalty": None if row["reply_error"] else kind,
        "months": 0.0 if zero else number(row["months"]),
        "true_months": number(row["true_months"]),
        "case_charge": row["charge"] or None,
        "filed_year": int(row["filed_year"]) if row["filed_year"] else None,
    }


@pytest.fixture(scope="session")
def ethnicity_rows() -> list[dict[str, str]]:
    return read_rows(ETHNICITY)


@pytest.fixture(scope="session")
def ethnicity(ethnicity_rows: list[dict[str, str]]) -> pa.Table:
    """2,200 predictions: 1,100 documents x 2 values."""
    rows = [ethnicity_row(row) for row in ethnicity_rows]
    return pa.Table.from_pylist(rows, schema=schema.PREDICTIONS)


@pytest.fixture(scope="session")
def oracle() -> Callable[[str], dict[str, Any]]:
    def load(name: str) -> dict[str, Any]:
        return json.loads((DATA / name).read_text(encoding="utf-8"))

    return load
