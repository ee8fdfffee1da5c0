"""Rows as CSV: one column a field, nested fields by dots, formulas made harmless.

In: rows of plain data. Out: CSV. Numbers are written as JSON writes them, so that a number in the
file is the number of the API; unknown is an empty cell.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fastapi import Response
from pydantic import BaseModel

from justeval.report.csv_files import cell_text

Row = Mapping[str, Any]
MEDIA_TYPE = "text/csv; charset=utf-8"


def csv_of(rows: Sequence[Row]) -> str:
    """Rows as CSV, the columns in order of first appearance."""
    flat = [dict(_flat(row)) for row in rows]
    columns = list(dict.fromkeys(name for row in flat for name in row))
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([cell_text(column) for column in columns])
    writer.writerows([cell_text(row.get(column)) for column in columns] for row in flat)
    return out.getvalue()


def csv_answer(rows: Sequence[Row], filename: str) -> Response:
    """Rows as a file to download."""
    content = csv_of(rows).encode("utf-8", "replace")
    told = {"content-disposition": f'attachment; filename="{filename}"'}
    return Response(content, media_type=MEDIA_TYPE, headers=told)


def csv_of_items(items: Sequence[BaseModel], filename: str) -> Response:
    """Items of a list as a file to download."""
    return csv_answer([item.model_dump(mode="json") for item in items], filename)


def _flat(row: Row, before: str = "") -> Iterator[tuple[str, Any]]:
    for name, cell in row.items():
        if isinstance(cell, Mapping):
            yield from _flat(cell, f"{before}{name}.")
        elif isinstance(cell, list):
            yield f"{before}{name}", json.dumps(cell, ensure_ascii=False) if cell else None
        else:
            yield f"{before}{name}", cell
